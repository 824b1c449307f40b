import { computeFeatures, mixFeatures } from '../../../src/retrieval/recall/features.ts'
import { type Confidence, measureConfidence } from '../../../src/retrieval/recall/rank-chunks.ts'
import { type FittedWeights, type LogisticWeights, weightsFor } from '../../../src/retrieval/recall/weights.ts'
import type { Example } from './gather.ts'
import { fitLogistic, type Sample } from './logistic.ts'

/** What an example gives the logistic model. */
export interface Judged {
  readonly example: Example
  readonly confidence: Confidence
  /** The evidence is among the best ten. */
  readonly isRelevant: boolean
}

const FOUND_AMONG = 10

export function judge(example: Example, fitted: FittedWeights): Judged | undefined {
  const { query, rows, raw } = example
  const weights = weightsFor(fitted, query.breadth)
  const features = computeFeatures(query, rows, raw, weights)
  const mixed = mixFeatures(rows, features, weights)
  const places = [...rows.keys()].sort((a, b) => mixed[b]! - mixed[a]! || b - a)
  const best = places[0]
  if (best === undefined) return undefined
  const confidence = measureConfidence(query, features, best)
  const isRelevant = places.slice(0, FOUND_AMONG).some((place) => example.evidence.has(rows[place]!.chunkId))
  return { example, confidence, isRelevant }
}

/** Whether anything is relevant: answerable questions whose evidence was found, against moved ones. Sets count alike. */
export function fitConfidence(judged: readonly Judged[]): LogisticWeights<keyof Confidence> {
  const samples: Sample<keyof Confidence>[] = judged
    .filter(({ example, isRelevant }) => example.role === 'moved' || (example.role === 'answerable' && isRelevant))
    .map(({ example, confidence }) => ({ inputs: confidence, label: example.role === 'moved' ? 0 : 1, weight: 1 }))
  // No question of the sets is about a time alone; being in the time asked for is worth as much as holding half the words.
  return fitLogistic(balanced(samples), ['contextCoverage', 'soft', 'cosine', 'time'], { time: 2 })
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
