import { expect, test } from 'vitest'
import { type AnswerEvidence, isLikelyAnswer } from '../../../src/retrieval/answer-confidence.ts'

const EVIDENCE: AnswerEvidence = {
  askedSoft: 0.8,
  relevance: 0.9,
  coverage: 1,
  terms: 0.4,
  ahead: 0.4,
  holdsNames: 1,
  score: 0,
  isByOthers: 0,
  isQuestion: 0,
  newWords: 0.3,
  coverageGap: 0,
  askedAround: 0.5,
  isPaired: 0,
  isYesNo: 0,
}
const SCORES = Array.from({ length: 400 }, (_, i) => i / 20)

function leastScore(isEncoded: boolean): number | undefined {
  return SCORES.find((score) => isLikelyAnswer({ ...EVIDENCE, score }, { isEncoded }))
}

test('a sentence that scores higher is more likely an answer', () => {
  expect(leastScore(false)).toBeGreaterThan(0)
})

test('passages that a sentence encoder found need a better sentence to be an answer', () => {
  expect(leastScore(true)).toBeGreaterThan(leastScore(false)!)
})
