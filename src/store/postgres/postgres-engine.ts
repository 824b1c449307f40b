import { sql } from 'kysely'
import type { SqlEngine } from '../sql/engine.ts'
import { postgresFullText } from './full-text.ts'
import { accountLock } from './intent-locks.ts'
import { prepared } from './prepared.ts'
import { vectorWriter } from './vector-writer.ts'

export const postgresEngine: SqlEngine = {
  isOneOf: (value, ids) =>
    typeof ids[0] === 'string'
      ? sql`${value} = any(${[...ids]}::text[])`
      : // Rows by their numbers, which are found by them whatever they are.
        prepared(sql`${value} = any(${[...ids]}::bigint[])`),
  carriesAccount: true,
  // A vector takes up to 6 ms to find its neighbours among a million (decision 19): a second at most.
  mostNewChunks: 150,
  async lockAccount(db, accountId) {
    await sql`select pg_advisory_xact_lock(${accountLock(accountId)})`.execute(db)
  },
  async probe(db) {
    await sql`insert into checked (at) values (now()) on conflict (id) do update set at = excluded.at`.execute(db)
  },
  // The server writes what is deleted over when it reuses the place; `docs/privacy.md` says what else keeps copies.
  secureDelete: (_db, work) => work(),
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
