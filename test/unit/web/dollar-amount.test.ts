import { expect, test } from 'vitest'
import { dollarsIn } from '../../../src/web/pages/settings/dollar-amount.ts'

test.each([
  ['', null],
  ['0.15', 0.15],
  ['0,15', 0.15],
  ['0,125', 0.125],
  ['2.375', 2.375],
  ['1000', 1_000],
  ['1,000', undefined],
  ['12,500', undefined],
  ['1,000.50', undefined],
  ['-1', undefined],
  ['much', undefined],
])('“%s” typed as an amount is %s', (typed, amount) => {
  expect(dollarsIn(typed)).toBe(amount)
})
