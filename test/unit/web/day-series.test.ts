import { describe, expect, test } from 'vitest'
import { axisEnd, daySeries, OTHERS } from '../../../src/web/pages/usage/day-series.ts'

const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03']

describe('series of days', () => {
  test('have an amount for each day, and the largest comes first', () => {
    const rows = [
      { day: '2026-03-01', id: 'a', title: 'A', amount: 1 },
      { day: '2026-03-03', id: 'b', title: 'B', amount: 5 },
      { day: '2026-03-03', id: 'a', title: 'A', amount: 2 },
      { day: '2026-03-03', id: 'a', title: 'A', amount: 1 },
    ]
    expect(daySeries(DAYS, rows)).toEqual([
      { id: 'b', title: 'B', amounts: [0, 0, 5], total: 5 },
      { id: 'a', title: 'A', amounts: [1, 0, 3], total: 4 },
    ])
  })

  test('leave out days outside the range, and what has no amount', () => {
    const rows = [
      { day: '2026-02-28', id: 'a', title: 'A', amount: 1 },
      { day: '2026-03-01', id: 'b', title: 'B', amount: 0 },
    ]
    expect(daySeries(DAYS, rows)).toEqual([])
  })

  test('are seven at most: the smallest are added up, and nothing is lost', () => {
    const rows = Array.from({ length: 9 }, (_, place) => ({
      day: '2026-03-02',
      id: `s${place}`,
      title: `S${place}`,
      amount: place + 1,
    }))
    const series = daySeries(DAYS, rows)
    expect(series.map(({ id }) => id)).toEqual(['s8', 's7', 's6', 's5', 's4', 's3', OTHERS])
    expect(series.at(-1)).toEqual({ id: OTHERS, title: '3 others', amounts: [0, 6, 0], total: 6 })
    expect(daySeries(DAYS, rows.slice(0, 7)).map(({ id }) => id)).not.toContain(OTHERS)
  })
})

describe('the end of an axis', () => {
  test.each([
    [0, 2, 2],
    [1, 2, 2],
    [3, 2, 4],
    [5, 2, 10],
    [10, 2, 10],
    [11, 2, 20],
    [41, 2, 100],
    [387_000, 2, 400_000],
    [0.0003, 0.0002, 0.0004],
  ])('for %d and at least %d is %d', (most, least, end) => {
    expect(axisEnd(most, least)).toBeCloseTo(end, 9)
  })
})
