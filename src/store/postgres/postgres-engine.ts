import { sql } from 'kysely'
import type { FullTextWriter, SqlEngine, VectorRow, VectorWriter } from '../engine.ts'
import type { Db } from '../schema.ts'
import { sourceCode } from '../search/chunk-columns.ts'
import { prepared } from './connections.ts'
import { insertArrays } from './insert-arrays.ts'
import { pipelined } from './pipelined.ts'
import { accountLock } from './write-locks.ts'

/**
 * Stores the terms of each chunk as hashes salted with the account key, under one inverted index (GIN) for all accounts, so
 * that each posting list has chunks of one account only.
 */
const postgresFullText: FullTextWriter = {
  // The table exists already.
  createAccount: async () => undefined,

  async dropAccount(db, accountKey) {
    await sql`delete from chunk_terms where account_key = ${accountKey}`.execute(db)
  },

  async add(db, accountKey, rows) {
    if (rows.length === 0) return
    const ids = rows.map(({ chunkId }) => chunkId)
    const sources = rows.map(({ sourceType }) => sourceCode(sourceType))
    const times = rows.map(({ at }) => at)
    const texts = rows.map(({ bodyTerms, metaTerms }) => `${bodyTerms} ${metaTerms}`)
    await sql`
      insert into chunk_terms (account_key, chunk_id, source, at, terms)
      select ${accountKey}, added.chunk_id, added.source, added.at, array(
        select distinct hashtextextended(term, ${accountKey})
        from string_to_table(added.terms, ' ') as term where term <> ''
      )
      from unnest(${ids}::bigint[], ${sources}::smallint[], ${times}::bigint[], ${texts}::text[])
        as added (chunk_id, source, at, terms)`.execute(db)
  },

  async remove(db, accountKey, first, last) {
    await sql`
      delete from chunk_terms
      where account_key = ${accountKey} and chunk_id between ${first} and ${last}`.execute(db)
  },
}

/** For each of two locks in turn: of the table and of its partition. */
const LOCK_TIMEOUT_MS = 100

/**
 * One partition of `embedding` per space, with an HNSW index. Creating it doesn't block other spaces, and two processes that
 * do it at once create it once. Dropping it needs an exclusive lock on `embedding`, and everyone queues behind a waiter, so
 * it waits only briefly.
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
    await nearestIndex.create(db, spaceKey, dimensions)
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

// The half-precision index can't hold more dimensions; larger spaces are searched row by row.
const MOST_INDEXED = 4_000

/** The partition of `embedding` that holds the vectors of a space. */
function spacePartition(spaceKey: number): string {
  return `embedding_${spaceKey}`
}

/** The HNSW index of a space. Adding a vector takes milliseconds; building the index takes less per vector. */
export const nearestIndex = {
  /** Creates it if it doesn't exist. */
  async create(db: Db, spaceKey: number, dimensions: number): Promise<void> {
    if (dimensions > MOST_INDEXED) return
    await sql`
      create index if not exists ${sql.id(nearestIndexName(spaceKey))} on ${sql.table(spacePartition(spaceKey))}
      using hnsw ((embedding::halfvec(${sql.lit(dimensions)})) halfvec_cosine_ops)`.execute(db)
  },

  async drop(db: Db, spaceKey: number): Promise<void> {
    await sql`drop index if exists ${sql.id(nearestIndexName(spaceKey))}`.execute(db)
  },
}

function nearestIndexName(spaceKey: number): string {
  return `${spacePartition(spaceKey)}_nearest`
}

// Rows found by their primary keys.
const isInList: SqlEngine['isInList'] = (value, list) => prepared(sql`${value} = any(${list}::bigint[])`)

export const postgresEngine: SqlEngine = {
  isOneOf: (value, ids) =>
    typeof ids[0] === 'string' ? sql`${value} = any(${[...ids]}::text[])` : isInList(value, [...ids]),
  isInList,
  numberList: (ids) => [...ids],
  carriesAccount: true,
  // Inserting a vector takes up to 6 ms among a million (decision 19), so this many take at most a second.
  mostNewChunks: 150,
  together: pipelined,
  insertRows: insertArrays,
  async lockAccount(db, accountId) {
    await sql`select pg_advisory_xact_lock(${accountLock(accountId)})`.execute(db)
  },
  async probe(db) {
    await sql`insert into checked (at) values (now()) on conflict (id) do update set at = excluded.at`.execute(db)
  },
  // The server overwrites deleted rows when it reuses their space; `docs/privacy.md` lists other copies.
  async secureDelete(_db, work) {
    await work()
  },
  async takeNumbers(db, name, count) {
    const numbers = name === 'chunk' ? sql`take_chunks(${count})` : sql`nextval('commit_number')`
    const { rows } = await sql<{ first: number }>`select ${numbers} as first`.execute(db)
    return rows[0]?.first ?? 0
  },
  async settledChunks(db) {
    const { rows } = await sql<{ settled: number }>`select settled_chunks() as settled`.execute(db)
    return rows[0]?.settled ?? 0
  },
  skipLocked: (query) => query.forUpdate().skipLocked(),
  async rowsOfAccount(db, accountKey) {
    const { rows } = await sql<{ full_text: number; vectors: number }>`
      select (select count(*)::int from chunk_terms where account_key = ${accountKey}) as full_text,
        (select count(*)::int from embedding where account_key = ${accountKey}) as vectors`.execute(db)
    return rows[0] ?? {}
  },
  fullText: postgresFullText,
  vectors: vectorWriter,
}
