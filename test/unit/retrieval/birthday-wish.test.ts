import { expect, test } from 'vitest'
import { isBirthdayWish } from '../../../src/retrieval/answer/sentences/birthday-wish.ts'

test.each([
  ['HAPPY BIRTHDAY MAM 79 and not a bother on you', "When is Mam's birthday?", true],
  ['Happy birthday, dear Ada!', "when's Ada's birthday", true],
  ['Happy birthday, dear Ada!', "When is Karo's birthday?", false],
  ['Happy birthday Otto!', "When is Otto Brix's birthday?", false],
  ['Did you say happy birthday to Mia?', "When is Mia's birthday?", false],
  ['Happy birthday Ada banner, 3 euros', "When is Ada's birthday?", false],
])('whether %s answers %s: %s', (sentence, question, isWish) => {
  expect(isBirthdayWish(sentence, question, sentence)).toBe(isWish)
})

test('a wish that is late is of another day', () => {
  expect(isBirthdayWish('Happy birthday Ada!', "When is Ada's birthday?", 'Happy birthday Ada! Sorry, late.')).toBe(
    false,
  )
})
