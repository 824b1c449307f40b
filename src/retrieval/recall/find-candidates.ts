import { analyze } from '../../lib/analyze.ts'
import { sharedRanges } from '../../lib/id-ranges.ts'
import type { ChunkRow, ItemChunks, SearchFilter, SearchIndex } from '../../store/search/search.ts'
import { createQueryTerm, type QueryTerm, totalWeight } from '../question/query-terms.ts'
import type { UnderstoodQuery } from '../question/understand-query.ts'
import { inReadingOrder, preselectRows } from './features.ts'
import { isPerson, spellingsOf, type WantedPerson } from './person-names.ts'
import type { ProjectFilter } from './project.ts'
import { WEIGHTS, weightsFor } from './weights.ts'

/** Candidates by words and by vector. More change no result on the evaluation sets: 300 and 100 score the same. */
const LEXICAL_LIMIT = 100
const NEAREST_LIMIT = 40
/** Further candidates for the time or the source in a question. */
const NARROWED_LIMIT = 50
/** Factor for the number of candidates when only one person's chunks count. */
const WIDER = 4
/** Number of candidates whose neighbors are read too; reading those of all would double the time. */
const CONTEXT_LIMIT = 40
/** Words for kinds of a category that are searched for; 300 of them take PostgreSQL .7 s (decision 98). */
const MOST_KINDS = 16
/** How far the context of a chunk extends. */
const RADIUS = 2

/** A category is searched for by the most frequent words for its kinds, too. */
function withKinds({ kinds = [], related = [], ...term }: QueryTerm): readonly QueryTerm[] {
  return [term, ...related, ...kinds.toSorted((a, b) => b.frequency - a.frequency).slice(0, MOST_KINDS)]
}

/**
 * Chunks that may answer, the best of them with their neighbors, in reading order. Neighbors are candidates too: an
 * answer is often next to the words of its question. Neighbors may be outside the filter.
 * @param spellings names of the person whose chunks are wanted: more candidates, including some found by a name; chunks
 * of others may be included
 */
export async function findCandidates(
  query: UnderstoodQuery,
  index: SearchIndex,
  filter: SearchFilter,
  spellings?: readonly string[],
): Promise<ChunkRow[]> {
  const terms = query.terms.flatMap(withKinds).filter(({ frequency }) => frequency > 0)
  const wider = spellings === undefined ? 1 : WIDER
  const named = spellings === undefined ? [] : await personTerms(terms, spellings, index)
  const read = async () => {
    const ids = new Set<number>()
    const near: number[] = []
    const search = async (limits: { lexical: number; nearest: number }, narrowed: SearchFilter): Promise<void> => {
      const { vector, spaceId } = query
      const [lexical, nearest] = await Promise.all([
        terms.length === 0 ? [] : index.lexicalCandidates({ terms, limit: limits.lexical, ...narrowed }),
        index.nearest({ spaceId, vector, limit: limits.nearest, ...narrowed }),
      ])
      for (const { chunkId } of lexical) ids.add(chunkId)
      for (const { chunkId } of nearest) near.push(chunkId)
    }
    await search({ lexical: wider * LEXICAL_LIMIT, nearest: wider * NEAREST_LIMIT }, filter)
    if (named.length > 0) {
      const theirs = await index.lexicalCandidates({ terms: named, limit: wider * LEXICAL_LIMIT, ...filter })
      for (const { chunkId } of theirs) ids.add(chunkId)
    }
    for (const narrowed of narrowerFilters(query, filter)) {
      await search({ lexical: NARROWED_LIMIT, nearest: NARROWED_LIMIT }, narrowed)
    }
    const rows = await index.chunks([...new Set([...ids, ...near])], 0, query.spaceId)
    const shown = new Set(rows.map(({ chunkId }) => chunkId))
    return { rows, isOvertaken: near.some((chunkId) => !shown.has(chunkId)) }
  }
  let candidates = await read()
  // An item replaced between the queries is found neither by its old chunks nor by its new ones, so the search is
  // repeated. Only the nearest vectors are compared, which were visible when found; words may also find chunks that are
  // not visible.
  if (candidates.isOvertaken) candidates = await read()
  const found = inReadingOrder(candidates.rows)
  const best = preselectRows(query, found, weightsFor(WEIGHTS, query.breadth), CONTEXT_LIMIT).map(
    (position) => found[position]!.chunkId,
  )
  return inReadingOrder([...found, ...(await index.chunks(best, RADIUS, query.spaceId, found))])
}

/** Those from the project, and those that name it. */
export async function findProjectCandidates(
  query: UnderstoodQuery,
  index: SearchIndex,
  filter: SearchFilter,
  { project, person }: { readonly project: ProjectFilter; readonly person: WantedPerson | undefined },
): Promise<ChunkRow[]> {
  const within = sharedRanges(project.ranges, filter.within)
  const [own, naming] = await Promise.all([
    findCandidates(query, index, { ...filter, within }, person && spellingsOf(person)),
    findCandidates(query, index, filter, [project.name]),
  ])
  const found = new Map([...naming, ...own].map((row) => [row.chunkId, row]))
  return inReadingOrder([...found.values()])
}

function narrowerFilters(query: UnderstoodQuery, filter: SearchFilter): SearchFilter[] {
  const filters: SearchFilter[] = []
  if (query.time) {
    const since = later(filter.since, query.time.since)
    const until = earlier(filter.until, query.time.until)
    filters.push({ ...filter, ...(since && { since }), ...(until && { until }) })
  }
  const { connector } = query.filters
  if (connector !== undefined) filters.push(withinItems(filter, connector))
  if (filter.source === undefined) for (const source of query.filters.sources) filters.push({ ...filter, source })
  return filters
}

/** Also by source type where there is only one, which the index of words can filter by itself. */
export function withinItems(filter: SearchFilter, { ranges, sources }: ItemChunks): SearchFilter {
  const [source] = sources
  const isOne = sources.length === 1 && filter.source === undefined
  return { ...filter, ...(isOne && source && { source }), within: sharedRanges(ranges, filter.within) }
}

function later(a: Date | undefined, b: Date | undefined): Date | undefined {
  return a && b ? (a > b ? a : b) : (a ?? b)
}

function earlier(a: Date | undefined, b: Date | undefined): Date | undefined {
  return a && b ? (a < b ? a : b) : (a ?? b)
}

/** Chunks whose people are read at once. */
const READ_AT_ONCE = 150
/** Enough chunks of a person: three for each of 30 results. */
const ENOUGH = 90

/**
 * The terms of a question with those of a name, weighted so that chunks with the name come first, and among them those
 * with most of the question. Empty when the name occurs nowhere.
 */
async function personTerms(
  terms: readonly QueryTerm[],
  spellings: readonly string[],
  index: SearchIndex,
): Promise<readonly QueryTerm[]> {
  const names = [...new Set(analyze(spellings.join(' ')))]
  const { chunks, frequencies } = await index.termStatistics(names)
  const known = names.filter((name) => (frequencies.get(name) ?? 0) > 0)
  if (known.length === 0) return []
  const ahead = totalWeight(terms)
  const others = terms.filter(({ term }) => !known.includes(term))
  const wanted = known.map((name) => createQueryTerm(name, chunks, frequencies.get(name) ?? 0))
  return [...wanted.map((term) => ({ ...term, weight: term.weight + ahead })), ...others]
}

/**
 * The positions of chunks that the person says or takes part in, in order; as many as recall needs.
 * @param positions best first
 */
export async function filterChunksByPerson(
  positions: readonly number[],
  rows: readonly ChunkRow[],
  person: WantedPerson,
  index: SearchIndex,
): Promise<number[]> {
  const kept: number[] = []
  for (let from = 0; from < positions.length && kept.length < ENOUGH; from += READ_AT_ONCE) {
    const next = positions.slice(from, from + READ_AT_ONCE)
    const ids = next.map((position) => rows[position]!.chunkId)
    const [memories, passages] = await Promise.all([index.memoriesOf(ids), index.passages(ids)])
    const theirs = new Set<number>()
    for (const { content, firstChunkId, lastChunkId } of memories) {
      if (!isPerson(person, content.participants ?? [])) continue
      for (let id = firstChunkId; id <= lastChunkId; id++) theirs.add(id)
    }
    for (const position of next) {
      const { chunkId } = rows[position]!
      const speaker = passages.get(chunkId)?.speaker
      if (theirs.has(chunkId) || (speaker !== undefined && isPerson(person, [speaker]))) kept.push(position)
    }
  }
  return kept
}
