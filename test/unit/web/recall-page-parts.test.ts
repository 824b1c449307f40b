import { describe, expect, test } from 'vitest'
import { spanOver } from '../../../src/web/pages/days/periods.ts'
import { roundToSum } from '../../../src/web/pages/recall/scores.ts'
import { timeBins } from '../../../src/web/pages/recall/timeline-bins.ts'
import { dayAfter, dayBefore, isDay, localDay } from '../../../src/web/ui/calendar-days.ts'

const at = (...days: string[]) => days.map((day) => new Date(`${day}T12:00:00`))

test('the shortest period over two days is a day, else a week from Monday, else a month', () => {
  const over = (from: string, to: string) => spanOver(from, to)?.period
  expect(over('2026-03-04', '2026-03-04')).toBe('day')
  expect(over('2026-03-02', '2026-03-08')).toBe('week')
  expect(over('2026-03-30', '2026-04-01')).toBe('week')
  expect(over('2026-03-08', '2026-03-09')).toBe('month')
  expect(over('2026-03-01', '2026-03-31')).toBe('month')
  expect(over('2026-02-28', '2026-03-31')).toBeUndefined()
  expect(over('2026-03-02', '2026-03-01')).toBeUndefined()
})

describe('the time line', () => {
  test('has a bar for each day of a few weeks, also where nothing lies', () => {
    const bins = timeBins(at('2026-03-01', '2026-03-01', '2026-03-04'))
    expect(bins.map(({ from, to, count }) => [from, to, count])).toEqual([
      ['2026-03-01', '2026-03-01', 2],
      ['2026-03-02', '2026-03-02', 0],
      ['2026-03-03', '2026-03-03', 0],
      ['2026-03-04', '2026-03-04', 1],
    ])
    expect(bins[0]!.title).toBe('1 Mar 2026')
  })

  test('takes weeks from Monday, months and years for longer spans', () => {
    const weeks = timeBins(at('2026-01-01', '2026-04-30'))
    expect(weeks[0]).toMatchObject({ from: '2025-12-29', to: '2026-01-04', count: 1 })
    const months = timeBins(at('2024-01-31', '2026-02-28'))
    expect(months).toHaveLength(26)
    expect(months[1]).toEqual({ from: '2024-02-01', to: '2024-02-29', title: 'February 2024', count: 0 })
    const years = timeBins(at('1999-12-31', '2026-01-01'))
    expect(years).toHaveLength(28)
    expect(years.at(-1)).toEqual({ from: '2026-01-01', to: '2026-12-31', title: '2026', count: 1 })
  })

  test.each([
    ['2026-03-01', '2026-04-16'],
    ['2020-01-01', '2020-11-20'],
    ['2016-05-05', '2019-12-31'],
    ['0001-01-01', '2026-01-01'],
  ])('counts each time once, from %s to %s', (first, last) => {
    const bins = timeBins(at(last, first, first))
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(3)
    expect(bins[0]!.from <= first && last <= bins.at(-1)!.to).toBe(true)
    for (const [place, { from }] of bins.slice(1).entries()) expect(from).toBe(dayAfter(bins[place]!.to))
  })

  test('is empty without times', () => {
    expect(timeBins([])).toEqual([])
  })
})

test('days follow each other over months, years and changes of the clock', () => {
  expect(dayAfter('2026-02-28')).toBe('2026-03-01')
  expect(dayBefore('2026-01-01', 1)).toBe('2025-12-31')
  expect(dayBefore('2026-03-30', 7)).toBe('2026-03-23')
  expect(localDay(new Date('2026-03-04T23:59:59'))).toBe('2026-03-04')
  expect([isDay('2026-03-04'), isDay('2026-13-04'), isDay('7d'), isDay('')]).toEqual([true, false, false, false])
})

test('points are whole and add up', () => {
  expect(roundToSum([33.4, 33.3, 33.3], 100)).toEqual([34, 33, 33])
  expect(roundToSum([60.6, -10.6, 0], 50)).toEqual([61, -11, 0])
  expect(roundToSum([], 0)).toEqual([])
})
