/** An account's keys, deleted keys and the web app; further ones are added up. */
const MOST_SERIES = 7
export const OTHERS = 'others'

/** An amount of one day and series. */
export interface DayAmount {
  readonly day: string
  readonly id: string
  readonly title: string
  readonly amount: number
}

export interface DaySeries {
  readonly id: string
  readonly title: string
  /** One for each day. */
  readonly amounts: readonly number[]
  readonly total: number
}

/** Amounts by series, largest first; with more than seven, those beyond six are added up as `others`. */
export function daySeries(days: readonly string[], rows: readonly DayAmount[]): readonly DaySeries[] {
  const indexes = new Map(days.map((day, index) => [day, index]))
  const found = new Map<string, { title: string; amounts: number[]; total: number }>()
  for (const { day, id, title, amount } of rows) {
    const index = indexes.get(day)
    if (index === undefined || amount === 0) continue
    const series = found.get(id) ?? { title, amounts: days.map(() => 0), total: 0 }
    series.amounts[index] = (series.amounts[index] ?? 0) + amount
    series.total += amount
    found.set(id, series)
  }
  const all = [...found].map(([id, series]) => ({ id, ...series })).toSorted((one, other) => other.total - one.total)
  if (all.length <= MOST_SERIES) return all
  const rest = all.slice(MOST_SERIES - 1)
  return [...all.slice(0, MOST_SERIES - 1), together(days, rest)]
}

function together(days: readonly string[], rest: readonly DaySeries[]): DaySeries {
  return {
    id: OTHERS,
    title: `${rest.length} others`,
    amounts: days.map((_, index) => rest.reduce((sum, { amounts }) => sum + (amounts[index] ?? 0), 0)),
    total: rest.reduce((sum, { total }) => sum + total, 0),
  }
}

/** The end of an axis that starts at 0: 2, 4 or 10 times a power of ten, so that its middle is round too. */
export function axisEnd(most: number, least: number): number {
  const wanted = Math.max(most, least)
  const power = 10 ** Math.floor(Math.log10(wanted))
  return ([1, 2, 4, 10].find((step) => step * power >= wanted) ?? 10) * power
}
