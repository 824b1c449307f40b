import type { FittedWeights, KindWeights } from '../../../src/retrieval/recall/weights.ts'

const TURN: KindWeights = {
  k1: 1.2,
  b: 0.75,
  usualLength: 12,
  previous: [0.3, 0.2],
  next: [0.15, 0.075],
  meta: 0.4,
  smoothing: 0.1,
  spread: 0,
  offset: -0.15,
  mix: {
    lexical: 0.6,
    soft: 0.3,
    cosine: 0.2,
    pairs: 0.05,
    meta: 0.2,
    length: 0.15,
    time: 0.3,
    answer: 0.1,
    reach: 0.2,
    self: 0.15,
  },
}

/** Where the search starts: published values for BM25F on turns, the rest by judgement. Changing it changes the fit. */
export const START_WEIGHTS: FittedWeights = {
  turn: { fact: TURN, stretch: { ...TURN, spread: 0.1, mix: { ...TURN.mix, self: 0 } } },
  group: { fact: TURN, stretch: { ...TURN, spread: 0.1, mix: { ...TURN.mix, self: 0 } } },
  prose: {
    k1: 1.2,
    b: 0.75,
    usualLength: 40,
    previous: [0.3, 0.2],
    next: [0.3, 0.2],
    meta: 0.4,
    smoothing: 0.1,
    spread: 0,
    offset: 0,
    mix: {
      lexical: 0.6,
      soft: 0.15,
      cosine: 0.3,
      pairs: 0.1,
      meta: 0.05,
      length: 0,
      time: 0.3,
      answer: 0,
      reach: 0.1,
      self: 0,
    },
  },
}
