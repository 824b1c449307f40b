import { describe, expect, it } from 'vitest'
import { lowerRepeatedItems } from '../../../src/retrieval/recall/repeated-items.ts'
import type { ChunkRow } from '../../../src/store/search/search.ts'

function row(itemKey: number, terms: number): ChunkRow {
  return {
    chunkId: 1,
    itemKey,
    itemId: `item-${itemKey}`,
    sourceType: 'text',
    ordinal: 0,
    kind: 'turn',
    at: undefined,
    bodyHashes: new Uint32Array(terms),
    metaHashes: new Uint32Array(0),
    tokens: new Uint16Array(0),
    vector: new Int8Array(0),
    spaceId: 'space',
  }
}

/** Items of the rows, best first. */
function itemsInOrder(rows: readonly ChunkRow[], scores: readonly number[]): number[] {
  const lowered = Float32Array.from(scores)
  const positions = [...rows.keys()]
  lowerRepeatedItems(rows, positions, lowered)
  return positions.sort((a, b) => lowered[b]! - lowered[a]!).map((position) => rows[position]!.itemKey)
}

describe('several chunks of an item', () => {
  it('leave room for another conversation that matches about as well', () => {
    const rows = [row(1, 8), row(1, 8), row(1, 8), row(2, 8)]
    expect(itemsInOrder(rows, [1, 0.9, 0.88, 0.86])).toEqual([1, 1, 2, 1])
  })

  it('stay ahead of a conversation that matches clearly worse', () => {
    const rows = [row(1, 8), row(1, 8), row(1, 8), row(2, 8)]
    expect(itemsInOrder(rows, [1, 0.9, 0.88, 0.6])).toEqual([1, 1, 1, 2])
  })

  it('leave more room where the texts are long', () => {
    const rows = [row(1, 120), row(1, 120), row(1, 120), row(2, 120)]
    expect(itemsInOrder(rows, [1, 0.95, 0.9, 0.75])).toEqual([1, 2, 1, 1])
  })

  it('keep the score of the best and do not touch what may not be shown', () => {
    const scores = Float32Array.of(0.5, 1, 0.9, 0.4)
    lowerRepeatedItems([row(1, 8), row(1, 8), row(1, 8), row(2, 8)], [0, 1, 3], scores)
    expect([...scores].map((score) => score.toFixed(3))).toEqual(['0.485', '1.000', '0.900', '0.400'])
  })

  it('keep at least half of their scores, so that an account of one long conversation is still searched whole', () => {
    const rows = [...Array.from({ length: 20 }, () => row(1, 120)), row(2, 8)]
    const scores = new Float32Array(21).fill(1)
    lowerRepeatedItems(rows, [...rows.keys()], scores)
    expect(Math.min(...scores)).toBe(0.5)
  })

  it('keep their scores where there is no other item', () => {
    const scores = Float32Array.of(1, 0.9, 0.8)
    lowerRepeatedItems([row(1, 120), row(1, 120), row(1, 120)], [0, 1, 2], scores)
    expect([...scores].map((score) => score.toFixed(1))).toEqual(['1.0', '0.9', '0.8'])
  })
})
