import { expect, test } from 'vitest'
import { analyze, hashTerm } from '../../../src/lib/analyze.ts'
import { bestOfStretches, rowKinds } from '../../../src/retrieval/recall/row-kinds.ts'
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

test('long turns are told apart where two talk in long turns, such as with an assistant', () => {
  const rows = turns(['Ada', 'Ben', 'Ada'], ['Ada', 'Ben', 'Cleo'], ['Ada', 'Ada', 'Ada'])
  const withLengths = (lengths: readonly number[]) =>
    rowKinds(rows.map((row, i) => ({ ...row, bodyHashes: new Uint32Array(lengths[i % 3]!) })))
  const group = ['group', 'group', 'group']
  const alone = ['turn', 'turn', 'turn']
  expect(withLengths([10, 130, 20])).toEqual(['turn', 'long', 'turn', ...group, ...alone])
  expect(withLengths([10, 60, 20])).toEqual([...alone, ...group, ...alone])
})

test('days of turns without a speaker are no speakers', () => {
  const rows = turns(['Monday 4 May 2026', 'Tuesday 5 May 2026', 'Wednesday 6 May 2026'])
  expect(rowKinds(rows)).toEqual(['turn', 'turn', 'turn'])
})

test('prose stays prose, whoever else is found', () => {
  const [first, ...rest] = turns(['Ada', 'Ben', 'Cleo', 'Dan'])
  expect(rowKinds([{ ...first!, kind: 'prose' }, ...rest])).toEqual(['prose', 'group', 'group', 'group'])
})

/** The chunks at these positions as they would be ranked, best first. */
function rankedAt(rows: readonly ChunkRow[], positions: readonly number[]) {
  return positions.map((position) => ({ row: rows[position]!, position }))
}

function bestPositions(rows: readonly ChunkRow[], positions: readonly number[], count: number): number[] {
  return bestOfStretches(rankedAt(rows, positions), rowKinds(rows), count).map(({ position }) => position)
}

const CHANNEL = turns(['Ada', 'Ben', 'Cleo', 'Ada', 'Ben', 'Cleo', 'Ada', 'Ben', 'Cleo'])

test('turns of a group up to three places from a better one are of the same stretch of talk', () => {
  expect(bestPositions(CHANNEL, [4, 5, 1, 0, 8, 7, 3], 5)).toEqual([4, 0, 8])
})

test('no more of the best chunks are kept than asked for', () => {
  expect(bestPositions(CHANNEL, [0, 1, 4, 8], 2)).toEqual([0, 4])
})

test('turns between two people, and those of another channel, each count alone', () => {
  const rows = turns(['Ada', 'Ben', 'Ada', 'Ben'], ['Ada', 'Ben', 'Cleo'], ['Ada', 'Ben', 'Cleo'])
  expect(bestPositions(rows, [0, 1, 2, 6, 7, 4], 5)).toEqual([0, 1, 2, 6, 7])
})
