import type { ChunkRow } from '../../store/search/search.ts'
import { LONG_TERMS } from './row-kinds.ts'

/** The share of its score that each further chunk of an item keeps, and the minimum. */
const KEPT = { each: 0.97, least: 0.85 }
/** The same for long turns, such as an assistant's: each has much content, so the first usually suffices. */
const KEPT_OF_LONG = { each: 0.75, least: 0.5 }
/** Number of chunks of an item whose lengths are checked, best first. */
const MOST_LENGTHS = 8

/**
 * Lowers the scores of further chunks of the same item in place, so that the first results come from several
 * conversations and documents. Measured in decision 34. Pure except for `scores`.
 * @param positions of the rows that may be shown
 */
export function lowerRepeatedItems(
  rows: readonly ChunkRow[],
  positions: readonly number[],
  scores: Float32Array,
): void {
  const items = Map.groupBy(positions, (position) => rows[position]!.itemKey)
  if (items.size === 1) return
  for (const chunks of items.values()) {
    if (chunks.length === 1) continue
    const ordered = chunks.toSorted((a, b) => scores[b]! - scores[a]! || b - a)
    const best = ordered.slice(0, MOST_LENGTHS).map((position) => rows[position]!)
    const mean = best.reduce((sum, { bodyHashes }) => sum + bodyHashes.length, 0) / best.length
    const isLong = mean > LONG_TERMS && best[0]!.kind === 'turn'
    const { each, least } = isLong ? KEPT_OF_LONG : KEPT
    for (const [rank, position] of ordered.entries()) scores[position]! *= Math.max(least, each ** rank)
  }
}
