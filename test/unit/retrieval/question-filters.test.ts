import { describe, expect, test } from 'vitest'
import { answerKind } from '../../../src/retrieval/question/answer-kind.ts'
import { questionFilters } from '../../../src/retrieval/question/question-filters.ts'

describe('the sources and the person that a question names', () => {
  test.each([
    ['emails from Priya', ['email', 'ms-outlook'], 'Priya', 'from Priya'],
    ['show me all slack messages about the pool', ['slack'], undefined, 'messages about the pool'],
    ['Emails by Grace Hopper about billing', ['email', 'ms-outlook'], 'Grace Hopper', 'by Grace Hopper about billing'],
  ])('are required by "%s"', (text, sources, person, rest) => {
    expect(questionFilters(text)).toEqual({ sources, isRequired: true, person, rest })
  })

  test.each([
    ['How do I post in Slack?', ['slack']],
    ['What did Ann write in my email about it?', ['email', 'ms-outlook']],
  ])('are a hint in "%s"', (text, sources) => {
    expect(questionFilters(text)).toEqual({ sources, isRequired: false, person: undefined, rest: text })
  })

  test('are none in most questions', () => {
    const text = 'Who came from Berlin?'
    expect(questionFilters(text)).toEqual({ sources: [], isRequired: false, person: undefined, rest: text })
  })
})

describe('what a question asks for', () => {
  test.each([
    ['When is the choir?', 'time'],
    ['And when was that?', 'time'],
    ['How long ago did we move?', 'time'],
    ['How many terabytes does it hold?', 'number'],
    ['Why did it fail?', 'reason'],
    ['Who broke the build?', 'person'],
    ['Which restaurant did we go to?', 'place'],
    ['Did Ben adopt a puppy?', 'yes-no'],
    ['Which books did I read?', 'list'],
    ['What instruments does Ann play?', 'list'],
    ['What is the pool size?', 'other'],
  ] as const)('of "%s" is known by its words', (question, kind) => {
    expect(answerKind(question)).toBe(kind)
  })
})
