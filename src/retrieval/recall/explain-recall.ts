import { EXPLANATION_KINDS, type ExplanationKind } from '../../domain/memory.ts'
import { analyze } from '../../lib/analyze.ts'
import type { MemoryRow } from '../../store/search/search.ts'
import { totalWeight } from '../question/query-terms.ts'
import type { UnderstoodQuery } from '../question/understand-query.ts'
import { maximum, mixFeatures, neighbor, shortness } from './features.ts'
import type { Folded } from './near-duplicates.ts'
import { type MixedRanking, NAMED_SOURCE_BOOST } from './rank-chunks.ts'
import { brevity, createChunkLookup, partOfChunk, type ScoredMemory } from './rank-memories.ts'
import type { RankedChunk } from './rerank-chunks.ts'
import { FEATURES, type FeatureName } from './weights.ts'

/** The explanation of a recall. */
export interface Explanation {
  readonly query: UnderstoodQuery
  /** Words searched for, in the order of the question. */
  readonly words: readonly SearchedWord[]
  /** Title of a memory's item. */
  readonly titleOf: (memory: MemoryRow) => string | undefined
  /** Why a memory has its score. */
  readonly explain: (found: { readonly row: MemoryRow; readonly score: number }) => MemoryExplanation
}

interface SearchedWord {
  /** As typed. */
  readonly word: string
  /** As indexed. */
  readonly term: string
  /** Whether the typed word is unknown, and `term` is a similar spelling. */
  readonly isGuessed: boolean
  /** Share of the weight of all words; rarer words weigh more. */
  readonly weight: number
}

export interface MemoryExplanation {
  /** They add up to the score, most first; some may be negative. */
  readonly parts: readonly { readonly kind: ExplanationKind; readonly value: number }[]
  /** Matched words, in the text or its neighbors. */
  readonly words: readonly (SearchedWord & { readonly where: 'text' | 'names' | 'around' })[]
  /** The best of its chunks; absent: the memory was found by its date alone. */
  readonly best?: { readonly chunkId: number; readonly ordinal: number }
}

/** As an object to spread into the recall result. */
export function explainRecall(
  ranking: MixedRanking,
  question: string,
  ranked: readonly Folded<ScoredMemory>[] = [],
  titleOf: Explanation['titleOf'] = () => undefined,
): { readonly explanation: Explanation } {
  const words = searchedWords(ranking, question)
  const chunksOf = createChunkLookup(ranking)
  const sharePartsOf = explainShares(ranking)
  const ownScores = new Map(ranked.map(({ one: { row, score } }) => [row, score]))
  const partsOf = (row: MemoryRow, score: number) => {
    const chunks = chunksOf(row)
    const parts = emptyParts()
    for (const [position, chunk] of chunks.toSorted((a, b) => b.share - a.share).entries()) {
      addParts(parts, sharePartsOf(chunk), partOfChunk(position))
    }
    const value = EXPLANATION_KINDS.reduce((sum, kind) => sum + parts[kind], 0)
    const short = brevity(row, chunks[0]?.row.kind)
    parts.length += value * (short - 1)
    const own = ownScores.get(row) ?? score
    const scaled = emptyParts()
    if (value > 0) addParts(scaled, parts, own / (value * short))
    scaled.update = score - own
    return scaled
  }
  const explanation: Explanation = {
    query: ranking.query,
    words,
    titleOf,
    explain({ row, score }) {
      const parts = partsOf(row, score)
      const [best] = chunksOf(row).toSorted((a, b) => b.share - a.share)
      return {
        ...(best && { best: { chunkId: best.row.chunkId, ordinal: best.row.ordinal } }),
        parts: EXPLANATION_KINDS.map((kind) => ({ kind, value: parts[kind] }))
          .filter(({ value }) => value !== 0)
          .sort((a, b) => b.value - a.value),
        words: matchedWords(ranking, chunksOf(row), words),
      }
    },
  }
  return { explanation }
}

function searchedWords({ query: { terms } }: MixedRanking, question: string): SearchedWord[] {
  const typed = typedWords(question)
  const total = totalWeight(terms)
  return terms.map(({ term, typed: meant = term, weight }) => ({
    word: typed.get(meant) ?? meant,
    term,
    isGuessed: meant !== term,
    weight: total > 0 ? weight / total : 0,
  }))
}

/** The parts of a chunk's share. */
function explainShares(ranking: MixedRanking): (chunk: RankedChunk) => ScoreParts {
  const mixedPartsOf = explainMix(ranking)
  const { reranked, ranked, mix } = ranking
  const best = ranked.reduce((most, { position }) => Math.max(most, mix.scores[position]!), 0)
  return ({ position, share }) => {
    const parts = emptyParts()
    if (reranked === undefined) {
      addParts(parts, mixedPartsOf(position), 1 / best)
      return parts
    }
    addParts(parts, mixedPartsOf(position), (1 - reranked.part) / best)
    parts.reranker = reranked.part * (reranked.scores.get(position) ?? 0)
    const blend = EXPLANATION_KINDS.reduce((sum, kind) => sum + parts[kind], 0)
    const scaled = emptyParts()
    if (blend > 0) addParts(scaled, parts, share / blend)
    return scaled
  }
}

function matchedWords(
  { rows, mix: { raw } }: MixedRanking,
  chunks: readonly RankedChunk[],
  words: readonly SearchedWord[],
): MemoryExplanation['words'] {
  const { width, body, meta } = raw.counts
  return words.flatMap((word, q): MemoryExplanation['words'] => {
    const holds = (counts: Uint16Array, position: number) => counts[position * width + q]! > 0
    if (chunks.some(({ position }) => holds(body, position))) return [{ ...word, where: 'text' }]
    if (chunks.some(({ position }) => holds(meta, position))) return [{ ...word, where: 'names' }]
    const isBeside = chunks.some(({ position }) =>
      [-2, -1, 1, 2].some((distance) => {
        const other = neighbor(rows, position, distance)
        return other >= 0 && holds(body, other)
      }),
    )
    return isBeside ? [{ ...word, where: 'around' }] : []
  })
}

/** An amount per kind; may be negative. */
type ScoreParts = Record<ExplanationKind, number>

type WordFields = Readonly<Record<'words' | 'names' | 'around', number>>

/** The part that each undivided feature belongs to. */
const UNDIVIDED: Readonly<Partial<Record<FeatureName, ExplanationKind>>> = {
  pairs: 'words',
  meta: 'names',
  length: 'length',
  time: 'time',
  answer: 'answer',
  reach: 'around',
  self: 'self',
}

function emptyParts(): ScoreParts {
  return Object.fromEntries(EXPLANATION_KINDS.map((kind) => [kind, 0])) as ScoreParts
}

/** Adds other parts multiplied by a factor. */
function addParts(sum: ScoreParts, more: ScoreParts, factor: number): void {
  for (const kind of EXPLANATION_KINDS) sum[kind] += more[kind] * factor
}

/** The parts of a row's score in `mix.scores`; their sum is the score. Costs as much as mixing again. */
export function explainMix(ranking: MixedRanking): (position: number) => ScoreParts {
  const { rows, features, query, mix } = ranking
  const most = new Map(FEATURES.map((name) => [name, maximum(features[name])]))
  // The difference from a score without neighbors is what the neighbors added.
  const apart = rows.map((row, i) => ({ ...row, itemKey: i }))
  const alone = mixFeatures(apart, features, mix.weights)
  return (position) => {
    const parts = featureParts(ranking, position, most)
    const total = EXPLANATION_KINDS.reduce((sum, kind) => sum + parts[kind], 0)
    const scaled = emptyParts()
    if (total > 0) addParts(scaled, parts, alone[position]! / total)
    const isNamed = query.filters.sources.includes(rows[position]!.sourceType)
    const mixed = mix.unedited[position]! / (isNamed ? NAMED_SOURCE_BOOST : 1)
    scaled.around += mixed - (total > 0 ? alone[position]! : 0)
    scaled.source += mix.unedited[position]! - mixed
    scaled.edit += mix.scores[position]! - mix.unedited[position]!
    return scaled
  }
}

/** Parts before scores are clipped at 0 and spread over a stretch of talk. */
function featureParts(ranking: MixedRanking, position: number, most: ReadonlyMap<FeatureName, number>): ScoreParts {
  const { features, mix } = ranking
  const kind = mix.weights[features.kinds[position]!]
  const parts = emptyParts()
  const amount = (name: FeatureName) => (kind.mix[name] * features[name][position]!) / most.get(name)!
  for (const name of FEATURES) {
    const whole = UNDIVIDED[name]
    if (whole !== undefined) parts[whole] += amount(name)
  }
  parts.length += kind.offset
  const fields = fieldShares(ranking, position)
  for (const field of ['words', 'names', 'around'] as const) parts[field] += fields[field] * amount('lexical')
  // Both contain a share of the neighbors' similarity.
  for (const name of ['soft', 'cosine'] as const) {
    const smoothed = features[name][position]!
    const own = smoothed > 0 ? mix.raw[name][position]! / smoothed : 0
    parts.meaning += own * amount(name)
    parts.around += (1 - own) * amount(name)
  }
  return parts
}

/** The fields of BM25F, by what each adds to the frequency of a term before that saturates; together 1. */
function fieldShares({ rows, query, features, mix: { raw, weights } }: MixedRanking, position: number): WordFields {
  const { counts } = raw
  const kind = weights[features.kinds[position]!]
  const at = (row: number, q: number) => counts.body[row * counts.width + q]!
  const distances = [-1, -2, 1, 2].map((distance) => neighbor(rows, position, distance))
  const fields = [...kind.previous, ...kind.next]
  const shares = { words: 0, names: 0, around: 0 }
  let total = 0
  for (const [q, { weight }] of query.terms.entries()) {
    const own = at(position, q) * shortness(rows[position]!, kind)
    const meta = counts.meta[position * counts.width + q]! > 0 ? kind.meta : 0
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

/** Ranges of a text, in UTF-16 units, in order and without overlaps. */
export type Spans = readonly (readonly [start: number, end: number])[]

// Keeps identifiers whole; `analyze` then decides which of their parts are terms.
const RUN = /[\p{L}\p{N}\p{M}_]+(?:['’.\-/\\@:&#,+][\p{L}\p{N}\p{M}_]+)*/gu
const PART = /[\p{L}\p{N}\p{M}]+/gu
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆]/u

/** Ranges of these terms in a text, in any word form. */
export function matchedSpans(text: string, terms: ReadonlySet<string>): Spans {
  const spans: [number, number][] = []
  for (const { index, 0: run } of text.matchAll(RUN)) {
    if (!holdsAny(run, terms)) continue
    for (const [start, end] of UNSPACED.test(run) ? pairs(run, terms) : parts(run, terms)) {
      const last = spans.at(-1)
      if (last !== undefined && last[1] >= index + start) last[1] = Math.max(last[1], index + end)
      else spans.push([index + start, index + end])
    }
  }
  return spans
}

/** The typed words of a question by their terms. */
export function typedWords(question: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>()
  for (const [run] of question.matchAll(RUN)) {
    const terms = analyze(run)
    const isWhole = terms.length === 1 || !UNSPACED.test(run)
    for (const term of terms) if (!words.has(term)) words.set(term, isWhole ? run : term)
  }
  return words
}

/** The first spelling of a term in the texts. */
export function wordForTerm(term: string, texts: readonly string[]): string | undefined {
  for (const text of texts) {
    for (const [run] of text.matchAll(PART)) if (analyze(run).includes(term)) return run
  }
  return undefined
}

function holdsAny(text: string, terms: ReadonlySet<string>): boolean {
  return analyze(text).some((term) => terms.has(term))
}

/** The parts of an identifier that are terms, or all of it if only the whole is one. */
function parts(run: string, terms: ReadonlySet<string>): [number, number][] {
  const found = [...run.matchAll(PART)]
    .filter(([part]) => holdsAny(part, terms))
    .map(({ index, 0: part }): [number, number] => [index, index + part.length])
  return found.length > 0 ? found : [[0, run.length]]
}

/** Text without spaces is indexed by pairs of characters. */
function pairs(run: string, terms: ReadonlySet<string>): [number, number][] {
  const characters = [...run]
  const spans: [number, number][] = []
  let at = 0
  for (const [i, character] of characters.entries()) {
    const pair = character + (characters[i + 1] ?? '')
    if (terms.has(pair) || terms.has(character)) {
      spans.push([at, at + (terms.has(pair) ? pair : character).length])
    }
    at += character.length
  }
  return spans.length > 0 ? spans : parts(run, terms)
}
