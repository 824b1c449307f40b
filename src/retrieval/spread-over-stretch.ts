import type { ChunkRow } from '../store/search/search.ts'
import { maximum, REACH } from './features.ts'

/** How much less a row is given of each further one, up to `REACH` places away. */
const DECAY = 0.85
/** What scores less than this share of the best gives nothing to those around it. */
const LEAST_SHARE = 0.3
/** Keeps the order of the rows that are left with nothing. */
const REMAINDER = 0.01

/**
 * Scores of rows with a share of those around them in their item, for questions whose answer is a stretch of talk: a
 * turn in the midst of good ones counts more than a good one alone. Rows must be in reading order. Pure.
 *
 * @param share of what the neighbours add, nearest first; 0 leaves the row as it is
 */
export function spreadOverStretch(
  rows: readonly ChunkRow[],
  scores: Float32Array,
  share: (row: ChunkRow) => number,
): Float32Array {
  const floor = LEAST_SHARE * maximum(scores)
  const above = scores.map((score) => Math.max(0, score - floor))
  return scores.map((score, i) => {
    const part = share(rows[i]!)
    if (part === 0) return score
    let around = 0
    for (const step of [-1, 1]) {
      for (let j = i + step; j >= 0 && j < rows.length; j += step) {
        const distance = Math.abs(rows[j]!.ordinal - rows[i]!.ordinal)
        if (rows[j]!.itemKey !== rows[i]!.itemKey || distance > REACH) break
        around += above[j]! * DECAY ** (distance - 1)
      }
    }
    return above[i]! + part * around + REMAINDER * score
  })
}
