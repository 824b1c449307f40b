import { expect, test } from 'vitest'
import { startOfZonedDay, zonedDayName } from '../../../src/lib/clock.ts'

test.each([
  ['Europe/Berlin', 29, '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', 30, '2026-03-29T22:00:00.000Z'],
  ['Pacific/Auckland', 29, '2026-03-28T11:00:00.000Z'],
  ['Atlantic/Azores', 29, '2026-03-29T01:00:00.000Z'],
  ['America/Havana', 8, '2026-03-08T05:00:00.000Z'],
  ['Africa/Cairo', 55, '2026-04-23T22:00:00.000Z'],
])('a day begins at its first instant, also in %s where clocks change, on day %i of March', (zone, day, instant) => {
  const start = startOfZonedDay({ year: 2026, month: 3, day }, zone)
  expect(start.toISOString()).toBe(instant)
  const name = new Date(Date.UTC(2026, 2, day)).toISOString().slice(0, 10)
  expect(zonedDayName(start, zone)).toBe(name)
  expect(zonedDayName(new Date(start.getTime() - 1), zone)).not.toBe(name)
})
