import { describe, expect, test } from 'vitest'
import { attribution } from '../../../src/retrieval/provenance.ts'
import type { ChunkRow, MemoryRow } from '../../../src/store/search/search.ts'

const CHUNK: ChunkRow = {
  chunkId: 2,
  itemKey: 1,
  itemId: 'thread',
  sourceType: 'slack',
  ordinal: 1,
  kind: 'turn',
  at: undefined,
  bodyHashes: new Uint32Array(),
  metaHashes: new Uint32Array(),
  tokens: new Uint16Array(),
  vector: new Int8Array(),
  spaceId: 'test',
}

const MEMORY: MemoryRow = {
  itemKey: 1,
  itemId: 'thread',
  sourceType: 'slack',
  index: 0,
  content: { body: 'Ann Lee: Agreed.\nBen: Agreed.', participants: ['Ann Lee', 'Ben'] },
  firstChunkId: 1,
  lastChunkId: 2,
  at: undefined,
  url: undefined,
}

describe('the speaker of a chunk', () => {
  test('is whom the source names, also where another said the same', () => {
    expect(attribution(CHUNK, { text: 'Agreed.', speaker: 'Ben' }, [MEMORY])).toEqual({ speaker: 'Ben' })
  })

  test('has the name that the memory calls them by', () => {
    expect(attribution(CHUNK, { text: 'Agreed.', speaker: '@ann' }, [MEMORY])).toEqual({ speaker: 'Ann Lee' })
  })

  test('is nobody where no memory tells the chunk', () => {
    expect(attribution(CHUNK, { text: 'Agreed.', speaker: 'Ben' }, [])).toEqual({})
  })
})
