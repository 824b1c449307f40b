import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Embedder } from '../../../src/models/model.ts'
import { createPipeline } from '../../../src/pipeline/pipeline.ts'
import { isLikelyAnswer, type WeighedEvidence, weighEvidence } from '../../../src/retrieval/answer/answer-confidence.ts'
import { readEvidence } from '../../../src/retrieval/answer/evidence/read-evidence.ts'
import { readSentences } from '../../../src/retrieval/answer/evidence/read-sentences.ts'
import { rankChunks } from '../../../src/retrieval/recall/rank-chunks.ts'
import { type EvaluationStore, openEvaluationStore } from '../../eval/evaluation-store.ts'
import { builtInEmbedder } from '../../lib/built-in-embedder.ts'

const EVIDENCE: WeighedEvidence = {
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
  lacksAmount: 0,
  lacksKind: 0,
  isValue: 0,
  isOther: 0,
  holdsKind: 0,
  names: 0,
  isAboutSpeaker: true,
}
const SCORES = Array.from({ length: 400 }, (_, i) => i / 20)

function leastScore(isEncoded: boolean, evidence: Partial<WeighedEvidence> = {}): number {
  return (
    SCORES.find((score) => isLikelyAnswer({ ...EVIDENCE, ...evidence, score }, { isEncoded })) ??
    Number.POSITIVE_INFINITY
  )
}

test('a sentence that scores higher is more likely an answer', () => {
  expect(leastScore(false)).toBeGreaterThan(0)
})

test('passages that a sentence encoder found need a better sentence to be an answer', () => {
  expect(leastScore(true)).toBeGreaterThan(leastScore(false))
})

describe('of a question that names no speaker', () => {
  const about = { isAboutSpeaker: false }

  test('a sentence with the kind of answer that is asked for needs a lower score', () => {
    expect(leastScore(false, { ...about, holdsKind: 1 })).toBeLessThan(leastScore(false, { ...about, lacksKind: 1 }))
  })

  test('a sentence without the amount that is asked for needs a higher score than one without another value', () => {
    const value = { ...about, isValue: 1, lacksKind: 1 }
    expect(leastScore(false, { ...value, lacksAmount: 1 })).toBeGreaterThan(leastScore(false, value))
  })
})

// The five messages about the login page are one stretch of talk.
const CHANNEL = `---
title: '#frontend'
when: 2026-05-08T13:00:00Z
---
Ann [2026-05-08 13:00]: The new icons are merged.
Ben [2026-05-08 13:05]: Thanks, they look fine on my phone.
Ann [2026-05-08 13:30]: Lunch on Monday?
Ben [2026-05-08 13:32]: I am in, the Thai place opens at noon.
Cleo [2026-05-08 14:10]: Is anybody else seeing the login page flicker in Firefox after the update?
Dan [2026-05-08 14:11]: Yes, the login page flickers in Firefox on my laptop too.
Eve [2026-05-08 14:12]: The flicker comes from the font that loads late.
Finn [2026-05-08 14:13]: So preload the font on the login page.
Cleo [2026-05-08 14:14]: With the font preloaded nothing flickers in Firefox any more.
Ann [2026-05-08 16:00]: Who takes the printer to the second floor?
Ben [2026-05-08 16:02]: Me, right after the meeting.
Dan [2026-05-08 16:10]: The page of the canteen is empty again.
Eve [2026-05-08 16:12]: They update it in the afternoon.
`

/** The same messages, from two people alone. */
const BETWEEN_TWO = CHANNEL.replaceAll(/^(?:Cleo|Eve) \[/gm, 'Ann [').replaceAll(/^(?:Dan|Finn) \[/gm, 'Ben [')
const QUESTION = 'Why does the login page flicker in Firefox?'

let store: EvaluationStore
let embedder: Embedder

beforeAll(async () => {
  embedder = await builtInEmbedder()
  store = await openEvaluationStore()
})
afterAll(() => store.close())

async function aheadIn(text: string): Promise<number> {
  const accountId = await store.createAccount()
  const pipeline = createPipeline({ embedder })
  await store.add(accountId, [{ itemId: 'frontend', text, sourceType: 'slack' }], (file) => pipeline.run(file))
  const index = store.index(accountId)
  const ranking = await rankChunks(QUESTION, {}, { index, embedder, now: new Date('2026-11-20'), timeZone: 'UTC' })
  const evidence = await readEvidence(ranking, index, 'UTC')
  return weighEvidence(QUESTION, evidence, await readSentences(QUESTION, evidence, embedder, { timeZone: 'UTC' })).ahead
}

test('in a channel of many, the messages around the best one do not compete with it', async () => {
  expect(await aheadIn(CHANNEL)).toBeGreaterThan((await aheadIn(BETWEEN_TWO)) + 0.1)
})
