const DAY = /^\d{4}-\d{2}-\d{2}$/

/** YYYY-MM-DD of an instant, in the time zone of the browser. */
export function localDay(time: Date): string {
  const digits = (value: number) => String(value).padStart(2, '0')
  return `${String(time.getFullYear()).padStart(4, '0')}-${digits(time.getMonth() + 1)}-${digits(time.getDate())}`
}

/** YYYY-MM-DD of an instant in a time zone, such as that of the account. */
export function zonedDay(time: Date, timeZone: string): string {
  // Swedish dates are written like that.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(time)
}

export function isDay(text: string): boolean {
  return DAY.test(text) && !Number.isNaN(startOfDay(text).getTime())
}

/** Midnight of the browser's time zone. */
export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00`)
}

export function dayAfter(day: string): string {
  return dayBefore(day, -1)
}

export function dayBefore(day: string, days: number): string {
  const time = startOfDay(day)
  time.setDate(time.getDate() - days)
  return localDay(time)
}
