import { dateLocale } from '../../languages/catalog.ts'
import { dayBefore, isDay, startOfDay } from '../../ui/calendar-days.ts'

export const PERIODS = ['day', 'week', 'month'] as const
export type Period = (typeof PERIODS)[number]

/** A day, or the week or month around it. */
export interface Span {
  readonly period: Period
  /** YYYY-MM-DD, both inclusive. */
  readonly from: string
  readonly to: string
}

/** @param day YYYY-MM-DD; weeks begin on Monday */
export function spanAround(day: string, period: Period): Span {
  if (period === 'day') return { period, from: day, to: day }
  if (period === 'week') {
    const from = dayBefore(day, (startOfDay(day).getDay() + 6) % 7)
    return { period, from, to: dayBefore(from, -6) }
  }
  const from = `${day.slice(0, 7)}-01`
  return { period, from, to: dayBefore(`${dayBefore(from, -31).slice(0, 7)}-01`, 1) }
}

/** The shortest period that holds both days; `undefined` when they are in different months and weeks. */
export function spanOver(from: string, to: string): Span | undefined {
  return PERIODS.map((period) => spanAround(from, period)).find((span) => to >= from && to <= span.to)
}

/** The period before (-1) or after (1). */
export function shifted({ period, from, to }: Span, by: -1 | 1): Span {
  return spanAround(by < 0 ? dayBefore(from, 1) : dayBefore(to, -1), period)
}

/** The address of a period: `/days/2026-03-04`, `/days/2026-03-02/week`. */
export function spanPath({ period, from }: Pick<Span, 'period' | 'from'>): string {
  return period === 'day' ? `/days/${from}` : `/days/${from}/${period}`
}

/** Of the address below /days; `undefined` when it names no day. */
export function parseSpan(day: string | undefined, period: string | undefined): Span | undefined {
  if (day === undefined || !isDay(day)) return undefined
  const known = PERIODS.find((one) => one === period)
  if (period !== undefined && known === undefined) return undefined
  return spanAround(day, known ?? 'day')
}

const LONG_DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const

/** `Wednesday, 4 March 2026`; `2–8 March 2026`; `March 2026`. */
export function spanTitle({ period, from, to }: Span): string {
  if (period === 'day') return dayTitle(from)
  if (period === 'month')
    return new Intl.DateTimeFormat(dateLocale(), { month: 'long', year: 'numeric' }).format(startOfDay(from))
  return new Intl.DateTimeFormat(dateLocale(), { dateStyle: 'long' }).formatRange(startOfDay(from), startOfDay(to))
}

export function dayTitle(day: string): string {
  return new Intl.DateTimeFormat(dateLocale(), LONG_DAY).format(startOfDay(day))
}
