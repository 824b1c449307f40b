import { sql } from 'kysely'
import type { VectorRow, VectorWriter } from '../engine.ts'
import type { Db } from '../schema.ts'

/** For each of two locks in turn: of the table and of its partition. */
const LOCK_TIMEOUT_MS = 100

/**
 * One partition of `embedding` per space, with an index from which the vectors of an account are read in one go. Creating it
 * doesn't block other spaces, and two processes that do it at once create it once. Dropping it needs an exclusive lock on
 * `embedding`, and everyone queues behind a waiter, so it waits only briefly.
 */
export const vectorWriter: VectorWriter = {
  async prepare(db, spaceKey, dimensions) {
    if (await hasPartition(db, spaceKey)) return
    await sql`lock table embedding in share update exclusive mode`.execute(db)
    if (await hasPartition(db, spaceKey)) return
    const table = sql.table(spacePartition(spaceKey))
    await sql`create table ${table} (like embedding including all)`.execute(db)
    // Stored in the row itself, which makes reading many rows faster.
    if (dimensions <= MOST_INDEXED) await sql`alter table ${table} alter column embedding set storage plain`.execute(db)
    const compared = sql.ref(dimensions <= MOST_COVERED ? 'embedding' : 'signs')
    await sql`
      create index ${sql.id(`${spacePartition(spaceKey)}_compared`)} on ${table} (account_key, source, at)
      include (chunk_id, space_key, ${compared})`.execute(db)
    await sql`alter table embedding attach partition ${table} for values in (${sql.lit(spaceKey)})`.execute(db)
  },

  async add(db, accountKey, spaceKey, rows) {
    // The cosine with a zero vector is undefined.
    const directed = rows.filter(({ vector }) => vector.some((value) => value !== 0))
    if (directed.length === 0) return
    const ids = directed.map(({ chunkId }) => chunkId)
    const sources = directed.map(({ source }) => source)
    const times = directed.map(({ at }) => at)
    const vectors = directed.map(({ vector }) => `[${vector.join(',')}]`)
    const hasSigns = directed.some(({ vector }) => vector.length > MOST_COVERED)
    const signs = hasSigns ? sql`binary_quantize(added.vector::halfvec)` : sql`null`
    await sql`
      insert into embedding (account_key, space_key, chunk_id, source, at, embedding, signs)
      select ${accountKey}, ${spaceKey}, added.chunk_id, added.source, added.at, added.vector::halfvec, ${signs}
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
      .innerJoin('chunk', (join) =>
        join.onRef('chunk.chunk_id', '=', 'chunk_vector.chunk_id').on('chunk_vector.account_key', '=', accountKey),
      )
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
        drop table if exists ${sql.table(spacePartition(spaceKey))};
        set local lock_timeout to default;
      exception when lock_not_available then
        null;
      end $$`.execute(db)
    return !(await hasPartition(db, spaceKey))
  },
}

async function hasPartition(db: Db, spaceKey: number): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass(${spacePartition(spaceKey)}) is not null as there`.execute(db)
  return rows[0]?.there === true
}

function toVectorRow(row: { chunk_id: number; source: number; at: number | null; vector: Uint8Array }): VectorRow {
  const { buffer, byteOffset, length } = row.vector
  return { chunkId: row.chunk_id, source: row.source, at: row.at, vector: new Int8Array(buffer, byteOffset, length) }
}

/** Longer vectors don't fit a page or a graph. */
export const MOST_INDEXED = 4_000

/**
 * An index holds whole vectors of up to so many dimensions; of longer ones it holds the signs of their values, and the nearest
 * by signs are compared again.
 */
export const MOST_COVERED = 1_280

/** The partition of `embedding` that holds the vectors of a space. */
export function spacePartition(spaceKey: number): string {
  return `embedding_${spaceKey}`
}
