import { type AnswerEvidence, weighEvidence } from '../../../src/retrieval/answer-confidence.ts'
import { computeFeatures, mixFeatures } from '../../../src/retrieval/features.ts'
import type { Ranking } from '../../../src/retrieval/rank-chunks.ts'
import { type Confidence, measureConfidence } from '../../../src/retrieval/rank-chunks.ts'
import {
  ANSWER_EVIDENCE,
  type FittedWeights,
  type LogisticWeights,
  weightsFor,
} from '../../../src/retrieval/weights.ts'
import type { Example } from './gather.ts'
import { fitLogistic, probability, type Sample } from './logistic.ts'

/** What an example gives the two logistic models. */
export interface Judged {
  readonly example: Example
  readonly confidence: Confidence
  readonly evidence: AnswerEvidence
  /** The evidence is among the best ten; among the best three. */
  readonly isRelevant: boolean
  readonly isAnswered: boolean
}

export function judge(example: Example, fitted: FittedWeights): Judged | undefined {
  const { query, rows, raw } = example
  const weights = weightsFor(fitted, query.breadth)
  const features = computeFeatures(query, rows, raw, weights)
  const mixed = mixFeatures(rows, features, weights)
  const places = [...rows.keys()].sort((a, b) => mixed[b]! - mixed[a]! || b - a)
  const best = places[0]
  if (best === undefined) return undefined
  const ranked = places.map((place) => ({ row: rows[place]!, position: place, share: mixed[place]! / mixed[best]! }))
  const confidence = measureConfidence(query, features, best)
  const ranking: Ranking = { query, rows, features, ranked, relevance: 0, corrected: [], edits: [] }
  const among = (depth: number): boolean => ranked.slice(0, depth).some(({ row }) => example.evidence.has(row.chunkId))
  const evidence = weighEvidence(example.question.text, ranking)
  return { example, confidence, evidence, isRelevant: among(10), isAnswered: among(3) }
}

/** Whether anything is relevant: answerable questions whose evidence was found, against moved ones. Sets count alike. */
export function fitConfidence(judged: readonly Judged[]): LogisticWeights<keyof Confidence> {
  const samples: Sample<keyof Confidence>[] = judged
    .filter(({ example, isRelevant }) => example.role === 'moved' || (example.role === 'answerable' && isRelevant))
    .map(({ example, confidence }) => ({ inputs: confidence, label: example.role === 'moved' ? 0 : 1, weight: 1 }))
  // No question of the sets is about a time alone; being in the time asked for is worth as much as holding half the words.
  return fitLogistic(balanced(samples), ['contextCoverage', 'soft', 'cosine', 'time'], { time: 2 })
}

/** How much more a question about what somebody else did counts than one moved to another collection: they are fewer. */
const UNANSWERABLE = 3

/**
 * Whether there is an answer: questions whose evidence is among the best three against those that nothing answers. Sets
 * count alike, and so do both labels.
 */
export function fitAnswer(
  judged: readonly Judged[],
  confidence: LogisticWeights<keyof Confidence>,
): LogisticWeights<keyof AnswerEvidence> {
  const used = judged.filter(({ example, isAnswered }) => example.role !== 'answerable' || isAnswered)
  const groupOf = ({ example }: Judged): string => `${example.set} ${example.role === 'answerable'}`
  const sizes = Map.groupBy(used, groupOf)
  const samples: Sample<keyof AnswerEvidence>[] = used.map((one) => ({
    inputs: answerInputs(one, confidence),
    label: one.example.role === 'answerable' ? 1 : 0,
    weight: (one.example.role === 'unanswerable' ? UNANSWERABLE : 1) / sizes.get(groupOf(one))!.length,
  }))
  return fitLogistic(samples, ANSWER_EVIDENCE)
}

/** The relevance is that of the confidence weights fitted in the same run. */
export function answerInputs(judged: Judged, confidence: LogisticWeights<keyof Confidence>): AnswerEvidence {
  return { ...judged.evidence, relevance: probability(judged.confidence, confidence) }
}

/** Both labels weigh alike in all. */
function balanced<Name extends string>(samples: readonly Sample<Name>[]): Sample<Name>[] {
  const positive = samples.filter(({ label }) => label === 1).length
  const share = samples.length / 2
  return samples.map((sample) => ({
    ...sample,
    weight: sample.label === 1 ? share / positive : share / (samples.length - positive),
  }))
}
