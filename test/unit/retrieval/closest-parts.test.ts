import { describe, expect, test } from 'vitest'
import type { SourceType } from '../../../src/domain/source-type.ts'
import { analyze, hashTerm } from '../../../src/lib/analyze.ts'
import { closestParts } from '../../../src/retrieval/answer/evidence/closest-parts.ts'
import { createQueryTerm } from '../../../src/retrieval/question/query-terms.ts'
import type { RankedChunk } from '../../../src/retrieval/recall/rerank-chunks.ts'
import type { ChunkRow } from '../../../src/store/search/search.ts'

function part(chunkId: number, text: string, sourceType: SourceType): RankedChunk {
  const row: ChunkRow = {
    chunkId,
    itemKey: chunkId,
    itemId: `item-${chunkId}`,
    sourceType,
    ordinal: 0,
    kind: 'prose',
    at: undefined,
    bodyHashes: Uint32Array.from(analyze(text), hashTerm),
    metaHashes: new Uint32Array(0),
    tokens: new Uint16Array(0),
    vector: new Int8Array(0),
    spaceId: 'space',
  }
  return { row, position: chunkId, share: 0.5 }
}

/** Texts among the closest parts where one with part of the question is read already. */
async function closest(question: string, best: string, others: readonly string[], sourceType: SourceType = 'text') {
  const terms = [...new Set(analyze(question))].map((term) => createQueryTerm(term, 1_000, 10))
  const [first, ...ranked] = [best, ...others].map((text, i) => part(i, text, sourceType))
  const read = { ...first!, passage: { text: best, speaker: undefined, title: undefined, url: undefined } }
  const passages = async (ids: readonly number[]) =>
    new Map(ids.map((id) => [id, { ...read.passage, text: others[id - 1]! }]))
  const found = await closestParts([read], [read], { query: { terms, text: question }, ranked }, { passages })
  return found.map(({ passage, share }) => ({ text: passage.text, share }))
}

describe('a part of a document that has more of the question than the best one', () => {
  test.each<SourceType>(['text', 'technical_docs'])('is found in %s', async (sourceType) => {
    const answer = 'The nightly database backup runs at three.'
    const found = await closest(
      'when does the nightly database backup run',
      'The nightly job runs.',
      ['The garden is open.', answer],
      sourceType,
    )
    expect(found).toEqual([{ text: answer, share: 1 }])
  })

  test.each<[string, string, string, SourceType]>([
    ['备份数据库文件', '请备份数据库文。', '请备份**数据库**文件。', 'text'],
    ['备份数据库文件', '请备份数据库文。', '请备份**数据库**文件。', 'technical_docs'],
    [
      'when does the nightly database backup run',
      'The nightly backup runs.',
      'The nightly data**base** back**up** runs at three.',
      'text',
    ],
    [
      'when does the nightly database backup run',
      'The nightly backup runs.',
      'The nightly [data](https://a.example)base backup runs.',
      'text',
    ],
  ])('is found for %s where marks divide its words', async (question, best, answer, sourceType) => {
    expect(await closest(question, best, ['别的。', answer], sourceType)).toEqual([{ text: answer, share: 1 }])
  })

  test('is found once where it is stored twice', async () => {
    const answer = 'The nightly database backup runs at three.'
    const question = 'when does the nightly database backup run'
    expect(await closest(question, 'The nightly job runs.', [answer, answer])).toHaveLength(1)
  })
})
