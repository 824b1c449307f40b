import type { ChunkRow } from '../../store/search/search.ts'
import { isQuoted } from './provenance.ts'

/** Share of a quote's words in another chunk from which that is the original, or a mail that quotes it too. */
const HELD_SHARE = 0.85

/**
 * The chunks without what mails quote from one that is among them, and each quote once. The pipeline sees one mail at a
 * time and can't know whether the quoted one is held.
 */
export function withoutHeldQuotes(rows: readonly ChunkRow[]): readonly ChunkRow[] {
  if (!rows.some(isQuoted)) return rows
  const words = new Map(rows.map((row) => [row, new Set(row.bodyHashes)]))
  return rows.filter((row, i) => {
    if (!isQuoted(row)) return true
    const own = words.get(row)!
    return !rows.some((other, j) => {
      if (i === j || (isQuoted(other) && j > i)) return false
      return own.intersection(words.get(other)!).size >= own.size * HELD_SHARE
    })
  })
}
