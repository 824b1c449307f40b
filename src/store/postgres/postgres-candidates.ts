import { type RawBuilder, sql } from 'kysely'
import { RecentMap } from '../../lib/recent-map.ts'
import type { CandidateSource, TermStatistics } from '../engine.ts'
import type { Db } from '../schema.ts'
import { compoundsOf, type ReadTerms, similarTerms, type TermRange } from '../search/vocabulary.ts'
import { lexicalCandidates } from './lexical-candidates.ts'
import { nearestVectors } from './nearest-vectors.ts'
import { ON_MANY_SERVERS, ON_ONE_SERVER, readHidden } from './search-filter.ts'

/**
 * Candidates from the indexes of PostgreSQL; the process caches only the counts of common terms.
 * @param isDistributed see `SqlEngine.isDistributed`
 */
export function postgresCandidates(db: Db, isDistributed = false): CandidateSource {
  const frequencies = new TermFrequencies(db, isDistributed)
  const spaceKeys = new Map<string, number>()
  const spaceKeyOf = async (spaceId: string): Promise<number | undefined> => {
    const known = spaceKeys.get(spaceId)
    if (known !== undefined) return known
    const row = await db.selectFrom('space').select('space_key').where('space_id', '=', spaceId).executeTakeFirst()
    // The key of a space never changes.
    if (row !== undefined) spaceKeys.set(spaceId, row.space_key)
    return row?.space_key
  }
  return {
    termStatistics: (accountKey, terms) => frequencies.of(accountKey, terms),
    async lexical(query) {
      const { accountKey } = query
      const binding = isDistributed ? { ...ON_MANY_SERVERS, hidden: await readHidden(db, accountKey) } : ON_ONE_SERVER
      return lexicalCandidates(db, query, frequencies.chunksOf(accountKey) ?? 0, binding)
    },
    async nearest(query) {
      const spaceKey = await spaceKeyOf(query.spaceId)
      if (spaceKey === undefined) return []
      // No account of a distributed table has a graph.
      if (isDistributed)
        return nearestVectors(db, query, { spaceKey, chunks: 0, hidden: await readHidden(db, query.accountKey) })
      return nearestVectors(db, query, { spaceKey, chunks: frequencies.chunksOf(query.accountKey) })
    },
    similarTerms: (accountKey, term, limit) => similarTerms(vocabularyReader(db, accountKey), term, limit),
    compoundsOf: (accountKey, term, limit) => compoundsOf(vocabularyReader(db, accountKey), term, limit),
  }
}

/** Reads all ranges in one statement. */
function vocabularyReader(db: Db, accountKey: number): ReadTerms {
  const inRanges = (column: TermRange['column'], ranges: readonly TermRange[]) => {
    const own = ranges.filter((range) => range.column === column)
    const [lengths, from, to] = [own.map(({ length }) => length), own.map((r) => r.from), own.map((r) => r.to)]
    return sql<{ term: string }>`
      select vocabulary.term
      from unnest(${lengths}::int[], ${from}::text[], ${to}::text[]) as range (length, first, last)
      join vocabulary on vocabulary.account_key = ${accountKey} and vocabulary.length = range.length
        and vocabulary.${sql.ref(column)} >= range.first and vocabulary.${sql.ref(column)} < range.last`
  }
  return async (ranges) => {
    const { rows } = await sql<{ term: string }>`
      ${inRanges('term', ranges)} union all ${inRanges('reversed', ranges)}`.execute(db)
    return rows.map(({ term }) => term)
  }
}

/** Frequencies from this many chunks on are cached; below, one more chunk matters. */
const COMMON = 256

const STALE_GROWTH = 0.05

const MOST_TERMS = 20_000

// Longer lists are estimated from a sample that contains such a term 400 times, to about 5%.
const MOST_COUNTED = 20_000

const COUNTED_SHARE = 0.02

const SAMPLED_POSITIONS = 1_000

const SAMPLED_AT_EACH = 20

// More terms, such as the kinds of a category, share one plan: planning each takes .3 ms.
const MOST_PLANNED = 64

interface Counted {
  /** Chunks of the account, and terms in their bodies. */
  readonly chunks: number
  readonly body_terms: number
  /** Chunks with each of the terms. */
  readonly counts: readonly number[]
}

interface KnownFrequency {
  readonly frequency: number
  /** Chunks of the account at the time of the count. */
  readonly chunks: number
}

/**
 * How many chunks of an account contain each term. Counting a common term reads much of its list, so those counts are cached
 * until the account grows or shrinks by 5%; rare terms are counted each time, all in one statement.
 */
export class TermFrequencies {
  readonly #db: Db
  readonly #isDistributed: boolean
  readonly #known = new RecentMap<string, KnownFrequency>(MOST_TERMS)
  readonly #chunks = new Map<number, number>()

  constructor(db: Db, isDistributed = false) {
    this.#db = db
    this.#isDistributed = isDistributed
  }

  /** Chunks of the account at the last query; `undefined` before the first one. */
  chunksOf(accountKey: number): number | undefined {
    return this.#chunks.get(accountKey)
  }

  /** In one statement, unless a term is common and not known, or the account has changed much since it was last asked. */
  async of(accountKey: number, terms: readonly string[]): Promise<TermStatistics> {
    const kept = this.#kept(accountKey, terms)
    const counted = await this.#count(
      accountKey,
      terms.filter((term) => !kept.has(term)),
    )
    const { chunks, bodyTerms } = counted
    const outdated = [...kept].filter(([, known]) => !isFresh(known, chunks)).map(([term]) => term)
    const again = outdated.length > 0 ? (await this.#count(accountKey, outdated)).frequencies : []
    const known = [...kept].map(([term, { frequency }]): [string, number] => [term, frequency])
    return { chunks, bodyTerms, frequencies: new Map([...known, ...counted.frequencies, ...again]) }
  }

  /** The cached counts, if the account is still about as large. */
  #kept(accountKey: number, terms: readonly string[]): Map<string, KnownFrequency> {
    const kept = new Map<string, KnownFrequency>()
    for (const term of terms) {
      const known = this.#known.get(`${accountKey} ${term}`)
      if (known !== undefined && isFresh(known, this.chunksOf(accountKey) ?? known.chunks)) kept.set(term, known)
    }
    return kept
  }

  /** Counts the chunks of the account and those of these terms. */
  async #count(accountKey: number, terms: readonly string[]): Promise<TermStatistics> {
    const most = Math.max(MOST_COUNTED, Math.ceil((this.chunksOf(accountKey) ?? 0) * COUNTED_SHARE))
    const binding = this.#isDistributed ? ON_MANY_SERVERS : ON_ONE_SERVER
    const hashes = terms.map((term) => termHash(accountKey, term))
    const count = (hash: RawBuilder<unknown>) => sql`(
      select count(*)::int from (
        select 1 from chunk_terms
        where ${binding.byWords(accountKey)} and terms @> array[${hash}]
        limit ${most + 1}
      ) as counted
    )`
    const counts =
      terms.length > MOST_PLANNED
        ? sql`array(
            select ${count(sql`asked.hash`)}
            from unnest(array[${sql.join(hashes)}]::bigint[]) with ordinality as asked (hash, place)
            order by asked.place
          )`
        : sql`array[${sql.join(hashes.map(count))}]::int[]`
    const row = await this.#counted(accountKey, counts)
    const chunks = row?.chunks ?? 0
    this.#chunks.set(accountKey, chunks)
    const frequencies = new Map(terms.map((term, index) => [term, row?.counts[index] ?? 0]))
    const common = terms.filter((term) => (frequencies.get(term) ?? 0) > most)
    for (const [term, share] of await this.#sample(accountKey, common)) {
      frequencies.set(term, Math.max(most, Math.round(share * chunks)))
    }
    for (const [term, frequency] of frequencies) this.#remember(`${accountKey} ${term}`, { frequency, chunks })
    return { chunks, bodyTerms: row?.body_terms ?? 0, frequencies }
  }

  /** In one statement, unless the account and its chunks are on different servers. */
  async #counted(accountKey: number, counts: RawBuilder<unknown>): Promise<Counted | undefined> {
    const account = (more: RawBuilder<unknown>) => sql<Counted>`
      select chunk_count as chunks, body_term_count as body_terms, ${more} as counts
      from account where account_key = ${accountKey}`
    if (!this.#isDistributed) return (await account(counts).execute(this.#db)).rows[0]
    const [own, found] = await Promise.all([
      account(sql`'{}'::int[]`).execute(this.#db),
      sql<Pick<Counted, 'counts'>>`select ${counts} as counts`.execute(this.#db),
    ])
    const [row] = own.rows
    return row && { ...row, ...found.rows[0] }
  }

  /** Estimates the share of the account's chunks that contain each term, from a sample of all of them. */
  async #sample(accountKey: number, terms: readonly string[]): Promise<[string, number][]> {
    if (terms.length === 0) return []
    const isOwn = (this.#isDistributed ? ON_MANY_SERVERS : ON_ONE_SERVER).inOrder(accountKey)
    const counts = terms.map((term) => sql`count(*) filter (where ${termHash(accountKey, term)} = any(terms))::int`)
    const { rows } = await sql<{ seen: number; counts: readonly number[] }>`
      select count(*)::int as seen, array[${sql.join(counts)}] as counts
      from (
        select min(chunk_id) as first, max(chunk_id) as last from chunk_terms where ${isOwn}
      ) as ends
      cross join generate_series(0, ${SAMPLED_POSITIONS - 1}) as sample
      cross join lateral (
        select terms from chunk_terms
        where ${isOwn} and chunk_id >= first + (last - first) * sample / ${SAMPLED_POSITIONS}
        order by chunk_id limit ${SAMPLED_AT_EACH}
      ) as sampled`.execute(this.#db)
    const [row] = rows
    return row === undefined ? [] : terms.map((term, index) => [term, (row.counts[index] ?? 0) / Math.max(1, row.seen)])
  }

  #remember(key: string, known: KnownFrequency): void {
    if (known.frequency < COMMON) this.#known.delete(key)
    else this.#known.set(key, known)
  }
}

function isFresh(known: KnownFrequency, chunks: number): boolean {
  return Math.abs(chunks - known.chunks) <= known.chunks * STALE_GROWTH
}

function termHash(accountKey: number, term: string): RawBuilder<unknown> {
  return sql`hashtextextended(${term}, ${accountKey})`
}
