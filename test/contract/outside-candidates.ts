import { sql } from 'kysely'
import type { CandidateSource } from '../../src/store/engine.ts'
import { postgresCandidates } from '../../src/store/postgres/postgres-candidates.ts'
import type { Db } from '../../src/store/schema.ts'
import { sourceCode } from '../../src/store/search/chunk-columns.ts'
import { type OutsideChunk, type OutsideEngine, sourcesOf } from './outside-engine.ts'

/**
 * Brings an engine up to date with an account by what the tables have anyway: `item.commit_number` is taken under the lock of
 * the account in the commit that shows passages, so the numbers of an account are committed in order; numbers of passages are
 * never used again, so the engine's ranges can be compared with those that items show. May end anywhere and begin anew.
 */
export async function followAccount(db: Db, engine: OutsideEngine, accountKey: number): Promise<void> {
  const added = await db
    .selectFrom('item')
    .select(['commit_number', 'first_chunk_id', 'last_chunk_id'])
    .where('account_key', '=', accountKey)
    .where('commit_number', '>', engine.reached(accountKey))
    .orderBy('commit_number')
    .execute()
  for (const { commit_number, first_chunk_id: first, last_chunk_id: last } of added) {
    if (first !== null && last !== null) {
      await engine.add(accountKey, { first, last }, await chunksBetween(db, accountKey, first, last))
    }
    await engine.acknowledge(accountKey, Number(commit_number))
  }
  const shown = await db
    .selectFrom('item')
    .select(['first_chunk_id', 'last_chunk_id'])
    .where('account_key', '=', accountKey)
    .where('first_chunk_id', 'is not', null)
    .execute()
  const firsts = new Set(shown.map(({ first_chunk_id }) => first_chunk_id))
  for (const range of engine.ranges(accountKey)) if (!firsts.has(range.first)) await engine.remove(accountKey, range)
}

/** What the engine finds once it has the newest commit of the account; until then the database is asked. */
export function outsideCandidates(db: Db, engine: OutsideEngine): CandidateSource {
  const own = postgresCandidates(db)
  const isCurrent = async (accountKey: number) => {
    const newest = await db
      .selectFrom('item')
      .select(({ fn }) => fn.max('commit_number').as('commit'))
      .where('account_key', '=', accountKey)
      .executeTakeFirst()
    return engine.reached(accountKey) >= Number(newest?.commit ?? 0)
  }
  return {
    async termStatistics(accountKey, terms) {
      if (!(await isCurrent(accountKey))) return own.termStatistics(accountKey, terms)
      const { chunks, bodyTerms, frequencies } = engine.counts(accountKey, await hashes(db, accountKey, terms))
      return { chunks, bodyTerms, frequencies: new Map(terms.map((term, n) => [term, frequencies[n] ?? 0])) }
    },
    async lexical(query) {
      const { accountKey, terms } = query
      if (!(await isCurrent(accountKey))) return own.lexical(query)
      const names = terms.map(({ term }) => term)
      const known = await hashes(db, accountKey, names)
      const weights = new Map(known.map((hash, n) => [hash, terms[n]?.weight ?? 0]))
      return engine.lexical({ ...query, sources: sourcesOf(query.sources, sourceCode) }, weights)
    },
    async nearest(query, shown) {
      if (!(await isCurrent(query.accountKey))) return own.nearest(query, shown)
      const filter = { ...query, sources: sourcesOf(query.sources, sourceCode) }
      return engine.nearest(filter, query.spaceId, query.vector)
    },
    // The vocabulary stays in the database.
    similarTerms: (accountKey, term, limit) => own.similarTerms(accountKey, term, limit),
    compoundsOf: (accountKey, term, limit) => own.compoundsOf(accountKey, term, limit),
  }
}

async function chunksBetween(db: Db, accountKey: number, first: number, last: number): Promise<OutsideChunk[]> {
  const { rows } = await sql<{ id: number; source: number; at: number | null; body: number; terms: string[] }>`
    select chunk.chunk_id as id, chunk.source, chunk.at, body_terms as body, terms::text[] as terms
    from chunk join chunk_terms using (account_key, chunk_id)
    where account_key = ${accountKey} and chunk_id between ${first} and ${last}`.execute(db)
  const { rows: vectors } = await sql<{ id: number; space_id: string; vector: string }>`
    select chunk_id as id, space_id, embedding::text as vector from embedding join space using (space_key)
    where account_key = ${accountKey} and chunk_id between ${first} and ${last}`.execute(db)
  return rows.map(({ id, source, at, body, terms }) => {
    const own = vectors.filter((row) => row.id === id)
    return {
      ...{ chunkId: id, source, at, bodyTerms: body, terms: new Set(terms) },
      vectors: new Map(own.map(({ space_id, vector }) => [space_id, JSON.parse(vector) as number[]])),
    }
  })
}

async function hashes(db: Db, accountKey: number, terms: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select hashtextextended(term, ${accountKey})::text as hash
    from unnest(${[...terms]}::text[]) with ordinality as asked (term, place) order by place`.execute(db)
  return rows.map(({ hash }) => hash)
}
