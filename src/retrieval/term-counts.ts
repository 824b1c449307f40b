import type { ChunkRow } from '../store/search/search.ts'
import type { QueryTerm } from './query-terms.ts'

/** Occurrences of the query's terms in rows: of term q in row i at `i * terms + q`. */
export interface TermCounts {
  readonly width: number
  readonly body: Uint16Array
  readonly meta: Uint16Array
  /** For each row, the weights of neighbouring terms of the query that are neighbours in the body too. */
  readonly pairs: Float32Array
}

/** Terms of a pair may stand this far apart in a body. */
const PAIR_DISTANCE = 2

export function countTerms(terms: readonly QueryTerm[], rows: readonly ChunkRow[]): TermCounts {
  const width = terms.length
  const body = new Uint16Array(rows.length * width)
  const meta = new Uint16Array(rows.length * width)
  const pairs = new Float32Array(rows.length)
  const find = createLookup(terms)
  for (let i = 0; i < rows.length; i++) {
    const { bodyHashes, metaHashes } = rows[i]!
    let last = -1
    let lastAt = 0
    for (let j = 0; j < bodyHashes.length; j++) {
      const q = find(bodyHashes[j]!)
      if (q < 0) continue
      body[i * width + q]!++
      if (last >= 0 && q === last + 1 && j - lastAt <= PAIR_DISTANCE) {
        pairs[i]! += Math.min(terms[q]!.weight, terms[last]!.weight)
      }
      last = q
      lastAt = j
    }
    for (let j = 0; j < metaHashes.length; j++) {
      const q = find(metaHashes[j]!)
      if (q >= 0) meta[i * width + q]!++
    }
  }
  return { width, body, meta, pairs }
}

/** Position of a hash among the terms, or -1: an open-addressing table, five times as fast as a `Map` here. */
function createLookup(terms: readonly QueryTerm[]): (hash: number) => number {
  let size = 64
  while (size < terms.length * 4) size *= 2
  const mask = size - 1
  const positions = new Int16Array(size).fill(-1)
  const hashes = new Uint32Array(size)
  for (const [q, { hash }] of terms.entries()) {
    let slot = hash & mask
    while (positions[slot]! >= 0) slot = (slot + 1) & mask
    positions[slot] = q
    hashes[slot] = hash
  }
  return (hash) => {
    for (let slot = hash & mask; positions[slot]! >= 0; slot = (slot + 1) & mask) {
      if (hashes[slot] === hash) return positions[slot]!
    }
    return -1
  }
}
