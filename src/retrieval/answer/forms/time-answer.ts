import { isEventSource } from '../../../domain/source-type.ts'
import { zonedDayName } from '../../../lib/clock.ts'
import { sentencesOf } from '../../../lib/sentences.ts'
import type { MemoryRow } from '../../../store/search/search.ts'
import { sameWords, titleWords } from '../../recall/near-duplicates.ts'
import { citedFile, citedTitle, formatDay, isMail, spanText } from '../../recall/provenance.ts'
import { mailWords } from '../../recall/quote-text.ts'
import type { WantedTime } from '../../recall/what-happened.ts'
import type { Answer, Citation } from '../write-answer.ts'

/** Most lines of an answer; the rest are counted. */
const MOST_LISTED = 12
/** Room for what all entries say; each has its share, up to this many characters. */
const MOST_CHARACTERS = 1_200
const MOST_CHARACTERS_OF_ONE = 600
/** A headline of more characters needs no sentence. */
const LONG_HEADLINE = 60
/** Letters and digits by which a sentence is known to be in the headline. */
const SAME_START = 24
/** A name in front of what is said; a sentence before a colon is none. */
const SPOKEN = /^[^\n:.!?]{2,40}: /m
/** Share of a headline's words in the text from which it says nothing else: `Tom offered to take his van` is told by Tom. */
const SAID_SHARE = 0.7
/** A title in front of a headline: `Diary: Ran 8 km`. */
const TITLED = /^(.{1,80}?): (?=.)/s

/** Everything dated within a time, by day and source, each line with its number. */
export function timeAnswer({ range, people }: WantedTime, found: readonly MemoryRow[], timeZone: string): Answer {
  const memories = onceStored(found)
  const when = spanText(range.since, range.until, timeZone)
  const withPeople = people.length === 0 ? '' : ` with ${people.join(' and ')}`
  if (memories.length === 0) {
    const text = `I found nothing dated ${when}.`
    return { response: text, text, abstained: true, citations: [] }
  }
  const shown = byDayAndSource(spread(memories), timeZone)
  const characters = Math.min(MOST_CHARACTERS_OF_ONE, Math.floor(MOST_CHARACTERS / shown.length))
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

/**
 * Each text of a moment once, although several sources may have it. Two notes may say the same of different things, which
 * their headlines name; the headline of a conversation depends on its source.
 */
function onceStored(memories: readonly MemoryRow[]): readonly MemoryRow[] {
  const known = new Set<string>()
  return memories.filter((memory) => {
    const { headline = '', body = '' } = memory.content
    const title = isConversation(memory) ? '' : titleWords(headline)
    const key = [memory.at ?? '', title, sameWords(body).join(' ')].join('\n')
    return !known.has(key) && known.add(key)
  })
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

/** All that the text says, behind the title, if it fits; otherwise the headline with sentences that it lacks. */
function lineWords(memory: MemoryRow, characters: number): string {
  const { sourceType } = memory
  const { headline, narrative, body = '', participants = [] } = memory.content
  if (headline === undefined) return citedTitle(narrative ?? body)
  if (isEventSource(sourceType)) return eventLine(headline, body)
  const isSpoken = isConversation(memory)
  const told = isSpoken ? turnsOf(body) : sentencesOf(isMail(sourceType) ? mailWords(body, participants[0]) : body)
  const whole = told.join(isSpoken ? '; ' : ' ')
  const title = titleAbove(headline, told)
  if ((title !== undefined || isSpoken) && whole.length <= characters)
    return quotable([title ?? headline, whole].filter((part) => part !== '').join(': '))
  // One remark is enough for a conversation.
  return isSpoken ? citedTitle(headline) : withSentences(headline, told, characters)
}

function isConversation({ content: { participants = [], body = '' } }: MemoryRow): boolean {
  return participants.length > 0 && SPOKEN.test(body)
}

/** Each turn on one line, as far as it says something. */
function turnsOf(body: string): string[] {
  const turns = body
    .split(new RegExp(`\\n(?=${SPOKEN.source.slice(1)})`))
    .map((turn) => turn.replace(/\s+/g, ' ').trim())
  return turns.filter((turn) => /\p{L}|\d/u.test(turn.replace(/^[^:]*:/, '')))
}

/**
 * What stands in a headline in front of words of the text, which need not be said twice: `Diary` in `Diary: Ran 8 km`; empty
 * if all of it is in the text, and `undefined` if some of it is nowhere else.
 */
function titleAbove(headline: string, told: readonly string[]): string | undefined {
  const said = new Set(wordsOf(told.join(' ')))
  const isSaid = (words: string) => {
    const all = wordsOf(words)
    return all.filter((word) => said.has(word)).length >= all.length * SAID_SHARE
  }
  const title = TITLED.exec(headline)
  if (title === null || isSaid(title[1]!)) return isSaid(headline) ? '' : undefined
  return isSaid(headline.slice(title[0].length)) ? title[1]! : undefined
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** The headline, a first sentence where it is short, and those that still fit; none that the headline has. */
function withSentences(headline: string, told: readonly string[], characters: number): string {
  const held = bare(headline)
  const others = told.filter((sentence) => !held.includes(bare(sentence).slice(0, SAME_START)))
  const [gist, ...more] = others
  const title = citedTitle(headline)
  if (gist === undefined) return title
  const isFirst = headline.length <= LONG_HEADLINE && others.length === told.length
  const line = isFirst ? `${title}: ${citedTitle(gist)}` : title
  return (isFirst ? more : others).reduce(
    (shown, next) =>
      shown.length + next.length < characters
        ? `${shown}${/[.!?…:;]["'”’)\]]*$/.test(shown) ? '' : '.'} ${quotable(next)}`
        : shown,
    line,
  )
}

/** Letters and digits only, to compare what differs in punctuation and case. */
function bare(words: string): string {
  return words.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

/** On one line, without the quotation marks of a citation. */
function quotable(words: string): string {
  return words.replace(/\s+/g, ' ').replace(/[“”]/g, '"').trim()
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
