import { messages } from './messages.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A duration in its largest unit: `45 s`, `4 min`, `3 h`, `6 d`. */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  if (whole < MINUTE) return `${whole} s`
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`
  // Below two days, "36 h" is easier to read than "1 d".
  return whole < 2 * DAY ? `${Math.floor(whole / HOUR)} h` : `${Math.floor(whole / DAY)} d`
}

/** `4 min ago`, or `never`. @param instant ISO 8601 */
export function ago(instant: string | null, now: Date): string {
  return instant === null ? messages.never : messages.ago(span((now.getTime() - Date.parse(instant)) / 1_000))
}

/** `in 11 min`; `due` for the past. @param instant ISO 8601 */
export function ahead(instant: string, now: Date): string {
  const seconds = (Date.parse(instant) - now.getTime()) / 1_000
  return seconds <= 0 ? messages.due : messages.ahead(span(seconds))
}

/** Local time `12:40`, with the day if it is not today: `5 Mar, 12:40`. */
export function clockTime(instant: Date, now: Date): string {
  const today = instant.toDateString() === now.toDateString()
  const day: Intl.DateTimeFormatOptions = today ? {} : { day: 'numeric', month: 'short' }
  return instant.toLocaleString('en-GB', { ...day, hour: '2-digit', minute: '2-digit' })
}
