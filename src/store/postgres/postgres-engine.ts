import { sql } from 'kysely'
import { AccountsLocked, type FullTextWriter, type SqlEngine } from '../engine.ts'
import { sourceCode } from '../search/chunk-columns.ts'
import { prepared } from './connections.ts'
import { insertArrays } from './insert-arrays.ts'
import { pipelined } from './pipelined.ts'
import { isLocked } from './unavailable.ts'
import { vectorWriter } from './vector-writer.ts'
import { accountLocks } from './write-locks.ts'

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

// Rows found by their primary keys.
const isInList: SqlEngine['isInList'] = (value, list) => prepared(sql`${value} = any(${list}::bigint[])`)

/** Far longer than a commit holds an account: one round trip and the time to write its rows. */
const SHARED_LOCK_TIMEOUT_MS = 500

export const postgresEngine: SqlEngine = {
  isOneOf: (value, ids) =>
    typeof ids[0] === 'string' ? sql`${value} = any(${[...ids]}::text[])` : isInList(value, [...ids]),
  isInList,
  numberList: (ids) => [...ids],
  carriesAccount: true,
  isOfAccount: (table, account) => sql`${sql.ref(`${table}.account_key`)} = ${account}`,
  isDistributed: false,
  isReachable: () => sql`true`,
  // Inserting a vector takes up to 6 ms among a million (decision 19), so this many take at most a second.
  mostNewChunks: 150,
  together: pipelined,
  insertRows: insertArrays,
  async lockAccounts(db, accountIds) {
    const locks = accountLocks(accountIds).map(String)
    if (locks.length < 2) {
      await sql`select pg_advisory_xact_lock(lock) from unnest(${locks}::bigint[]) as lock`.execute(db)
      return
    }
    try {
      // The limit is set before the first lock is taken: rows are joined before anything is selected from them.
      await sql`
        select pg_advisory_xact_lock(lock)
        from (select set_config('lock_timeout', ${`${SHARED_LOCK_TIMEOUT_MS}ms`}, true)) as limited,
          unnest(${locks}::bigint[]) as lock`.execute(db)
    } catch (error) {
      throw isLocked(error) ? new AccountsLocked({ cause: error }) : error
    }
  },
  async probe(db) {
    await sql`insert into checked (at) values (now()) on conflict (id) do update set at = excluded.at`.execute(db)
  },
  // The server overwrites deleted rows when it reuses their space; `docs/privacy.md` lists other copies.
  async secureDelete(_db, work) {
    await work()
  },
  async takeNumbers(db, name, count) {
    const numbers = name === 'chunk' ? sql`take_chunks(${count})` : commitNumbers(count)
    const { rows } = await sql<{ first: number }>`select ${numbers} as first`.execute(db)
    return rows[0]?.first ?? 0
  },
  lastCommitNumber: sql`currval('commit_number')`,
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

/** Others may take numbers in between: those up to the last one taken are above all that this account, which is locked, had. */
function commitNumbers(count: number) {
  return sql`(
    select max(taken.number) - ${count} + 1
    from (select nextval('commit_number') as number from generate_series(1, ${count})) as taken
  )`
}
