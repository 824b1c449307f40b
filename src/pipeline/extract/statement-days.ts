import type { Chunk, MomentRange } from '../../domain/document.ts'
import { findNamedDays } from '../dates/named-days.ts'
import { wallTime, zonedTime } from '../dates/zoned-time.ts'
import { isFirstPerson } from '../parse/conversation/is-spoken.ts'
import { listWords } from '../parse/event-text.ts'
import type { ExtractContext } from './extract-context.ts'

const PART_OF_DAY = "(?:['’]s| (?:morning|afternoon|evening|night))?"
const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
/** Words that name one day by its distance from today, in the languages whose words are no others. */
const RELATIVE_DAY = new RegExp(
  [
    `(?<![\\p{L}\\p{N}])(?:(?:the )?day (?:before yesterday|after tomorrow)|yesterday|tomorrow|today|tonight|last night|this (?:morning|afternoon|evening))${PART_OF_DAY}(?![\\p{L}\\p{N}])`,
    `(?<![\\p{L}\\p{N}])(?:\\d{1,2}|a|one|two|three|four|five|six|seven|eight|nine|ten) days? ago(?![\\p{L}\\p{N}])`,
    `(?<![\\p{L}\\p{N}])(?:(?:on|last|next|this|this past|this coming) )?${WEEKDAY}${PART_OF_DAY}(?![\\p{L}\\p{N}])`,
    '(?<![\\p{L}\\p{N}])(?:vorgestern|gestern|heute|übermorgen|ayer|anteayer|hoy|hier|ieri|oggi|ontem|вчера|позавчера|сегодня|завтра)(?![\\p{L}\\p{N}])',
    '昨日|昨天|今日|今天|明日|明天|어제|오늘|내일',
  ].join('|'),
  'giu',
)
/** Of languages that say "I" seldom, so that it is no feature of their turns. */
const FIRST_PERSON = /[私我僕俺]|(?<!\p{L})(?:저|나|제|내|우리)(?:는|가|도|의)?(?!\p{L})/u
const DAYS_AGO = /^(\S+) days? ago$/i
const NUMBERS = 'zero one two three four five six seven eight nine ten'.split(' ')
/** Sentences and list items of plain text, close enough to count the expressions in each. */
const SENTENCE = /[\s\S]+?(?:[.!?…]+(?=\s|$)|[。！？]+|\n{2,}|(?=\n[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t])|$)/g
const SCANNED = 4_000
/** More days than this in one passage are too many for the time of a memory. */
const MOST_DAYS = 3

/** A day that somebody names in a statement about themselves, and where in the text its words end. */
interface StatementDay {
  readonly end: number
  readonly day: MomentRange
}

/**
 * The chunk with each resolved day in words behind its expression: "I went there yesterday (22 March 2023)".
 * Only in statements in the first person with one such expression, said at a known time on another day.
 */
export function withStatementDays(chunk: Chunk, context: ExtractContext): Chunk {
  let text = chunk.text
  for (const { end, day } of statementDays(chunk, context).toReversed())
    text = `${text.slice(0, end)} (${context.moments.day(day)})${text.slice(end)}`
  return text === chunk.text ? chunk : { ...chunk, text }
}

/** `on 22 March 2023` instead of `yesterday (22 March 2023)`, for words that are not quoted. */
export function withDaysAlone(words: string): string {
  return words.replace(
    /(?<!\b(?:before|after) )\b(?:yesterday|today|tomorrow) \((\d{1,2} \p{Lu}\p{L}+ \d{4})\)/giu,
    'on $1',
  )
}

/** The days of the statements of several chunks in words, without repeats; none when there are too many. */
export function statementDaysText(chunks: readonly Chunk[], context: ExtractContext): string | undefined {
  const found = chunks.flatMap((chunk) => statementDays(chunk, context).map(({ day }) => context.moments.day(day)))
  const days = [...new Set(found)]
  return days.length === 0 || days.length > MOST_DAYS ? undefined : listWords(days)
}

function statementDays({ text, at }: Chunk, { document, file, isTimed, people }: ExtractContext): StatementDay[] {
  const { kind, meta } = document
  const isSpoken = kind !== 'calendar' && kind !== 'agent'
  const precision = isTimed ? 'minute' : meta.when?.precision
  if (!isSpoken || at === undefined || (precision !== 'minute' && precision !== 'day')) return []
  const said = text.slice(0, SCANNED)
  return [...said.matchAll(SENTENCE)].flatMap(({ 0: sentence, index }) => {
    const [only, ...others] = sentence.matchAll(RELATIVE_DAY)
    if (
      only === undefined ||
      others.length > 0 ||
      !(isFirstPerson(sentence) || FIRST_PERSON.test(sentence)) ||
      /[?？]\s*$/.test(sentence)
    )
      return []
    const end = only.index + only[0].length
    // "Yesterday, 22 March": the day is written already.
    if (/^[\s,(]{0,3}(?:the |on )?\d/.test(sentence.slice(end, end + 12))) return []
    const day = dayOf(only[0], sentence, { at, timeZone: file.timeZone, nameWords: people.nameWords })
    return day && !isSameDay(day.start, at, file.timeZone) ? [{ end: index + end, day }] : []
  })
}

function dayOf(words: string, sentence: string, said: Parameters<typeof findNamedDays>[1] & { at: Date }) {
  const count = DAYS_AGO.exec(words)?.[1]?.toLowerCase()
  if (count !== undefined) return daysBefore(count === 'a' ? 1 : numberOf(count), said)
  if (/^last night$/i.test(words)) return daysBefore(1, said)
  const [only, ...others] = findNamedDays(sentence, said)
  return only?.precision === 'day' && only.end === undefined && others.length === 0 ? only : undefined
}

function numberOf(count: string): number {
  return /^\d/.test(count) ? Number(count) : NUMBERS.indexOf(count)
}

function daysBefore(days: number, { at, timeZone }: { at: Date; timeZone: string }): MomentRange | undefined {
  const { year, month, day } = wallTime(at, timeZone)
  const date = new Date(Date.UTC(year, month - 1, day - days))
  const start = zonedTime(
    { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() },
    timeZone,
  )
  return start && { start, precision: 'day' }
}

function isSameDay(a: Date, b: Date, timeZone: string): boolean {
  const [left, right] = [wallTime(a, timeZone), wallTime(b, timeZone)]
  return left.year === right.year && left.month === right.month && left.day === right.day
}
