import type { SourceType } from '../../domain/source-type.ts'
import { TOOL_MARK } from '../../lib/analyze.ts'
import { isWithin } from '../../lib/id-ranges.ts'
import { inSpan, NO_TELEMETRY, type Telemetry } from '../../lib/telemetry.ts'
import type { MemoryEdit } from '../../store/edits/edits.ts'
import type { ChunkRow, SearchFilter, SearchIndex } from '../../store/search/search.ts'
import type { AskedTime, ScoringQuery } from '../question/scoring-query.ts'
import { type QueryContext, type UnderstoodQuery, understandQuery } from '../question/understand-query.ts'
import { asksWhatWasRun } from './code-lines.ts'
import {
  computeFeatures,
  type FeatureTable,
  measureRows,
  mixFeatures,
  namesTime,
  type RawFeatures,
} from './features.ts'
import { filterChunksByPerson, findCandidates, findProjectCandidates, withinItems } from './find-candidates.ts'
import { withoutHeldQuotes } from './held-quotes.ts'
import { type AppliedCorrection, addCorrections, applyEdits, readEdits } from './memory-edits.ts'
import { readWantedPerson, spellingsOf, type WantedPerson } from './person-names.ts'
import { filterChunksByProject, findProject, type ProjectFilter } from './project.ts'
import { isQuoted } from './provenance.ts'
import { lowerRepeatedItems } from './repeated-items.ts'
import { type Order, type Rerank, rerankChunks } from './rerank-chunks.ts'
import type { Update } from './superseded.ts'
import { partnerFactors } from './talk-partner.ts'
import {
  CONFIDENCE_WEIGHTS,
  ENCODER_CONFIDENCE_WEIGHTS,
  encoderWeights,
  type FittedWeights,
  logistic,
  type ScoringWeights,
  WEIGHTS,
  weightsFor,
} from './weights.ts'

/** The dependencies of recall and ask. */
export interface RecallSources extends Pick<QueryContext, 'index' | 'embedder' | 'embedQuestion'> {
  /** Absent: results keep the order of the built-in mix. */
  readonly rerank?: Rerank
  /** Absent: the built-in weights. */
  readonly weights?: FittedWeights
  readonly telemetry?: Telemetry
}

interface RankContext extends RecallSources, QueryContext {
  /** Only what this person said, wrote or took part in: see `matchesPerson`. */
  readonly person?: string
  /** Only what is from this project or mentions it: see `matchesProject`. */
  readonly project?: string
  /** Only items of this connector. */
  readonly connector?: string
  /** Only items with this tag. */
  readonly tag?: string
}

/**
 * Below this relevance of the best chunk, results without a word of the question are noise, and no model is called. This
 * loses at most 1 in 100 questions whose evidence was found (test/eval/FIT.md).
 */
export const LEAST_RELEVANCE = 0.08
/** Minimum similarity by a sentence encoder for a chunk that has no word of the question. */
const CLOSE_COSINE = 0.3

/** Restrictions stated in the question. */
export interface AppliedFilters {
  readonly sources?: readonly SourceType[]
  /** Id of a connector. */
  readonly connector?: string
  readonly person?: string
  /** `until` exclusive; at least one bound is set. */
  readonly time?: { readonly since?: Date; readonly until?: Date }
}

/** The chunks that may answer a question, in order. */
export interface Ranking extends Order {
  readonly query: UnderstoodQuery
  readonly features: FeatureTable
  /** No word of the question is stored and no result is similar, so the results are noise. */
  readonly isNoise: boolean
  /** Chunks that the owner corrected, each with the chunk that states the correction. */
  readonly corrected: readonly Update[]
  /** The owner's corrections and pins. */
  readonly edits: readonly MemoryEdit[]
  readonly applied: AppliedFilters
}

/** The chunks with the inputs of their order, to explain it. */
export interface MixedRanking extends Ranking {
  readonly mix: {
    readonly raw: RawFeatures
    readonly weights: ScoringWeights
    /** Of all rows, after `NAMED_SOURCE_BOOST`. */
    readonly scores: Float32Array
    /** The same before corrections and pins. */
    readonly unedited: Float32Array
  }
}

/** Score factor for chunks of a source in the question. */
export const NAMED_SOURCE_BOOST = 1.4

/** Finds and orders the chunks that may answer a question. The work is bounded, but grows with the items of a connector or tag. */
export async function rankChunks(text: string, given: SearchFilter, context: RankContext): Promise<MixedRanking> {
  const { index, person, connector, tag } = context
  const brought = connector === undefined ? given : withinItems(given, await index.chunksFrom(connector))
  const filter = tag === undefined ? brought : withinItems(brought, await index.chunksTagged(tag))
  const project = context.project === undefined ? undefined : await findProject(context.project, index)
  const { meter, tracer } = context.telemetry ?? NO_TELEMETRY
  const query = await inSpan(tracer, 'recall understand', {}, () => understandQuery(text, context))
  const { rows, edits, wanted } = await inSpan(tracer, 'recall candidates', {}, async () => {
    const wanted = await readWantedPerson(person ?? query.filters.person, index)
    const [found, edits] = await Promise.all([
      project === undefined
        ? findCandidates(query, index, filter, wanted && spellingsOf(wanted))
        : findProjectCandidates(query, index, filter, { project, person: wanted }),
      readEdits(index, context.now),
    ])
    return { rows: withoutHeldQuotes(await addCorrections(found, edits, index, query.spaceId)), edits, wanted }
  })
  meter.observe('recalld_question_candidates', {}, rows.length)
  const fitted = weightsFor(context.weights ?? WEIGHTS, query.breadth)
  const weights = query.isEncoded ? encoderWeights(fitted) : fitted
  const measured = inSpan(tracer, 'recall features', { 'recalld.candidates': rows.length }, () => {
    const raw = measureRows(query, rows, context.embedder.tokens, weights)
    return { query, rows, edits, wanted, weights, raw, features: computeFeatures(query, rows, raw, weights) }
  })
  return inSpan(tracer, 'recall rank', {}, () => orderRows(text, measured, filter, { ...context, project }))
}

interface WithProject {
  readonly project: ProjectFilter | undefined
}

interface Measured {
  readonly query: UnderstoodQuery
  readonly rows: readonly ChunkRow[]
  readonly edits: readonly MemoryEdit[]
  readonly wanted: WantedPerson | undefined
  readonly weights: ScoringWeights
  readonly raw: RawFeatures
  readonly features: FeatureTable
}

async function orderRows(
  text: string,
  { query, rows, edits, wanted, weights, raw, features }: Measured,
  filter: SearchFilter,
  { index, person, project, rerank, signal, userName }: Omit<RankContext, 'project'> & WithProject,
): Promise<MixedRanking> {
  const mixed = mixFeatures(rows, features, weights)
  const allowed = allowedPositions(rows, query, filter)
  const toolShare = asksWhatWasRun(text) ? 1 : TOOL_SHARE
  const partnerFactor = partnerFactors(text, rows, userName)
  const unquoted: number[] = []
  for (const position of allowed) {
    if (query.filters.sources.includes(rows[position]!.sourceType)) mixed[position]! *= NAMED_SOURCE_BOOST
    if (isInTime(rows[position]!, query.range)) mixed[position]! *= partnerFactor?.(rows[position]!) ?? 1
    if (isQuoted(rows[position]!)) mixed[position]! *= QUOTED_SHARE
    else unquoted.push(position)
    if (toolShare < 1 && rows[position]!.metaHashes.includes(TOOL_MARK)) mixed[position]! *= toolShare
    if (query.range && isOutside(rows[position]!, query.range)) mixed[position]! *= OUTSIDE_TIME
  }
  lowerRepeatedItems(rows, unquoted, mixed)
  const unedited = mixed.slice()
  const corrections = applyEdits(rows, edits, mixed)
  const ordered = allowed.filter((position) => mixed[position]! > 0).sort((a, b) => mixed[b]! - mixed[a]! || b - a)
  const filtered = await applyFilters(ordered, { query, rows, person, wanted, project, index })
  const { applied } = filtered
  const positions = withCorrections(filtered.positions, corrections)
  const [best] = positions
  const relevance = best === undefined ? 0 : bestRelevance(best, corrections, query, features)
  const isClose = best !== undefined && query.isEncoded && features.cosine[best]! >= CLOSE_COSINE
  const ranking: MixedRanking = {
    query,
    rows,
    features,
    ranked: positions.map((position) => ({ row: rows[position]!, position, share: mixed[position]! / mixed[best!]! })),
    relevance,
    isNoise: !query.isKnown && relevance < LEAST_RELEVANCE && !isClose,
    applied,
    corrected: corrections.flatMap(({ edit, correction, corrected }) =>
      corrected.map((position) => ({
        newer: rows[correction]!.chunkId,
        older: rows[position]!.chunkId,
        correctedAt: edit.at.getTime(),
      })),
    ),
    edits,
    mix: { raw, weights, scores: mixed, unedited },
    ...(query.notice !== undefined && { notice: query.notice }),
  }
  if (rerank === undefined) return ranking
  const reordered = await rerankChunks(text, ranking, { index, rerank, signal })
  return { ...ranking, ...reordered, isNoise: ranking.isNoise && reordered.relevance < LEAST_RELEVANCE }
}

/** Adds corrections outside the filter, because a corrected statement is never shown without its correction. */
function withCorrections(positions: readonly number[], corrections: readonly AppliedCorrection[]): readonly number[] {
  if (corrections.length === 0) return positions
  const held = new Set(positions)
  const before = new Map<number, number>()
  for (const { correction, corrected } of corrections) {
    const first = positions.find((position) => corrected.includes(position))
    if (first !== undefined && !held.has(correction)) before.set(first, correction)
  }
  return positions.flatMap((position) => {
    const correction = before.get(position)
    return correction === undefined ? [position] : [correction, position]
  })
}

/** A correction in first position is as relevant as the statement it corrects, which may have the question's words. */
function bestRelevance(
  best: number,
  corrections: readonly AppliedCorrection[],
  query: UnderstoodQuery,
  features: FeatureTable,
): number {
  const corrected = corrections.flatMap((one) => (one.correction === best ? one.corrected : []))
  return Math.max(...[best, ...corrected].map((position) => relevanceOf(query, features, position)))
}

/** Score factor for input and output of agents' tools, so that conclusions rank higher. */
const TOOL_SHARE = 0.6
/** Score factor for what a mail quotes, so that the quoted mail itself ranks higher, and the answer to it. */
const QUOTED_SHARE = 0.8
/** Score factor outside the period in the question. */
const OUTSIDE_TIME = 0.5
/** People write about events in the days after them. */
const STATED_LATER_MS = 10 * 86_400_000

/** Whether a row is dated in the period in the question, if it has one. */
function isInTime({ at }: ChunkRow, time: AskedTime | undefined): boolean {
  return time === undefined || (at !== undefined && at >= time.since && at < time.until)
}

function isOutside(row: ChunkRow, time: AskedTime): boolean {
  const { at } = row
  const isDatedOutside = at === undefined || at < time.since || at >= time.until + STATED_LATER_MS
  return isDatedOutside && !namesTime(time, row)
}

/** Keeps only the sources and the person in the question, if they have results. */
async function applyFilters(
  ordered: readonly number[],
  {
    query: { filters, time },
    rows,
    person,
    wanted,
    project,
    index,
  }: {
    query: UnderstoodQuery
    rows: readonly ChunkRow[]
    person: string | undefined
    wanted: WantedPerson | undefined
    index: SearchIndex
  } & WithProject,
): Promise<{ readonly positions: readonly number[]; readonly applied: AppliedFilters }> {
  const inProject = project === undefined ? ordered : await filterChunksByProject(ordered, rows, project, index)
  const named = filters.isRequired
    ? inProject.filter((position) => filters.sources.includes(rows[position]!.sourceType))
    : []
  const { connector } = filters
  const brought = connector ? inProject.filter((position) => isWithin(rows[position]!.chunkId, connector.ranges)) : []
  const inSource = brought.length > 0 ? brought : named.length > 0 ? named : inProject
  const asked = person ?? filters.person
  const theirs = wanted === undefined ? [] : await filterChunksByPerson(inSource, rows, wanted, index)
  const isPersonal = person !== undefined || theirs.length > 0
  return {
    positions: isPersonal ? theirs : inSource,
    applied: {
      ...(named.length > 0 && { sources: filters.sources }),
      ...(connector && brought.length > 0 && { connector: connector.id }),
      ...(isPersonal && asked !== undefined && { person: asked }),
      ...(time && { time: { ...(time.since && { since: time.since }), ...(time.until && { until: time.until }) } }),
    },
  }
}

/** Rows inside the filter, because neighbors may be outside. Also inside a period relative to now, if it has any. */
function allowedPositions(rows: readonly ChunkRow[], query: UnderstoodQuery, { since, until }: SearchFilter): number[] {
  const from = since?.getTime() ?? -Infinity
  const to = until?.getTime() ?? Infinity
  const isFiltered = since !== undefined || until !== undefined
  const inFilter = [...rows.keys()].filter((position) => {
    const { at } = rows[position]!
    return !isFiltered || (at !== undefined && at >= from && at < to)
  })
  const { time, range } = query
  if (!time?.isRelative || range === undefined) return inFilter
  const inTime = inFilter.filter((position) => {
    const { at } = rows[position]!
    return at !== undefined && at >= range.since && at < range.until
  })
  return inTime.length > 0 ? inTime : inFilter
}

/** How well one chunk matches in absolute terms; features of the mix are relative to the other candidates. */
export interface Confidence {
  /** Share of the question's weight that is in the body, its neighbors, speaker, heading or date. */
  readonly contextCoverage: number
  /** Soft match as a share of a perfect one; the share of the question's weight in the body when the question has no tokens, as in other scripts. */
  readonly soft: number
  readonly cosine: number
  /** 1: the chunk is in the period of the question. */
  readonly time: number
}

export function measureConfidence(query: ScoringQuery, table: FeatureTable, position: number): Confidence {
  const perfect = query.tokens ? query.tokens.weights.reduce((sum, weight) => sum + weight, 0) : 0
  return {
    contextCoverage: table.contextCoverage[position]!,
    soft: perfect > 0 ? Math.min(1, table.soft[position]! / perfect) : table.coverage[position]!,
    cosine: table.cosine[position]!,
    time: table.time[position]!,
  }
}

/** Probability that the chunk is relevant: a logistic model fitted by `test/eval/fit.ts`. */
export function relevanceOf(query: UnderstoodQuery, table: FeatureTable, position: number): number {
  const weights = query.isEncoded ? ENCODER_CONFIDENCE_WEIGHTS : CONFIDENCE_WEIGHTS
  return logistic(weights, measureConfidence(query, table, position))
}
