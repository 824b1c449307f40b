import type { AnswerEvidence } from './answer-confidence.ts'
import type { Confidence } from './confidence.ts'
import type { FittedWeights, LogisticWeights } from './scoring-weights.ts'

// Found by `node test/eval/fit.ts` on the development sets (LoCoMo, REALTALK, QMSum and Slack for turns; FAQ and
// technical documentation for prose): coordinate search for the mean over sets of recall@10 + hit@1 / 3. What nothing was
// learnt about is a prior: headings and times of prose, and the offset of turns. The two probabilities are logistic models
// fitted with these weights; `test/eval/FIT.md` says what they are worth on what was left out.

export const WEIGHTS: FittedWeights = {
  turn: {
    fact: {
      k1: 0.8,
      b: 0.75,
      usualLength: 12,
      previous: [1.125, 0.75],
      next: [0.4, 0.2],
      meta: 0.6,
      smoothing: 0.313,
      spread: 0,
      offset: -0.15,
      mix: {
        lexical: 0.6,
        soft: 0.3,
        cosine: 0.133,
        pairs: 0.05,
        meta: 0.648,
        length: 0.15,
        time: 0.45,
        answer: 0.1,
        reach: 0.36,
        self: 0.15,
      },
    },
    stretch: {
      k1: 0.96,
      b: 0.75,
      usualLength: 12,
      previous: [0.72, 0.48],
      next: [0.4, 0.2],
      meta: 0.4,
      smoothing: 0.25,
      spread: 0.133,
      offset: -0.15,
      mix: {
        lexical: 0.6,
        soft: 0.167,
        cosine: 0.167,
        pairs: 0.05,
        meta: 0.2,
        length: 0.15,
        time: 0.3,
        answer: 0.1,
        reach: 0.2,
        self: 0,
      },
    },
  },
  prose: {
    k1: 1.2,
    b: 0.9,
    usualLength: 40,
    previous: [0.3, 0.2],
    next: [0.36, 0.24],
    meta: 0.4,
    smoothing: 0.067,
    spread: 0,
    offset: 0,
    mix: {
      lexical: 0.6,
      soft: 0.15,
      cosine: 0.24,
      pairs: 0.1,
      meta: 0.05,
      length: 0,
      time: 0.3,
      answer: 0,
      reach: 0.15,
      self: 0,
    },
  },
}

/** `time` is a prior: no question of the sets is about a time alone. */
export const CONFIDENCE_WEIGHTS: LogisticWeights<keyof Confidence> = {
  constant: -4.37,
  contextCoverage: 2.71,
  soft: 1.76,
  cosine: 4.26,
  time: 2,
}

export const ANSWER_WEIGHTS: LogisticWeights<keyof AnswerEvidence> = {
  constant: -5.81,
  askedSoft: 8.99,
  subjectSoft: -3.85,
  relevance: 2.17,
  names: 1.04,
  coverage: 0.3,
  terms: 1.01,
  ahead: 2.42,
}

/**
 * What the chunks of a memory beside its best add to it: the first this share of its own, each further one less. Lengths
 * are characters of the body; `brevity` is the power of the usual length over a memory's own.
 */
export const MEMORY_WEIGHTS = { others: 0.05, decay: 0.7, usualLength: { turn: 250, prose: 700 }, brevity: 0.15 }
