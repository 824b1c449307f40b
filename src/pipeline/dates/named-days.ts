import type { MomentRange } from '../../domain/document.ts'
import { type CalendarWord, calendarWordsIn, monthNamed, monthNumber } from '../../lib/calendar-names.ts'
import { wallTime, zonedTime } from './zoned-time.ts'

/** The reference for the dates of a text. */
interface DayReference {
  /** When it was said; without it only full dates are read. */
  readonly at: Date | undefined
  readonly timeZone: string
  /** Words of people's names in lower case: Mei and June are no months where they are persons. */
  readonly nameWords?: ReadonlySet<string>
}

interface Day {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** Absent for a whole month. */
  readonly day?: number
}

/** A day or a range of days, where in the text it stands. */
interface Mention {
  readonly from: number
  readonly to: number
  readonly start: Day
  readonly end?: Day
  /** Written with its year. */
  readonly isFull: boolean
}

const MOST_DAYS = 12
const SCANNED = 4_000
const DAY_MS = 86_400_000

// 2026-03-14 | 2026-03-14T10:00
const ISO = /(?<![\w/.-])(\d{4})-(\d\d)-(\d\d)(?=T\d|[^\w/-]|-?$|$)/g
// 14.03.2026 | 14/03/2026, but not 03/04/2026, which is in March or in April
const NUMERIC = /(?<![\w/.-])(\d{1,2})([./])(\d{1,2})\2((?:19|20)\d\d)(?![\w/-]|\.\d)/g
// 2026年4月2日 | 4月2日
const IDEOGRAPHIC = /(?:(\d{4})\s?[年년]\s?)?(?<!\d)(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号號]/g
// 14 March | 1st of July 2026 | 1er mai | 22 de maio de 2026 | 7 and 8 September | 14.-17. April
const DAY_MONTH =
  /(?<![\p{L}\d.,:/-])(\d{1,2})(?:st|nd|rd|th|er|º|\.)?(?: ?(?:-|–|to|and|bis|und|au|et|al|y|e|a|по|и) ?(\d{1,2})(?:st|nd|rd|th|º|\.)?)? (?:of |de )?(\p{L}{3,12})\.?(?:,? (?:de |del )?((?:19|20)\d\d)(?!\d|:\d))?/giu
// March 14 | Oct 8-10 | December 31, 2026
const MONTH_DAY =
  /(?<![\p{L}\d-])(\p{Lu}\p{Ll}{2,8})\.? (\d{1,2})(?:st|nd|rd|th)?(?: ?(?:-|–|to) ?(\d{1,2})(?:st|nd|rd|th)?)?(?![\d%€$]|[.:,]\d)(?:,? ((?:19|20)\d\d)(?!\d|:\d))?(?! ?\p{L}*:)/gu
// by the 29th
const BARE_DAY =
  /\b(?:on|by|until|till|before|after|from|since) the (\d{1,2})(?:st|nd|rd|th)\b(?! (?!(?:at|and|or|in|to|because|if)\b)p{L})/gi
const NEAR_MONTH = /\b(last|next|this) month\b/gi
/** Between the two ends of a range. */
const RANGE =
  /^[\s,]*(?:(?:to|until|till|through|and|bis|bis zum|und|à|au|et|al|y|a|e|по|и)\s(?:the\s|el\s)?|[-–—]\s?)$/iu
const UNSPACED = /今日|本日|今天|昨日|昨天|明日|明天|明後日|오늘|어제|내일/g
const UNSPACED_DAYS: Readonly<Record<string, number>> = {
  ...{ 今日: 0, 本日: 0, 今天: 0, 昨日: -1, 昨天: -1, 明日: 1, 明天: 1, 明後日: 2, 오늘: 0, 어제: -1, 내일: 1 },
}

/** A month without a year and a day is a time only behind a word like these. */
const MONTH_CUE =
  /(?:\b(?:in|since|from|until|till|by|of|for|during|before|after|with|last|next|this|early|late|end|im|seit|ab|bis|ende|anfang|mitte|en|fin|début|depuis|dès|desde|hasta|de|em|het|van)\s|\bmid[- ]|(?:с|до|от|к)\s)$/iu
const BACKWARD = /(?:\b(?:last|past|previous|letzten?|vergangenen?|vorigen?|prošl\w+)|прошл\p{L}+)\s$/iu
const BACKWARD_AFTER = /^\s(?:pasado|passado|dernier|passé|scorso)\b/iu
const FORWARD =
  /\b(?:until|till|by|before|next|coming|bis|nächsten?|kommenden?|jusqu['’]à|hasta|até|à|para el|avant)\s(?:el\s|the\s)?$|(?:до|к)\s$/iu
const REPEATED = /\b(?:every|each|most|jeden|chaque|cada|todos los)\s$/iu
const PAST_VERB =
  /\b(?:was|were|had|did|came|went|met|saw|got|made|took|found|told|said|sent|gave|left|broke|wrote|called|moved|have been|has been|[a-z]{2,}ed|habe|haben|hatte|war|wurde|gab|était|avons|ai|fue|fui|era|he|hemos)\b|\p{L}{2,}(?:ал|ил|ел|ла|ли)(?=[\s.,!?]|$)/iu
const FUTURE_VERB =
  /\b(?:will|(?:is|are|be|gets?) [a-z]+ed|can|could|should|would|shall|may|might|must|going to|need|needs|please|wird|werden|sollen?)\b|['’]ll\b/i

/**
 * The days and months that a text names, in any of a dozen languages, each once, in the order in which they stand: dates,
 * weekdays, "yesterday", "the end of April". What is open (a weekday of the same name as today, `03/04/2026`) is left out,
 * because a wrong date is worse than none.
 */
export function findNamedDays(text: string, { at, timeZone, nameWords }: DayReference): MomentRange[] {
  const scanned = text.length > SCANNED ? text.slice(0, SCANNED) : text
  const today = at && wallTime(at, timeZone)
  const dated = /\d/.test(scanned) ? findDates(scanned, today) : []
  const mentions = [...dated, ...findDayWords(scanned, dated, today, nameWords)].toSorted((a, b) => a.from - b.from)
  const found = new Map<string, MomentRange>()
  for (const { start, end } of mentions.slice(0, MOST_DAYS)) {
    const range = dayRange(start, end, timeZone)
    if (range) found.set(`${range.start.getTime()} ${range.end?.getTime()} ${range.precision}`, range)
  }
  return [...found.values()]
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
function findDates(text: string, today: Day | undefined): Mention[] {
  const found: Mention[] = []
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
    found.push({ from, to, start, ...(last && { end: { ...start, day: last } }), isFull: year !== undefined })
  }
  for (const match of text.matchAll(ISO)) add(match, match[1], Number(match[2]), [match[3]])
  for (const match of text.matchAll(NUMERIC)) add(match, match[4], ...numericDay(match))
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

/** Month and day; no month where the order of the two is open. */
function numericDay([, a = '', mark, b = '']: RegExpExecArray): [number | undefined, (string | undefined)[]] {
  if (mark === '.' || Number(a) > 12) return [Number(b), [a]]
  return Number(b) > 12 || a === b ? [Number(a), [b]] : [undefined, [a]]
}

/** A date without a year has that of the end of its range, else the one that brings it nearest to today. */
function withYears(mentions: readonly Mention[], text: string, today: Day | undefined): Mention[] {
  const known: Mention[] = []
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

function nearestYear({ month, day = 15 }: Pick<Day, 'month' | 'day'>, today: Day): number {
  const now = utcDay(today)
  const years = [today.year - 1, today.year, today.year + 1]
  const distance = (year: number) => Math.abs(Date.UTC(year, month - 1, day) - now)
  return years.reduce((best, year) => (distance(year) < distance(best) ? year : best))
}

/** Weekdays, "yesterday", and months by themselves. */
function findDayWords(
  text: string,
  dated: readonly Mention[],
  today: Day | undefined,
  names?: ReadonlySet<string>,
): Mention[] {
  const found: Mention[] = []
  // "Monday, 4 May" is one day: a weekday next to a date says nothing more.
  const add = (from: number, to: number, start: Day | undefined, gap = 0) => {
    if (start && !dated.some((other) => from < other.to + gap && other.from < to + gap))
      found.push({ from, to, start, isFull: false })
  }
  for (const { at, written, word } of calendarWordsIn(text)) {
    if (names?.has(written.toLowerCase())) continue
    const day = wordDay(word, written, text, at, today)
    add(at, at + written.length, day, word.kind === 'weekday' ? 3 : 0)
  }
  if (!today) return found
  for (const match of text.matchAll(BARE_DAY))
    add(match.index, match.index + match[0].length, comingDay(Number(match[1]), today))
  for (const match of text.matchAll(NEAR_MONTH)) {
    const step = { last: -1, this: 0, next: 1 }[match[1]?.toLowerCase() ?? ''] ?? 0
    const month = new Date(Date.UTC(today.year, today.month - 1 + step, 1))
    add(match.index, match.index + match[0].length, { year: month.getUTCFullYear(), month: month.getUTCMonth() + 1 })
  }
  for (const match of text.matchAll(UNSPACED))
    add(match.index, match.index + match[0].length, addDays(today, UNSPACED_DAYS[match[0]] ?? 0))
  return found
}

function wordDay(
  word: CalendarWord,
  written: string,
  text: string,
  at: number,
  today: Day | undefined,
): Day | undefined {
  const before = text.slice(Math.max(0, at - 24), at)
  const after = text.slice(at + written.length, at + written.length + 24)
  if (word.kind === 'month') return monthAlone(word.month, written, before, after, today)
  if (!today) return undefined
  if (word.kind === 'relative')
    return isOtherWord(written, before, after, text) ? undefined : relativeDay(word.days, before, today)
  if (REPEATED.test(before)) return undefined
  const ahead = (word.weekday - new Date(utcDay(today)).getUTCDay() + 7) % 7
  const [position, now] = [mondayFirst(word.weekday), mondayFirst(new Date(utcDay(today)).getUTCDay())]
  // Said on a Monday, "next Friday" may be in four days or in eleven, and on a Friday "last Monday" four or eleven ago.
  if (BACKWARD.test(before) || BACKWARD_AFTER.test(after))
    return position < now ? undefined : addDays(today, ahead === 0 ? -7 : ahead - 7)
  if (/\b(?:next|nächsten?|prochain)\s$/i.test(before))
    return position > now ? undefined : addDays(today, ahead === 0 ? 7 : ahead)
  if (ahead === 0) return undefined
  const isPast = !FORWARD.test(before) && saysPast(text, at)
  return addDays(today, isPast ? ahead - 7 : ahead)
}

/** Whether the clause of a weekday is about the past. */
function saysPast(text: string, at: number): boolean {
  const start = Math.max(
    text.lastIndexOf('.', at),
    text.lastIndexOf('\n', at),
    text.lastIndexOf('?', at),
    text.lastIndexOf(',', at),
    at - 120,
    0,
  )
  const rest = text.slice(at, at + 120)
  const clause = text.slice(start, at) + rest.slice(0, /[.,;!?\n]|$/.exec(rest)?.index ?? 0)
  return PAST_VERB.test(clause) && !FUTURE_VERB.test(clause)
}

function monthAlone(
  month: number,
  written: string,
  before: string,
  after: string,
  today: Day | undefined,
): Day | undefined {
  const year = /^,? (?:de )?((?:19|20)\d\d)(?!\d|:\d)/.exec(after)?.[1]
  if (year !== undefined) return { year: Number(year), month }
  // April and May are names of people too; "with" and "for" say nothing then.
  const isName = /^(?:April|May|June|August)$/.test(written) && /\b(?:with|for)\s$/i.test(before)
  if (!today || isName || !MONTH_CUE.test(before) || /^ \d/.test(after)) return undefined
  // The latest that is over, or the first to come.
  if (/\blast\s$/i.test(before)) return { year: today.year - (month >= today.month ? 1 : 0), month }
  if (/\bnext\s$/i.test(before)) return { year: today.year + (month <= today.month ? 1 : 0), month }
  return { year: nearestYear({ month }, today), month }
}

function isOtherWord(written: string, before: string, after: string, text: string): boolean {
  const lower = written.toLowerCase()
  if (lower === 'morgen')
    return (
      /\b(?:heute|gestern|jeden|guten|am|diesen|goede|vanmorgen)\s$/i.test(before) ||
      (written === 'Morgen' && !/^ \p{Ll}/u.test(after))
    )
  if (lower === 'mañana') return /\b(?:la|esta|cada|buena)\s$/i.test(before)
  // In German and Dutch "here".
  return lower === 'hier' && !/\b(?:le|la|les|des|est|avec|du|je|nous|vous|elle|une?|pour|j['’]ai)\b/i.test(text)
}

function relativeDay(days: number, before: string, today: Day): Day {
  const isFarther = (days === 1 && /\bday after $/i.test(before)) || (days === -1 && /\bday before $/i.test(before))
  return addDays(today, isFarther ? 2 * days : days)
}

/** "By the 29th" is this month's, or next month's when that is over. */
function comingDay(day: number, today: Day): Day | undefined {
  if (!isDay(day)) return undefined
  const month = day >= (today.day ?? 1) ? today.month : today.month + 1
  const date = new Date(Date.UTC(today.year, month - 1, day))
  return date.getUTCDate() === day ? calendarDay(date) : undefined
}

function addDays(today: Day, days: number): Day {
  return calendarDay(new Date(utcDay(today) + days * DAY_MS))
}

function calendarDay(date: Date): Day {
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

function utcDay({ year, month, day = 1 }: Day): number {
  return Date.UTC(year, month - 1, day)
}

/** 0 for Monday to 6 for Sunday; a week begins on Monday. */
function mondayFirst(weekday: number): number {
  return (weekday + 6) % 7
}
