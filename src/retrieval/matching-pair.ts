import { analyze, hashTerm } from '../lib/analyze.ts'
import type { QaRow, SearchIndex } from '../store/search/search.ts'
import { neighbour } from './features.ts'
import { heldWeight } from './quote-text.ts'
import type { Ranking } from './rank-chunks.ts'

/** Chunks whose pairs are looked at. */
const LOOKED_AT = 20
/** Places that an answer may stand behind its question. */
export const BEHIND = 4
/** From this agreement of the two questions on, the answer of the one is taken for the other. */
const SAME_QUESTION = 0.66

export interface MatchingPair {
  readonly pair: QaRow
  /** In (0.66, 1]. */
  readonly agreement: number
}

/**
 * A stored question-answer pair that asks the same: the harmonic mean of the share of the asked question that the stored
 * one holds (by weight) and of the share of the stored question that was asked for (by words). `undefined` when none does.
 */
export async function matchingPair(ranking: Ranking, index: SearchIndex): Promise<MatchingPair | undefined> {
  const { query, rows, ranked } = ranking
  const total = query.terms.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return undefined
  const ids = new Set<number>()
  for (const { place } of ranked.slice(0, LOOKED_AT)) {
    for (let distance = 0; distance <= BEHIND; distance++) {
      const at = distance === 0 ? place : neighbour(rows, place, distance)
      if (at >= 0) ids.add(rows[at]!.chunkId)
    }
  }
  const asked = new Set(query.terms.map(({ hash }) => hash))
  let best: QaRow | undefined
  let most = SAME_QUESTION
  for (const pair of await index.qasOf([...ids])) {
    const words = new Set(analyze(pair.question).map(hashTerm))
    if (words.size === 0) continue
    const held = heldWeight(pair.question, query.terms) / total
    const wanted = [...words].filter((hash) => asked.has(hash)).length / words.size
    const agreement = held + wanted === 0 ? 0 : (2 * held * wanted) / (held + wanted)
    if (agreement > most) {
      most = agreement
      best = pair
    }
  }
  return best && { pair: best, agreement: most }
}
