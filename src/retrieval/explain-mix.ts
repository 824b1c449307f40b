import { WHY_KINDS, type WhyKind } from '../domain/why-kind.ts'
import { FEATURES, type FeatureName, maximum, neighbour, shortness } from './features.ts'
import { mixFeatures } from './mix-features.ts'
import { type MixedRanking, NAMED_SOURCE_BOOST } from './rank-chunks.ts'

/** An amount of each kind; may be negative. */
export type WhyParts = Record<WhyKind, number>

type WordFields = Readonly<Record<'words' | 'names' | 'around', number>>

/** What a whole feature counts as. The others are divided. */
const WHOLE: Readonly<Partial<Record<FeatureName, WhyKind>>> = {
  pairs: 'words',
  meta: 'names',
  length: 'length',
  time: 'time',
  answer: 'answer',
  reach: 'around',
  self: 'self',
}

export function noParts(): WhyParts {
  return {
    words: 0,
    names: 0,
    meaning: 0,
    around: 0,
    time: 0,
    answer: 0,
    self: 0,
    length: 0,
    source: 0,
    reranker: 0,
    update: 0,
  }
}

/** Adds what another thing is made of, times a factor. */
export function addParts(sum: WhyParts, more: WhyParts, factor: number): void {
  for (const kind of WHY_KINDS) sum[kind] += more[kind] * factor
}

/** Tells what the mix gave a row; the parts add up to its score in `mix.scores`. Costs as much as mixing again. */
export function explainMix(ranking: MixedRanking): (place: number) => WhyParts {
  const { rows, features, query, mix } = ranking
  const most = new Map(FEATURES.map((name) => [name, maximum(features[name])]))
  // As if no row had others around it in its item: what is missing then came from those.
  const apart = rows.map((row, i) => ({ ...row, itemKey: i }))
  const alone = mixFeatures(apart, features, mix.weights)
  return (place) => {
    const parts = featureParts(ranking, place, most)
    const total = WHY_KINDS.reduce((sum, kind) => sum + parts[kind], 0)
    const scaled = noParts()
    if (total > 0) addParts(scaled, parts, alone[place]! / total)
    const isNamed = query.namedSources.includes(rows[place]!.sourceType)
    const mixed = mix.scores[place]! / (isNamed ? NAMED_SOURCE_BOOST : 1)
    scaled.around += mixed - (total > 0 ? alone[place]! : 0)
    scaled.source += mix.scores[place]! - mixed
    return scaled
  }
}

/** Before they are held above 0 and spread over a stretch of talk. */
function featureParts(ranking: MixedRanking, place: number, most: ReadonlyMap<FeatureName, number>): WhyParts {
  const { rows, features, mix } = ranking
  const kind = mix.weights[rows[place]!.kind]
  const parts = noParts()
  const amount = (name: FeatureName) => (kind.mix[name] * features[name][place]!) / most.get(name)!
  for (const name of FEATURES) {
    const whole = WHOLE[name]
    if (whole !== undefined) parts[whole] += amount(name)
  }
  parts.length += kind.offset
  const fields = fieldShares(ranking, place)
  for (const field of ['words', 'names', 'around'] as const) parts[field] += fields[field] * amount('lexical')
  // Both hold a part of the likeness of the rows beside it.
  for (const name of ['soft', 'cosine'] as const) {
    const smoothed = features[name][place]!
    const own = smoothed > 0 ? mix.raw[name][place]! / smoothed : 0
    parts.meaning += own * amount(name)
    parts.around += (1 - own) * amount(name)
  }
  return parts
}

/** The fields of BM25F, by what each adds to the frequency of a term before that saturates; together 1. */
function fieldShares({ rows, query, mix: { raw, weights } }: MixedRanking, place: number): WordFields {
  const { counts } = raw
  const kind = weights[rows[place]!.kind]
  const at = (row: number, q: number) => counts.body[row * counts.width + q]!
  const distances = [-1, -2, 1, 2].map((distance) => neighbour(rows, place, distance))
  const fields = [...kind.previous, ...kind.next]
  const shares = { words: 0, names: 0, around: 0 }
  let total = 0
  for (const [q, { weight }] of query.terms.entries()) {
    const own = at(place, q) * shortness(rows[place]!, kind)
    const meta = counts.meta[place * counts.width + q]! > 0 ? kind.meta : 0
    let around = 0
    for (const [f, row] of distances.entries()) {
      if (row >= 0) around += fields[f]! * shortness(rows[row]!, kind) * at(row, q)
    }
    const frequency = own + meta + around
    if (frequency === 0) continue
    const score = weight / (kind.k1 + frequency)
    total += score * frequency
    shares.words += score * own
    shares.names += score * meta
    shares.around += score * around
  }
  if (total === 0) return { words: 1, names: 0, around: 0 }
  return { words: shares.words / total, names: shares.names / total, around: shares.around / total }
}
