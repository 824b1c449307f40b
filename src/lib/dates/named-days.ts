import type { MomentRange } from '../../domain/moment-range.ts'
import { monthNamed, monthNumber } from '../calendar-names.ts'
import { type CalendarDay as Day, nearestYear, utcDay } from './calendar-day.ts'
import { type DayMention, findDayWords } from './day-words.ts'
import { wallTime, zonedTime } from './zoned-time.ts'

/** The reference for the dates of a text. */
interface DayReference {
  /** When it was said; without it, only full dates are read. */
  readonly at: Date | undefined
  readonly timeZone: string
  /** For text of unknown time: a day near which dates without a year are. */
  readonly near?: Date
  /** Words of people's names in lower case: Mei and June are not months if they are persons. */
  readonly nameWords?: ReadonlySet<string>
}

const MOST_DAYS = 12
const SCANNED = 4_000
const DAY_MS = 86_400_000

// 2026-03-14 | 2026-03-14T10:00
const ISO = /(?<![\w/.-])(\d{4})-(\d\d)-(\d\d)(?=T\d|[^\w/-]|-?$|$)/g
// 14.03.2026 | 14/03/2026, but not 03/04/2026, which is in March or in April
const NUMERIC = /(?<![\w/.-])(\d{1,2})([./])(\d{1,2})\2((?:19|20)\d\d)(?![\w/-]|\.\d)/g
// 14.03.26 | 14/03/26; where the order of the two is open, the one that is within a month of today
const SHORT_NUMERIC = /(?<![\w/.-])(\d\d)([./])(\d\d)\2([2-4]\d)(?![\w/-]|\.\d)/g
// 2026年4月2日 | 4月2日
const IDEOGRAPHIC = /(?:(\d{4})\s?[年년]\s?)?(?<!\d)(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号號]/g
// 14 March | 1st of July 2026 | 1er mai | 22 de maio de 2026 | 7 and 8 September | 14.-17. April
const DAY_MONTH =
  /(?<![\p{L}\d.,:/-])(\d{1,2})(?:st|nd|rd|th|er|º|\.)?(?: ?(?:-|–|to|and|bis|und|au|et|al|y|e|a|по|и) ?(\d{1,2})(?:st|nd|rd|th|º|\.)?)? (?:of |de )?(\p{L}{3,12})\.?(?:,? (?:de |del )?((?:19|20)\d\d)(?!\d|:\d))?/giu
// March 14 | Oct 8-10 | December 31, 2026
const MONTH_DAY =
  /(?<![\p{L}\d-])(\p{Lu}\p{Ll}{2,8})\.? (\d{1,2})(?:st|nd|rd|th)?(?: ?(?:-|–|to) ?(\d{1,2})(?:st|nd|rd|th)?)?(?![\d%€$]|[.:,]\d)(?:,? ((?:19|20)\d\d)(?!\d|:\d))?(?! ?\p{L}*:)/gu
/** Between the two ends of a range. */
const RANGE =
  /^[\s,]*(?:(?:to|until|till|through|and|bis|bis zum|und|à|au|et|al|y|a|e|по|и)\s(?:the\s|el\s)?|[-–—]\s?)$/iu
/**
 * The days and months mentioned in a text, in any of a dozen languages, each once, in order: dates, weekdays,
 * "yesterday", "the end of April". Ambiguous ones (a weekday equal to today's, `03/04/2026`) are omitted, because a
 * wrong date is worse than none.
 */
export function findNamedDays(text: string, reference: DayReference): MomentRange[] {
  const found = new Map<string, MomentRange>()
  for (const { start, end } of mentionsIn(text, reference).slice(0, MOST_DAYS)) {
    const range = dayRange(start, end, reference.timeZone)
    if (range) found.set(`${range.start.getTime()} ${range.end?.getTime()} ${range.precision}`, range)
  }
  return [...found.values()]
}

/** A relative day or weekday in a text, and the end of its words. */
interface RelativeDay {
  readonly from: number
  readonly to: number
  readonly day: MomentRange
}

/** The days that would be others if said later: "tomorrow", "on Friday", "the 29th", `下周一`. */
export function findRelativeDays(text: string, reference: DayReference): RelativeDay[] {
  return mentionsIn(text, reference).flatMap(({ from, to, start, isRelative }) => {
    const day = isRelative ? dayRange(start, undefined, reference.timeZone) : undefined
    return day ? [{ from, to, day }] : []
  })
}

/** A date with its position in a text. */
interface WrittenDate {
  readonly from: number
  readonly to: number
  readonly year: number
  readonly month: number
  readonly day: number
  /** Whether its year is written. */
  readonly isFull: boolean
}

/** The first date of a text that is no range. @param year of dates without one, which are otherwise not read */
export function firstDate(text: string, year: number | undefined): WrittenDate | undefined {
  // In the middle of the year, every other date of it is nearer than that of another year.
  const [first] = findDates(text, year === undefined ? undefined : { year, month: 7, day: 2 })
  if (first?.start.day === undefined || first.end !== undefined) return undefined
  const { from, to, isFull, start } = first
  return { from, to, isFull, year: start.year, month: start.month, day: first.start.day }
}

function mentionsIn(text: string, { at, near, timeZone, nameWords }: DayReference): DayMention[] {
  const scanned = text.length > SCANNED ? text.slice(0, SCANNED) : text
  const today = at && wallTime(at, timeZone)
  const dated = /\d/.test(scanned) ? findDates(scanned, today ?? (near && wallTime(near, timeZone))) : []
  return [...dated, ...findDayWords(scanned, dated, today, nameWords)].toSorted((a, b) => a.from - b.from)
}

function dayRange(start: Day, end: Day | undefined, timeZone: string): MomentRange | undefined {
  const from = zonedTime({ year: start.year, month: start.month, day: start.day ?? 1 }, timeZone)
  if (!from) return undefined
  const until = end && zonedTime({ year: end.year, month: end.month, day: end.day ?? 1 }, timeZone)
  return {
    start: from,
    ...(until && until > from && { end: until }),
    precision: start.day === undefined ? 'month' : 'day',
  }
}

/** Dates with a number of the day. */
function findDates(text: string, today: Day | undefined): DayMention[] {
  const found: DayMention[] = []
  const add = (
    match: RegExpExecArray,
    year: string | undefined,
    month: number | undefined,
    days: (string | undefined)[],
  ) => {
    const [from, to] = [match.index, match.index + match[0].length]
    const [day, last] = days.map((value) => (value === undefined ? undefined : Number(value)))
    if (month === undefined || month < 1 || month > 12 || day === undefined || !isDay(day) || (last && !isDay(last)))
      return
    if (found.some((other) => from < other.to && other.from < to)) return
    const start = { year: year === undefined ? Number.NaN : Number(year), month, day }
    found.push({
      from,
      to,
      start,
      ...(last && { end: { ...start, day: last } }),
      isFull: year !== undefined,
      isRelative: false,
    })
  }
  for (const match of text.matchAll(ISO)) add(match, match[1], Number(match[2]), [match[3]])
  for (const match of text.matchAll(NUMERIC)) add(match, match[4], ...numericDay(match))
  for (const match of text.matchAll(SHORT_NUMERIC)) add(match, `20${match[4]}`, ...shortNumericDay(match, today))
  if (/[月월]/.test(text))
    for (const match of text.matchAll(IDEOGRAPHIC)) add(match, match[1], Number(match[2]), [match[3]])
  for (const match of text.matchAll(DAY_MONTH)) {
    const month = match[4] === undefined ? monthNamed(match[3] ?? '') : monthNumber(match[3] ?? '')
    add(match, match[4], month, [match[1], match[2]])
  }
  for (const match of text.matchAll(MONTH_DAY)) add(match, match[4], monthNamed(match[1] ?? ''), [match[2], match[3]])
  return withYears(
    found.toSorted((a, b) => a.from - b.from),
    text,
    today,
  )
}

function isDay(day: number): boolean {
  return day >= 1 && day <= 31
}

/** Month and day; no month if the order of the two is ambiguous. */
function numericDay([, a = '', mark, b = '']: RegExpExecArray): [number | undefined, (string | undefined)[]] {
  if (mark === '.' || Number(a) > 12) return [Number(b), [a]]
  return Number(b) > 12 || a === b ? [Number(a), [b]] : [undefined, [a]]
}

function shortNumericDay(match: RegExpExecArray, today: Day | undefined): [number | undefined, (string | undefined)[]] {
  const [month, days] = numericDay(match)
  if (month !== undefined || !today) return [month, days]
  const [, a = '', , b = '', year = ''] = match
  const isNear = (of: string, day: string) =>
    Math.abs(Date.UTC(2000 + Number(year), Number(of) - 1, Number(day)) - utcDay(today)) < 31 * DAY_MS
  const [dayFirst, monthFirst] = [isNear(b, a), isNear(a, b)]
  return dayFirst === monthFirst ? [undefined, []] : dayFirst ? [Number(b), [a]] : [Number(a), [b]]
}

/** A date without a year has that of the end of its range, otherwise the one nearest to today. */
function withYears(mentions: readonly DayMention[], text: string, today: Day | undefined): DayMention[] {
  const known: DayMention[] = []
  for (const mention of mentions.toReversed()) {
    const { start, end, isFull } = mention
    const after = known.at(-1)
    const isFrom = after && RANGE.test(text.slice(mention.to, after.from))
    const year = isFull
      ? start.year
      : isFrom && after.isFull
        ? after.start.year - (start.month > after.start.month ? 1 : 0)
        : today && nearestYear(start, today)
    if (year === undefined) continue
    known.push({ ...mention, start: { ...start, year }, ...(end && { end: { ...end, year } }) })
  }
  return known.toReversed()
}
