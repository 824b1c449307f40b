import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { SOURCE_TYPES } from '../../domain/source-type.ts'
import type { NearestQuery } from '../engine.ts'
import type { Db } from '../schema.ts'
import type { Hit } from '../search/search.ts'
import { isAskedFor, isShown } from './search-filter.ts'

// So few vectors are compared one by one, which loses nothing: 2 us each where they lie scattered among others.
const MOST_COMPARED = 20_000
// Candidates that the walk through the graph keeps, how many times what is asked for it goes on to, how many vectors it may
// visit in all, and in how many times `work_mem`. With fewer, a tenth of the nearest are not found.
const KEPT = 400
const OVERSAMPLING = 2
const MOST_VISITED = 40_000
const MEMORY = 4

interface Searched {
  /** Of the space of the query. */
  readonly spaceKey: number
  /** Of the account, as far as known. */
  readonly chunks?: number
  /** So many vectors are compared one by one. */
  readonly mostCompared?: number
}

/**
 * The nearest by cosine within the account, the sources and the times of the query. Where they leave few vectors, all are
 * compared; else the graph of the space is walked on until enough of what it finds lies within them. They are counted where
 * the size of the account does not tell.
 */
export async function nearestVectors(
  db: Db,
  query: NearestQuery,
  { spaceKey, chunks, mostCompared = MOST_COMPARED }: Searched,
): Promise<Hit[]> {
  const { accountKey, vector, limit } = query
  if (query.sources.length === 0 || limit <= 0) return []
  const isTimed = query.since !== undefined || query.until !== undefined
  // Named one by one, each of them leads to its times in the index; of an account alone all times would be read.
  const sources = query.sources === 'all' && isTimed ? SOURCE_TYPES : query.sources
  // Named, not passed: then only the partition and its index are thought of.
  const within = sql<SqlBool>`space_key = ${sql.lit(spaceKey)} and ${isAskedFor({ ...query, sources })}`
  const matches = sql<SqlBool>`${within} and ${isShown(accountKey)}`
  const wanted = { matches, asked: `[${vector.join(',')}]`, dimensions: vector.length, limit }
  const statement = () => {
    if (chunks !== undefined && chunks <= mostCompared) return compared(wanted)
    if (chunks !== undefined && sources === 'all') return graphNeighbours(wanted)
    return comparedOrGraphNeighbours(wanted, within, mostCompared)
  }
  const { rows } = await statement().execute(db)
  return rows
    .map(({ chunk_id: chunkId, distance }) => ({ chunkId, score: 1 - distance }))
    .sort((a, b) => b.score - a.score || b.chunkId - a.chunkId)
    .slice(0, limit)
}

interface Neighbour {
  readonly chunk_id: number
  readonly distance: number
}

interface Wanted {
  readonly matches: RawBuilder<SqlBool>
  readonly asked: string
  readonly dimensions: number
  readonly limit: number
}

function compared({ matches, asked, limit }: Wanted): RawBuilder<Neighbour> {
  return sql`
    select chunk_id, embedding <=> ${asked}::halfvec as distance from embedding
    where ${matches} order by distance, chunk_id desc limit ${limit}`
}

function graphNeighbours(wanted: Wanted): RawBuilder<Neighbour> {
  return sql`
    with room as materialized (select true as is_set, ${graphScanSettings()})
    ${nearestByGraph({ ...wanted, matches: sql`(select is_set from room) and ${wanted.matches}` })}`
}

function comparedOrGraphNeighbours(
  wanted: Wanted,
  within: RawBuilder<SqlBool>,
  mostCompared: number,
): RawBuilder<Neighbour> {
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

function nearestByGraph({ matches, asked, dimensions, limit }: Wanted): RawBuilder<Neighbour> {
  const halves = sql`halfvec(${sql.lit(dimensions)})`
  return sql`
    select chunk_id, embedding::${halves} <=> ${asked}::${halves} as distance from embedding
    where ${matches} order by distance limit ${limit * OVERSAMPLING}`
}

/** Of this transaction, which is this statement: poolers share connections. */
function graphScanSettings(): RawBuilder<unknown> {
  return sql`
    set_config('hnsw.iterative_scan', 'relaxed_order', true),
    set_config('hnsw.ef_search', ${String(KEPT)}, true),
    set_config('hnsw.max_scan_tuples', ${String(MOST_VISITED)}, true),
    set_config('hnsw.scan_mem_multiplier', ${String(MEMORY)}, true)`
}
