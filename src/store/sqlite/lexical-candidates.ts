import type { SQLInputValue } from 'node:sqlite'
import type { SourceType } from '../../domain/source-type.ts'
import type { Hit } from '../store.ts'
import type { Connection } from './connection.ts'
import { quoteTerm, sourceWord, textTable } from './full-text.ts'
import { addPostings, bestOf, EMPTY_SCORES, raiseKnown, type ScoreList } from './score-list.ts'

export interface LexicalQuery {
  readonly accountKey: number
  readonly sources: 'all' | readonly SourceType[]
  readonly terms: readonly WeightedTerm[]
  readonly limit: number
  /** Milliseconds since the epoch; `until` is exclusive. */
  readonly since: number | undefined
  readonly until: number | undefined
}

export interface WeightedTerm {
  readonly term: string
  readonly weight: number
  readonly frequency: number
}

// Whole lists are fetched up to this many rows in all: at 0.15 us a row, 3 ms (measured at 200,000 rows).
const POSTING_BUDGET = 20_000
// Ranking inside FTS5 costs 0.7 us for each row that matches, so it is used for lists up to this length.
const MOST_RANKED = 4_000

/**
 * Adds up the weights of the terms present, the rarest first, because they decide. When the budget of rows is spent,
 * the commoner terms only raise what the rarer ones found, and those found are filled up with chunks that hold the two
 * rarest of the common terms together, the newest first.
 */
export function lexicalCandidates(connection: Connection, query: LexicalQuery): Hit[] {
  const terms = query.terms.filter((term) => term.frequency > 0).sort((a, b) => a.frequency - b.frequency)
  const [first] = terms
  if (first === undefined || query.sources.length === 0 || query.limit <= 0) return []
  const postings = new Postings(connection, query)
  if (terms.length === 1 && first.frequency <= MOST_RANKED) return postings.ranked(first)

  const { found, common } = gatherRare(postings, terms)
  if (common.length === 0) return bestOf(found, query.limit)
  const list = found.ids.length === 0 ? startFromCommon(postings, common, query.limit) : found
  if (found.ids.length > 0) separate(postings, list, terms, common, query.limit)
  return bestOf(fillUp(postings, list, common, query.limit), query.limit)
}

function gatherRare(postings: Postings, terms: readonly WeightedTerm[]): { found: ScoreList; common: WeightedTerm[] } {
  let found = EMPTY_SCORES
  let budget = POSTING_BUDGET
  let place = 0
  for (; place < terms.length && terms[place]!.frequency <= budget; place++) {
    const term = terms[place]!
    budget -= term.frequency
    found = addPostings(found, postings.all(quoteTerm(term.term)), term.weight)
  }
  return { found, common: terms.slice(place) }
}

/** No term is rare: the newest chunks that hold the rarest of them, raised by the others where both are present. */
function startFromCommon(postings: Postings, common: readonly WeightedTerm[], limit: number): ScoreList {
  const [rarest, ...others] = common
  if (rarest === undefined) return EMPTY_SCORES
  let list = EMPTY_SCORES
  for (const other of others) {
    const both = postings.newest(`${quoteTerm(rarest.term)} AND ${quoteTerm(other.term)}`, POSTING_BUDGET / 4)
    const fresh = addPostings(EMPTY_SCORES, both, other.weight)
    list = mergeScores(list, fresh)
  }
  const alone = postings.newest(quoteTerm(rarest.term), limit)
  for (const place of list.ids.keys()) list.scores[place]! += rarest.weight
  const missing = alone.filter((id) => !holds(list, id))
  return addPostings(list, missing, rarest.weight)
}

/** Which of the candidates hold the common terms: asked only when there are more candidates than places. */
function separate(
  postings: Postings,
  list: ScoreList,
  terms: readonly WeightedTerm[],
  common: readonly WeightedTerm[],
  limit: number,
): void {
  if (list.ids.length <= limit) return
  const rare = terms.filter((term) => !common.includes(term)).map((term) => quoteTerm(term.term))
  for (const term of common) {
    raiseKnown(list, postings.all(`${quoteTerm(term.term)} AND (${rare.join(' OR ')})`), term.weight)
  }
}

function fillUp(postings: Postings, list: ScoreList, common: readonly WeightedTerm[], limit: number): ScoreList {
  const [first, second] = common
  const places = limit - list.ids.length
  if (first === undefined || places <= 0) return list
  const pair = second === undefined ? quoteTerm(first.term) : `${quoteTerm(first.term)} AND ${quoteTerm(second.term)}`
  const fresh = postings.newest(pair, limit).filter((id) => !holds(list, id))
  return addPostings(list, fresh.slice(-places), first.weight + (second?.weight ?? 0))
}

function mergeScores(a: ScoreList, b: ScoreList): ScoreList {
  const known = b.ids.filter((id) => holds(a, id))
  for (const id of known) raiseKnown(a, Float64Array.of(id), b.scores[b.ids.indexOf(id)]!)
  const fresh = b.ids.filter((id) => !holds(a, id))
  return addPostings(a, fresh, b.scores[0] ?? 0)
}

function holds(list: ScoreList, id: number): boolean {
  let low = 0
  let high = list.ids.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (list.ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return list.ids[low] === id
}

/** Reads chunk ids from the account's full-text table, inside the sources and times of the query. */
class Postings {
  readonly #connection: Connection
  readonly #query: LexicalQuery
  readonly #restriction: string

  constructor(connection: Connection, query: LexicalQuery) {
    this.#connection = connection
    this.#query = query
    const { sources } = query
    this.#restriction =
      sources === 'all' ? '' : ` AND src : (${sources.map((source) => quoteTerm(sourceWord(source))).join(' OR ')})`
  }

  /** Every chunk that matches, ascending. */
  all(expression: string): Float64Array {
    return this.#ids(expression, '', [])
  }

  /** The newest `limit` chunks that match, ascending. */
  newest(expression: string, limit: number): Float64Array {
    return this.#ids(expression, 'order by text.rowid desc limit ?', [limit]).reverse()
  }

  /** The best by BM25 of one term. */
  ranked({ term, weight }: WeightedTerm): Hit[] {
    const ids = this.#ids(quoteTerm(term), 'order by text.rank limit ?', [this.#query.limit])
    return Array.from(ids, (chunkId) => ({ chunkId, score: weight }))
  }

  #ids(expression: string, ending: string, parameters: readonly SQLInputValue[]): Float64Array {
    const { accountKey, since, until } = this.#query
    const timed = since !== undefined || until !== undefined
    const from = `from ${textTable(accountKey)} as text ${timed ? 'cross join chunk on chunk.chunk_id = text.rowid' : ''}`
    const times = timed ? 'and chunk.at >= ? and chunk.at < ?' : ''
    const bounds = timed ? [since ?? Number.MIN_SAFE_INTEGER, until ?? Number.MAX_SAFE_INTEGER] : []
    const rows = this.#connection
      .prepareRows(`select text.rowid ${from} where ${textTable(accountKey)} match ? ${times} ${ending}`)
      .all(`({body meta} : (${expression}))${this.#restriction}`, ...bounds, ...parameters)
    const ids = new Float64Array(rows.length)
    for (let place = 0; place < rows.length; place++) ids[place] = (rows as unknown as number[][])[place]![0]!
    return ids
  }
}
