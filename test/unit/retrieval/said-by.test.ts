import { describe, expect, test } from 'vitest'
import { attribution } from '../../../src/retrieval/recall/provenance.ts'
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
  firstOrdinal: 0,
  at: undefined,
  url: undefined,
}

describe('the speaker of a chunk', () => {
  test('is whom the source names, also where another said the same', () => {
    expect(attribution(CHUNK, { text: 'Agreed.', speaker: 'Ben' }, [MEMORY])).toEqual({ speaker: 'Ben' })
  })

  test('is never guessed from the words of the memory', () => {
    const body = 'root: Why does it fail?\nClaude: Found it. The clock fixture is off.'
    const content = { body, participants: ['root'] }
    const said = { text: 'Found it. The clock fixture is off.', speaker: 'Claude' }
    expect(attribution(CHUNK, said, [{ ...MEMORY, content }])).toEqual({ speaker: 'Claude' })
    expect(attribution(CHUNK, { ...said, speaker: undefined }, [{ ...MEMORY, content }])).toEqual({})
  })

  test('is known without a memory', () => {
    expect(attribution(CHUNK, { text: 'Agreed.', speaker: 'Ben' }, [])).toEqual({ speaker: 'Ben' })
  })

  test('of a mail without a sender is the first who takes part', () => {
    const mail = { ...CHUNK, sourceType: 'email', kind: 'prose' } as const
    expect(attribution(mail, { text: 'See you.', speaker: undefined }, [MEMORY])).toEqual({ speaker: 'Ann Lee' })
    expect(attribution(mail, { text: 'See you.', speaker: 'Ben' }, [MEMORY])).toEqual({ speaker: 'Ben' })
  })
})
