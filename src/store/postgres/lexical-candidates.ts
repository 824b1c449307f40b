import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { LexicalQuery, WeightedTerm } from '../engine.ts'
import type { Db } from '../schema.ts'
import type { Hit } from '../search/search.ts'
import { type AccountBinding, isFoundFor, isShown, ON_ONE_SERVER } from './search-filter.ts'

// Whole posting lists are read up to this many chunks in total; each costs a table row, 1 to 2 us in memory.
const POSTING_BUDGET = 4_000

// The most common terms that a chunk must contain together to fill up the results.
const MOST_TOGETHER = 3

// The newest chunks that are searched for common terms; 1 us each.
const MOST_NEWEST = 20_000

/**
 * Scores chunks by the sum of the weights of their terms. The index finds the chunks of the rarest terms, as many lists as
 * the budget allows, and all terms count towards their scores. If they are too few, chunks with several of the common terms
 * follow, newest first. It is one statement; PostgreSQL runs each part only when the parts before it found too few.
 *
 * @param chunks estimated number of chunks of the account
 */
export async function lexicalCandidates(
  db: Db,
  query: LexicalQuery,
  chunks: number,
  binding: AccountBinding = ON_ONE_SERVER,
): Promise<Hit[]> {
  const terms = query.terms.filter((term) => term.frequency > 0).sort((a, b) => a.frequency - b.frequency)
  if (terms.length === 0 || query.sources.length === 0 || query.limit <= 0) return []
  const read = countRare(terms)
  const rare = terms.slice(0, read)
  const common = terms.slice(read, read + MOST_TOGETHER)
  const filling = { query, rare, chunks, binding, score: scoreOf(query.accountKey, terms) }
  const parts: RawBuilder<HitRow>[] = []
  if (rare.length > 0) parts.push(bestOf(filling))
  for (let together = common.length; together > 0; together--) parts.push(newestOf(filling, common, together))
  const [rarest] = common
  const { rows } = await sql<HitRow>`
    ${rarest === undefined ? sql`` : sql`with newest as materialized ${newestWith(filling, rarest)}`}
    select chunk_id, score from (${sql.join(parts, sql` union all `)}) as found limit ${query.limit}`.execute(db)
  return rows
    .map(({ chunk_id: chunkId, score }) => ({ chunkId, score }))
    .sort((a, b) => b.score - a.score || b.chunkId - a.chunkId)
}

interface HitRow {
  readonly chunk_id: number
  readonly score: number
}

interface Filling {
  readonly query: LexicalQuery
  readonly rare: readonly WeightedTerm[]
  /** Estimated number of chunks of the account. */
  readonly chunks: number
  readonly binding: AccountBinding
  readonly score: RawBuilder<number>
}

function countRare(terms: readonly WeightedTerm[]): number {
  let budget = POSTING_BUDGET
  const first = terms.findIndex(({ frequency }) => {
    budget -= frequency
    return budget < 0
  })
  return first < 0 ? terms.length : first
}

function bestOf({ query, rare, binding, score }: Filling): RawBuilder<HitRow> {
  const { accountKey, limit } = query
  return sql`(
    select chunk_id, ${score} as score from chunk_terms
    where terms && ${termHashes(accountKey, rare)} and ${isFoundFor(query, binding)} and ${isShown(accountKey, binding.hidden)}
    order by score desc, chunk_id desc limit ${limit}
  )`
}

/** The newest chunks that contain this term and were not found before; read at most once. */
function newestWith({ query, rare, binding }: Filling, term: WeightedTerm): RawBuilder<unknown> {
  const { accountKey } = query
  return sql`(
    select chunk_id, terms from (
      select * from chunk_terms where ${binding.inOrder(accountKey)} order by chunk_id desc limit ${MOST_NEWEST}
    ) as newest
    where ${termHash(accountKey, term)} = any(terms) and ${isNotFound(accountKey, rare)}
      and ${isFoundFor(query, binding)} and ${isShown(accountKey, binding.hidden)}
  )`
}

/**
 * Chunks that contain the first `together` common terms but not the next one, because those were found before. Searches the
 * newest chunks when the terms are so common that enough match; otherwise it intersects the posting lists, which then have
 * little in common.
 */
function newestOf(filling: Filling, common: readonly WeightedTerm[], together: number): RawBuilder<HitRow> {
  const { query, rare, chunks, binding, score } = filling
  const { accountKey, limit } = query
  const held = common.slice(0, together)
  const matches = sql`terms @> ${termHashes(accountKey, held)}
    and ${isNotFound(accountKey, common.slice(together, together + 1))}`
  // Already sorted, and read no further than needed.
  if (isDense(held, chunks, limit)) {
    return sql`(select chunk_id, ${score} as score from newest where ${matches} limit ${limit})`
  }
  return sql`(
    select chunk_id, ${score} as score from chunk_terms
    where ${matches} and ${isNotFound(accountKey, rare)} and ${isFoundFor(query, binding)} and ${isShown(accountKey, binding.hidden)}
    order by chunk_id desc limit ${limit}
  )`
}

function isNotFound(accountKey: number, found: readonly WeightedTerm[]): RawBuilder<SqlBool> {
  return found.length === 0 ? sql`true` : sql`not terms && ${termHashes(accountKey, found)}`
}

/** Whether enough of the newest chunks are expected to contain these terms together. */
function isDense(terms: readonly WeightedTerm[], chunks: number, limit: number): boolean {
  const share = terms.reduce((product, { frequency }) => product * Math.min(1, frequency / chunks), 1)
  return share * MOST_NEWEST >= limit
}

function scoreOf(accountKey: number, terms: readonly WeightedTerm[]): RawBuilder<number> {
  const parts = terms.map(
    (one) => sql`case when ${termHash(accountKey, one)} = any(terms) then ${one.weight}::float8 else 0 end`,
  )
  return sql`(${sql.join(parts, sql` + `)})`
}

function termHashes(accountKey: number, terms: readonly WeightedTerm[]): RawBuilder<unknown> {
  return sql`array[${sql.join(terms.map((one) => termHash(accountKey, one)))}]`
}

function termHash(accountKey: number, { term }: WeightedTerm): RawBuilder<unknown> {
  return sql`hashtextextended(${term}, ${accountKey})`
}
