import { NO_TELEMETRY } from '../lib/telemetry.ts'
import { inSpan } from '../lib/tracer.ts'
import type { ChunkRow, SearchFilter } from '../store/search/search.ts'
import { measureConfidence, relevance } from './confidence.ts'
import { computeFeatures, type FeatureTable, measureRows, type RawFeatures } from './features.ts'
import { findCandidates } from './find-candidates.ts'
import { mixFeatures } from './mix-features.ts'
import { placesOfPerson } from './of-person.ts'
import { rerankChunks } from './rerank-chunks.ts'
import { type ScoringWeights, weightsFor } from './scoring-weights.ts'
import { type QueryContext, type UnderstoodQuery, understandQuery } from './understand-query.ts'
import { WEIGHTS } from './weights.ts'

export interface RankedChunk {
  readonly row: ChunkRow
  /** Place among `rows` and in the feature table. */
  readonly place: number
  /** In (0, 1], comparable within one question only. */
  readonly share: number
}

/** What is known of the chunks that may answer a question. */
export interface Ranking {
  readonly query: UnderstoodQuery
  /** All that was scored, in reading order. */
  readonly rows: readonly ChunkRow[]
  readonly features: FeatureTable
  /** Best first. */
  readonly ranked: readonly RankedChunk[]
  /** Probability that the best chunk is relevant: comparable between questions. */
  readonly relevance: number
  /** What a reranker said, by place. Absent: the order is that of the mix. */
  readonly reranked?: ReadonlyMap<number, number>
  /** Why it is less than it could be; a sentence. */
  readonly notice?: string
}

/** With what the order came from, for whoever asks why. */
export interface MixedRanking extends Ranking {
  readonly mix: {
    readonly raw: RawFeatures
    readonly weights: ScoringWeights
    /** Of all rows, after `NAMED_SOURCE_BOOST`. */
    readonly scores: Float32Array
  }
}

/** How much more a chunk of a source counts that the question names. */
export const NAMED_SOURCE_BOOST = 1.3

/** Finds and orders the chunks that may answer a question; bounded work whatever the size of the account. */
export async function rankChunks(text: string, filter: SearchFilter, context: QueryContext): Promise<MixedRanking> {
  const { index, person } = context
  const { meter, tracer } = context.telemetry ?? NO_TELEMETRY
  const query = await inSpan(tracer, 'recall understand', {}, () => understandQuery(text, context))
  const rows = await inSpan(tracer, 'recall candidates', {}, () => findCandidates(query, index, filter, person))
  meter.observe('recalld_question_candidates', {}, rows.length)
  const weights = weightsFor(context.weights ?? WEIGHTS, query.breadth)
  const measured = inSpan(tracer, 'recall features', { 'recalld.candidates': rows.length }, () => {
    const raw = measureRows(query, rows, context.embedder.tokens, weights)
    return { query, rows, weights, raw, features: computeFeatures(query, rows, raw, weights) }
  })
  return inSpan(tracer, 'recall rank', {}, () => orderRows(text, measured, filter, context))
}

interface Measured {
  readonly query: UnderstoodQuery
  readonly rows: readonly ChunkRow[]
  readonly weights: ScoringWeights
  readonly raw: RawFeatures
  readonly features: FeatureTable
}

async function orderRows(
  text: string,
  { query, rows, weights, raw, features }: Measured,
  filter: SearchFilter,
  { index, person, rerank, signal }: QueryContext,
): Promise<MixedRanking> {
  const mixed = mixFeatures(rows, features, weights)
  const allowed = allowedPlaces(rows, query, filter)
  for (const place of allowed) {
    if (query.namedSources.includes(rows[place]!.sourceType)) mixed[place]! *= NAMED_SOURCE_BOOST
  }
  const ordered = allowed.filter((place) => mixed[place]! > 0).sort((a, b) => mixed[b]! - mixed[a]! || b - a)
  const places = person === undefined ? ordered : await placesOfPerson(ordered, rows, person, index)
  const [best] = places
  const ranking: MixedRanking = {
    query,
    rows,
    features,
    ranked: places.map((place) => ({ row: rows[place]!, place, share: mixed[place]! / mixed[best!]! })),
    relevance: best === undefined ? 0 : relevance(measureConfidence(query, features, best)),
    mix: { raw, weights, scores: mixed },
    ...(query.notice !== undefined && { notice: query.notice }),
  }
  return rerank === undefined ? ranking : rerankChunks(text, ranking, { index, rerank, signal })
}

/** Rows inside the filter; neighbours may lie outside. Inside a time counted from now too, when anything lies there. */
function allowedPlaces(rows: readonly ChunkRow[], query: UnderstoodQuery, { since, until }: SearchFilter): number[] {
  const from = since?.getTime() ?? -Infinity
  const to = until?.getTime() ?? Infinity
  const isFiltered = since !== undefined || until !== undefined
  const inFilter = [...rows.keys()].filter((place) => {
    const { at } = rows[place]!
    return !isFiltered || (at !== undefined && at >= from && at < to)
  })
  const { time, range } = query
  if (!time?.isRelative || range === undefined) return inFilter
  const inTime = inFilter.filter((place) => {
    const { at } = rows[place]!
    return at !== undefined && at >= range.since && at < range.until
  })
  return inTime.length > 0 ? inTime : inFilter
}
