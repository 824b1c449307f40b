import type { TokenMatcher } from '../model.ts'
import type { CreateBestSimilarities } from './best-similarities.ts'

export interface TokenMatcherOptions {
  readonly createBest: CreateBestSimilarities
  readonly encodeText: (text: string) => readonly number[]
  /** Tokens that carry no meaning: punctuation, function words. */
  readonly ignoredIds: ReadonlySet<number>
}

/** Soft matching over a static table. */
export function createTokenMatcher({ createBest, encodeText, ignoredIds }: TokenMatcherOptions): TokenMatcher {
  return {
    encode(text) {
      const ids = new Set(encodeText(text))
      return Uint16Array.from([...ids].filter((id) => !ignoredIds.has(id)))
    },
    match(query, weights, passages) {
      const similarities = createBest(query)
      const scores = new Float32Array(passages.length)
      for (let p = 0; p < passages.length; p++) {
        const best = similarities.of(passages[p]!)
        let score = 0
        for (let q = 0; q < query.length; q++) score += weights[q]! * best[q]!
        scores[p] = score
      }
      return scores
    },
  }
}
