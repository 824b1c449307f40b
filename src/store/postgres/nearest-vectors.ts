import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { SOURCE_TYPES } from '../../domain/source-type.ts'
import type { NearestQuery } from '../engine.ts'
import type { Db } from '../schema.ts'
import type { ChunkRange, Hit } from '../search/search.ts'
import { isAskedFor, isShown } from './search-filter.ts'
import { MOST_COVERED } from './vector-writer.ts'

/** Up to this many vectors of an account are compared one by one, which misses none; more have a graph (`vector-graphs.ts`). */
export const MOST_COMPARED = 100_000
/** The nearest vectors by signs that are compared again, as a multiple of the limit. */
const NEAREST_BY_SIGNS = 16
// The candidates that the graph search keeps, the multiple of the limit that it continues to, the most vectors that it can
// visit, and its memory in multiples of `work_mem`. With fewer, a tenth of the nearest vectors are missed.
const KEPT = 400
const OVERSAMPLING = 2
const MOST_VISITED = 40_000
const MEMORY = 4

interface Searched {
  /** Key of the embedding space of the query. */
  readonly spaceKey: number
  /** Estimated number of chunks of the account. */
  readonly chunks?: number
  /** Up to this many vectors are compared one by one. */
  readonly mostCompared?: number
  /** See `AccountBinding`. */
  readonly hidden?: readonly ChunkRange[] | undefined
}

/**
 * The nearest vectors by cosine within the account, sources and times of the query. Up to a limit all are compared; beyond it,
 * the graph of the account is searched until enough matches pass the filter. They are counted when the size of the account
 * doesn't decide it.
 */
export async function nearestVectors(
  db: Db,
  query: NearestQuery,
  { spaceKey, chunks, mostCompared = MOST_COMPARED, hidden }: Searched,
): Promise<Hit[]> {
  const { accountKey, vector, limit } = query
  if (query.sources.length === 0 || limit <= 0) return []
  const isTimed = query.since !== undefined || query.until !== undefined
  // With the sources listed, the index narrows each one by time; with the account alone it would read all times.
  const sources = query.sources === 'all' && isTimed ? SOURCE_TYPES : query.sources
  // Literals, not parameters, so that the planner considers only the partition, and the graph of the account.
  const owned = sql<SqlBool>`space_key = ${sql.lit(spaceKey)} and account_key = ${sql.lit(accountKey)}`
  const within = sql<SqlBool>`${owned} and ${isAskedFor({ ...query, sources })}`
  const matches = sql<SqlBool>`${within} and ${isShown(accountKey, hidden)}`
  const wanted = { owned, matches, asked: `[${vector.join(',')}]`, dimensions: vector.length, limit }
  const statement = () => {
    if (chunks !== undefined && chunks <= mostCompared) return compared(wanted)
    if (chunks !== undefined && sources === 'all' && query.within === undefined) return graphNeighbors(wanted)
    return comparedOrGraphNeighbors(wanted, within, mostCompared)
  }
  const { rows } = await statement().execute(db)
  return rows
    .map(({ chunk_id: chunkId, distance }) => ({ chunkId, score: 1 - distance }))
    .sort((a, b) => b.score - a.score || b.chunkId - a.chunkId)
    .slice(0, limit)
}

interface Neighbor {
  readonly chunk_id: number
  readonly distance: number
}

interface Wanted {
  readonly owned: RawBuilder<SqlBool>
  readonly matches: RawBuilder<SqlBool>
  readonly asked: string
  readonly dimensions: number
  readonly limit: number
}

function compared({ owned, matches, asked, dimensions, limit }: Wanted): RawBuilder<Neighbor> {
  const length = sql.lit(dimensions)
  const near =
    dimensions <= MOST_COVERED
      ? matches
      : sql`${owned} and chunk_id = any(array(
          select chunk_id from embedding where ${matches}
          order by signs::bit(${length}) <~> binary_quantize(${asked}::halfvec)::bit(${length})
          limit ${limit * NEAREST_BY_SIGNS}
        ))`
  return sql`
    select chunk_id, embedding <=> ${asked}::halfvec as distance from embedding
    where ${near} order by distance, chunk_id desc limit ${limit}`
}

function graphNeighbors(wanted: Wanted): RawBuilder<Neighbor> {
  return sql`
    with room as materialized (select true as is_set, ${graphScanSettings()})
    ${nearestByGraph({ ...wanted, matches: sql`(select is_set from room) and ${wanted.matches}` })}`
}

function comparedOrGraphNeighbors(
  wanted: Wanted,
  within: RawBuilder<SqlBool>,
  mostCompared: number,
): RawBuilder<Neighbor> {
  const { matches } = wanted
  return sql`
    with room as materialized (
      select (select count(*) from (
          select 1 from embedding where ${within} limit ${mostCompared + 1}
        ) as counted) <= ${mostCompared} as is_small, ${graphScanSettings()}
    )
    select chunk_id, distance from (
      (${compared({ ...wanted, matches: sql`(select is_small from room) and ${matches}` })}) union all
      (${nearestByGraph({ ...wanted, matches: sql`not (select is_small from room) and ${matches}` })})
    ) as found`
}

function nearestByGraph({ matches, asked, dimensions, limit }: Wanted): RawBuilder<Neighbor> {
  const halves = sql`halfvec(${sql.lit(dimensions)})`
  return sql`
    select chunk_id, embedding::${halves} <=> ${asked}::${halves} as distance from embedding
    where ${matches} order by distance limit ${limit * OVERSAMPLING}`
}

/** Settings of this transaction, which is this statement, because poolers share connections. */
function graphScanSettings(): RawBuilder<unknown> {
  return sql`
    set_config('hnsw.iterative_scan', 'relaxed_order', true),
    set_config('hnsw.ef_search', ${String(KEPT)}, true),
    set_config('hnsw.max_scan_tuples', ${String(MOST_VISITED)}, true),
    set_config('hnsw.scan_mem_multiplier', ${String(MEMORY)}, true)`
}
