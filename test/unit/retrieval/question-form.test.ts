import { expect, test } from 'vitest'
import { isQuestion } from '../../../src/retrieval/question/question-form.ts'

test.each([
  'When I was in Paris last year, what did we eat?',
  'Which of my friends lives in Berlin, is it Tom?',
  'Do I have to bring the papers, can you check?',
  'Did we ever agree on the price, and what is it?',
  'I asked you about the budget yesterday, what did you decide?',
  'I was wondering about the lamp, could you mend it?',
])('“%s” is a question', (sentence) => expect(isQuestion(sentence)).toBe(true))

test.each([
  "I'm allergic to the lilies in the hall, can someone ask them?",
  'Btw we moved the dinner to Friday, could you tell Ida?',
])('“%s” states something first', (sentence) => expect(isQuestion(sentence)).toBe(false))
