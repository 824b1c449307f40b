import { computeFeatures, FEATURES } from '../../../src/retrieval/features.ts'
import { mixFeatures } from '../../../src/retrieval/mix-features.ts'
import type { KindWeights, ScoringWeights } from '../../../src/retrieval/scoring-weights.ts'
import type { Example } from './gather.ts'

/** Chunk ids of an example, best first. */
export function rank({ query, rows, raw }: Example, weights: ScoringWeights): number[] {
  const scores = mixFeatures(rows, computeFeatures(query, rows, raw, weights), weights)
  const places = [...rows.keys()].sort((a, b) => scores[b]! - scores[a]! || b - a)
  return places.map((place) => rows[place]!.chunkId)
}

export interface Figures {
  /** Percent. */
  readonly recall10: number
  readonly hit1: number
}

export function figures(examples: readonly Example[], weights: ScoringWeights): Figures {
  let [recall10, hit1] = [0, 0]
  for (const example of examples) {
    const ranking = rank(example, weights)
    recall10 += ranking.slice(0, 10).filter((id) => example.evidence.has(id)).length / example.evidence.size
    if (example.evidence.has(ranking[0]!)) hit1++
  }
  return { recall10: (100 * recall10) / examples.length, hit1: (100 * hit1) / examples.length }
}

/** Sets count alike, however many questions they have; the first place counts a third of the first ten. */
function objective(examples: readonly Example[], weights: ScoringWeights): number {
  const bySet = Map.groupBy(examples, ({ set }) => set)
  let sum = 0
  for (const some of bySet.values()) {
    const { recall10, hit1 } = figures(some, weights)
    sum += recall10 + hit1 / 3
  }
  return sum / bySet.size
}

/** A change must gain this much, so that noise moves nothing. */
const LEAST_GAIN = 0.08
const PASSES = 2
const STEPS = [1.5, 1 / 1.5]

/** Coordinate search from a start: each weight in turn, up and down. Deterministic. */
export function searchWeights(
  examples: readonly Example[],
  start: ScoringWeights,
  kind: 'turn' | 'prose',
): ScoringWeights {
  let weights = start
  let best = objective(examples, weights)
  for (let pass = 0; pass < PASSES; pass++) {
    for (const change of changesOf(kind)) {
      for (const step of STEPS) {
        const tried = { ...weights, [kind]: change(weights[kind], step) }
        const value = objective(examples, tried)
        if (value < best + LEAST_GAIN) continue
        best = value
        weights = tried
      }
    }
  }
  return weights
}

type Change = (weights: KindWeights, step: number) => KindWeights

function moved(value: number, step: number): number {
  if (value === 0) return step > 1 ? 0.05 : 0
  return value * step < 0.02 ? 0 : Number((value * step).toFixed(3))
}

function changesOf(kind: 'turn' | 'prose'): readonly Change[] {
  // Texts of the prose sets stand alone: nothing is learnt there about neighbours, and headings are the questions.
  const around: Change[] = [
    (w, step) => ({ ...w, previous: [moved(w.previous[0], step), moved(w.previous[1], step)] }),
    (w, step) => ({ ...w, next: [moved(w.next[0], step), moved(w.next[1], step)] }),
    (w, step) => ({ ...w, meta: moved(w.meta, step) }),
    (w, step) => ({ ...w, smoothing: moved(w.smoothing, step) }),
  ]
  const left: readonly string[] = kind === 'turn' ? ['lexical'] : ['lexical', 'meta', 'time', 'answer']
  const mixes = FEATURES.filter((name) => !left.includes(name)).map(
    (name): Change =>
      (w, step) => ({ ...w, mix: { ...w.mix, [name]: moved(w.mix[name], step) } }),
  )
  return [
    (w, step) => ({ ...w, k1: moved(w.k1, step) }),
    (w, step) => ({ ...w, b: Math.min(1, moved(w.b, step)) }),
    ...(kind === 'turn' ? around : []),
    ...mixes,
  ]
}
