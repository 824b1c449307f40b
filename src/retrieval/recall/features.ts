import { isEventSource } from '../../domain/source-type.ts'
import { SELF_MARK } from '../../lib/analyze.ts'
import type { TokenMatcher } from '../../models/model.ts'
import type { ChunkRow } from '../../store/search/search.ts'
import { countTerms, type QueryTerm, type QueryTokens, type TermCounts, totalWeight } from '../question/query-terms.ts'
import type { AskedTime, ScoringQuery } from '../question/scoring-query.ts'
import { rowKinds } from './row-kinds.ts'
import { FEATURES, type FeatureName, type KindWeights, type RowKind, type ScoringWeights } from './weights.ts'

/** Values of each feature and the inputs of the abstain model, parallel to the rows. */
export interface FeatureTable extends Readonly<Record<FeatureName, Float32Array>> {
  readonly kinds: readonly RowKind[]
  /** Share of the query's weight that is in the body; in the body, its neighbors or its meta. */
  readonly coverage: Float32Array
  readonly contextCoverage: Float32Array
  /** The soft match of the row alone. */
  readonly ownSoft: Float32Array
}

/** Only the best rows by the cheap features are matched softly: 200 find no more than 50 on the evaluation sets. */
const SOFT_ROWS = 50
/** Below this share, soft matches of neighbors are skipped, because they cost more time than they add. */
const LEAST_SMOOTHING = 0.1
/** Positions on each side over which words of a question may be spread. */
const REACH = 8
const DAY_MS = 86_400_000
/** People write about events in the days after them. */
const TOLD_LATER_MS = 7 * DAY_MS

/** Weights by the position of a row. */
type KindOf = (position: number) => KindWeights

function weighedBy(kinds: readonly RowKind[], weights: ScoringWeights): KindOf {
  return (position) => weights[kinds[position]!]
}

/** Sorts rows by item and position, so that neighbors are adjacent. */
export function inReadingOrder(rows: readonly ChunkRow[]): ChunkRow[] {
  return [...rows].sort((a, b) => a.itemKey - b.itemKey || a.ordinal - b.ordinal)
}

/** Measurements that don't depend on weights. */
export interface RawFeatures {
  readonly counts: TermCounts
  readonly soft: Float32Array
  readonly cosine: Float32Array
  /** Terms as scored with the weights by which rows were chosen for soft matching. */
  readonly scored?: ScoredTerms
}

interface ScoredTerms extends TermFeatures {
  readonly weights: ScoringWeights
  readonly kinds: readonly RowKind[]
}

/** Counts terms and compares tokens and vectors. Rows must be in reading order. Pure. */
export function measureRows(
  query: ScoringQuery,
  rows: readonly ChunkRow[],
  matcher: TokenMatcher | undefined,
  weights: ScoringWeights,
): RawFeatures {
  const counts = countTerms(query.terms, rows)
  const cosine = cosines(query, rows)
  if (!matcher || !query.tokens) return { counts, cosine, soft: new Float32Array(rows.length) }
  const scored = scoreAllTerms(query.terms, rows, counts, weights)
  const chosen = chooseRows(rows, scored.lexical, cosine, weighedBy(scored.kinds, weights))
  return { counts, cosine, soft: softMatches(query.tokens, rows, matcher, chosen), scored }
}

/** The features of rows. Pure. */
export function computeFeatures(
  query: ScoringQuery,
  rows: readonly ChunkRow[],
  { counts, soft, cosine, scored }: RawFeatures,
  weights: ScoringWeights,
): FeatureTable {
  const isScored = scored?.weights === weights
  const { kinds, lexical, meta, coverage, contextCoverage } = isScored
    ? scored
    : scoreAllTerms(query.terms, rows, counts, weights)
  const kindOf = weighedBy(kinds, weights)
  return {
    kinds,
    lexical,
    meta,
    coverage,
    contextCoverage,
    soft: smoothed(soft, rows, kindOf),
    ownSoft: soft,
    cosine: smoothed(cosine, rows, kindOf),
    pairs: counts.pairs,
    length: perRow(rows, (row) => Math.log(1 + row.bodyHashes.length)),
    time: perRow(rows, (row) => timeMatch(query.range, row)),
    answer: answerMatch(query.answerHashes, rows),
    reach: reachCoverage(query.terms, rows, counts),
    self: perRow(rows, (row, i) => (hasMetaTerm(counts, i) && row.metaHashes.includes(SELF_MARK) ? 1 : 0)),
  }
}

// `Float32Array.from` with a mapper goes through an iterator and is ten times slower.
function perRow(rows: readonly ChunkRow[], value: (row: ChunkRow, position: number) => number): Float32Array {
  const result = new Float32Array(rows.length)
  for (let i = 0; i < rows.length; i++) result[i] = value(rows[i]!, i)
  return result
}

function hasMetaTerm({ meta, width }: TermCounts, position: number): boolean {
  for (let q = 0; q < width; q++) if (meta[position * width + q]! > 0) return true
  return false
}

/** Share of the query's weight in the bodies up to `REACH` positions away. */
function reachCoverage(
  terms: readonly QueryTerm[],
  rows: readonly ChunkRow[],
  { body, width }: TermCounts,
): Float32Array {
  const total = totalWeight(terms)
  const held = new Uint8Array(width)
  return perRow(rows, (row, position) => {
    held.fill(0)
    for (const step of [-1, 1]) {
      for (let j = step < 0 ? position : position + 1; j >= 0 && j < rows.length; j += step) {
        if (isApart(row, rows[j]!) || Math.abs(rows[j]!.ordinal - row.ordinal) > REACH) break
        for (let q = 0; q < width; q++) if (body[j * width + q]! > 0) held[q] = 1
      }
    }
    let weight = 0
    for (let q = 0; q < width; q++) if (held[q] === 1) weight += terms[q]!.weight
    return total === 0 ? 0 : weight / total
  })
}

function smoothed(values: Float32Array, rows: readonly ChunkRow[], kindOf: KindOf): Float32Array {
  const result = new Float32Array(rows.length)
  for (let i = 0; i < rows.length; i++) {
    const before = neighbor(rows, i, -1)
    const after = neighbor(rows, i, 1)
    const around = (before < 0 ? 0 : values[before]!) + (after < 0 ? 0 : values[after]!)
    result[i] = values[i]! + kindOf(i).smoothing * around
  }
  return result
}

/** Whether a row has nothing to do with another one: of another item, or another event or contact, whose heading and date differ. */
function isApart(row: ChunkRow, other: ChunkRow): boolean {
  if (row.itemKey !== other.itemKey) return true
  if (row.sourceType !== 'contacts' && !isEventSource(row.sourceType)) return false
  const [own, others] = [row.metaHashes, other.metaHashes]
  return own.length !== others.length || own.some((hash, i) => hash !== others[i])
}

/** Index of the row `distance` positions away in the item of row `i`, or -1. */
export function neighbor(rows: readonly ChunkRow[], i: number, distance: number): number {
  const row = rows[i]!
  const other = rows[i + distance]
  const isNeighbor = other !== undefined && other.ordinal === row.ordinal + distance && !isApart(row, other)
  return isNeighbor ? i + distance : -1
}

type TermFeatures = Pick<FeatureTable, 'lexical' | 'meta' | 'coverage' | 'contextCoverage'>

function scoreAllTerms(
  terms: readonly QueryTerm[],
  rows: readonly ChunkRow[],
  counts: TermCounts,
  weights: ScoringWeights,
): ScoredTerms {
  const kinds = rowKinds(rows)
  const kindOf = weighedBy(kinds, weights)
  const zeros = (): Float32Array => new Float32Array(rows.length)
  const table = { lexical: zeros(), meta: zeros(), coverage: zeros(), contextCoverage: zeros() }
  const context = { positions: new Int32Array(STEPS_AROUND.length), shares: new Float64Array(STEPS_AROUND.length) }
  for (let i = 0; i < rows.length; i++) {
    const kind = kindOf(i)
    readContext(rows, i, kind, context)
    scoreTerms(terms, counts, { i, kind, own: shortness(rows[i]!, kind), context }, table)
  }
  return { weights, kinds, ...table }
}

/** In the order of `previous` and `next` of `KindWeights`. */
const STEPS_AROUND = [-1, -2, 1, 2]

/** The rows around one whose words count for it, and how much; filled anew for each row, because there are thousands. */
interface ScoredContext {
  readonly positions: Int32Array
  /** 0: no such row. */
  readonly shares: Float64Array
}

function readContext(
  rows: readonly ChunkRow[],
  i: number,
  kind: KindWeights,
  { positions, shares }: ScoredContext,
): void {
  const { previous, next } = kind
  for (let f = 0; f < shares.length; f++) {
    const position = neighbor(rows, i, STEPS_AROUND[f]!)
    const weight = f < previous.length ? previous[f]! : next[f - previous.length]!
    positions[f] = position
    shares[f] = position < 0 ? 0 : weight * shortness(rows[position]!, kind)
  }
}

interface ScoredRow {
  readonly i: number
  readonly kind: KindWeights
  /** See `shortness`. */
  readonly own: number
  readonly context: ScoredContext
}

/**
 * BM25F (Zaragoza et al. 2004): frequencies are normalized by length and weighed by field before they saturate. The
 * fields are the body, the bodies around it, and speaker, heading and date together.
 */
function scoreTerms(
  terms: readonly QueryTerm[],
  counts: TermCounts,
  { i, kind, own, context: { positions, shares } }: ScoredRow,
  table: TermFeatures,
): void {
  const { width } = counts
  let total = 0
  for (let q = 0; q < width; q++) {
    const { weight } = terms[q]!
    const inBody = counts.body[i * width + q]!
    const inMeta = counts.meta[i * width + q]! > 0 ? 1 : 0
    let context = 0
    for (let f = 0; f < shares.length; f++) {
      if (shares[f]! > 0) context += shares[f]! * counts.body[positions[f]! * width + q]!
    }
    const frequency = inBody * own + inMeta * kind.meta + context
    total += weight
    if (frequency === 0) continue
    table.lexical[i]! += (weight * frequency * (kind.k1 + 1)) / (kind.k1 + frequency)
    table.meta[i]! += inMeta
    table.contextCoverage[i]! += weight
    if (inBody > 0) table.coverage[i]! += weight
  }
  if (total === 0) return
  table.coverage[i]! /= total
  table.contextCoverage[i]! /= total
}

/** Weight of one occurrence in this body: less in a longer one. */
export function shortness(row: ChunkRow, { b, usualLength }: KindWeights): number {
  return 1 / (1 - b + (b * row.bodyHashes.length) / usualLength)
}

function cosines(query: ScoringQuery, rows: readonly ChunkRow[]): Float32Array {
  const result = new Float32Array(rows.length)
  const { vector, spaceId, cosineScale = 1 } = query
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!
    if (row.spaceId !== spaceId || row.vector.length !== vector.length) continue
    let dot = 0
    for (let d = 0; d < vector.length; d++) dot += row.vector[d]! * vector[d]!
    const cosine = dot / 127
    result[i] = Math.max(0, cosineScale === 1 ? cosine : 1 - (1 - cosine) * cosineScale)
  }
  return result
}

/** Indexes of the best `count` rows by words and vector alone. Pure. */
export function preselectRows(
  query: ScoringQuery,
  rows: readonly ChunkRow[],
  weights: ScoringWeights,
  count: number,
): number[] {
  const { lexical } = scoreAllTerms(query.terms, rows, countTerms(query.terms, rows), weights)
  return bestPositions(lexical, cosines(query, rows), count)
}

function bestPositions(lexical: Float32Array, cosine: Float32Array, count: number): number[] {
  const mostLexical = maximum(lexical)
  const mostCosine = maximum(cosine)
  const cheap = lexical.map((value, i) => value / mostLexical + (0.5 * cosine[i]!) / mostCosine)
  const bar = cheap.length > count ? cheap.toSorted()[cheap.length - count]! : 0
  return [...cheap.keys()].filter((i) => cheap[i]! >= bar)
}

/** The best rows by words and vector, and the neighbors whose matches are smoothed into them. */
function chooseRows(rows: readonly ChunkRow[], lexical: Float32Array, cosine: Float32Array, kindOf: KindOf): number[] {
  const chosen = new Set<number>()
  for (const i of bestPositions(lexical, cosine, SOFT_ROWS)) {
    chosen.add(i)
    if (kindOf(i).smoothing < LEAST_SMOOTHING) continue
    for (const j of [neighbor(rows, i, -1), neighbor(rows, i, 1)]) if (j >= 0) chosen.add(j)
  }
  return [...chosen]
}

/** Soft matches of the chosen rows, 0 for the others. */
function softMatches(
  tokens: QueryTokens,
  rows: readonly ChunkRow[],
  matcher: TokenMatcher,
  chosen: readonly number[],
): Float32Array {
  const soft = new Float32Array(rows.length)
  const passages = chosen.map((i) => rows[i]!.tokens)
  const scores = matcher.match(tokens.ids, tokens.weights, passages)
  for (let p = 0; p < chosen.length; p++) soft[chosen[p]!] = scores[p]!
  return soft
}

/** The largest value, or a tiny positive number, so that it can be a divisor. */
export function maximum(values: Float32Array): number {
  let most = 1e-9
  for (let i = 0; i < values.length; i++) if (values[i]! > most) most = values[i]!
  return most
}

function timeMatch(range: AskedTime | undefined, row: ChunkRow): number {
  if (range === undefined) return 0
  const { at = Number.NEGATIVE_INFINITY } = row
  if (at >= range.since && at < range.until) return 1
  const isToldLater = at >= range.until && at < range.until + TOLD_LATER_MS
  return isToldLater || namesTime(range, row) ? 0.5 : 0
}

/** Whether a text mentions the time, whenever it was written: `from 1 April` in a note of March. */
export function namesTime({ words }: AskedTime, { bodyHashes }: ChunkRow): boolean {
  if (words.size === 0) return false
  for (const word of words) if (!bodyHashes.includes(word)) return false
  return true
}

function answerMatch(hashes: ReadonlySet<number> | undefined, rows: readonly ChunkRow[]): Float32Array {
  const result = new Float32Array(rows.length)
  if (hashes === undefined) return result
  for (let i = 0; i < rows.length; i++) result[i] = rows[i]!.bodyHashes.some((hash) => hashes.has(hash)) ? 1 : 0
  return result
}

/**
 * The score of each row, at least 0: the weighted sum of its features, each divided by its maximum among the rows. The
 * weights of `lexical`, `soft` and `cosine` add up to about 1 for each kind, so that turns and prose have the same scale.
 * For questions that several turns answer, each row also gets a share of its neighbors' scores. Pure.
 */
export function mixFeatures(rows: readonly ChunkRow[], table: FeatureTable, weights: ScoringWeights): Float32Array {
  const scores = new Float32Array(rows.length)
  const { kinds } = table
  const kindOf = weighedBy(kinds, weights)
  for (const name of FEATURES) {
    const values = table[name]
    const most = maximum(values)
    const { turn, long, group, prose } = weights
    const shares = {
      turn: turn.mix[name] / most,
      long: long.mix[name] / most,
      group: group.mix[name] / most,
      prose: prose.mix[name] / most,
    }
    for (let i = 0; i < rows.length; i++) scores[i]! += values[i]! * shares[kinds[i]!]
  }
  for (let i = 0; i < rows.length; i++) scores[i] = Math.max(0, scores[i]! + kindOf(i).offset)
  if (rows.every((_, i) => kindOf(i).spread === 0)) return scores
  return spreadOverStretch(rows, scores, (i) => kindOf(i).spread)
}

/** Factor for each further position, up to `REACH`. */
const DECAY = 0.85
/** Rows below this share of the best score add nothing to their neighbors. */
const LEAST_SHARE = 0.3
/** Keeps the order of rows with a score of 0. */
const REMAINDER = 0.01

/**
 * Scores with a share of the neighbors' scores, for questions that several turns answer: a turn among good ones ranks
 * higher than a single good one. Rows must be in reading order. Pure.
 *
 * @param share of the neighbors in a row's score, by the row's position; 0 leaves it unchanged
 */
export function spreadOverStretch(
  rows: readonly ChunkRow[],
  scores: Float32Array,
  share: (position: number) => number,
): Float32Array {
  const floor = LEAST_SHARE * maximum(scores)
  const above = scores.map((score) => Math.max(0, score - floor))
  return scores.map((score, i) => {
    const part = share(i)
    if (part === 0) return score
    let around = 0
    for (const step of [-1, 1]) {
      for (let j = i + step; j >= 0 && j < rows.length; j += step) {
        const distance = Math.abs(rows[j]!.ordinal - rows[i]!.ordinal)
        if (isApart(rows[i]!, rows[j]!) || distance > REACH) break
        around += above[j]! * DECAY ** (distance - 1)
      }
    }
    return above[i]! + part * around + REMAINDER * score
  })
}
