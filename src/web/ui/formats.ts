import { currentLanguage, dateLocale } from '../languages/catalog.ts'

/** `12,345` */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(currentLanguage()).format(count)
}

/** `0.15`, as somebody types it. */
export function formatAmount(amount: number): string {
  return new Intl.NumberFormat(currentLanguage(), { useGrouping: false, maximumFractionDigits: 6 }).format(amount)
}

/** `3 items`, `1 item` */
export function formatNoun(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`
}

/** `mail, chats and notes` */
export function formatList(parts: readonly string[]): string {
  return new Intl.ListFormat(currentLanguage()).format(parts)
}

/** A label as a noun within a sentence; German nouns keep their capital. */
export function insideSentence(label: string): string {
  return currentLanguage() === 'en' ? label.toLowerCase() : label
}

const BYTE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** `1.4 MB`, of 1,000s. */
export function formatBytes(bytes: number): string {
  let amount = bytes
  let unit = 0
  while (amount >= 999.5 && unit < BYTE_UNITS.length - 1) {
    amount /= 1_000
    unit += 1
  }
  const digits = unit === 0 || amount >= 100 ? 0 : 1
  const name = unit === 0 && currentLanguage() !== 'en' ? 'B' : BYTE_UNITS[unit]
  return `${new Intl.NumberFormat(currentLanguage(), { maximumFractionDigits: digits }).format(amount)} ${name}`
}

/** `$1.25`, `$0`; below a cent with as many digits as it takes: `$0.0042`. */
export function formatDollars(dollars: number): string {
  const digits =
    dollars === 0 ? { maximumFractionDigits: 0 } : dollars < 0.01 ? { maximumSignificantDigits: 2 } : undefined
  return new Intl.NumberFormat(currentLanguage(), { style: 'currency', currency: 'USD', ...digits }).format(dollars)
}

/** `4 Mar 2026, 10:00` in the time zone of the browser. */
export function formatTime(time: string | Date): string {
  return new Intl.DateTimeFormat(dateLocale(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time))
}

export function formatDay(time: string | Date): string {
  return new Intl.DateTimeFormat(dateLocale(), { dateStyle: 'medium' }).format(new Date(time))
}

/** `23 November 2026` */
export function formatFullDay(time: string | Date): string {
  return new Intl.DateTimeFormat(dateLocale(), { dateStyle: 'long' }).format(new Date(time))
}

/** `14:05` */
export function formatClock(time: string | Date): string {
  return new Intl.DateTimeFormat(dateLocale(), { timeStyle: 'short' }).format(new Date(time))
}
