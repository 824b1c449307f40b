import { type CalendarDay, startOfZonedDay, zonedDay } from '../../src/connector/zoned-time.ts'

const DAY_MS = 86_400_000

/** A week from Monday to Sunday. */
export interface IsoWeek {
  /** ISO 8601: `2026-W47`. Sorts by time. */
  readonly name: string
  readonly monday: CalendarDay
}

/** The week of an instant where the person is. */
export function weekOf(instant: Date, timeZone: string): IsoWeek {
  return weekOfDay(zonedDay(instant, timeZone))
}

export function weekAfter({ monday }: IsoWeek, weeks = 1): IsoWeek {
  return weekOfDay({ ...monday, day: monday.day + 7 * weeks })
}

/** The week of a name as `weekOf` gives it; `undefined` for anything else. */
export function weekNamed(name: string): IsoWeek | undefined {
  const [, year, number] = /^(\d{4})-W(\d{2})$/.exec(name) ?? []
  if (year === undefined) return undefined
  // The fourth of January is always in the first week.
  const week = weekOfDay({ year: Number(year), month: 1, day: 4 + 7 * (Number(number) - 1) })
  return week.name === name ? week : undefined
}

/** The instants at which a week begins, and at which the next one does. */
export function spanOf(week: IsoWeek, timeZone: string): { readonly since: Date; readonly until: Date } {
  return {
    since: startOfZonedDay(week.monday, timeZone),
    until: startOfZonedDay(weekAfter(week).monday, timeZone),
  }
}

function weekOfDay({ year, month, day }: CalendarDay): IsoWeek {
  const date = new Date(Date.UTC(year, month - 1, day))
  const monday = new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS)
  // A week belongs to the year of its Thursday.
  const thursday = new Date(monday.getTime() + 3 * DAY_MS)
  const number = 1 + Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / (7 * DAY_MS))
  return {
    name: `${thursday.getUTCFullYear()}-W${String(number).padStart(2, '0')}`,
    monday: { year: monday.getUTCFullYear(), month: monday.getUTCMonth() + 1, day: monday.getUTCDate() },
  }
}
