/** Injected wherever the current time matters, so that tests can change it. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

const MINUTE_MS = 60_000

export interface CalendarDay {
  readonly year: number
  /** 1 to 12; other values carry over into adjacent years. */
  readonly month: number
  /** 1 to 31; other values carry over into adjacent months. */
  readonly day: number
}

/** The local date in a time zone (IANA name). An unknown zone throws `RangeError`. */
export function zonedDay(instant: Date, timeZone: string): CalendarDay {
  const local = wallClock(instant, timeZone)
  return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() }
}

/** The same as `2026-03-04`. */
export function zonedDayName(instant: Date, timeZone: string): string {
  const { year, month, day } = zonedDay(instant, timeZone)
  return [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
}

/** `2026-03-01` for `2026-03-04`. */
export function firstOfMonth(dayName: string): string {
  return `${dayName.slice(0, 7)}-01`
}

/** Offset of a time zone from UTC at an instant, in minutes. */
export function zoneOffsetMinutes(instant: Date, timeZone: string): number {
  return Math.round((wallClock(instant, timeZone).getTime() - instant.getTime()) / MINUTE_MS)
}

/** The instant at which a day begins in a time zone. */
export function startOfZonedDay({ year, month, day }: CalendarDay, timeZone: string): Date {
  const wall = Date.UTC(year, month - 1, day)
  // The offset at the local time read as UTC is wrong by at most one clock change; the second one is right.
  const guess = new Date(wall - zoneOffsetMinutes(new Date(wall), timeZone) * MINUTE_MS)
  const start = wall - zoneOffsetMinutes(guess, timeZone) * MINUTE_MS
  // Where clocks change at midnight, the offset before the change is the right one.
  return new Date(Math.max(start, wall - zoneOffsetMinutes(new Date(start), timeZone) * MINUTE_MS))
}

/** A local time of day. */
export interface WallTime extends CalendarDay {
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/** The instant of a local time; `undefined` for one that no calendar has. Of a repeated hour, the first one. */
export function zonedInstant({ hour, minute, second, ...day }: WallTime, timeZone: string): Date | undefined {
  const wall = new Date(Date.UTC(day.year, day.month - 1, day.day, hour, minute, second))
  const isReal = wall.getUTCMonth() === day.month - 1 && wall.getUTCDate() === day.day && hour < 24 && minute < 60
  if (!isReal) return undefined
  const guess = wall.getTime() - zoneOffsetMinutes(wall, timeZone) * MINUTE_MS
  return new Date(wall.getTime() - zoneOffsetMinutes(new Date(guess), timeZone) * MINUTE_MS)
}

/** The local time read as if it were UTC. */
function wallClock(instant: Date, timeZone: string): Date {
  const parts = wallClockFormat(timeZone).formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((one) => one.type === type)?.value)
  return new Date(Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')))
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats an instant as local time in an IANA zone. Cached, because creating a formatter is slow. */
export function wallClockFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}
