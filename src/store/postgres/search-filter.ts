import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { SourceType } from '../../domain/source-type.ts'
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
 * The same for rows from an inverted index whose keys include the account. The sum keeps PostgreSQL from reading the whole
 * account by `account_key` instead, because it can't estimate how rare a key is.
 */
export function isFoundFor(query: FilteredQuery): RawBuilder<SqlBool> {
  return sql`(account_key + 0 = ${query.accountKey} and ${isWithin(query)})`
}

function isWithin({ sources, since, until, within }: FilteredQuery): RawBuilder<SqlBool> {
  const conditions: RawBuilder<SqlBool>[] = []
  if (sources !== 'all') conditions.push(sql`source = any(${sources.map(sourceCode)}::smallint[])`)
  if (since !== undefined) conditions.push(sql`at >= ${since}`)
  if (until !== undefined) conditions.push(sql`at < ${until}`)
  if (within !== undefined) {
    const ranges = `{${within.map(({ first, last }) => `[${first},${last}]`).join(',')}}`
    conditions.push(sql`chunk_id <@ ${ranges}::int8multirange`)
  }
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/**
 * The filter for visible chunks on the column `chunk_id`. Only chunks that are written or removed in several commits are
 * hidden; their ranges, mostly none, are read once per statement.
 */
export function isShown(accountKey: number): RawBuilder<SqlBool> {
  return sql`(chunk_id <@ (
    select range_agg(int8range(first_chunk_id, last_chunk_id, '[]')) from hidden_range where account_key = ${accountKey}
  )) is not true`
}
