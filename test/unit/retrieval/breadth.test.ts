import { describe, expect, it } from 'vitest'
import { questionBreadth } from '../../../src/retrieval/question/understand-query.ts'

describe('the breadth of a question', () => {
  it.each([
    'What did the team discuss about the release?',
    "What was Ann's opinion of the new logo?",
    'Summarise the meeting on budgets',
    'Why did we decide against Kafka?',
    'what did Ben say about the office move',
  ])('takes %j for one that a stretch of talk answers', (question) => {
    expect(questionBreadth(question, 5)).toBe('stretch')
  })

  it.each([
    'When did we decide on the new logo?',
    'Who suggested Kafka?',
    'How many people agreed?',
    'What year did the discussion happen?',
    'Which port does the proxy use?',
    'What does Ann like to eat?',
  ])('takes %j for one that a single turn answers', (question) => {
    expect(questionBreadth(question, 5)).toBe('fact')
  })

  it('takes a pasted message for one that a stretch of talk answers', () => {
    expect(questionBreadth('The build of the shop fails since the proxy was moved to the other rack', 9)).toBe(
      'stretch',
    )
    expect(questionBreadth('The build of the shop fails', 4)).toBe('fact')
  })
})
