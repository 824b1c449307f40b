import { expect, test } from 'vitest'
import { KnownTerms } from '../../../src/store/search/vocabulary.ts'

const words = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`)

test('words are learned once for each account', () => {
  const known = new KnownTerms()
  expect(known.learn(1, ['harvest', 'moon', 'harvest'])).toEqual(['harvest', 'moon'])
  expect(known.learn(1, ['moon', 'sun'])).toEqual(['sun'])
  expect(known.learn(2, ['moon'])).toEqual(['moon'])
})

test('many accounts together take no more memory than one, and who wrote longest ago is forgotten first', () => {
  const most = 100_000
  const known = new KnownTerms(most)
  for (let account = 1; account <= 1_000; account++) {
    known.learn(account, words('word', 50))
    known.learn(1, ['always'])
    expect(known.bytes).toBeLessThanOrEqual(most)
  }
  expect(known.learn(1, words('word', 50))).toEqual([])
  expect(known.learn(1_000, words('word', 50))).toEqual([])
  expect(known.learn(2, words('word', 50))).toHaveLength(50)
})

test('an account whose words alone are too many begins anew', () => {
  const known = new KnownTerms(10_000)
  known.learn(1, words('word', 1_000))
  expect(known.bytes).toBe(0)
  expect(known.learn(1, ['word1'])).toEqual(['word1'])
})
