import type { FeatureTable, ScoringQuery } from './features.ts'
import { CONFIDENCE_WEIGHTS } from './weights.ts'

/** What tells a match from the best of a bad lot, for one chunk: absolute, unlike the features of the mix. */
export interface Confidence {
  /** Share of the question's weight that is in the body, its neighbours, speaker, heading or date. */
  readonly contextCoverage: number
  /** Soft match as a share of a perfect one; the share of the question's weight in the body when the question has no tokens, as in other scripts. */
  readonly soft: number
  readonly cosine: number
  /** 1: the chunk lies in the time that the question names. */
  readonly time: number
}

export function measureConfidence(query: ScoringQuery, table: FeatureTable, place: number): Confidence {
  const perfect = query.tokens ? query.tokens.weights.reduce((sum, weight) => sum + weight, 0) : 0
  return {
    contextCoverage: table.contextCoverage[place]!,
    soft: perfect > 0 ? Math.min(1, table.soft[place]! / perfect) : table.coverage[place]!,
    cosine: table.cosine[place]!,
    time: table.time[place]!,
  }
}

/** Probability that the chunk is relevant: a logistic model fitted by `test/eval/fit.ts`. */
export function relevance(confidence: Confidence): number {
  const z =
    CONFIDENCE_WEIGHTS.constant +
    CONFIDENCE_WEIGHTS.contextCoverage * confidence.contextCoverage +
    CONFIDENCE_WEIGHTS.soft * confidence.soft +
    CONFIDENCE_WEIGHTS.cosine * confidence.cosine +
    CONFIDENCE_WEIGHTS.time * confidence.time
  return 1 / (1 + Math.exp(-z))
}
