import { describe, expect, test } from 'vitest'
import { isTimeBound, parseTimeBound, resolveTimeBound } from '../../../src/service/time-bound.ts'

const ASKED = { now: new Date('2026-11-20T09:00:00Z'), timeZone: 'Europe/Berlin' }
const span = (text: string) =>
  (['since', 'until'] as const).map((side) => parseTimeBound(text, side, ASKED)?.toISOString())

describe('a bound on time', () => {
  test.each([
    ['2026-03-04T10:00:00Z', '2026-03-04T10:00:00.000Z', '2026-03-04T10:00:00.000Z'],
    ['2026-03-04 10:00', '2026-03-04T10:00:00.000Z', '2026-03-04T10:00:00.000Z'],
    ['2026-03-05T10:00:00+01:00', '2026-03-05T09:00:00.000Z', '2026-03-05T09:00:00.000Z'],
    ['2026-03-04', '2026-03-04T00:00:00.000Z', '2026-03-04T00:00:00.000Z'],
    ['2026-03', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
    ['2025', '2024-12-31T23:00:00.000Z', '2025-12-31T23:00:00.000Z'],
    ['yesterday', '2026-11-18T23:00:00.000Z', '2026-11-19T23:00:00.000Z'],
    ['März 2026', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
    ['gestern', '2026-11-18T23:00:00.000Z', '2026-11-19T23:00:00.000Z'],
    ['hier', '2026-11-18T23:00:00.000Z', '2026-11-19T23:00:00.000Z'],
    ['昨日', '2026-11-18T23:00:00.000Z', '2026-11-19T23:00:00.000Z'],
    ['last week', '2026-11-08T23:00:00.000Z', '2026-11-15T23:00:00.000Z'],
    ['March 2026', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
    ['March', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
  ])('of "%s" is its beginning below and its end above', (text, since, until) => {
    expect(span(text)).toEqual([since, until])
  })

  test.each(['soonish', '2026-02-30', '2026-13', '2026-13-01', 'yesterday evening with Ann', 'x'.repeat(61), ''])(
    'is not "%s"',
    (text) => {
      expect(isTimeBound(text)).toBe(false)
      const resolve = () => resolveTimeBound(text, { ...ASKED, field: 'since', side: 'since' })
      expect(resolve).toThrow(/^since must be a time such as 2026-03-04T10:00:00Z/)
    },
  )

  test('may be absent, or an instant', () => {
    const options = { ...ASKED, field: 'until', side: 'until' } as const
    expect(resolveTimeBound(undefined, options)).toBeUndefined()
    expect(resolveTimeBound(new Date(0), options)).toEqual(new Date(0))
    expect(() => resolveTimeBound(new Date(Number.NaN), options)).toThrow('until must be a time')
  })
})
