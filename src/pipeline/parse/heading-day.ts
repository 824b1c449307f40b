import type { SourceFile } from '../../domain/document.ts'
import { isWeekdayName, weekdayNamed } from '../../lib/calendar-names.ts'
import { type CalendarDay, utcDay, weekdayOf } from '../../lib/dates/calendar-day.ts'
import { firstDate } from '../../lib/dates/named-days.ts'
import type { DateOrder } from '../../lib/dates/stamp.ts'
import { wallTime } from '../../lib/dates/zoned-time.ts'

const LONGEST_HEADING = 100
/** `Sunday, `, `Sonntag, den `, `le `. */
const BEFORE_DAY = /^[\p{L}\s,.]*$/u
const ARTICLES: ReadonlySet<string> = new Set('the on den der dem am le el il o em op'.split(' '))
/** `, Sunday`, ` (Sun)`, `（日）`, `日曜日`. */
const WEEKDAY_BEHIND = /^[\s,]*(?:[(（]\s?(\p{L}+)\.?\s?[)）]|(\p{L}+)\.?)/u
const ASIAN_WEEKDAY =
  /^(?:[月火水木金土日](?:曜日?)?|(?:周|星期|礼拜|禮拜|週)[一二三四五六日天]|[월화수목금토일](?:요일)?)$/
const CLOCK_BEHIND = /^(?:T|[\s,]+(?:at |um |à )?)\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b\.?)?(?: Uhr)?(?![\d–-])/i
/** `2026-09-13 – rehearsal`, `13 September 2026: the move`. */
const WORDS_BEHIND = /^(?:\s+[-–—|·]|\s*[:：])\s+(\S.*)$/u
/** What only ends on a day; the source of a pattern. */
export const DEADLINE =
  '(?<!\\p{L})(?:due|deadline|expires?|frist|fällig|abgabe|échéance|plazo)(?!\\p{L})|期限|締切|截止'
/** A version, or something that only ends on that day. */
const OTHER_DAY = new RegExp(String.raw`\d+\.\d+|\bv\d|${DEADLINE}`, 'iu')
/** `Day 2, ` before a day. */
const NUMBERED_DAY = /^(?:day|tag|jour|día|giorno|dag) \d{1,3}(?:\s?[,:·|]|\s[-–—])\s+/iu
/** `3/11`, `3/11/2026`, `14.9.`, `14.09.26`, but not `14.9`. */
const SHORT_DAY = /(?<![\w/.-])(\d{1,2})(?:(\/)(\d{1,2})(?:\/(\d{4}|\d\d))?|(\.)\s?(\d{1,2})\.(\d{4}|\d\d)?)(?![\w/-])/
/** Lines that may begin with a day: at most two words before a number, behind marks of Markdown. */
const MAY_BE_DAY = /^[\s#>*+•_[-]{0,12}(?:\p{L}{2,12}\.?,? {0,2}){0,2}\d[^\n]{0,40}/gmu
const MOST_LINES = 400
const SCANNED = 200_000
const SAME_WEEKDAY_YEARS = 5
/** Has every day that any year has. */
const LEAP_YEAR = 2024

/** A heading or the beginning of a line that is a day. */
export interface HeadingDay {
  readonly year: number
  readonly month: number
  readonly day: number
  /** The words behind a dash. */
  readonly behind: string
}

/** How the days of a text are written, as far as one of them alone leaves it open. */
export interface DayWriting {
  /** The only order in which all of its days with slashes are possible. */
  readonly order: DateOrder | undefined
  /** Whether `3.4.` is a day and not the number of a clause. */
  readonly isDotted: boolean
  /** Whether the weekdays of days without a year agree on one year, or two in a row. */
  readonly isByWeekday: boolean
  readonly today: CalendarDay
}

/** Read from the text when it is first needed. */
export function dayWriting(text: string, file: SourceFile): () => DayWriting {
  let known: DayWriting | undefined
  return () => {
    known ??= readWriting(text, wallTime(file.uploadedAt, file.timeZone))
    return known
  }
}

/** The day that a heading consists of, without a year in the given one; `undefined` for any other heading. */
export function readDay(heading: string, year: number | undefined, writing: () => DayWriting): HeadingDay | undefined {
  const words = heading
    .replace(/\*|__|\[\[|\]\]/g, '')
    .trim()
    .replace(NUMBERED_DAY, '')
  if (words.length > LONGEST_HEADING || !/\d/.test(words)) return undefined
  const date = shortDate(words, year, writing) ?? firstDate(words, year) ?? dateByWeekday(words, writing)
  if (date?.day === undefined) return undefined
  const before = words.slice(0, date.from)
  if (!BEFORE_DAY.test(before)) return undefined
  const named = before.match(/\p{L}+/gu) ?? []
  if (!named.every((word) => isWeekday(word) || ARTICLES.has(word.toLowerCase()))) return undefined
  const { weekday, rest } = withoutWeekday(words.slice(date.to))
  if (!isSectionOfDay(rest.replace(CLOCK_BEHIND, ''), date.year)) return undefined
  const stated = weekdayNamed(weekday ?? named.find(isWeekday) ?? '')
  // Of another year, perhaps.
  if (!date.isFull && stated !== undefined && stated !== weekdayOf(date)) return undefined
  return {
    year: date.year,
    month: date.month,
    day: date.day,
    behind: rest.replace(CLOCK_BEHIND, '').replace(/^\s*[.:：]?\s*$/, ''),
  }
}

/**
 * Whether a heading is the day of the text below it.
 * @param at the day of the text; without it, any day
 * @returns the words behind the day, which may be none
 */
export function dayHeading(heading: string, at: Date | undefined, timeZone: string): string | undefined {
  const wall = at && wallTime(at, timeZone)
  const day = ORDERS.map((order) => dayInOrder(heading, order, wall?.year)).find(
    (one) => one && (!wall || (wall.month === one.month && wall.day === one.day)),
  )
  return day?.behind.replace(/^\s*[-–—|·:：]\s+/u, '')
}

/** A number for the month and the day of a heading that is a day, with slashes in either order. */
export function dayOfHeading(heading: string): number | undefined {
  const day = ORDERS.map((order) => dayInOrder(heading, order, undefined)).find((one) => one !== undefined)
  return day && day.month * 100 + day.day
}

const ORDERS: readonly DateOrder[] = ['day-first', 'month-first']

function dayInOrder(heading: string, order: DateOrder, year = LEAP_YEAR): HeadingDay | undefined {
  return readDay(heading, year, () => ({
    order,
    isDotted: true,
    isByWeekday: false,
    today: { year, month: 12, day: 31 },
  }))
}

interface WrittenDay extends CalendarDay {
  readonly day: number
  readonly from: number
  readonly to: number
  readonly isFull: boolean
}

/** `14.9.` and `3/11`, which in running text are rarely days. */
function shortDate(words: string, year: number | undefined, writing: () => DayWriting): WrittenDay | undefined {
  const match = SHORT_DAY.exec(words)
  if (match === null) return undefined
  const order = match[2] === undefined ? 'day-first' : writing().order
  const date = order && shortDay(match, order)
  if (!date) return undefined
  const weekday = weekdayIn(words)
  if (match[5] !== undefined && date.year === undefined && weekday === undefined && !writing().isDotted)
    return undefined
  const known =
    date.year ??
    year ??
    (weekday !== undefined && writing().isByWeekday ? yearOf(date, weekday, writing().today) : undefined)
  if (known === undefined || !isPossible({ ...date, year: known })) return undefined
  return { ...date, year: known, from: match.index, to: match.index + match[0].length, isFull: date.year !== undefined }
}

function shortDay(match: RegExpExecArray, order: DateOrder): { year: number | undefined; month: number; day: number } {
  const [, first, , afterSlash, slashYear, , afterDot, dotYear] = match
  const [a, b] = [Number(first), Number(afterSlash ?? afterDot)]
  const written = slashYear ?? dotYear
  const year = written === undefined ? undefined : Number(written) + (written.length === 2 ? 2000 : 0)
  return order === 'day-first' ? { year, month: b, day: a } : { year, month: a, day: b }
}

/** `Monday, 12 March` without a year. */
function dateByWeekday(words: string, writing: () => DayWriting): WrittenDay | undefined {
  const weekday = weekdayIn(words)
  const date = weekday === undefined ? undefined : firstDate(words, LEAP_YEAR)
  if (date === undefined || date.isFull || weekday === undefined || !writing().isByWeekday) return undefined
  const year = yearOf(date, weekday, writing().today)
  return year === undefined ? undefined : { ...date, year }
}

/** Words around a day among which its weekday is. */
const MOST_WORDS = 4

function weekdayIn(words: string): number | undefined {
  for (const word of words.match(/\p{L}{2,12}/gu)?.slice(0, MOST_WORDS) ?? []) {
    const weekday = weekdayNamed(word)
    if (weekday !== undefined) return weekday
  }
  return undefined
}

/** The last year in which that day had this weekday; the same one comes again after five years or more. */
function yearOf(
  { month, day }: { month: number; day: number },
  weekday: number,
  today: CalendarDay,
): number | undefined {
  for (let year = today.year; year > today.year - SAME_WEEKDAY_YEARS; year--) {
    const date = { year, month, day }
    if (isPossible(date) && utcDay(date) <= utcDay(today) && weekdayOf(date) === weekday) return year
  }
  return undefined
}

function isPossible(date: Required<CalendarDay>): boolean {
  const at = new Date(utcDay(date))
  return at.getUTCMonth() + 1 === date.month && at.getUTCDate() === date.day
}

function readWriting(text: string, today: CalendarDay): DayWriting {
  const lines = (text.slice(0, SCANNED).match(MAY_BE_DAY) ?? []).slice(0, MOST_LINES)
  const slashed = lines.filter((line) => SHORT_DAY.exec(line)?.[2] !== undefined)
  const isOrder = (order: DateOrder) =>
    slashed.every((line) => {
      const { year, ...day } = shortDay(SHORT_DAY.exec(line)!, order)
      const weekday = weekdayIn(line)
      if (year === undefined && weekday !== undefined) return yearOf(day, weekday, today) !== undefined
      const date = { ...day, year: year ?? LEAP_YEAR }
      if (!isPossible(date)) return false
      return year === undefined || (utcDay(date) <= utcDay(today) && (weekday ?? weekdayOf(date)) === weekdayOf(date))
    })
  const orders = slashed.length === 0 ? [] : (['day-first', 'month-first'] as const).filter(isOrder)
  const order = orders.length === 1 ? orders[0] : undefined
  const years = lines.flatMap((line) => {
    const weekday = weekdayIn(line)
    const short = SHORT_DAY.exec(line)
    const day = short
      ? (short[2] === undefined || order) && shortDay(short, short[2] ? order! : 'day-first')
      : firstDate(line, LEAP_YEAR)
    if (weekday === undefined || !day || ('isFull' in day ? day.isFull : day.year !== undefined)) return []
    return [yearOf(day, weekday, today)]
  })
  const found = years.filter((year) => year !== undefined)
  const isByWeekday = found.length > 1 && found.length === years.length && Math.max(...found) - Math.min(...found) <= 1
  return { order, isDotted: areDottedDays(lines), isByWeekday, today }
}

/**
 * Whether days in digits without a year, `28.3.`, have a second sign: a weekday or a year at one of them, or one above 12;
 * and are not counted as `1.1.`, `1.2.` are.
 */
function areDottedDays(lines: readonly string[]): boolean {
  const days = lines.flatMap((line) => {
    const match = SHORT_DAY.exec(line)
    if (match?.[5] === undefined || match.index !== line.search(/\d/)) return []
    const behind = BEHIND_DOTS.exec(line.slice(match.index + match[0].length))
    const weekday = weekdayIn(line.slice(0, match.index)) ?? weekdayNamed(behind?.[1] ?? behind?.[2] ?? '')
    return [{ ...shortDay(match, 'day-first'), weekday }]
  })
  const isSure = days.some(({ year, day, weekday }) => year !== undefined || weekday !== undefined || day > LAST_MONTH)
  if (!isSure || !days.every(({ month, day }) => isPossible({ year: LEAP_YEAR, month, day }))) return false
  const counted = days.filter(
    ({ month, day }, i) => day === days[i - 1]?.day && month - (days[i - 1]?.month ?? 0) === 1,
  )
  return counted.length * 3 < days.length
}
const LAST_MONTH = 12
/** `So` behind a number is rather a word than a Sunday. */
const BEHIND_DOTS = /^[\s,]*(?:[(（]\s?(\p{L}{2,12})|(\p{L}{4,12}))/u

function withoutWeekday(rest: string): { readonly weekday?: string; readonly rest: string } {
  const match = WEEKDAY_BEHIND.exec(rest)
  const weekday = match?.[1] ?? match?.[2]
  return match && weekday && isWeekday(weekday) ? { weekday, rest: rest.slice(match[0].length) } : { rest }
}

function isWeekday(word: string): boolean {
  return isWeekdayName(word) || ASIAN_WEEKDAY.test(word)
}

/**
 * Whether the rest of a heading is empty, or words behind a dash without a version, a deadline or the end of a range.
 */
function isSectionOfDay(rest: string, year: number): boolean {
  if (/^\s*[.:：]?\s*$/.test(rest)) return true
  const words = WORDS_BEHIND.exec(rest)?.[1]
  return words !== undefined && /\p{L}{2}/u.test(words) && !OTHER_DAY.test(words) && !firstDate(words, year)
}
