import { isMonthName, isWeekdayName, monthNumber } from '../calendar-names.ts'
import { zonedTime } from './zoned-time.ts'

/** Source of a pattern for `10:12`, `10:12:03.5` and `10:12 AM`. */
export const CLOCK = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,3})?)?(?:\\s?[AaPp]\\.?[Mm]\\b\\.?)?'
const DATE = '(?:\\d{4}[-/]\\d{2}[-/]\\d{2}|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4})'
// The `Z` of 13:05 Zoom is the name's.
const ZONE = '(?: ?(?:Z(?![A-Za-z])|UTC|GMT|[+-]\\d{2}:?\\d{2}))?'
/** Source of a pattern for times in digits: a clock, a date, or both. */
export const STAMP = `(?:(?:${DATE}(?:T|,? ))?${CLOCK}${ZONE}|${DATE})`

// 8 May 2023 | May 8th, 2023 | 8 de mayo de 2023 | 8. Mai 2023 | 2023年5月8日, with or without the day of the week
const DAY =
  '(?:\\p{L}{2,13}\\.?,? )?' +
  '(?:\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[./]\\d{1,2}[./]\\d{4}|\\p{L}{3,12}\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}' +
  '|\\d{1,2}(?:st|nd|rd|th|er|\\.|º)?(?: of| de)? \\p{L}{3,12}\\.?,?(?: del?)? \\d{4}|\\d{4}[年년] ?\\d{1,2}[月월] ?\\d{1,2}[日일])'
const HOUR = `(?:${CLOCK}|\\d{1,2}\\s?[AaPp]\\.?[Mm]\\.?)(?: Uhr)?`
/**
 * Source of a pattern for a full date, in words or digits, with or without a time. A match may still be invalid:
 * `parseWordedStamp`.
 */
export const WORDED_STAMP = `(?:${DAY}(?:(?:T|,? (?:(?:at|um|@|[-–—|·]) )?)${HOUR}${ZONE})?|${HOUR},? (?:(?:on|[-–—|·]) )?${DAY})`

/** Words in times other than the names of months and days. */
const FILLERS = new Set('am pm at on of um uhr de del st nd rd th er utc gmt'.split(' '))

/** How the ambiguous `03/04/2026` is read. */
export type DateOrder = 'day-first' | 'month-first'

interface StampParts {
  readonly date?: { readonly year: number; readonly month: number; readonly day: number }
  readonly hour: number
  readonly minute: number
  readonly second: number
  /** Offset from UTC in minutes, if written. */
  readonly offset?: number
  readonly hasClock: boolean
}

export function readStamp(time: string, order: DateOrder): StampParts | undefined {
  const date = readDate(time, order)
  const clock =
    /(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d{1,3})?(?:\s?([AaPp])\.?[Mm])?/.exec(time) ??
    /(?<!\d)(\d{1,2})()()\s?([AaPp])\.?[Mm](?!\p{L})/u.exec(time)
  const offset = /(?:(Z|UTC|GMT)|([+-])(\d{2}):?(\d{2}))$/.exec(time)
  if (!clock) return date && { date, hour: 0, minute: 0, second: 0, hasClock: false }
  // `13:56 pm`, and `13:56 am 8. Mai` in German, do not state am or pm.
  const half = Number(clock[1]) > 12 ? undefined : clock[4]?.toLowerCase()
  const hour = half === undefined ? Number(clock[1]) : (Number(clock[1]) % 12) + (half === 'p' ? 12 : 0)
  const written =
    offset && (offset[1] ? 0 : (Number(offset[3]) * 60 + Number(offset[4])) * (offset[2] === '-' ? -1 : 1))
  return {
    ...(date && { date }),
    hour,
    minute: Number(clock[2]),
    second: Number(clock[3] ?? 0),
    ...(typeof written === 'number' && date && { offset: written }),
    hasClock: true,
  }
}

function readDate(time: string, order: DateOrder): StampParts['date'] {
  const iso = /(\d{4})[-/](\d{2})[-/](\d{2})/.exec(time)
  if (iso) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }
  const match = /(\d{1,2})([./])(\d{1,2})[./](\d{2,4})/.exec(time)
  if (!match) return readDayInWords(time)
  const [a, b] = [Number(match[1]), Number(match[3])]
  const dayFirst = match[2] === '.' || a > 12 || (order === 'day-first' && b <= 12)
  const year = Number(match[4]) + (match[4]!.length === 2 ? 2000 : 0)
  return { year, month: dayFirst ? b : a, day: dayFirst ? a : b }
}

function readDayInWords(time: string): StampParts['date'] {
  const cjk = /(\d{4})[年년] ?(\d{1,2})[月월] ?(\d{1,2})/.exec(time)
  if (cjk) return { year: Number(cjk[1]), month: Number(cjk[2]), day: Number(cjk[3]) }
  const dayFirst = /(\d{1,2})(?:st|nd|rd|th|er|\.|º)?(?: of| de)? (\p{L}{3,12})\.?,?(?: del?)? (\d{4})/u.exec(time)
  const monthFirst = dayFirst ? undefined : /(\p{L}{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})/u.exec(time)
  const [, day, name, year] = dayFirst ?? (monthFirst ? ['', monthFirst[2], monthFirst[1], monthFirst[3]] : [])
  const month = name === undefined ? undefined : monthNumber(name)
  return month === undefined ? undefined : { year: Number(year), month, day: Number(day) }
}

/** Parses a match of `WORDED_STAMP`, if it is a valid date without other words. */
export function parseWordedStamp(time: string, order: DateOrder): StampParts | undefined {
  const isKnown = (word: string) => FILLERS.has(word.toLowerCase()) || isMonthName(word) || isWeekdayName(word)
  if (!(time.match(/\p{L}{2,}/gu) ?? []).every(isKnown)) return undefined
  const stamp = readStamp(time, order)
  return stamp && stampInstant(stamp, 'UTC') ? stamp : undefined
}

/** The order in which `03/04/2026` is read by default. */
export function usualDateOrder(timeZone: string): DateOrder {
  return timeZone.startsWith('America/') ? 'month-first' : 'day-first'
}

/** The instant of a stamp with a date. */
export function stampInstant(stamp: StampParts, timeZone: string): Date | undefined {
  if (!stamp.date) return undefined
  const wall = { ...stamp.date, hour: stamp.hour, minute: stamp.minute, second: stamp.second }
  if (stamp.offset === undefined) return zonedTime(wall, timeZone)
  const utc = zonedTime(wall, 'UTC')
  return utc && new Date(utc.getTime() - stamp.offset * 60_000)
}
