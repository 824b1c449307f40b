import { expect, test } from 'vitest'
import { rankSentences } from '../../../src/retrieval/answer/sentences/answer-sentence.ts'
import { builtInEmbedder } from '../../lib/built-in-embedder.ts'

test('what somebody says comes before the description of an attachment in the same words', async () => {
  const nobody: ReadonlySet<string> = new Set()
  const people = { names: nobody, asked: nobody, people: nobody }
  const question = { text: 'What lies on the beach?', kind: 'other' as const, terms: [], ...people }
  const passage = {
    text: 'A red kayak lies on the beach. [a red kayak lies on the beach]',
    speaker: 'Pia Roth',
    share: 1,
    sourceType: 'slack' as const,
    isTurn: true,
    before: new Set<number>(),
    near: new Set<number>(),
    headings: new Set<number>(),
    subject: new Set<number>(),
    recency: 1,
  }
  const ranked = await rankSentences(question, [passage], await builtInEmbedder())
  expect(ranked.map(({ text }) => text)).toEqual(['A red kayak lies on the beach.', '[a red kayak lies on the beach]'])
})

test.each([
  ['Who opened the extractor?', new Set<string>(), 1],
  ['Who inspired Pia to open the extractor?', new Set(['pia']), 0],
  ['Who does the extractor annoy?', new Set<string>(), 0],
])('who says I is who did it, unless the question names them or asks for another: %s', async (text, asked, holds) => {
  const passage = {
    text: 'I had it open in March.',
    speaker: 'Pia Roth',
    share: 1,
    sourceType: 'slack' as const,
    isTurn: true,
    before: new Set<number>(),
    near: new Set<number>(),
    headings: new Set<number>(),
    subject: new Set<number>(),
    recency: 1,
  }
  const question = { text, kind: 'person' as const, terms: [], names: asked, asked, people: asked }
  const [best] = await rankSentences(question, [passage], await builtInEmbedder())
  expect(best!.features.holdsKind).toBe(holds)
})

test('the title of a text is none of its sentences', async () => {
  const nobody: ReadonlySet<string> = new Set()
  const people = { names: nobody, asked: nobody, people: nobody }
  const question = { text: 'When does she begin?', kind: 'time' as const, terms: [], ...people }
  const passage = {
    text: 'Phone call with Ruth, 29 October 2026\n\nShe starts in January.',
    speaker: undefined,
    title: 'Phone call with Ruth, 29 October 2026',
    share: 1,
    sourceType: 'text' as const,
    isTurn: false,
    before: new Set<number>(),
    near: new Set<number>(),
    headings: new Set<number>(),
    subject: new Set<number>(),
    recency: 1,
  }
  const ranked = await rankSentences(question, [passage], await builtInEmbedder())
  expect(ranked.map(({ text }) => text)).toEqual(['She starts in January.'])
})
