/** A day or a month, without a time zone. */
export interface CalendarDay {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** Absent for a whole month. */
  readonly day?: number
}

const DAY_MS = 86_400_000

export function addDays(today: CalendarDay, days: number): CalendarDay {
  return calendarDay(new Date(utcDay(today) + days * DAY_MS))
}

export function calendarDay(date: Date): CalendarDay {
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** Milliseconds since 1970 of its first moment in UTC; of a month, of its first day. */
export function utcDay({ year, month, day = 1 }: CalendarDay): number {
  return Date.UTC(year, month - 1, day)
}

/** 0 for Sunday to 6 for Saturday. */
export function weekdayOf(day: CalendarDay): number {
  return new Date(utcDay(day)).getUTCDay()
}

/** 0 for Monday to 6 for Sunday; a week begins on Monday. */
export function mondayFirst(weekday: number): number {
  return (weekday + 6) % 7
}

/** The Monday of the week this many weeks away. */
export function mondayOf(today: CalendarDay, weeks: number): CalendarDay {
  return addDays(today, 7 * weeks - mondayFirst(weekdayOf(today)))
}

/** The next day of a month with this number, in this month or the next; `undefined` if that month has none. */
export function comingDay(day: number, today: CalendarDay): CalendarDay | undefined {
  if (day < 1 || day > 31) return undefined
  const month = day >= (today.day ?? 1) ? today.month : today.month + 1
  const date = new Date(Date.UTC(today.year, month - 1, day))
  return date.getUTCDate() === day ? calendarDay(date) : undefined
}

/** The last day of a month with this number before today; `undefined` if that month has none. */
export function lastDay(day: number, today: CalendarDay): CalendarDay | undefined {
  if (day < 1 || day > 31) return undefined
  const month = day < (today.day ?? 1) ? today.month : today.month - 1
  const date = new Date(Date.UTC(today.year, month - 1, day))
  return date.getUTCDate() === day ? calendarDay(date) : undefined
}

/** The year that puts a day or the middle of a month nearest to today. */
export function nearestYear({ month, day = 15 }: Pick<CalendarDay, 'month' | 'day'>, today: CalendarDay): number {
  const now = utcDay(today)
  const years = [today.year - 1, today.year, today.year + 1]
  const distance = (year: number) => Math.abs(Date.UTC(year, month - 1, day) - now)
  return years.reduce((best, year) => (distance(year) < distance(best) ? year : best))
}
