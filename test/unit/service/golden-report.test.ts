import { expect, test } from 'vitest'
import { goldenChanges, goldenSummary, isClearlyWorse } from '../../../src/service/golden-report.ts'
import type { GoldenRank } from '../../../src/store/golden/golden.ts'

const ranks = (...values: readonly GoldenRank[]) => new Map(values.map((rank, i) => [i + 1, rank]))

test('a summary counts questions that have an item, and the others apart', () => {
  expect(goldenSummary(ranks(1, 5, 6, 11, null, 'no item'))).toEqual({
    asked: 5,
    foundIn5: 2,
    foundIn10: 3,
    meanReciprocalRank: (1 + 1 / 5 + 1 / 6 + 1 / 11) / 5,
    withoutItem: 1,
  })
  expect(goldenSummary(new Map())).toMatchObject({ asked: 0, meanReciprocalRank: 0 })
})

test('changes are told question by question; what has no item cannot get worse', () => {
  const changes = goldenChanges(ranks(1, 2, 3, 4, null, 6, 'no item'), ranks(1, 1, 4, null, 9, 'no item', 2, 5))
  expect(changes.map(({ number, change }) => [number, change])).toEqual([
    [1, 'same'],
    [2, 'better'],
    [3, 'worse'],
    [4, 'worse'],
    [5, 'better'],
    [6, 'new'],
    [7, 'new'],
    [8, 'new'],
  ])
  expect(goldenChanges(undefined, ranks(1)).map(({ change }) => change)).toEqual(['new'])
})

test('more than one question in twenty that is lost is clearly worse, a few places are not', () => {
  const twenty = Array.from<GoldenRank>({ length: 20 }).fill(1)
  const changed = (...last: readonly GoldenRank[]) => ranks(...twenty.slice(last.length), ...last)
  expect(isClearlyWorse(ranks(...twenty), changed(null))).toBe(false)
  expect(isClearlyWorse(ranks(...twenty), changed(null, null))).toBe(true)
  expect(isClearlyWorse(ranks(...twenty), changed(2, 2))).toBe(false)
  expect(isClearlyWorse(ranks(...twenty), changed(9, 9, 9, 9))).toBe(true)
  expect(isClearlyWorse(ranks(...twenty), changed('no item', 'no item'))).toBe(false)
  expect(isClearlyWorse(ranks(1), ranks(null))).toBe(true)
  expect(isClearlyWorse(new Map(), ranks(null))).toBe(false)
})
