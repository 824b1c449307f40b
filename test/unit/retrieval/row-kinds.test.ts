import { expect, test } from 'vitest'
import { analyze, hashTerm } from '../../../src/lib/analyze.ts'
import { rowKinds } from '../../../src/retrieval/row-kinds.ts'
import type { ChunkRow } from '../../../src/store/search/search.ts'

/** Turns of items, each with its speaker and day as they are indexed. */
function turns(...items: readonly (readonly string[])[]): ChunkRow[] {
  return items.flatMap((metas, itemKey) =>
    metas.map((meta, ordinal) => ({
      chunkId: itemKey * 100 + ordinal,
      ...({ itemKey, itemId: `item ${itemKey}`, sourceType: 'slack', ordinal, kind: 'turn', at: undefined } as const),
      bodyHashes: new Uint32Array(),
      metaHashes: Uint32Array.from(analyze(meta), hashTerm),
      ...{ tokens: new Uint16Array(), vector: new Int8Array(), spaceId: 'test' },
    })),
  )
}

test('turns of three speakers are those of a group, and turns between two are not', () => {
  const rows = turns(['Ada', 'Ben', 'Ada', 'Ben'], ['Ada', 'Ben', 'Cleo'])
  expect(rowKinds(rows)).toEqual(['turn', 'turn', 'turn', 'turn', 'group', 'group', 'group'])
})

test('days of turns without a speaker are no speakers', () => {
  const rows = turns(['Monday 4 May 2026', 'Tuesday 5 May 2026', 'Wednesday 6 May 2026'])
  expect(rowKinds(rows)).toEqual(['turn', 'turn', 'turn'])
})

test('prose stays prose, whoever else is found', () => {
  const [first, ...rest] = turns(['Ada', 'Ben', 'Cleo', 'Dan'])
  expect(rowKinds([{ ...first!, kind: 'prose' }, ...rest])).toEqual(['prose', 'group', 'group', 'group'])
})
