import { zonedTime } from '../../../src/lib/dates/zoned-time.ts'

export const HOME_TIME_ZONE = 'Europe/Oslo'

/** A wall time where Mira lives, `2026-05-29T17:00`, as an instant. */
export function homeTime(wall: string): Date {
  const [year, month, day, hour, minute] = wall.split(/\D/).map(Number) as [number, number, number, number, number]
  const at = zonedTime({ year, month, day, hour, minute }, HOME_TIME_ZONE)
  if (at === undefined) throw new Error(`There is no time ${wall}`)
  return at
}
