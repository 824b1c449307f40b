import type { MomentRange } from '../../domain/moment-range.ts'
import { wallClockFormat } from '../clock.ts'

/** A wall-clock time; `month` is 1 to 12. */
export interface WallTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour?: number
  readonly minute?: number
  readonly second?: number
}

/** Whether the name is an IANA time zone known to this runtime. */
export function isTimeZone(name: string): boolean {
  try {
    wallClockFormat(name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/**
 * The instant of a local time in the zone. In a gap (clocks go forward) the later time, in an overlap the first.
 * `undefined` for a date that does not exist.
 */
export function zonedTime(wall: WallTime, timeZone: string): Date | undefined {
  const { year, month, day, hour = 0, minute = 0, second = 0 } = wall
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second)
  const check = new Date(asUtc)
  const exists =
    check.getUTCDate() === day && check.getUTCMonth() === month - 1 && hour <= 24 && minute < 60 && second <= 60
  if (!exists || Number.isNaN(asUtc)) return undefined
  const before = offsetAt(asUtc - 86_400_000, timeZone)
  const first = asUtc - before
  if (offsetAt(first, timeZone) === before) return new Date(first)
  const after = offsetAt(asUtc + 86_400_000, timeZone)
  const second_ = asUtc - after
  return new Date(offsetAt(second_, timeZone) === after ? second_ : first)
}

/** The local time of an instant. */
export function wallTime(at: Date, timeZone: string): Required<WallTime> {
  const local = new Date(at.getTime() + offsetAt(at.getTime(), timeZone))
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
  }
}

/** Milliseconds to add to UTC, cached per quarter of an hour: chats request thousands of near times. */
function offsetAt(ms: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0
  const quarter = Math.floor(ms / 900_000)
  const known = offsetsOf(timeZone)
  const cached = known.get(quarter)
  if (cached !== undefined) return cached
  const parts = new Map(
    wallClockFormat(timeZone)
      .formatToParts(quarter * 900_000)
      .map((part) => [part.type, Number(part.value)]),
  )
  const local = Date.UTC(
    parts.get('year')!,
    parts.get('month')! - 1,
    parts.get('day')!,
    parts.get('hour')!,
    parts.get('minute')!,
    parts.get('second')!,
  )
  if (known.size > 10_000) known.clear()
  known.set(quarter, local - quarter * 900_000)
  return local - quarter * 900_000
}

const offsets = new Map<string, Map<number, number>>()

function offsetsOf(timeZone: string): Map<number, number> {
  const known = offsets.get(timeZone) ?? new Map<number, number>()
  offsets.set(timeZone, known)
  return known
}

/** In English, from January. */
export const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** Formats times for people, in one time zone. */
export interface MomentText {
  /** `4 March 2026, 10:12`, `12 May 2026, 10:00 to 11:00`, `4 March 2026`, `March 2026`, `2026`. */
  range(moment: MomentRange): string
  /** The same without the time of day. */
  day(moment: MomentRange): string
}

/** @param timeZone IANA name; throws `RangeError` when this runtime does not know it */
export function createMomentText(timeZone: string): MomentText {
  const partsOf = (date: Date) => {
    const wall = wallTime(date, timeZone)
    const month = MONTHS[wall.month - 1] ?? ''
    const clock = `${String(wall.hour).padStart(2, '0')}:${String(wall.minute).padStart(2, '0')}`
    return { year: String(wall.year), month: `${month} ${wall.year}`, day: `${wall.day} ${month} ${wall.year}`, clock }
  }
  const range = (moment: MomentRange): string => {
    const start = partsOf(moment.start)
    if (moment.precision === 'year' || moment.precision === 'month') return start[moment.precision]
    const end = moment.end && moment.end > moment.start ? partsOf(moment.end) : start
    if (moment.precision === 'day') return end.day === start.day ? start.day : `${start.day} to ${end.day}`
    if (end.day !== start.day) return `${start.day}, ${start.clock} to ${end.day}, ${end.clock}`
    return end.clock === start.clock ? `${start.day}, ${start.clock}` : `${start.day}, ${start.clock} to ${end.clock}`
  }
  return {
    range,
    day: ({ start, precision }) => range({ start, precision: precision === 'minute' ? 'day' : precision }),
  }
}
