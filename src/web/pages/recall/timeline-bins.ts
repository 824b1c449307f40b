import { dateLocale } from '../../languages/catalog.ts'
import { dayBefore, localDay, startOfDay } from '../../ui/calendar-days.ts'

export interface TimeBin {
  /** YYYY-MM-DD, both inclusive. */
  readonly from: string
  readonly to: string
  readonly title: string
  readonly count: number
}

type Unit = 'day' | 'week' | 'month' | 'year'

/** Most bars that stay distinguishable on a phone. */
const MOST_BINS = 48
const UNITS: readonly { readonly unit: Unit; readonly days: number }[] = [
  { unit: 'day', days: 1 },
  { unit: 'week', days: 7 },
  { unit: 'month', days: 30.4 },
  { unit: 'year', days: 365.25 },
]

/** Counts times per day, week, month or year: the finest unit with at most `MOST_BINS` bins, without gaps. */
export function timeBins(times: readonly Date[]): TimeBin[] {
  if (times.length === 0) return []
  const sorted = times.toSorted((a, b) => a.getTime() - b.getTime())
  const [first, last] = [sorted[0] as Date, sorted.at(-1) as Date]
  const days = (last.getTime() - first.getTime()) / 86_400_000
  const { unit } = UNITS.find((one) => days / one.days < MOST_BINS - 1) ?? { unit: 'year' as const }
  const counts = new Map<string, number>()
  for (const time of times) {
    const start = binStart(localDay(time), unit)
    counts.set(start, (counts.get(start) ?? 0) + 1)
  }
  const bins: TimeBin[] = []
  const end = binStart(localDay(last), unit)
  for (let from = binStart(localDay(first), unit); from <= end; ) {
    const next = nextBinStart(from, unit)
    const to = dayBefore(next, 1)
    bins.push({ from, to, title: binTitle(from, to, unit), count: counts.get(from) ?? 0 })
    from = next
  }
  return bins
}

/** Weeks begin on Monday. */
function binStart(day: string, unit: Unit): string {
  if (unit === 'day') return day
  if (unit === 'week') return dayBefore(day, (startOfDay(day).getDay() + 6) % 7)
  return unit === 'month' ? `${day.slice(0, 7)}-01` : `${day.slice(0, 4)}-01-01`
}

function nextBinStart(from: string, unit: Unit): string {
  if (unit === 'day') return dayBefore(from, -1)
  if (unit === 'week') return dayBefore(from, -7)
  return binStart(dayBefore(from, unit === 'month' ? -31 : -366), unit)
}

function binTitle(from: string, to: string, unit: Unit): string {
  const text = (day: string, format: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(dateLocale(), format).format(startOfDay(day))
  if (unit === 'year') return from.slice(0, 4)
  if (unit === 'month') return text(from, { month: 'long', year: 'numeric' })
  const last = text(to, { day: 'numeric', month: 'short', year: 'numeric' })
  return unit === 'day' ? last : `${text(from, { day: 'numeric', month: 'short' })} to ${last}`
}
