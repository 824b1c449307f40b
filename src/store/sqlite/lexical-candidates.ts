import type { SQLInputValue } from 'node:sqlite'
import { isWithin } from '../../lib/id-ranges.ts'
import type { LexicalQuery, WeightedTerm } from '../engine.ts'
import type { Hit } from '../search/search.ts'
import type { Connection } from './connection.ts'
import { firstColumn, type PostingLists } from './posting-lists.ts'
import { quoteTerm, sourceWord, textTable } from './sqlite-engine.ts'

// Posting lists are read completely up to this many rows in total: 0.13 us per row in SQLite and as much for scoring.
const POSTING_BUDGET = 4_000

// Ranking inside FTS5 costs 0.7 us per matching row, so it is used for lists up to this length.
const MOST_RANKED = 4_000

// Number of common terms that must occur together to fill up; conjunctions cost 0.5 us per row of the shortest list.
const MOST_TOGETHER = 3

// With a filter of times or ranges, lists that fill up the results are read back this far.
const MOST_TIMED = 20_000

/**
 * Sums the weights of the present terms, rarest first, because they decide. Lists are read completely until no chunk
 * with only the remaining terms could be among the best (the MaxScore rule; Turtle and Flood, "Query evaluation:
 * strategies and optimizations", 1995), or until the row budget is used up. The remaining, common terms then only raise
 * known chunks; if those are too few, the newest chunks with several common terms are added.
 */
export function lexicalCandidates(connection: Connection, lists: PostingLists, query: LexicalQuery): Hit[] {
  const terms = query.terms.filter((term) => term.frequency > 0).sort((a, b) => a.frequency - b.frequency)
  const [first] = terms
  if (first === undefined || query.sources.length === 0 || query.limit <= 0) return []
  const postings = new Postings(connection, lists, query)
  if (terms.length === 1 && first.frequency <= MOST_RANKED) return postings.ranked(first)

  const { found, read } = readRare(postings, terms, query.limit)
  const common = terms.slice(read)
  if (read > 0) separate(postings, found, terms.slice(0, read), common)
  return bestScored(fillUp(postings, found, common, query.limit), query.limit)
}

function readRare(postings: Postings, terms: readonly WeightedTerm[], limit: number) {
  let found = EMPTY_SCORES
  let budget = POSTING_BUDGET
  let remaining = totalWeight(terms)
  let read = 0
  for (const { term, weight, frequency } of terms) {
    if (frequency > budget || (found.ids.length >= limit && remaining < nthScore(found, limit))) break
    found = addPostings(found, postings.all(term), weight)
    budget -= frequency
    remaining -= weight
    read++
  }
  return { found, read }
}

/** Which of the candidates contain the common terms. */
function separate(
  postings: Postings,
  found: ScoreList,
  rare: readonly WeightedTerm[],
  common: readonly WeightedTerm[],
): void {
  for (const { term, weight } of common) raiseKnown(found, postings.anywhere(term, rare), weight)
}

/** First the chunks with the three rarest of the common terms, then with two of them, then with the rarest alone. */
function fillUp(postings: Postings, found: ScoreList, common: readonly WeightedTerm[], limit: number): ScoreList {
  let list = found
  for (let together = Math.min(common.length, MOST_TOGETHER); together > 0 && list.ids.length < limit; together--) {
    const terms = common.slice(0, together)
    const ids = postings.newest(terms.map(({ term }) => quoteTerm(term)).join(' AND '), limit)
    list = addUnknown(list, ids, totalWeight(terms))
  }
  return list
}

function totalWeight(terms: readonly WeightedTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0)
}

/** Reads chunk ids from the account's full-text table, inside the sources and times of the query. */
class Postings {
  readonly #connection: Connection
  readonly #query: LexicalQuery
  readonly #table: string
  readonly #restriction: string
  readonly #lists: ReturnType<PostingLists['of']>
  readonly #bounds: readonly [number, number] | undefined

  constructor(connection: Connection, lists: PostingLists, query: LexicalQuery) {
    this.#lists = lists.of(query.accountKey)
    const { sources, since, until } = query
    this.#connection = connection
    this.#query = query
    this.#table = textTable(query.accountKey)
    this.#restriction =
      sources === 'all' ? '' : ` AND src : (${sources.map((source) => quoteTerm(sourceWord(source))).join(' OR ')})`
    const timed = since !== undefined || until !== undefined
    this.#bounds = timed ? [since ?? Number.MIN_SAFE_INTEGER, until ?? Number.MAX_SAFE_INTEGER] : undefined
  }

  /** Chunks with the term, ascending, outside the filters too: among them all that have any of `others`. */
  anywhere(term: string, others: readonly WeightedTerm[]): Float64Array {
    const known = this.#lists.known(term)
    if (known !== undefined) return known
    const any = others.map((other) => quoteTerm(other.term)).join(' OR ')
    const rows = this.#connection
      .prepareRows(`select rowid from ${this.#table} where ${this.#table} match ?`)
      .all(`{body meta} : (${quoteTerm(term)} AND (${any}))`)
    return firstColumn(rows)
  }

  /** Every chunk with the term, ascending. */
  all(term: string): Float64Array {
    if (this.#restriction === '' && this.#bounds === undefined) return this.#within(this.#lists.all(term))
    const list = `select rowid as id from ${this.#table} where ${this.#table} match ?`
    return this.#ids(quoteTerm(term), list, [])
  }

  /** The newest `limit` chunks that match, ascending. */
  newest(expression: string, limit: number): Float64Array {
    const isFiltered = this.#bounds !== undefined || this.#query.within !== undefined
    const list = `select rowid as id from ${this.#table} where ${this.#table} match ? order by rowid desc limit ?`
    const ids = this.#ids(expression, list, [isFiltered ? MOST_TIMED : limit])
    return ids.sort().slice(-limit)
  }

  /** The best by BM25 of one term. */
  ranked({ term, weight, frequency }: WeightedTerm): Hit[] {
    const { limit, within } = this.#query
    const list = `select rowid as id from ${this.#table} where ${this.#table} match ? order by rank limit ?`
    const ids = this.#ids(quoteTerm(term), list, [
      this.#bounds === undefined && within === undefined ? limit : frequency,
    ])
    return Array.from(ids.subarray(0, limit), (chunkId) => ({ chunkId, score: weight }))
  }

  #ids(expression: string, list: string, parameters: readonly SQLInputValue[]): Float64Array {
    const match = `{body meta} : (${expression})${this.#restriction}`
    const sql = this.#bounds === undefined ? list : inTime(list)
    const rows = this.#connection.prepareRows(sql).all(match, ...parameters, ...(this.#bounds ?? []))
    return this.#within(firstColumn(rows))
  }

  #within(ids: Float64Array): Float64Array {
    const { within } = this.#query
    return within === undefined ? ids : ids.filter((id) => isWithin(id, within))
  }
}

/** Keeps chunks of the requested time; the index holds only id and time, so it stays in the cache. */
function inTime(list: string): string {
  return `select found.id from (${list}) as found
    cross join chunk indexed by chunk_time on chunk.chunk_id = found.id where chunk.at >= ? and chunk.at < ?`
}

/** Chunk ids in ascending order, each with a score: the sum over the postings of several terms. */
interface ScoreList {
  readonly ids: Float64Array
  readonly scores: Float64Array
}

export const EMPTY_SCORES: ScoreList = { ids: new Float64Array(0), scores: new Float64Array(0) }

/** Adds `weight` to every id of `ids` (ascending), including new ones. */
export function addPostings(list: ScoreList, ids: Float64Array, weight: number): ScoreList {
  const mergedIds = new Float64Array(list.ids.length + ids.length)
  const mergedScores = new Float64Array(mergedIds.length)
  let left = 0
  let right = 0
  let length = 0
  while (left < list.ids.length || right < ids.length) {
    const a = left < list.ids.length ? list.ids[left]! : Number.POSITIVE_INFINITY
    const b = right < ids.length ? ids[right]! : Number.POSITIVE_INFINITY
    mergedIds[length] = a <= b ? a : b
    mergedScores[length] = (a <= b ? list.scores[left++]! : 0) + (b <= a ? weight : 0)
    if (b <= a) right++
    length++
  }
  return { ids: mergedIds.subarray(0, length), scores: mergedScores.subarray(0, length) }
}

/** Adds the new ids of `ids` (ascending) with this score; known ones keep theirs. */
export function addUnknown(list: ScoreList, ids: Float64Array, score: number): ScoreList {
  let index = 0
  const unknown = ids.filter((id) => {
    while (index < list.ids.length && list.ids[index]! < id) index++
    return list.ids[index] !== id
  })
  return addPostings(list, unknown, score)
}

/** Adds `weight` to those of `ids` (ascending) that the list already contains, in place. */
export function raiseKnown({ ids: known, scores }: ScoreList, ids: Float64Array, weight: number): void {
  let from = 0
  for (let index = 0; index < known.length; index++) {
    const id = known[index]!
    // The list of a common term is much longer, so most of it is skipped.
    let step = 1
    while (from + step < ids.length && ids[from + step]! <= id) {
      from += step
      step *= 2
    }
    while (step > 0) {
      if (from + step < ids.length && ids[from + step]! <= id) from += step
      step >>= 1
    }
    if (ids[from] === id) scores[index]! += weight
  }
}

/** The n-th largest score; 0 when there are fewer. */
function nthScore(list: ScoreList, n: number): number {
  if (list.scores.length < n) return 0
  return list.scores.slice().sort()[list.scores.length - n]!
}

/** The best by score, newer ones first among equals. */
export function bestScored({ ids, scores }: ScoreList, limit: number): { chunkId: number; score: number }[] {
  const threshold = nthScore({ ids, scores }, limit)
  const indexes: number[] = []
  for (let index = 0; index < ids.length; index++) if (scores[index]! >= threshold) indexes.push(index)
  return indexes
    .sort((a, b) => scores[b]! - scores[a]! || ids[b]! - ids[a]!)
    .slice(0, limit)
    .map((index) => ({ chunkId: ids[index]!, score: scores[index]! }))
}
