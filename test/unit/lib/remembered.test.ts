import { expect, it } from 'vitest'
import { remembered } from '../../../src/lib/remembered.ts'

it('computes the result of a text once, even if it is undefined', () => {
  const computed: string[] = []
  const firstDigit = remembered((text) => {
    computed.push(text)
    return /\d/.exec(text)?.[0]
  })
  expect([firstDigit('at 9'), firstDigit('never'), firstDigit('at 9'), firstDigit('never')]).toEqual([
    '9',
    undefined,
    '9',
    undefined,
  ])
  expect(computed).toEqual(['at 9', 'never'])
})

it('keeps a bounded number of results', () => {
  let computed = 0
  const length = remembered((text) => {
    computed++
    return text.length
  })
  for (let round = 0; round < 2; round++) for (let number = 0; number < 5_000; number++) length(`text ${number}`)
  expect(computed).toBe(10_000)
  expect(length('text 4999')).toBe(9)
  expect(computed).toBe(10_000)
})
