import { type Kysely, sql } from 'kysely'
import type { VectorRow, VectorWriter } from '../sql/engine.ts'
import type { Database } from '../sql/schema.ts'
import { MOST_INDEXED, nearestIndex, partitionOf } from './nearest-index.ts'

/** For each of two locks, one after the other: of the table, and of its partition. */
const LOCK_TIMEOUT_MS = 100

/**
 * One partition of `embedding` for each space, with an HNSW index. Making it blocks neither readers nor writers of other
 * spaces, and two processes that do it at once make it once. Dropping it needs `embedding` alone, and whoever comes while it
 * waits for that waits behind it: so it waits for a moment only.
 */
export const vectorWriter: VectorWriter = {
  async prepare(db, spaceKey, dimensions) {
    if (await hasPartition(db, spaceKey)) return
    await sql`lock table embedding in share update exclusive mode`.execute(db)
    if (await hasPartition(db, spaceKey)) return
    const table = sql.table(partitionOf(spaceKey))
    await sql`create table ${table} (like embedding including all)`.execute(db)
    // In the row itself, where looking through many rows finds it.
    if (dimensions <= MOST_INDEXED) await sql`alter table ${table} alter column embedding set storage plain`.execute(db)
    await nearestIndex.create(db, spaceKey, dimensions)
    await sql`alter table embedding attach partition ${table} for values in (${sql.lit(spaceKey)})`.execute(db)
  },

  async add(db, accountKey, spaceKey, rows) {
    // The cosine with nothing is not a number.
    const directed = rows.filter(({ vector }) => vector.some((value) => value !== 0))
    if (directed.length === 0) return
    const ids = directed.map(({ chunkId }) => chunkId)
    const sources = directed.map(({ source }) => source)
    const times = directed.map(({ at }) => at)
    const vectors = directed.map(({ vector }) => `[${vector.join(',')}]`)
    await sql`
      insert into embedding (account_key, space_key, chunk_id, source, at, embedding)
      select ${accountKey}, ${spaceKey}, added.chunk_id, added.source, added.at, added.vector::halfvec
      from unnest(${ids}::bigint[], ${sources}::smallint[], ${times}::bigint[], ${vectors}::text[])
        as added (chunk_id, source, at, vector)
      on conflict do nothing`.execute(db)
  },

  async remove(db, accountKey, first, last) {
    await sql`
      delete from embedding
      where account_key = ${accountKey} and chunk_id between ${first} and ${last}`.execute(db)
  },

  async follow(db, accountKey, first, last) {
    const rows = await db
      .selectFrom('chunk_vector')
      .innerJoin('chunk', 'chunk.chunk_id', 'chunk_vector.chunk_id')
      .select(['chunk_vector.chunk_id', 'chunk_vector.space_key', 'chunk_vector.vector', 'chunk.source', 'chunk.at'])
      .where('chunk.account_key', '=', accountKey)
      .where('chunk.chunk_id', '>=', first)
      .where('chunk.chunk_id', '<=', last)
      .execute()
    for (const [spaceKey, own] of Map.groupBy(rows, (row) => row.space_key)) {
      await vectorWriter.add(db, accountKey, spaceKey, own.map(toVectorRow))
    }
  },

  async drop(db, spaceKey) {
    await sql`
      do $$
      begin
        set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)};
        drop table if exists ${sql.table(partitionOf(spaceKey))};
        set local lock_timeout to default;
      exception when lock_not_available then
        null;
      end $$`.execute(db)
    return !(await hasPartition(db, spaceKey))
  },
}

async function hasPartition(db: Kysely<Database>, spaceKey: number): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass(${partitionOf(spaceKey)}) is not null as there`.execute(db)
  return rows[0]?.there === true
}

function toVectorRow(row: { chunk_id: number; source: number; at: number | null; vector: Uint8Array }): VectorRow {
  const { buffer, byteOffset, length } = row.vector
  return { chunkId: row.chunk_id, source: row.source, at: row.at, vector: new Int8Array(buffer, byteOffset, length) }
}
