import { analyze, hashTerm } from '../../../lib/analyze.ts'
import type { QaRow, SearchIndex } from '../../../store/search/search.ts'
import { totalWeight } from '../../question/query-terms.ts'
import { neighbor } from '../../recall/features.ts'
import { matchedWeight } from '../../recall/quote-text.ts'
import type { Ranking } from '../../recall/rank-chunks.ts'

/** Maximum distance in chunks of an answer from its question. */
export const BEHIND = 4
/** Number of chunks whose stored pairs are compared. */
const LOOKED_AT = 20
/** Minimum agreement of two questions for the same answer. */
const SAME_QUESTION = 0.66

interface MatchingPair {
  readonly pair: QaRow
  /** In (0.66, 1]. */
  readonly agreement: number
}

/**
 * A stored pair with the same question, if any. Agreement is the harmonic mean of the share of the asked question in the
 * stored one (by weight) and of the stored question in the asked one (by words).
 */
export async function matchingPair(ranking: Ranking, index: SearchIndex): Promise<MatchingPair | undefined> {
  const { terms } = ranking.query
  const total = totalWeight(terms)
  if (total === 0) return undefined
  const asked = new Set(terms.map(({ hash }) => hash))
  let best: MatchingPair | undefined
  for (const pair of await index.qasOf(chunksWithPairs(ranking))) {
    const words = new Set(analyze(pair.question).map(hashTerm))
    if (words.size === 0) continue
    const held = matchedWeight(pair.question, terms) / total
    const wanted = [...words].filter((hash) => asked.has(hash)).length / words.size
    const agreement = held + wanted === 0 ? 0 : (2 * held * wanted) / (held + wanted)
    if (agreement > (best?.agreement ?? SAME_QUESTION)) best = { pair, agreement }
  }
  return best
}

/** The best chunks and those behind them, which may answer a question above. */
function chunksWithPairs({ rows, ranked }: Ranking): number[] {
  const ids = new Set<number>()
  for (const { position } of ranked.slice(0, LOOKED_AT)) {
    for (let distance = 0; distance <= BEHIND; distance++) {
      const at = distance === 0 ? position : neighbor(rows, position, distance)
      if (at >= 0) ids.add(rows[at]!.chunkId)
    }
  }
  return [...ids]
}
