import { expect, test } from 'vitest'
import { packFeatures, sourceCode } from '../../../src/store/search/chunk-columns.ts'
import { PackedChunks, type StoredChunk } from '../../../src/store/sqlite/packed-chunks.ts'

const MiB = 1024 * 1024

function stored(chunkId: number, words: number, more: Partial<StoredChunk> = {}): StoredChunk {
  const bodyHashes = Uint32Array.from({ length: words }, (_, n) => chunkId * 1_000_003 + n)
  const { vectorBytes, features } = packFeatures({
    vector: Float32Array.of(0.5, -0.5, 1, -1, 0.25),
    bodyHashes,
    metaHashes: Uint32Array.of(7),
    tokens: Uint16Array.of(chunkId % 65_536, 3),
  })
  const header = { chunkId, itemKey: 5_000_000_000, ordinal: 2, isTurn: true, source: sourceCode('slack') }
  return { ...header, spaceId: 'space', at: null, bodyTerms: words, metaTerms: 1, vectorBytes, features, ...more }
}

test('chunks come back as they were added, across blocks and with one larger than a block', () => {
  const chunks = new PackedChunks()
  const words = (id: number) => (id === 40 ? MiB : (id * 37) % 2_000)
  for (let id = 1; id <= 1_000; id++) chunks.add(stored(id, words(id), { at: id % 2 === 0 ? id : null }))
  for (const id of [1, 2, 39, 40, 41, 1_000]) {
    const row = chunks.row(id, 'item', 'space')!
    expect(row).toMatchObject({ chunkId: id, itemKey: 5_000_000_000, itemId: 'item', sourceType: 'slack', ordinal: 2 })
    expect([row.kind, row.at, row.spaceId]).toEqual(['turn', id % 2 === 0 ? id : undefined, 'space'])
    expect(row.vector).toEqual(Int8Array.of(64, -63, 127, -127, 32))
    expect(row.bodyHashes.length).toBe(words(id))
    expect(row.bodyHashes.at(-1)).toBe(words(id) === 0 ? undefined : id * 1_000_003 + words(id) - 1)
    expect([row.metaHashes, row.tokens]).toEqual([Uint32Array.of(7), Uint16Array.of(id, 3)])
  }
  expect(chunks.row(1_001, 'item', 'space')).toBeUndefined()
})

test('each chunk keeps its own space', () => {
  const chunks = new PackedChunks()
  chunks.add(stored(1, 3))
  chunks.add(stored(2, 3, { spaceId: 'other' }))
  expect([1, 2].map((id) => chunks.row(id, 'item', 'space')?.spaceId)).toEqual(['space', 'other'])
})

test('a removed chunk is gone, and its bytes are counted', () => {
  const chunks = new PackedChunks()
  chunks.add(stored(1, 1_000))
  chunks.add(stored(2, 10))
  const { bytes } = chunks
  chunks.remove(1)
  chunks.remove(3)
  expect([1, 2].map((id) => chunks.itemKeyOf(id))).toEqual([undefined, 5_000_000_000])
  expect(chunks.removedBytes).toBeGreaterThan(4_000)
  expect(chunks.removedBytes).toBeLessThan(4_200)
  expect(bytes).toBeLessThan(MiB / 8)
})
