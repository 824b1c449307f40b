import type { ChunkRow, SearchFilter, SearchIndex } from '../store/search/search.ts'
import { firstLook, inReadingOrder } from './features.ts'
import { withNames } from './of-person.ts'
import { weightsFor } from './scoring-weights.ts'
import type { UnderstoodQuery } from './understand-query.ts'
import { WEIGHTS } from './weights.ts'

/** Candidates by words and by vector. More change no result on the evaluation sets: 300 and 100 score the same. */
const LEXICAL_LIMIT = 100
const NEAREST_LIMIT = 40
/** Further candidates from the time or the source that a question names. */
const NARROWED_LIMIT = 50
/** Where only what one person takes part in counts, so many times more are looked at. */
const WIDER = 4
/** Candidates whose neighbours are read too: reading those of all takes as long as everything else together. */
const CONTEXT_LIMIT = 40
/** How far the context of a chunk reaches. */
const RADIUS = 2

/**
 * Chunks that may answer, the best of them with their neighbours, in reading order. Neighbours are candidates too: an
 * answer often stands beside the words of its question. What lies outside the filter may come along as a neighbour.
 *
 * @param person whose chunks are wanted: more candidates, and such as the name leads to; others come along
 */
export async function findCandidates(
  query: UnderstoodQuery,
  index: SearchIndex,
  filter: SearchFilter,
  person?: string,
): Promise<ChunkRow[]> {
  const terms = query.terms.filter(({ frequency }) => frequency > 0)
  const wider = person === undefined ? 1 : WIDER
  const named = person === undefined ? [] : await withNames(terms, person, index)
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
  // An item that was replaced in between is found neither by its old chunks nor by its new ones, so it is looked for once
  // more. Told by the nearest, which were shown when they were found; words may also find what is not shown yet or any more.
  if (candidates.isOvertaken) candidates = await read()
  const found = inReadingOrder(candidates.rows)
  const best = firstLook(query, found, weightsFor(WEIGHTS, query.breadth), CONTEXT_LIMIT).map(
    (place) => found[place]!.chunkId,
  )
  return inReadingOrder([...found, ...(await index.chunks(best, RADIUS, query.spaceId, found))])
}

function narrowerFilters(query: UnderstoodQuery, filter: SearchFilter): SearchFilter[] {
  const filters: SearchFilter[] = []
  if (query.time) {
    const since = later(filter.since, query.time.since)
    const until = earlier(filter.until, query.time.until)
    filters.push({ ...filter, ...(since && { since }), ...(until && { until }) })
  }
  if (filter.source === undefined) for (const source of query.namedSources) filters.push({ ...filter, source })
  return filters
}

function later(a: Date | undefined, b: Date | undefined): Date | undefined {
  return a && b ? (a > b ? a : b) : (a ?? b)
}

function earlier(a: Date | undefined, b: Date | undefined): Date | undefined {
  return a && b ? (a < b ? a : b) : (a ?? b)
}
