import { startOfZonedDay } from '../../src/connector/source-time.ts'

export interface LocalMoment {
  /** `2026-11-20` */
  readonly day: string
  /** `09:05` */
  readonly time: string
}

/** Local date and time of an instant. @param timeZone IANA name */
export function wallClockOf(timeZone: string): (instant: Date) => LocalMoment {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  return (instant) => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
    const { year = '', month, day, hour, minute } = parts
    return { day: `${year.padStart(4, '0')}-${month}-${day}`, time: `${hour}:${minute}` }
  }
}

/** The instant at which a day such as `2026-11-20` begins in the time zone. */
export function startOfDay(day: string, timeZone: string): Date {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return startOfZonedDay({ year, month, day: date }, timeZone)
}
