import { describe, expect, it } from 'vitest'
import { findNamedDays } from '../../../src/lib/dates/named-days.ts'

/** 9 April 2026, a Thursday. */
const at = new Date('2026-04-09T10:00:00Z')
const daysOf = (text: string) =>
  findNamedDays(text, { at, timeZone: 'UTC' }).map(({ start, precision }) =>
    start.toISOString().slice(0, precision === 'month' ? 7 : 10),
  )

describe('a day beside a date', () => {
  it.each([
    ['The ferry leaves on 3 August, back on the 17th', ['2026-08-03', '2026-08-17']],
    ['We leave on 3 August. Call me by the 17th', ['2026-08-03', '2026-04-17']],
    ['The invoice of 3 March is due on the 20th', ['2026-03-03', '2026-04-20']],
  ])('has its month if that is ahead in the same sentence: %s', (text, days) => {
    expect(daysOf(text)).toEqual(days)
  })

  it.each([
    ['We booked 12 to 14 June: Friday until 10 pm, Sunday until 8 pm', ['2026-06-12', '2026-06-14']],
    ['We went there from 30 May to 1 June, Saturday was best', ['2026-05-30', '2026-06-01', '2026-05-30']],
    ['We were away on Sunday', ['2026-04-05']],
  ])('is the weekday of a few days that are named: %s', (text, days) => {
    expect(daysOf(text)).toEqual([...new Set(days)])
  })
})

describe('a month without its year', () => {
  it.each([
    ['the baby is due in october', '2026-10'],
    ["She's due in October", '2026-10'],
    ["We'll move in November", '2026-11'],
    ['The course will start in March', '2027-03'],
    ['Das Baby wird im Oktober kommen', '2026-10'],
    ['We met in November', '2025-11'],
    ['It was due in November', '2025-11'],
    ['We met in May in Bath', '2026-05'],
  ])('is the next one of what is to come: %s', (text, month) => {
    expect(daysOf(text)).toEqual([month])
  })
})

it('a day of a clause with "won’t" is ahead, which "won" is not', () => {
  const days = (text: string) =>
    findNamedDays(text, { at: new Date('2026-11-16T09:00:00Z'), timeZone: 'UTC' }).map(({ start }) =>
      start.toISOString(),
    )
  expect(days("The lift is out of action till the 3rd so Monday won't work.")).toContain('2026-12-03T00:00:00.000Z')
  expect(days('We won the cup on the 3rd.')).toEqual(['2026-11-03T00:00:00.000Z'])
})
