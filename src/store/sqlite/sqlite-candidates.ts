import type { Log } from '../../lib/log.ts'
import type { CandidateSource } from '../engine.ts'
import { compoundsOf, type ReadTerms, similarTerms, type TermRange } from '../search/vocabulary.ts'
import type { EngineStats } from '../store.ts'
import { AccountChunks } from './account-chunks.ts'
import { type Connection, dataVersion } from './connection.ts'
import { lexicalCandidates } from './lexical-candidates.ts'
import { PostingLists } from './posting-lists.ts'
import { termTable } from './sqlite-engine.ts'
import { VectorIndex } from './vector-index.ts'

/** Candidates from the file: words by FTS5, vectors by a table in memory, which `stats` describes. */
export function sqliteCandidates(connection: Connection, log: Log): CandidateSource & { stats(): EngineStats } {
  const statistics = new TermStatistics(connection)
  const vectors = new VectorIndex(connection)
  const lists = new PostingLists(connection)
  const chunks = new AccountChunks(connection, log)
  return {
    async termStatistics(accountKey, terms) {
      const [row] = connection
        .prepareRows('select chunk_count, body_term_count from account where account_key = ?')
        .all(accountKey) as unknown as [number, number][]
      const [chunks, bodyTerms] = row ?? [0, 0]
      const frequencies = statistics.frequencies(accountKey, terms, chunks, dataVersion(connection))
      return { chunks, bodyTerms, frequencies }
    },
    lexical: async (query) => lexicalCandidates(connection, lists, query),
    nearest: (query, shown) => vectors.nearest(query, shown),
    stats: () => ({ vectors: vectors.stats() }),
    chunksInMemory: (accountKey) => chunks.current(accountKey),
    similarTerms: (accountKey, term, limit) => similarTerms(vocabularyReader(connection, accountKey), term, limit),
    compoundsOf: async (accountKey, term, limit) => compoundsOf(vocabularyReader(connection, accountKey), term, limit),
  }
}

const BY: Readonly<Record<TermRange['column'], string>> = {
  term: 'select term from vocabulary where account_key = ? and length = ? and term >= ? and term < ?',
  reversed: 'select term from vocabulary where account_key = ? and length = ? and reversed >= ? and reversed < ?',
}

/** Prepared statements without Kysely, because a misspelt word is looked up while a person waits. */
function vocabularyReader(connection: Connection, accountKey: number): ReadTerms {
  return function* (ranges) {
    for (const { column, length, from, to } of ranges) {
      const rows = connection.prepareRows(BY[column]).all(accountKey, length, from, to) as unknown as [string][]
      for (const [term] of rows) yield term
    }
  }
}

/** Frequencies from this many rows on are cached; below, one more row matters. */
const COMMON = 256

const STALE_GROWTH = 0.1

const MOST_TERMS = 20_000

interface KnownFrequency {
  readonly frequency: number
  /** Chunks of the account, and version of the file, when it was counted. */
  readonly chunks: number
  readonly dataVersion: number
}

/**
 * How many chunks of an account contain each term. Counting reads the whole list of the term (0.1 to 0.5 ms at 20,000 rows),
 * so counts are cached: common terms until the account grows or shrinks by 10%, others until the next commit.
 */
class TermStatistics {
  readonly #connection: Connection
  readonly #known = new Map<string, KnownFrequency>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  frequencies(accountKey: number, terms: readonly string[], chunks: number, dataVersion: number): Map<string, number> {
    const frequencies = new Map<string, number>()
    for (const term of terms) {
      const key = `${accountKey} ${term}`
      const known = this.#known.get(key)
      if (known !== undefined && isFresh(known, chunks, dataVersion)) {
        frequencies.set(term, known.frequency)
        continue
      }
      const frequency = this.#count(accountKey, term)
      frequencies.set(term, frequency)
      this.#known.delete(key)
      this.#known.set(key, { frequency, chunks, dataVersion })
    }
    this.#forget()
    return frequencies
  }

  #count(accountKey: number, term: string): number {
    const rows = this.#connection.prepareRows(`select doc from ${termTable(accountKey)} where term = ?`).all(term)
    const [row] = rows as unknown as (readonly [number])[]
    return row === undefined ? 0 : row[0]
  }

  #forget(): void {
    for (const key of this.#known.keys()) {
      if (this.#known.size <= MOST_TERMS) return
      this.#known.delete(key)
    }
  }
}

function isFresh(known: KnownFrequency, chunks: number, dataVersion: number): boolean {
  if (known.dataVersion === dataVersion) return true
  return known.frequency >= COMMON && Math.abs(chunks - known.chunks) <= known.chunks * STALE_GROWTH
}
