import { expect, test } from 'vitest'
import { impliedWords, stayTimes } from '../../../src/retrieval/answer/sentences/stay-booking.ts'

const SENT_AT = new Date('2026-03-01T10:00:00Z')
const FLIGHT = 'Flight LH 123\nDeparture: 10 March 09:00\nArrival: 10 March 12:00'

test('a stay lasts from the arrival to the departure of its confirmation', () => {
  expect(stayTimes('Check-in: 11 March 14:00\nCheck-out: 13 March 11:00', SENT_AT, 'UTC')).toEqual({
    from: new Date('2026-03-11T14:00:00Z'),
    until: new Date('2026-03-13T11:00:00Z'),
  })
})

test('a flight is no stay', () => {
  expect(stayTimes(FLIGHT, SENT_AT, 'UTC')).toBeUndefined()
  expect(impliedWords(FLIGHT).size).toBe(0)
})

test('a departure before the arrival is not that of the next year', () => {
  expect(stayTimes('Arrival: 11 March 14:00\nDeparture: 10 March 11:00', SENT_AT, 'UTC')).toBeUndefined()
})
