import type { Breadth } from './breadth.ts'
import type { FeatureName } from './features.ts'

/** How chunks of one kind are scored. */
export interface KindWeights {
  /** Saturation and length normalisation of BM25F. */
  readonly k1: number
  readonly b: number
  /** Length of an ordinary body, in terms; lengths are measured against it. */
  readonly usualLength: number
  /** Weights in BM25F of the bodies one and two places before, and one and two places after; the body itself: 1. */
  readonly previous: readonly [number, number]
  readonly next: readonly [number, number]
  /** Weight in BM25F of speaker, heading and date. */
  readonly meta: number
  /** Share of its neighbours' soft match and cosine that a chunk is given. */
  readonly smoothing: number
  /** What the rows around add to a row's score: see `spreadOverStretch`. */
  readonly spread: number
  /** Added to the mix, so that kinds meet on one scale: every turn has some length, which counts for it. */
  readonly offset: number
  /** Weights of the features, each divided by its maximum among the candidates. */
  readonly mix: Readonly<Record<FeatureName, number>>
}

/** Of one question. */
export interface ScoringWeights {
  readonly turn: KindWeights
  readonly prose: KindWeights
}

/** Turns are scored in two ways: for questions that one turn answers, and for those that a stretch of talk answers. */
export interface FittedWeights {
  readonly turn: Readonly<Record<Breadth, KindWeights>>
  readonly prose: KindWeights
}

export function weightsFor({ turn, prose }: FittedWeights, breadth: Breadth): ScoringWeights {
  return { turn: turn[breadth], prose }
}

/** Weights of a logistic model by the name of the input. */
export type LogisticWeights<Name extends string> = Readonly<Record<Name | 'constant', number>>
