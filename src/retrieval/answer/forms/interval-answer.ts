import { casual } from 'chrono-node'
import { zonedDay, zoneOffsetMinutes } from '../../../lib/clock.ts'
import { buildHistory } from '../../recall/history.ts'
import { citationLine, formatDay } from '../../recall/provenance.ts'
import type { RecallSources } from '../../recall/rank-chunks.ts'
import { rankChunks } from '../../recall/rank-chunks.ts'
import { type RecallInput, rankingContext, searchFilter } from '../../recall/recall.ts'
import { statedDate } from '../../recall/stated-date.ts'
import { isLikelyAnswer, weighEvidence } from '../answer-confidence.ts'
import type { Evidence, Source } from '../evidence/evidence.ts'
import { type Quote, readQuotes } from '../evidence/read-quotes.ts'
import { readSentences } from '../evidence/read-sentences.ts'
import { leadingSources } from '../leading-sources.ts'
import { createCitation, renderQuote } from '../render-quote.ts'
import type { Answer } from '../write-answer.ts'

/** The two events of a question about an interval. */
export interface AskedInterval {
  readonly first: string
  readonly second: string
  readonly unit: 'days' | 'weeks' | 'months' | undefined
}

const UNIT = /\bhow (?:long|much time|many (days?|weeks?|months?))\b/i
const BETWEEN = /\bbetween\s+(.+?)\s*[?.!]*$/i
const FROM_TO = /\bfrom\s+(.+)\s+(?:to|until|till)\s+(.+?)\s*[?.!]*$/i
const AFTER = /\b(?:after|before)\s+(.+?),?\s+(?:did|was|were|had|is|does|do)\s+(.+?)\s*[?.!]*$/i
/** A second event with so few words shares those of the first: `adopting Coco and Shadow`. */
const SHORT_EVENT = 2
/** `the offer and the installation of the heat pump` */
const COMMON_OBJECT = /\s+(?:of|for|from|with)\s.+$/i
const DAY_MS = 86_400_000
/** `morning of` before a date, which makes `chrono-node` overlook the date. */
const PART_OF_DAY = /\b(?:morning|afternoon|evening|night) of (?=\d|\p{Lu})/gu
const WEEKDAY = /^(?:on )?\p{Lu}?\p{Ll}+day$/u
const DAYS_OF_MONTH = 30.44
/** From this number of days, the answer is in months. */
const MANY_DAYS = 60

/** The two events of `how long between A and B` or `how many days after A did B`; `undefined` for other questions. */
export function askedInterval(question: string): AskedInterval | undefined {
  const unit = UNIT.exec(question)
  if (unit === null) return undefined
  const between = BETWEEN.exec(question)
  const events = between ? splitEvents(between[1]!) : (FROM_TO.exec(question) ?? AFTER.exec(question))?.slice(1, 3)
  const [first, second] = events ?? []
  if (first === undefined || second === undefined) return undefined
  const named = unit[1]?.toLowerCase().replace(/s?$/, 's')
  return { first, second, unit: named === 'days' || named === 'weeks' || named === 'months' ? named : undefined }
}

/** Splits at the `and` after a comma, otherwise at the one nearest to the middle. */
function splitEvents(both: string): readonly [string, string] | undefined {
  const marks = [...both.matchAll(/,\s+and\s+/gi)]
  const found = marks.length > 0 ? marks : [...both.matchAll(/\s+and\s+/gi)]
  const offset = (mark: RegExpExecArray) => Math.abs(mark.index + mark[0].length / 2 - both.length / 2)
  const [mark] = found.toSorted((a, b) => offset(a) - offset(b))
  if (mark === undefined) return undefined
  const [first, second] = [both.slice(0, mark.index), both.slice(mark.index + mark[0].length)]
  const [words, others] = [first.split(/\s+/), second.split(/\s+/)]
  const isShort = others.length <= SHORT_EVENT && words.length > others.length
  if (isShort) return [first, [...words.slice(0, -others.length), second].join(' ')]
  const [object = ''] = COMMON_OBJECT.exec(second) ?? []
  return [words.length <= SHORT_EVENT ? `${first}${object}` : first, second]
}

interface DatedEvent {
  /** Midnight UTC of the day. */
  readonly day: Date
  readonly quote: Quote
}

/**
 * The time between the days of both events, each quoted; `undefined` when one of them is not found or has no day, or
 * both are in one passage.
 */
export async function intervalAnswer(
  { first, second, unit }: AskedInterval,
  input: RecallInput,
  sources: RecallSources,
  readEvidence: (ranking: Evidence['ranking']) => Promise<Evidence>,
): Promise<Answer | undefined> {
  const events: DatedEvent[] = []
  for (const text of [first, second]) {
    const event = await findEvent({ ...input, text }, sources, readEvidence)
    if (event === undefined) return undefined
    events.push(event)
  }
  const [from, to] = events.toSorted((a, b) => a.day.getTime() - b.day.getTime())
  const days = Math.round((to!.day.getTime() - from!.day.getTime()) / DAY_MS)
  if (events[0]!.quote.row.chunkId === events[1]!.quote.row.chunkId) return undefined
  const told = events.map(({ quote }, i) => renderQuote(quote, `[${i + 1}]`, '', input.timeZone))
  const text = [
    `${intervalText(days, unit)}, from ${formatDay(from!.day, 'UTC')} to ${formatDay(to!.day, 'UTC')}.`,
    ...told,
  ].join('\n')
  const lines = events.map(({ quote }, i) => `[${i + 1}] ${citationLine(quote.row, quote, input.timeZone)}`)
  return {
    response: `${text}\n\n${lines.join('\n')}`,
    text,
    abstained: false,
    citations: events.map(({ quote }) => createCitation(quote, input.text)),
  }
}

/** `13 days`, `2 weeks (14 days)`, `about 4 months (121 days)` */
export function intervalText(days: number, unit: AskedInterval['unit']): string {
  if (days === 0) return 'The same day (0 days)'
  const inDays = counted(days, 'day')
  if (unit === 'weeks')
    return days % 7 === 0
      ? `${counted(days / 7, 'week')} (${inDays})`
      : `About ${counted(Math.round(days / 7), 'week')} (${inDays})`
  if (unit === 'months' || (unit === undefined && days >= MANY_DAYS))
    return `About ${counted(Math.round(days / DAYS_OF_MONTH), 'month')} (${inDays})`
  return inDays
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

async function findEvent(
  input: RecallInput,
  sources: RecallSources,
  readEvidence: (ranking: Evidence['ranking']) => Promise<Evidence>,
): Promise<DatedEvent | undefined> {
  const { text, timeZone, userName } = input
  const ranking = await rankChunks(text, searchFilter(input), { ...sources, ...rankingContext(input) })
  if (ranking.ranked.length === 0) return undefined
  // A replaced statement still describes an event that happened.
  const evidence = { ...(await readEvidence(ranking)), history: buildHistory<number>([]) }
  // For its day, a calendar event is as good as a written statement.
  const read = await readSentences(`When ${text}`, evidence, sources.embedder, { timeZone, userName })
  const weighed = weighEvidence(text, evidence, read, userName)
  const [source] = leadingSources(evidence, read)
  if (source === undefined || weighed.holdsNames < 1 || !isLikelyAnswer(weighed, ranking.query)) return undefined
  const day = dayOfSource(source, timeZone)
  const [quote] = await readQuotes([source], ranking, { index: sources.index, timeZone })
  return day === undefined || quote === undefined ? undefined : { day, quote }
}

/** The day in the sentence, or the day of the sentence; `undefined` for a longer period. */
function dayOfSource({ row, answer = '' }: Source, timeZone: string): Date | undefined {
  if (row.at === undefined) return undefined
  const at = new Date(row.at)
  const reference = { instant: at, timezone: zoneOffsetMinutes(at, timeZone) }
  const named = casual
    .parse(answer.replaceAll(PART_OF_DAY, ''), reference)
    .find(({ start }) => start.isCertain('day') && start.isCertain('month'))
  if (named !== undefined) {
    const [year, month, day] = (['year', 'month', 'day'] as const).map((part) => named.start.get(part) ?? 1)
    return new Date(Date.UTC(year!, month! - 1, day))
  }
  const stated = statedDate(answer, row, timeZone)
  // `Ordered it, it will come on Friday` was said on the day of the order.
  const isComing = stated?.day !== undefined && stated.day > at && WEEKDAY.test(stated.words)
  if (stated !== undefined && !isComing) return stated.day
  const { year, month, day } = zonedDay(at, timeZone)
  return new Date(Date.UTC(year, month - 1, day))
}
