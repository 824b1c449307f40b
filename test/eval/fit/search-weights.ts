import type { Breadth } from '../../../src/retrieval/question/scoring-query.ts'
import { computeFeatures, mixFeatures } from '../../../src/retrieval/recall/features.ts'
import { lowerRepeatedItems } from '../../../src/retrieval/recall/repeated-items.ts'
import { rowKinds } from '../../../src/retrieval/recall/row-kinds.ts'
import {
  FEATURES,
  type FittedWeights,
  type KindWeights,
  type ScoringWeights,
  weightsFor,
} from '../../../src/retrieval/recall/weights.ts'
import type { Example } from './gather.ts'

/** Chunk ids of an example, best first. */
function rank({ query, rows, raw }: Example, weights: ScoringWeights): number[] {
  const scores = mixFeatures(rows, computeFeatures(query, rows, raw, weights), weights)
  const positions = [...rows.keys()]
  lowerRepeatedItems(rows, positions, scores)
  const places = positions.sort((a, b) => scores[b]! - scores[a]! || b - a)
  return places.map((place) => rows[place]!.chunkId)
}

export interface Figures {
  /** Percent. */
  readonly recall10: number
  /** About what fits into 1,500 tokens of chat. */
  readonly recall40: number
  readonly hit1: number
}

/** Of one question. */
export function figuresOf(example: Example, weights: ScoringWeights): Figures {
  const ranking = rank(example, weights)
  const among = (depth: number): number =>
    (100 * ranking.slice(0, depth).filter((id) => example.evidence.has(id)).length) / example.evidence.size
  return { recall10: among(10), recall40: among(40), hit1: example.evidence.has(ranking[0]!) ? 100 : 0 }
}

export function meanFigures(some: readonly Figures[]): Figures {
  const mean = (of: (one: Figures) => number): number => some.reduce((sum, one) => sum + of(one), 0) / some.length
  return {
    recall10: mean(({ recall10 }) => recall10),
    recall40: mean(({ recall40 }) => recall40),
    hit1: mean(({ hit1 }) => hit1),
  }
}

export function figures(examples: readonly Example[], weights: FittedWeights): Figures {
  return meanFigures(examples.map((example) => figuresOf(example, weightsFor(weights, example.query.breadth))))
}

/** Sets count alike, however many questions they have; the first forty places count half of the first ten, the first a third. */
function objective(examples: readonly Example[], weights: FittedWeights): number {
  const bySet = Map.groupBy(examples, ({ set }) => set)
  let sum = 0
  for (const some of bySet.values()) {
    const { recall10, recall40, hit1 } = figures(some, weights)
    sum += recall10 + recall40 / 2 + hit1 / 3
  }
  return sum / bySet.size
}

/** What is fitted apart: turns between two and in groups, each for questions of a fact and about a stretch of talk, and prose. */
export const PROFILES = ['fact', 'stretch', 'group fact', 'group stretch', 'prose'] as const
export type Profile = (typeof PROFILES)[number]

export function profileOf({ kind, query, rows }: Example): Profile {
  if (kind === 'prose') return 'prose'
  const inGroup = rowKinds(rows).filter((one) => one === 'group').length
  return inGroup > rows.length / 2 ? `group ${query.breadth}` : query.breadth
}

export function weightsOf(weights: FittedWeights, profile: Profile): KindWeights {
  if (profile === 'prose') return weights.prose
  const { kind, breadth } = partOf(profile)
  return weights[kind][breadth]
}

/** The weights with those of a profile exchanged. */
export function replaced(weights: FittedWeights, profile: Profile, by: KindWeights): FittedWeights {
  if (profile === 'prose') return { ...weights, prose: by }
  const { kind, breadth } = partOf(profile)
  return { ...weights, [kind]: { ...weights[kind], [breadth]: by } }
}

function partOf(profile: Exclude<Profile, 'prose'>): { kind: 'turn' | 'group'; breadth: Breadth } {
  return {
    kind: profile.startsWith('group') ? 'group' : 'turn',
    breadth: profile.endsWith('stretch') ? 'stretch' : 'fact',
  }
}

/** A change must gain this much: at .08, and in finer steps, the fit gained on its own sets and lost .8 on REALTALK left out. */
const LEAST_GAIN = 0.2
const PASSES = 2
const STEPS = [1.5, 1 / 1.5]

/** Coordinate search from a start: each weight of a profile in turn, up and down. Deterministic. */
export function searchWeights(examples: readonly Example[], start: FittedWeights, profile: Profile): FittedWeights {
  let weights = start
  let best = objective(examples, weights)
  for (let pass = 0; pass < PASSES; pass++) {
    for (const change of changesOf(profile)) {
      for (const step of STEPS) {
        const tried = replaced(weights, profile, change(weightsOf(weights, profile), step))
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

function changesOf(profile: Profile): readonly Change[] {
  // Nothing is learnt from texts of documents about speakers and times; their headings are the questions.
  const left: readonly string[] = profile === 'prose' ? ['lexical', 'meta', 'time', 'answer', 'self'] : ['lexical']
  const mixes = FEATURES.filter((name) => !left.includes(name)).map(
    (name): Change =>
      (w, step) => ({ ...w, mix: { ...w.mix, [name]: moved(w.mix[name], step) } }),
  )
  return [
    (w, step) => ({ ...w, k1: moved(w.k1, step) }),
    (w, step) => ({ ...w, b: Math.min(1, moved(w.b, step)) }),
    (w, step) => ({ ...w, previous: [moved(w.previous[0], step), moved(w.previous[1], step)] }),
    (w, step) => ({ ...w, next: [moved(w.next[0], step), moved(w.next[1], step)] }),
    (w, step) => ({ ...w, smoothing: moved(w.smoothing, step) }),
    ...(profile.endsWith('stretch')
      ? [(w: KindWeights, step: number) => ({ ...w, spread: moved(w.spread, step) })]
      : []),
    ...(profile === 'prose' ? [] : [(w: KindWeights, step: number) => ({ ...w, meta: moved(w.meta, step) })]),
    ...mixes,
  ]
}
