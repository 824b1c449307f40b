import { casual, type ParsedResult } from 'chrono-node'
import { type CalendarDay, startOfZonedDay, zonedDay, zoneOffsetMinutes } from '../../lib/clock.ts'
import { hasPastForm } from './irregular-verbs.ts'
import { type PartOfMonth, partOfMonth, withWholeMonths } from './part-of-month.ts'
import { namedSeason } from './season.ts'

/** The time range in a question. At least one bound is set. */
export interface TimeExpression {
  /** Inclusive. */
  readonly since: Date | undefined
  /** Exclusive. */
  readonly until: Date | undefined
  /** Relative to now (`last week`, `yesterday`) rather than an absolute date (`March 2026`) or a time to come. */
  readonly isRelative: boolean
  /** The question without the expression. */
  readonly rest: string
  /** The expression without its preposition; of a day to come, with its date. */
  readonly words: string
}

interface Clock {
  readonly now: Date
  readonly today: CalendarDay
  readonly timeZone: string
  /** Ambiguous weekdays are in the future. */
  readonly isAhead: boolean
  /** So are ambiguous dates and months. */
  readonly isDateAhead: boolean
  /** No verb of the question is in the past. */
  readonly isPresent: boolean
  /** The question is about what was. */
  readonly isBack: boolean
}

/** A range of whole days, `until` exclusive. */
interface Days {
  readonly from: CalendarDay
  readonly until: CalendarDay
}

interface Found extends Days {
  readonly index: number
  readonly length: number
  readonly isRelative: boolean
}

const COUNTS: Readonly<Record<string, number>> = {
  ...{ a: 1, an: 1, one: 1, two: 2, couple: 2, three: 3, few: 3 },
  ...{ four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
}
const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ')
const COUNT = `\\d{1,3}|${Object.keys(COUNTS).join('|')}`
const UNIT = '(day|week|month|quarter|year)s?'
const NAMED_UNIT =
  /\b(?:the\s+)?(last|past|previous|this|current|next|coming|upcoming)\s+(day|week|weekend|month|quarter|year)\b/i
/** `Tuesday this week`, `Friday of last week` */
const DAY_OF_WEEK = new RegExp(
  `\\b(${WEEKDAYS.join('|')})(?: of)? (?:the )?(last|previous|this|next|coming) week\\b`,
  'i',
)
const COUNTED_UNITS = new RegExp(
  `\\b(?:the\\s+)?(?:last|past|previous)\\s+(?:a\\s+)?(${COUNT})\\s+(?:of\\s+)?${UNIT}\\b`,
  'i',
)
const AGO = new RegExp(`\\b(?:a\\s+)?(${COUNT})\\s+(?:of\\s+)?${UNIT}\\s+ago\\b`, 'i')
const YEAR = /(?<=\b(?:in|during|of|since|before|until|after|from|by|year)\s+(?:the\s+year\s+)?)((?:19|20)\d\d)\b(?!-)/i
const QUARTER = /\bQ([1-4])\s+((?:19|20)\d\d)\b/i
const MODIFIER = /\b(since|after|from|before|until|till|by|in|on|during|at|of|for|over|within|between)\s+(?:the\s+)?$/i
/** A bare month or weekday is a time only after one of these: not in `Mr. March` and `I may`. */
const NAMED_AS_TIME =
  /\b(?:in|on|since|after|before|until|till|by|during|from|last|this|past|of|between|during the)\s+$/i
/** `on Sundays`, `on Sunday mornings`: every one of them. */
const IS_HABITUAL = /^(?:s\b|\s+(?:morning|noon|afternoon|evening|night)s\b)/i
/** Whose period it is: `Rosa's`, `my`; not `what's` and `at Anna's`. */
const WHOSE = `(?:(?<!\\b(?:at|to|from|with|by|near) )\\b(?!(?:What|Who|When|Where|How|It|That|There|Here|Let)['’])\\p{Lu}[\\p{L}-]*['’]s|\\b(?:[Mm]y|[Yy]our|[Hh]is|[Hh]er|[Ii]ts|[Oo]ur|[Tt]heir))`
/** `Rosa's last day`, `my last week at the shop`, `the last day of the trip`: periods of something, and not the ones before now. */
const PERIOD_OF_SOMETHING = new RegExp(
  [
    `(?<=${WHOSE} )(?:last|next) (?=day\\b(?!['’])|(?:week|weekend|month|year) (?:at|of|in|with|as|there|together)\\b)`,
    `\\b(?:last|next) (?=(?:day|week|weekend|month|quarter|year) of (?!(?:19|20)\\d\\d\\b|this\\b|last\\b))`,
    `\\blast (?=day (?:to|for|at|before)\\b)`,
  ].join('|'),
  'gu',
)
/** `10.01.2024`: with points, the day comes first. */
const DOTTED_DATE = /(?<![\d.])(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)(?!\.?\d)/g
/** `the week before 16 November`: all its days; chrono gives the first one. */
const UNIT_BEFORE = /^(?:the |a |one )?(week|month|year) before (?=.*\d)/i
/** A question in the present tense about a month or date that begins within so many days means the coming one. */
const SOON_DAYS = 62
/** `from 3 May to 10 May`, of which chrono would read neither day. */
const FROM_RANGE = /\bfrom (?=(?:the )?\d{1,2}(?:st|nd|rd|th)? \p{L}+ (?:to|until|till) )/giu
/** `the afternoon of 6 June`, which would be parsed as this afternoon. */
const PART_OF_DAY = /\b(morning|noon|afternoon|evening|night) of (?=\p{Lu}|\d|the \d)/giu

/** `what do I have on Friday`, `when does my train leave on Monday` */
const ASKS_AHEAD =
  /^\W*(?:what['’]s (?:on|up|due|next|going|happening|planned|coming)\b|(?:when|where)['’]s\b|who['’]s \p{L}+ing\b|why (?:isn['’]t|aren['’]t|will|won['’]t)(?!\p{L})|(?:what|which|who|whom|when|where|how)\b.*?\b(?:is|are|am|do|does|will|shall|should|can|must|happens|isn['’]t|aren['’]t|won['’]t|can['’]t|doesn['’]t|don['’]t)(?!\p{L})|(?:is|are|am|do|does|will|shall|should|can|must)\b)/iu
const ASKS_BACK =
  /\b(?:did|was|were|had|has|have been|said|says?|wrote|told|met|made|ago|last|since|past|previous|remember|know|recall)\b|\b(?!need|planned|scheduled)\p{L}{3,}ed\b|\b(?:of|from)\s+(?:the\s+)?(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|(?<!\b(?:weekend|week|half|beginning|start|middle|end) )\b(?:of|from)\s+(?:the\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\bfrom\s+the\s+(?:\p{L}+\s+){1,3}of\b/iu
/** Dates and months are ahead only in questions that say so. */
const IS_COMING =
  /\b(?:due|will|coming|upcoming|planned|scheduled|by|until|next|happens|happening|calendar|(?:is|are) on)\b|\bon\s+\d|\bdo (?:I|we) have\b/i

/**
 * Finds the time in a question: `yesterday`, `last week`, `3 days ago`, `in March 2026`, `on 3 May`, `in 2025`, `since
 * Monday`, `between 3 and 10 May 2025`. Days begin in the user's time zone. Ambiguous times (`in March`, `on Friday`)
 * are in the past, like memories, unless the question is about what will be: `what do I have on Friday`. `undefined` when the question has no time.
 */
export function findTimeExpression(text: string, now: Date, timeZone: string): TimeExpression | undefined {
  const isBack = ASKS_BACK.test(text)
  const isAhead = ASKS_AHEAD.test(text) && !isBack
  const today = zonedDay(now, timeZone)
  const isPresent = isAhead && !hasPastForm(text)
  const clock = { now, today, timeZone, isBack, isAhead, isPresent, isDateAhead: isAhead && IS_COMING.test(text) }
  const readable = withWholeMonths(text)
    .replace(PERIOD_OF_SOMETHING, blank)
    .replace(DOTTED_DATE, (_, day, month, year) => `${month}/${day}/${year}`)
  const found =
    findCounted(readable, clock) ?? findSeason(text, clock) ?? findWithChrono(text, readable, clock) ?? findYear(text)
  if (found === undefined) return undefined
  const before = text.slice(0, found.index)
  const modifier = MODIFIER.exec(before)
  const word = modifier?.[1]?.toLowerCase()
  const from = startOfZonedDay(found.from, timeZone)
  const until = startOfZonedDay(found.until, timeZone)
  const words = text.slice(found.index, found.index + found.length)
  const isComing = found.isRelative && from > now
  const isDay = timeOf(dayAfter(found.from)) === timeOf(found.until)
  const kept = modifier ? before.slice(0, modifier.index) : before
  return {
    since:
      word === 'before' || word === 'until' || word === 'till' || word === 'by'
        ? undefined
        : word === 'after'
          ? until
          : from,
    until: word === 'since' || word === 'after' || word === 'from' ? undefined : word === 'before' ? from : until,
    isRelative: found.isRelative && !isComing,
    rest: `${kept} ${text.slice(found.index + found.length)}`.replace(/\s+/g, ' ').trim(),
    words: isComing && isDay ? `${words} ${dayWords(found.from)}` : words,
  }
}

/** `30 November`, which is how people write of a coming Monday. */
function dayWords({ year, month, day }: CalendarDay): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long' })
  return format.format(Date.UTC(year, month - 1, day))
}

function findCounted(text: string, { today }: Clock): Found | undefined {
  const ago = AGO.exec(text)
  if (ago) {
    const count = COUNTS[ago[1]!.toLowerCase()] ?? Number(ago[1])
    return { ...matchRange(ago), ...unitAt(today, ago[2]!.toLowerCase(), -count), isRelative: true }
  }
  const counted = COUNTED_UNITS.exec(text)
  if (counted) {
    const count = COUNTS[counted[1]!.toLowerCase()] ?? Number(counted[1])
    return {
      ...matchRange(counted),
      from: moved(today, counted[2]!.toLowerCase(), -count),
      until: dayAfter(today),
      isRelative: true,
    }
  }
  const inWeek = DAY_OF_WEEK.exec(text)
  if (inWeek) {
    const { from: monday } = unitAt(today, 'week', unitsAway(inWeek[2]!.toLowerCase(), 'week'))
    const from = addDays(monday, WEEKDAYS.indexOf(inWeek[1]!.toLowerCase()))
    return { ...matchRange(inWeek), from, until: dayAfter(from), isRelative: true }
  }
  const named = NAMED_UNIT.exec(text)
  if (!named) return undefined
  const [which, unit] = [named[1]!.toLowerCase(), named[2]!.toLowerCase()]
  if (unit === 'day' && which === 'next') return undefined
  const days =
    which === 'past'
      ? { from: moved(today, unit, -1), until: dayAfter(today) }
      : unitAt(today, unit, unitsAway(which, unit))
  return { ...matchRange(named), ...days, isRelative: true }
}

/** The coming weekend is that of this week. */
function unitsAway(which: string, unit: string): number {
  if (/this|current/.test(which) || (unit === 'weekend' && /coming/.test(which))) return 0
  return /next|coming/.test(which) ? 1 : -1
}

function findSeason(text: string, { today, timeZone }: Clock): Found | undefined {
  const found = namedSeason(text, today, timeZone)
  if (found === undefined) return undefined
  const { match, from, isRelative } = found
  return { ...matchRange(match), from, until: { ...from, month: from.month + 3 }, isRelative }
}

function matchRange(match: RegExpExecArray): { index: number; length: number } {
  return { index: match.index, length: match[0].length }
}

function findYear(text: string): Found | undefined {
  const quarter = QUARTER.exec(text)
  if (quarter) {
    const [month, year] = [Number(quarter[1]) * 3 - 2, Number(quarter[2])]
    const days = { from: { year, month, day: 1 }, until: { year, month: month + 3, day: 1 } }
    return { ...matchRange(quarter), ...days, isRelative: false }
  }
  const match = YEAR.exec(text)
  if (!match) return undefined
  const year = Number(match[1])
  const days = { from: { year, month: 1, day: 1 }, until: { year: year + 1, month: 1, day: 1 } }
  return { ...matchRange(match), ...days, isRelative: false }
}

function blank(words: string): string {
  return ' '.repeat(words.length)
}

function findWithChrono(text: string, masked: string, clock: Clock): Found | undefined {
  const reference = { instant: clock.now, timezone: zoneOffsetMinutes(clock.now, clock.timeZone) }
  const readable = masked.replace(PART_OF_DAY, blank).replace(FROM_RANGE, blank)
  const results = casual.parse(readable, reference).filter((result) => namesDay(result, readable))
  const [first, second] = results
  if (first === undefined) return undefined
  const part = partOfMonth(text, first.index)
  const days = daysOf(first, clock, part)
  const opening = text.slice(0, first.index).search(/\b(?:between|from)\s+$/i)
  const index = first.end && opening >= 0 ? opening : (part?.index ?? first.index)
  const isRelative =
    !/\d/.test(first.text) && !first.start.isCertain('month')
      ? true
      : /\b(?:yesterday|today|tonight|tomorrow|ago)\b/i.test(first.text)
  const gap = second && text.slice(first.index + first.text.length, second.index)
  if (second && gap !== undefined && opening >= 0 && /^\s*(?:and|to|until|till|-|–)\s*$/i.test(gap)) {
    const end = daysOf(second, clock, partOfMonth(text, second.index))
    // "between 3 May and 10 May 2025": the year of the second holds for the first.
    const from =
      first.start.isCertain('year') || !second.start.isCertain('year')
        ? days.from
        : { ...days.from, year: end.from.year }
    const length = second.index + second.text.length - opening
    return { index: opening, length, from, until: end.until, isRelative }
  }
  const numbered = numberedDay(first, text, days)
  const length = first.index + first.text.length - index
  return numbered === undefined
    ? { index, length, ...days, isRelative }
    : { index, length: length + numbered.length, from: numbered.day, until: dayAfter(numbered.day), isRelative }
}

/** The number behind a weekday: `next Tuesday the 17th`. */
const NUMBERED = /^,? (?:the )?(\d{1,2})(?:st|nd|rd|th)\b(?! (?:of|birthday|anniversary|\p{Lu}))/u
/** How far the numbered day may be from the weekday that the words alone mean. */
const WEEKS_AWAY = [0, 1, -1, 2, -2, 3, -3, 4, -4]

/** The day of that number nearest to the weekday in front of it, and the characters of the number. */
function numberedDay({ index, text: words, start }: ParsedResult, text: string, { from }: Days) {
  const found = NUMBERED.exec(text.slice(index + words.length))
  if (found === null || !start.isCertain('weekday') || start.isCertain('month')) return undefined
  const day = WEEKS_AWAY.map((weeks) => addDays(from, 7 * weeks)).find((one) => one.day === Number(found[1]))
  return day && { day, length: found[0].length }
}

/** Not a time of day, not a length of time, not a name. */
function namesDay(result: ParsedResult, text: string): boolean {
  const { start } = result
  // `what happened the next day` is about the day after another one, and `what does it run on now` about the present.
  if (/^(?:(?:the )?next day|(?:right )?now)$/i.test(result.text)) return false
  if (!(['day', 'weekday', 'month'] as const).some((part) => start.isCertain(part))) return false
  if (/^(?:for|in|within|every|over)\s+(?:\d|an?\b|few|the next)/i.test(result.text)) return false
  if (IS_HABITUAL.test(text.slice(result.index + result.text.length)) && start.isCertain('weekday')) return false
  if (/\bfor\s+(?:the\s+)?$/i.test(text.slice(0, result.index)) && /^(?:\d+|an?)\s/.test(result.text)) return false
  const isBareName = /^\p{L}+\.?$/u.test(result.text) && !/^(?:yesterday|today|tonight|tomorrow)$/i.test(result.text)
  return !isBareName || NAMED_AS_TIME.test(text.slice(0, result.index))
}

function daysOf(result: ParsedResult, clock: Clock, part: PartOfMonth | undefined): Days {
  const { start, end } = result
  const { today, isAhead, isPresent, isDateAhead } = clock
  const get = (name: 'year' | 'month' | 'day'): number => start.get(name) ?? 1
  const isMonth = part !== undefined || (!start.isCertain('day') && !start.isCertain('weekday'))
  const month = { year: get('year'), month: get('month') }
  let from: CalendarDay = { ...month, day: isMonth ? Math.min(part?.firstDay ?? 1, daysIn(month)) : get('day') }
  if (!start.isCertain('year')) {
    const isWeekday = start.isCertain('weekday') && !start.isCertain('month')
    const looksAhead = isWeekday ? isAhead : isDateAhead || (isPresent && isSoon(from, today))
    const by = looksAhead ? yearsOrWeeksAhead(from, today, isMonth) : isBefore(from, clock, isMonth) ? 0 : -1
    from = isWeekday ? addDays(from, 7 * by) : { ...from, year: from.year + by }
  }
  if (part === undefined && end?.isCertain('day')) {
    const last = {
      // A range without a year ends where its beginning says, whatever year chrono gives it.
      year: end.isCertain('year') ? end.get('year')! : from.year + ((end.get('month') ?? 12) < from.month ? 1 : 0),
      month: end.get('month') ?? from.month,
      day: end.get('day') ?? from.day,
    }
    if (timeOf(last) >= timeOf(from)) return { from, until: dayAfter(last) }
  }
  if (part === undefined && end?.isCertain('weekday') && start.isCertain('weekday')) {
    const days = (end.get('weekday')! - start.get('weekday')! + 7) % 7
    return { from, until: addDays(from, days + 1) }
  }
  const unit = UNIT_BEFORE.exec(result.text)?.[1]?.toLowerCase()
  if (unit !== undefined) return { from, until: moved(from, unit, 1) }
  if (!isMonth) return { from, until: dayAfter(from) }
  const next = { ...from, month: from.month + 1, day: 1 }
  const last = part && dayAfter({ ...from, day: part.lastDay })
  return { from, until: last !== undefined && timeOf(last) < timeOf(next) ? last : next }
}

/** Whether a date or month of this year can be meant by who asks about what was: not a month that begins today. */
function isBefore(from: CalendarDay, { today, isBack }: Clock, isMonth: boolean): boolean {
  if (isMonth && isBack && today.day === 1 && from.month === today.month) return false
  return timeOf(from) <= timeOf(today)
}

function isSoon(from: CalendarDay, today: CalendarDay): boolean {
  const thisYear = { ...from, year: today.year }
  const next = timeOf(thisYear) < timeOf(today) ? { ...from, year: today.year + 1 } : thisYear
  return timeOf(next) <= timeOf(addDays(today, SOON_DAYS))
}

/** 1 if a weekday, date or month is over. */
function yearsOrWeeksAhead(from: CalendarDay, today: CalendarDay, isMonth: boolean): number {
  const last = isMonth ? addDays({ ...from, month: from.month + 1, day: 1 }, -1) : from
  return timeOf(last) < timeOf(today) ? 1 : 0
}

/** The calendar unit of today, shifted by a number of units; weeks begin on Monday. */
function unitAt(today: CalendarDay, unit: string, by: number): Days {
  if (unit === 'day') return { from: addDays(today, by), until: addDays(today, by + 1) }
  const { year, month } = today
  if (unit === 'year')
    return { from: { year: year + by, month: 1, day: 1 }, until: { year: year + by + 1, month: 1, day: 1 } }
  if (unit === 'month')
    return { from: { year, month: month + by, day: 1 }, until: { year, month: month + by + 1, day: 1 } }
  if (unit === 'quarter') {
    const first = month - ((month - 1) % 3) + 3 * by
    return { from: { year, month: first, day: 1 }, until: { year, month: first + 3, day: 1 } }
  }
  const monday = addDays(today, -((new Date(timeOf(today)).getUTCDay() + 6) % 7) + 7 * by)
  return unit === 'weekend'
    ? { from: addDays(monday, 5), until: addDays(monday, 7) }
    : { from: monday, until: addDays(monday, 7) }
}

function moved(today: CalendarDay, unit: string, by: number): CalendarDay {
  if (unit === 'day') return addDays(today, by)
  if (unit === 'week' || unit === 'weekend') return addDays(today, 7 * by)
  if (unit === 'year') return { ...today, year: today.year + by }
  return { ...today, month: today.month + by * (unit === 'quarter' ? 3 : 1) }
}

function daysIn({ year, month }: Pick<CalendarDay, 'year' | 'month'>): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

function timeOf({ year, month, day }: CalendarDay): number {
  return Date.UTC(year, month - 1, day)
}

function addDays({ year, month, day }: CalendarDay, days: number): CalendarDay {
  const date = new Date(Date.UTC(year, month - 1, day + days))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

function dayAfter(day: CalendarDay): CalendarDay {
  return addDays(day, 1)
}
