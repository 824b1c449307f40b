import { currentLanguage, dateLocale } from '../languages/catalog.ts'

/** Made at its first use and kept, because making a format takes longer than a hundred uses of it. */
function keptFormat<Format>(make: () => Format): () => Format {
  let format: Format | undefined
  return () => {
    format ??= make()
    return format
  }
}

const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  keptFormat(() => new Intl.DateTimeFormat(dateLocale(), options))

const numbers = keptFormat(() => new Intl.NumberFormat(currentLanguage()))
const oneDigit = keptFormat(() => new Intl.NumberFormat(currentLanguage(), { maximumFractionDigits: 1 }))
const wholeNumbers = keptFormat(() => new Intl.NumberFormat(currentLanguage(), { maximumFractionDigits: 0 }))
const times = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })
const days = dateFormat({ dateStyle: 'medium' })
const fullDays = dateFormat({ dateStyle: 'long' })
const clocks = dateFormat({ timeStyle: 'short' })
const relativeTimes = keptFormat(() => new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'auto' }))

/** `12,345` */
export function formatCount(count: number): string {
  return numbers().format(count)
}

/** `5 minutes ago`, `yesterday`; negative amounts are in the past. */
export function formatRelative(amount: number, unit: Intl.RelativeTimeFormatUnit): string {
  return relativeTimes().format(amount, unit)
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
  const format = unit === 0 || amount >= 100 ? wholeNumbers() : oneDigit()
  const name = unit === 0 && currentLanguage() !== 'en' ? 'B' : BYTE_UNITS[unit]
  return `${format.format(amount)} ${name}`
}

/** `$1.25`, `$0`; below a cent with as many digits as it takes: `$0.0042`. */
export function formatDollars(dollars: number): string {
  const digits =
    dollars === 0 ? { maximumFractionDigits: 0 } : dollars < 0.01 ? { maximumSignificantDigits: 2 } : undefined
  return new Intl.NumberFormat(currentLanguage(), { style: 'currency', currency: 'USD', ...digits }).format(dollars)
}

/** `4 Mar 2026, 10:00` in the time zone of the browser. */
export function formatTime(time: string | Date): string {
  return times().format(new Date(time))
}

export function formatDay(time: string | Date): string {
  return days().format(new Date(time))
}

/** `23 November 2026` */
export function formatFullDay(time: string | Date): string {
  return fullDays().format(new Date(time))
}

/** `14:05` */
export function formatClock(time: string | Date): string {
  return clocks().format(new Date(time))
}
