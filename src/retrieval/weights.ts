import type { AnswerEvidence } from './answer-confidence.ts'
import type { Confidence } from './confidence.ts'
import type { FittedWeights, LogisticWeights } from './scoring-weights.ts'

// Found by `node test/eval/fit.ts` on the development sets (LoCoMo, REALTALK, QMSum and Slack for turns; FAQ and
// technical documentation for prose): coordinate search for the mean over sets of recall@10 + recall@40 / 2 + hit@1 / 3.
// What nothing was learnt about is a prior: headings and times of prose, the offset of turns, how far a stretch spreads.
// The two probabilities are logistic models fitted with these weights; `test/eval/FIT.md` says what they are worth on what
// was left out.

export const WEIGHTS: FittedWeights = {
  turn: {
    fact: {
      k1: 0.533,
      b: 0.75,
      usualLength: 12,
      previous: [0.9, 0.6],
      next: [0.4, 0.2],
      meta: 0.6,
      smoothing: 0.25,
      spread: 0,
      offset: -0.15,
      mix: {
        lexical: 0.6,
        soft: 0.2,
        cosine: 0.2,
        pairs: 0.05,
        meta: 0.3,
        length: 0.15,
        time: 0.3,
        answer: 0.15,
        reach: 0.2,
        self: 0.225,
      },
    },
    stretch: {
      k1: 0.8,
      b: 0.5,
      usualLength: 12,
      previous: [0.9, 0.6],
      next: [0.4, 0.2],
      meta: 0.6,
      smoothing: 0.167,
      spread: 0.2,
      offset: -0.15,
      mix: {
        lexical: 0.6,
        soft: 0.3,
        cosine: 0.45,
        pairs: 0.05,
        meta: 0.3,
        length: 0.1,
        time: 0.3,
        answer: 0.1,
        reach: 0.2,
        self: 0.075,
      },
    },
  },
  prose: {
    k1: 1.2,
    b: 1,
    usualLength: 40,
    previous: [0.45, 0.3],
    next: [0.3, 0.2],
    meta: 0.4,
    smoothing: 0.1,
    spread: 0,
    offset: 0,
    mix: {
      lexical: 0.6,
      soft: 0.15,
      cosine: 0.2,
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

/** `time` is a prior: no question of the sets is about a time alone. */
export const CONFIDENCE_WEIGHTS: LogisticWeights<keyof Confidence> = {
  constant: -4.81,
  contextCoverage: 3.58,
  soft: 0.99,
  cosine: 5.15,
  time: 2,
}

export const ANSWER_WEIGHTS: LogisticWeights<keyof AnswerEvidence> = {
  constant: -5.68,
  askedSoft: 9,
  subjectSoft: -4.13,
  relevance: 2.26,
  names: 0.92,
  coverage: 0.27,
  terms: 0.96,
  ahead: 2.55,
}

/**
 * What the chunks of a memory beside its best add to it: the first this share of its own, each further one less. Lengths
 * are characters of the body; `brevity` is the power of the usual length over a memory's own.
 */
export const MEMORY_WEIGHTS = { others: 0.05, decay: 0.7, usualLength: { turn: 250, prose: 700 }, brevity: 0.15 }
