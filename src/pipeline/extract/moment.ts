import type { MomentRange } from '../../domain/document.ts'
import { wallTime } from '../parse/zoned-time.ts'

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** Writes times for people, in one time zone. */
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
