import type { ChunkRow } from '../store/store.ts'
import type { FeatureTable, ScoringQuery } from './features.ts'
import { CONFIDENCE_WEIGHTS } from './weights.ts'

/** What tells a match from the best of a bad lot, for one chunk: absolute, unlike the features of the mix. */
export interface Confidence {
  /** Share of the question's weight in the body; in the body, its neighbours, speaker, heading or date. */
  readonly coverage: number
  readonly contextCoverage: number
  /** Soft match as a share of a perfect one. `coverage` when the question has no tokens, as in other scripts. */
  readonly soft: number
  readonly cosine: number
  /** 1: the chunk lies in the time that the question names. */
  readonly time: number
  /** 1: all of the question is there and it is one rare word, such as a name or a ticket. */
  readonly exact: number
}

export function measureConfidence(
  query: ScoringQuery,
  rows: readonly ChunkRow[],
  table: FeatureTable,
  place: number,
): Confidence {
  const coverage = table.coverage[place]!
  const contextCoverage = table.contextCoverage[place]!
  const perfect = query.tokens ? query.tokens.weights.reduce((sum, weight) => sum + weight, 0) : 0
  return {
    coverage,
    contextCoverage,
    soft: perfect > 0 ? Math.min(1, table.soft[place]! / perfect) : coverage,
    cosine: table.cosine[place]!,
    time: table.time[place]!,
    exact: coverage > 0.99 && rows.length > 0 ? 1 : 0,
  }
}

/** Probability that the chunk is relevant: a logistic model fitted by `test/eval/fit.ts`. */
export function relevance(confidence: Confidence): number {
  let z = CONFIDENCE_WEIGHTS.constant
  z += CONFIDENCE_WEIGHTS.coverage * confidence.coverage
  z += CONFIDENCE_WEIGHTS.contextCoverage * confidence.contextCoverage
  z += CONFIDENCE_WEIGHTS.soft * confidence.soft
  z += CONFIDENCE_WEIGHTS.cosine * confidence.cosine
  z += CONFIDENCE_WEIGHTS.time * confidence.time
  z += CONFIDENCE_WEIGHTS.exact * confidence.exact
  return 1 / (1 + Math.exp(-z))
}
