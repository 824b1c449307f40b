import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ChunkCache } from '../../../src/store/search/chunk-cache.ts'
import type { ChunkRow } from '../../../src/store/search/search.ts'

const MiB = 1024 * 1024
const MINUTE = 60_000

function chunk(chunkId: number, bytes: number): ChunkRow {
  return {
    chunkId,
    itemKey: 1,
    itemId: 'item',
    sourceType: 'text',
    ordinal: chunkId,
    kind: 'prose',
    at: undefined,
    bodyHashes: new Uint32Array(0),
    metaHashes: new Uint32Array(0),
    tokens: new Uint16Array(bytes / 2),
    vector: new Int8Array(0),
    spaceId: 'space',
  }
}

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

test('rows that are read again stay, and others make room for new ones', () => {
  const cache = new ChunkCache()
  for (let id = 0; id < 100; id++) {
    cache.add(chunk(id, MiB))
    expect(cache.get(0)).toBeDefined()
  }
  const kept = Array.from({ length: 100 }, (_, id) => id).filter((id) => cache.get(id) !== undefined)
  expect(kept.length).toBeLessThan(60)
  expect(kept).toContain(0)
  expect(kept).toContain(99)
  expect(kept).not.toContain(1)
})

test('rows that no question needs are forgotten', () => {
  const cache = new ChunkCache()
  cache.add(chunk(1, 100))
  vi.advanceTimersByTime(15 * MINUTE)
  expect(cache.get(1)).toBeDefined()
  vi.advanceTimersByTime(25 * MINUTE)
  expect(cache.get(1)).toBeUndefined()
  expect(vi.getTimerCount()).toBe(0)
})
