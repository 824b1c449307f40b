import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { SourceType } from '../../domain/source-type.ts'
import type { Db } from '../schema.ts'
import { sourceCode } from '../search/chunk-columns.ts'
import type { ChunkRange } from '../search/search.ts'

export interface FilteredQuery {
  readonly accountKey: number
  readonly sources: 'all' | readonly SourceType[]
  readonly since: number | undefined
  readonly until: number | undefined
  readonly within?: readonly ChunkRange[] | undefined
}

/** The filter of a query on the columns `account_key`, `source` and `at`. */
export function isAskedFor(query: FilteredQuery): RawBuilder<SqlBool> {
  return sql`(account_key = ${query.accountKey} and ${isWithin(query)})`
}

/**
 * How statements are bound to an account. PostgreSQL can't estimate how rare the keys of the inverted index are, and would read
 * whole accounts by `account_key`. On one server, a sum keeps it from that. Citus finds the server of an account only by a plain
 * comparison, so there the other index, by the account and the newest chunk, is one of the sum (`distribute-by-account.sql`).
 */
export interface AccountBinding {
  /** Of rows that the inverted index finds. */
  readonly byWords: (accountKey: number) => RawBuilder<SqlBool>
  /** Of rows in the order of their chunks. */
  readonly inOrder: (accountKey: number) => RawBuilder<SqlBool>
  /** Hidden ranges that were read before; absent where the statement itself reads them. */
  readonly hidden?: readonly ChunkRange[]
}

export const ON_ONE_SERVER: AccountBinding = {
  byWords: (accountKey) => sql`account_key + 0 = ${accountKey}`,
  inOrder: (accountKey) => sql`account_key = ${accountKey}`,
}

export const ON_MANY_SERVERS: AccountBinding = {
  byWords: (accountKey) => sql`account_key = ${accountKey}`,
  inOrder: (accountKey) => sql`account_key = ${accountKey} and account_key + 0 = ${accountKey}`,
}

/** `isAskedFor` for rows from an inverted index whose keys include the account. */
export function isFoundFor(query: FilteredQuery, binding: AccountBinding): RawBuilder<SqlBool> {
  return sql`(${binding.byWords(query.accountKey)} and ${isWithin(query)})`
}

function isWithin({ sources, since, until, within }: FilteredQuery): RawBuilder<SqlBool> {
  const conditions: RawBuilder<SqlBool>[] = []
  if (sources !== 'all') conditions.push(sql`source = any(${sources.map(sourceCode)}::smallint[])`)
  if (since !== undefined) conditions.push(sql`at >= ${since}`)
  if (until !== undefined) conditions.push(sql`at < ${until}`)
  if (within !== undefined) conditions.push(isIn(within))
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

function isIn(ranges: readonly ChunkRange[]): RawBuilder<SqlBool> {
  return sql`chunk_id <@ ${`{${ranges.map(({ first, last }) => `[${first},${last}]`).join(',')}}`}::int8multirange`
}

/** The ranges of an account that are not shown. */
export async function readHidden(db: Db, accountKey: number): Promise<ChunkRange[]> {
  const rows = await db
    .selectFrom('hidden_range')
    .select(['first_chunk_id as first', 'last_chunk_id as last'])
    .where('account_key', '=', accountKey)
    .execute()
  return rows
}

/**
 * The filter for visible chunks on the column `chunk_id`. Only chunks that are written or removed in several commits are
 * hidden; their ranges, mostly none, are read once per statement.
 */
export function isShown(accountKey: number, hidden?: readonly ChunkRange[]): RawBuilder<SqlBool> {
  if (hidden !== undefined) return hidden.length === 0 ? sql`true` : sql`not ${isIn(hidden)}`
  return sql`(chunk_id <@ (
    select range_agg(int8range(first_chunk_id, last_chunk_id, '[]')) from hidden_range where account_key = ${accountKey}
  )) is not true`
}
