/** Injected wherever the time of day matters, so that tests can move it. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

const MINUTE_MS = 60_000

export interface CalendarDay {
  readonly year: number
  /** 1 to 12; values outside carry over into the years beside. */
  readonly month: number
  /** 1 to 31; values outside carry over into the months beside. */
  readonly day: number
}

/** The date on the wall in a time zone (IANA name). An unknown zone throws `RangeError`. */
export function zonedDay(instant: Date, timeZone: string): CalendarDay {
  const local = wallClock(instant, timeZone)
  return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() }
}

/** The same as `2026-03-04`. */
export function zonedDayName(instant: Date, timeZone: string): string {
  const { year, month, day } = zonedDay(instant, timeZone)
  return [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
}

/** Minutes that clocks of a time zone are ahead of UTC at an instant. */
export function zoneOffsetMinutes(instant: Date, timeZone: string): number {
  return Math.round((wallClock(instant, timeZone).getTime() - instant.getTime()) / MINUTE_MS)
}

/** The instant at which a day begins in a time zone. */
export function startOfZonedDay({ year, month, day }: CalendarDay, timeZone: string): Date {
  const wall = Date.UTC(year, month - 1, day)
  // The offset at the wall time read as UTC is wrong by at most one change to or from summer time; the second is right.
  const guess = new Date(wall - zoneOffsetMinutes(new Date(wall), timeZone) * MINUTE_MS)
  const start = wall - zoneOffsetMinutes(guess, timeZone) * MINUTE_MS
  // Where clocks go from midnight to one o'clock, the offset before is the one that leads to the change.
  return new Date(Math.max(start, wall - zoneOffsetMinutes(new Date(start), timeZone) * MINUTE_MS))
}

/** The wall clock as if it were UTC. */
function wallClock(instant: Date, timeZone: string): Date {
  const parts = wallClockFormat(timeZone).formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((one) => one.type === type)?.value)
  return new Date(Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')))
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats an instant as the numbers a clock on the wall shows in an IANA zone. Kept, because making one is slow. */
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
