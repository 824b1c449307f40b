import { describe, expect, it } from 'vitest'
import { indirectQuestion } from '../../../../src/pipeline/extract/speech/indirect-questions.ts'

const ofMe = { byMe: false, toMe: true, withMe: true, listener: 'me' }
const byMe = { byMe: true, toMe: false, withMe: true, listener: 'Eve' }
const ofAll = { byMe: false, toMe: false, withMe: false, listener: undefined }

describe('a question in other words', () => {
  it.each([
    ['Are you in the office on Monday?', 'whether I am in the office on Monday'],
    ['Did you bring the ladder back?', 'whether I brought the ladder back'],
    ['Can I borrow your drill?', 'whether they can borrow my drill'],
    ['So when does the museum close?', 'when the museum closes'],
    ["What's the price of the roof?", 'what the price of the roof is'],
    ['Who pays for the taxi?', 'who pays for the taxi'],
    ['Has it arrived?', 'whether it has arrived'],
    ['Did the letter from the bank arrive?', 'whether the letter from the bank arrived'],
    ['Can we postpone the walk?', 'whether we can postpone the walk'],
    ['What made you choose that shade?', 'what made me choose that shade'],
    ['Is there anything that you enjoy about it?', undefined],
  ])('to me: %s', (question, clause) => {
    expect(indirectQuestion(question, ofMe)).toBe(clause)
  })

  it.each([
    ['Are you hungry?', 'whether they are hungry'],
    ['Where did you park?', 'where they parked'],
    ['Do you need my car?', undefined],
    ['Should I wait?', 'whether I should wait'],
  ])('of mine: %s', (question, clause) => {
    expect(indirectQuestion(question, byMe)).toBe(clause)
  })

  it.each([
    ['Are you sure?', undefined],
    ['Did we win?', undefined],
    ['Do they deliver on Sundays?', 'whether they deliver on Sundays'],
    ["It's late, isn't it?", undefined],
    ['Where: here or there?', undefined],
    ['Tomorrow?', undefined],
  ])('to several: %s', (question, clause) => {
    expect(indirectQuestion(question, ofAll)).toBe(clause)
  })
})
