import type { Expression, RawBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import { AppError } from '../domain/errors.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { Database, Db } from './schema.ts'
import type { Hit } from './search/search.ts'
import { KnownTerms } from './search/vocabulary.ts'

/** What differs between the engines. Everything else in this folder runs on both. */
export interface SqlEngine {
  /** `value` is one of `ids`, bound as one parameter, so that the statement is prepared once. */
  isOneOf(value: Expression<unknown>, ids: readonly number[] | readonly string[]): RawBuilder<SqlBool>
  /** Rows that are reached by their number alone carry the account too, so that tables can be split by it. */
  readonly carriesAccount: boolean
  /** Of chunks that one commit inserts, with one statement for each table. */
  readonly mostNewChunks: number
  /** Where several may write: until the commit nobody else writes to the account, unless under no lock (`postgres/write-locks.ts`). */
  lockAccount(db: Db, accountId: string): Promise<void>
  /** Proves that the database can be written. */
  probe(db: Db): Promise<void>
  /** Runs `work` so that what it deletes is overwritten in the file, where the engine can. */
  secureDelete(db: Db, work: () => Promise<void>): Promise<void>
  /** Takes `count` consecutive numbers that were never given out, and returns the first. */
  takeNumbers(db: Db, name: 'chunk' | 'commit', count: number): Promise<number>
  /** Number up to which every chunk is committed or never will be. Not for inside of a transaction. */
  settledChunks(db: Db): Promise<number>
  /** Where several may write: the rows that are read are held until the commit, and those that others hold are passed. */
  skipLocked<Table extends keyof Database, Row>(
    query: SelectQueryBuilder<Database, Table, Row>,
  ): SelectQueryBuilder<Database, Table, Row>
  /** Rows of an account in tables of the engine's own, by table: what is left after its deletion. */
  rowsOfAccount(db: Db, accountKey: number): Promise<Record<string, number>>
  readonly fullText: FullTextWriter
  readonly vectors: VectorWriter
}

/** Keeps the full-text index of one account in step, inside the caller's transaction. */
export interface FullTextWriter {
  createAccount(db: Db, accountKey: number): Promise<void>
  /** Undoes `createAccount`, with all rows. */
  dropAccount(db: Db, accountKey: number): Promise<void>
  add(db: Db, accountKey: number, rows: readonly FullTextRow[]): Promise<void>
  /** Removes the rows of these chunk ids, both ends included. */
  remove(db: Db, accountKey: number, first: number, last: number): Promise<void>
}

export interface FullTextRow {
  readonly chunkId: number
  readonly bodyTerms: string
  readonly metaTerms: string
  readonly sourceType: SourceType
  /** Milliseconds since the epoch. */
  readonly at: number | null
}

/** Keeps the index of vectors in step, inside the caller's transaction. */
export interface VectorWriter {
  /** Makes room for a space that is used for the first time, by any process. */
  prepare(db: Db, spaceKey: number, dimensions: number): Promise<void>
  add(db: Db, accountKey: number, spaceKey: number, rows: readonly VectorRow[]): Promise<void>
  /** Removes the vectors of these chunk ids in all spaces, both ends included. */
  remove(db: Db, accountKey: number, first: number, last: number): Promise<void>
  /** Takes over what was put into `chunk_vector` for these chunk ids, both ends included. */
  follow(db: Db, accountKey: number, first: number, last: number): Promise<void>
  /** Removes all that a space holds. `false`: not now, because others would have to wait for it; nothing has changed. */
  drop(db: Db, spaceKey: number): Promise<boolean>
}

export interface VectorRow {
  readonly chunkId: number
  /** `sourceCode` of the item's source type. */
  readonly source: number
  /** Milliseconds since the epoch. */
  readonly at: number | null
  /** Unit vector times 127; empty when the text has no direction. */
  readonly vector: Int8Array
}

/** What a write command runs with: an open transaction, the time of the call, and what may be remembered between calls. */
export interface WriteContext {
  readonly db: Db
  readonly engine: SqlEngine
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly memo: WriteMemo
}

/** Facts that stay true once committed. Forgotten whole when anything is rolled back. */
export interface WriteMemo {
  readonly spaceKeys: Map<string, number>
  readonly knownTerms: KnownTerms
  readonly turns: Turns
}

/** For fairness between accounts. Nothing is wrong when what is noted here never happened. */
interface Turns {
  /** Claims so far, and by account key the number of the last one that served it. */
  servings: number
  readonly servedAt: Map<number, number>
  /** The same for refinements. */
  readonly refinedAt: Map<number, number>
}

export function createTurns(): Turns {
  return { servings: 0, servedAt: new Map(), refinedAt: new Map() }
}

export function createMemo(turns: Turns): WriteMemo {
  return { spaceKeys: new Map(), knownTerms: new KnownTerms(), turns }
}

/** Where an engine finds chunks by words and by vectors; the rest of search reads rows by their ids. */
export interface CandidateSource {
  /** How many chunks of the account hold each term. Large numbers may be a tenth off. */
  termStatistics(accountKey: number, terms: readonly string[]): Promise<TermStatistics>
  /** See `SearchIndex.lexicalCandidates`. */
  lexical(query: LexicalQuery): Promise<Hit[]>
  /** See `SearchIndex.nearest`. */
  nearest(query: NearestQuery): Promise<Hit[]>
  /** See `SearchIndex.similarTerms`. */
  similarTerms(accountKey: number, term: string, limit: number): Promise<string[]>
}

export interface TermStatistics {
  /** Of the account. */
  readonly chunks: number
  /** In the bodies of all its chunks. */
  readonly bodyTerms: number
  /** Chunks of the account that hold each term. */
  readonly frequencies: ReadonlyMap<string, number>
}

interface CandidateQuery {
  readonly accountKey: number
  readonly sources: 'all' | readonly SourceType[]
  readonly limit: number
  /** Milliseconds since the epoch; `until` is exclusive. */
  readonly since: number | undefined
  readonly until: number | undefined
}

export interface LexicalQuery extends CandidateQuery {
  readonly terms: readonly WeightedTerm[]
}

export interface WeightedTerm {
  readonly term: string
  readonly weight: number
  readonly frequency: number
}

export interface NearestQuery extends CandidateQuery {
  readonly spaceId: string
  readonly vector: Float32Array
}

/** Why a database cannot be used of which some pages are not what it wrote. */
export const DAMAGED_PAGES = 'some of its pages are damaged'

/** Also of an error that came from the thread that writes. */
export function isDamagedDatabase(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'unavailable' && error.message.endsWith(DAMAGED_PAGES)
}
