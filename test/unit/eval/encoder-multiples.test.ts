import { expect, test } from 'vitest'
import { analyze, hashTerm } from '../../../src/lib/analyze.ts'
import { createQueryTerm } from '../../../src/retrieval/question/query-terms.ts'
import { measureRows } from '../../../src/retrieval/recall/features.ts'
import { WEIGHTS, weightsFor } from '../../../src/retrieval/recall/weights.ts'
import type { ChunkRow } from '../../../src/store/search/search.ts'
import { fitMultiples } from '../../eval/fit/encoder-multiples.ts'
import type { Example } from '../../eval/fit/gather.ts'

function row(chunkId: number, text: string, vector: Int8Array): ChunkRow {
  return {
    chunkId,
    itemKey: chunkId,
    itemId: `item-${chunkId}`,
    sourceType: 'text',
    ordinal: 0,
    kind: 'turn',
    at: undefined,
    bodyHashes: Uint32Array.from(analyze(text), hashTerm),
    metaHashes: new Uint32Array(0),
    tokens: new Uint16Array(0),
    vector,
    spaceId: 'space',
  }
}

const SAYS_WORDS = 1
const MEANS_IT = 2

/** A question with one turn that has both of its words, and another that has one of them and the closer vector. */
function example(set: string, collection: string, evidence: number): Example {
  const terms = ['ship', 'captain'].map((term) => createQueryTerm(term, 1_000, 10))
  const asked = { terms, tokens: undefined, vector: Float32Array.of(0, 1), spaceId: 'space', range: undefined }
  const query = { ...asked, answerHashes: undefined, breadth: 'fact' } as unknown as Example['query']
  const rows = [
    row(SAYS_WORDS, 'a captain and a ship', Int8Array.of(127, 0)),
    row(MEANS_IT, 'the captain of two boats', Int8Array.of(0, 127)),
  ]
  const raw = measureRows(query, rows, undefined, weightsFor(WEIGHTS, 'fact'))
  const question = { id: 'q', collection, category: 'fact', text: 'ship captain?', evidence: [`${evidence}`] }
  return { set, question, kind: 'turn', role: 'answerable', query, rows, raw, evidence: new Set([evidence]) }
}

const LEFT_OUT = { 'a-dev': WEIGHTS, 'b-dev': WEIGHTS }

test('the multiple of a set is chosen on the other sets', () => {
  const examples = [example('a-dev', 'one', MEANS_IT), example('b-dev', 'one', SAYS_WORDS)]
  const [a, b] = fitMultiples(examples, LEFT_OUT, WEIGHTS).rows
  expect(a).toMatch(/^\| a-dev \| 1 \| .* \| 0\.0 \/ 100\.0 \| turn 1 \| - \| - \|/)
  expect(b).toMatch(/^\| b-dev \| 1 \| .* \| 0\.0 \/ 100\.0 \| turn [3-5] \| - \| - \|/)
})

test('the multiple of a collection is chosen on the others', () => {
  const examples = [
    example('a-dev', 'one', MEANS_IT),
    example('a-dev', 'two', MEANS_IT),
    example('b-dev', 'one', MEANS_IT),
  ]
  const [a] = fitMultiples(examples, LEFT_OUT, WEIGHTS).rows
  expect(a).toMatch(/\| 100\.0 \/ 100\.0 \| turn ([3-5]) \| 100\.0 \/ 100\.0 \| turn \1 \| 100\.0 \/ 100\.0 \|$/)
})
