import type { FeatureName } from './features.ts'

/** How chunks of one kind are scored. */
export interface KindWeights {
  /** Saturation and length normalisation of BM25F. */
  readonly k1: number
  readonly b: number
  /** Length of an ordinary body, in terms; lengths are measured against it. */
  readonly usualLength: number
  /** Weights of the bodies one and two places before, one and two places after, and of speaker, heading and date; body: 1. */
  readonly previous: readonly [number, number]
  readonly next: readonly [number, number]
  readonly meta: number
  /** Share of its neighbours' soft match and cosine that a chunk is given. */
  readonly smoothing: number
  /** Weights of the features, each divided by its maximum among the candidates. */
  readonly mix: Readonly<Record<FeatureName, number>>
}

export interface ScoringWeights {
  readonly turn: KindWeights
  readonly prose: KindWeights
}

export const WEIGHTS: ScoringWeights = {
  turn: {
    k1: 1.2,
    b: 0.75,
    usualLength: 12,
    previous: [0.6, 0.4],
    next: [0.4, 0.2],
    meta: 0.4,
    smoothing: 0.25,
    mix: { lexical: 0.6, soft: 0.4, cosine: 0.2, pairs: 0, meta: 0.15, length: 0.2, time: 0.3, answer: 0 },
  },
  prose: {
    k1: 1.2,
    b: 0.75,
    usualLength: 40,
    previous: [0.1, 0],
    next: [0.1, 0],
    meta: 0.4,
    smoothing: 0,
    mix: { lexical: 0.6, soft: 0.1, cosine: 0.3, pairs: 0.1, meta: 0, length: 0, time: 0.3, answer: 0 },
  },
}

export const CONFIDENCE_WEIGHTS = {
  constant: -4,
  coverage: 2,
  contextCoverage: 2.5,
  soft: 2,
  cosine: 1,
  time: 2.5,
  exact: 2,
}
export const MEMORY_WEIGHTS = { others: 0.3, decay: 0.7 }
export const ANSWER_WEIGHTS = {
  constant: -5.16,
  covered: 2.75,
  coveredByAsked: 2.82,
  coveredByOthers: -1.69,
  gap: 0.9,
  isByAsked: 1.75,
  relevance: 0,
}
