import { isEventSource } from '../domain/source-type.ts'
import { zonedDayName } from '../lib/clock.ts'
import { sentencesOf } from '../lib/sentences.ts'
import type { MemoryRow } from '../store/search/search.ts'
import { citedFile, citedTitle, formatDay } from './provenance.ts'
import type { WantedTime } from './what-happened.ts'
import type { Answer, Citation } from './write-answer.ts'

/** Most lines of an answer; the rest are counted. */
const MOST_LISTED = 12
/** Up to so many entries are shown with more of their sentences, up to this many characters each. */
const FEW_LISTED = 4
const MOST_CHARACTERS_OF_FEW = 240
const DAY_MS = 86_400_000
/** A headline of more characters needs no sentence. */
const LONG_HEADLINE = 60
/** Characters by which a sentence is known to be in the headline. */
const SAME_START = 30
const LEAST_WORDS = 3
const SPOKEN = /^[^\n:]{2,40}: /m

/** Everything dated within a time, by day and source, each line with its number. */
export function timeAnswer({ range, people }: WantedTime, memories: readonly MemoryRow[], timeZone: string): Answer {
  const when = spanText(range.since, range.until, timeZone)
  const withPeople = people.length === 0 ? '' : ` with ${people.join(' and ')}`
  if (memories.length === 0) {
    const text = `I found nothing dated ${when}.`
    return { response: text, text, abstained: true, citations: [] }
  }
  const shown = byDayAndSource(spread(memories), timeZone)
  const characters = shown.length <= FEW_LISTED ? MOST_CHARACTERS_OF_FEW : 0
  const lines: string[] = []
  let day = ''
  for (const [i, memory] of shown.entries()) {
    const next = formatDay(new Date(memory.at ?? 0), timeZone)
    if (next !== day && next !== when) lines.push(`${next}:`)
    day = next
    lines.push(`- ${lineText(memory, timeZone, characters)} [${i + 1}]`)
  }
  const more = memories.length > shown.length ? [`and ${memories.length - shown.length} more`] : []
  const text = [`Found ${memories.length}${withPeople} dated ${when}:`, ...lines, ...more].join('\n')
  const citations = shown.map((memory, i) => `[${i + 1}] ${sourceLine(memory, timeZone)}`)
  return {
    response: `${text}\n\n${citations.join('\n')}`,
    text,
    abstained: false,
    citations: shown.map((memory) => memoryCitation(memory, lineWords(memory, characters))),
  }
}

export function memoryCitation(memory: MemoryRow, quote: string): Citation {
  const { itemId, sourceType, content, url } = memory
  return {
    itemId,
    sourceType,
    quote,
    memory,
    ...(content.headline !== undefined && { title: content.headline }),
    ...(content.when !== undefined && { when: content.when }),
    ...(url !== undefined && { url }),
  }
}

/** As other answers cite a passage. */
export function sourceLine(memory: MemoryRow, timeZone: string): string {
  const { content, sourceType, at, url } = memory
  const { headline } = content
  const titled = headline === undefined ? [] : [`“${citedTitle(headline)}”`]
  const when = at === undefined ? [] : [formatDay(new Date(at), timeZone)]
  return [...titled, sourceType, ...when, url ?? citedFile(memory)].join(', ')
}

/** Days in order, within each the sources side by side. */
function byDayAndSource(memories: readonly MemoryRow[], timeZone: string): MemoryRow[] {
  const dayOf = ({ at }: MemoryRow) => zonedDayName(new Date(at ?? 0), timeZone)
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  return memories.toSorted((a, b) => compare(dayOf(a), dayOf(b)) || compare(a.sourceType, b.sourceType))
}

/** `09:30 Standup (calendar)`; a day begins at midnight, so midnight is a day. */
function lineText(memory: MemoryRow, timeZone: string, characters: number): string {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  const time = clock.format(new Date(memory.at ?? 0))
  return `${time === '00:00' ? '' : `${time} `}${lineWords(memory, characters)} (${memory.sourceType})`
}

/** The headline, with the first sentence of the text where the headline is only a name, such as that of a channel. */
function lineWords(memory: MemoryRow, characters: number): string {
  const { headline, narrative, body = '' } = memory.content
  if (headline === undefined) return citedTitle(narrative ?? body)
  if (isEventSource(memory.sourceType)) return eventLine(headline, body)
  const [gist, ...more] = sentencesOf(body).filter((sentence) => sentence.split(/\s+/).length >= LEAST_WORDS)
  if (gist === undefined) return citedTitle(headline)
  const isTold = headline.length > LONG_HEADLINE || headline.includes(gist.slice(0, SAME_START))
  const line = isTold ? citedTitle(headline) : `${citedTitle(headline)}: ${citedTitle(gist)}`
  // One remark is enough for a conversation.
  if (SPOKEN.test(body)) return line
  return more.reduce((told, next) => (told.length + next.length < characters ? `${told} ${next}` : told), line)
}

/** `Site visit, Quay Park, with Imre Novak` */
function eventLine(headline: string, body: string): string {
  const where = /^Where: (.+)$/m.exec(body)?.[1]
  const people = /^With: (.+)$/m.exec(body)?.[1]
  return citedTitle([headline, ...(where ? [where] : []), ...(people ? [`with ${people}`] : [])].join(', '))
}

/** One memory of each item, then more where there is room, over the whole time. */
function spread(memories: readonly MemoryRow[]): readonly MemoryRow[] {
  if (memories.length <= MOST_LISTED) return memories
  const items = new Set<number>()
  const first = memories.filter(({ itemKey }) => !items.has(itemKey) && items.add(itemKey))
  const chosen = first.length >= MOST_LISTED ? first : memories
  return chosen.filter(
    (_, i) => Math.floor((i * MOST_LISTED) / chosen.length) !== Math.floor(((i - 1) * MOST_LISTED) / chosen.length),
  )
}

/** `19 November 2026` or `9 November 2026 to 15 November 2026` */
export function spanText(since: Date, until: Date, timeZone: string): string {
  const [first, last] = [since, new Date(until.getTime() - 1)].map((at) => formatDay(at, timeZone))
  return first === last || until.getTime() - since.getTime() <= DAY_MS / 2 ? first! : `${first} to ${last}`
}
