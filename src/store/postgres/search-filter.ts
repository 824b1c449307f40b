import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { SourceType } from '../../domain/source-type.ts'
import { sourceCode } from '../search/chunk-columns.ts'

export interface FilteredQuery {
  readonly accountKey: number
  readonly sources: 'all' | readonly SourceType[]
  readonly since: number | undefined
  readonly until: number | undefined
}

/** Of the columns `account_key`, `source` and `at`: what a query is bound to. */
export function isAskedFor(query: FilteredQuery): RawBuilder<SqlBool> {
  return sql`(account_key = ${query.accountKey} and ${isWithin(query)})`
}

/**
 * The same for rows that an inverted index finds, whose keys hold the account: the sum keeps PostgreSQL, which knows little
 * of how rare a key is, from reading the whole account by its key instead.
 */
export function isFoundFor(query: FilteredQuery): RawBuilder<SqlBool> {
  return sql`(account_key + 0 = ${query.accountKey} and ${isWithin(query)})`
}

function isWithin({ sources, since, until }: FilteredQuery): RawBuilder<SqlBool> {
  const conditions: RawBuilder<SqlBool>[] = []
  if (sources !== 'all') conditions.push(sql`source = any(${sources.map(sourceCode)}::smallint[])`)
  if (since !== undefined) conditions.push(sql`at >= ${since}`)
  if (until !== undefined) conditions.push(sql`at < ${until}`)
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/**
 * Of the column `chunk_id`: its item shows it. Chunks that are being written or removed in several commits are the only
 * others, and their ranges, mostly none, are read once for each statement.
 */
export function isShown(accountKey: number): RawBuilder<SqlBool> {
  return sql`(chunk_id <@ (
    select range_agg(int8range(first_chunk_id, last_chunk_id, '[]')) from hidden_range where account_key = ${accountKey}
  )) is not true`
}
