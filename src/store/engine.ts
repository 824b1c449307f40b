import type { Expression, RawBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import { AppError } from '../domain/errors.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { InsertedRows } from './bulk-insert.ts'
import type { Database, Db, JobTurn } from './schema.ts'
import type { ChunksInMemory } from './search/chunks-in-memory.ts'
import type { ChunkRange, ChunkRow, Hit } from './search/search.ts'
import { KnownTerms } from './search/vocabulary.ts'

/** The differences between the engines. Everything else in this folder runs on both. */
export interface SqlEngine {
  /** `value` is one of `ids`, bound as one parameter, so that the statement is prepared once. */
  isOneOf(value: Expression<unknown>, ids: readonly number[] | readonly string[]): RawBuilder<SqlBool>
  /** `isOneOf` for a statement that is compiled before its ids are known: `list` is a slot for a `numberList`. */
  isInList(value: Expression<unknown>, list: unknown): RawBuilder<SqlBool>
  numberList(ids: readonly number[]): unknown
  /** Whether conditions on row numbers include the account, so that tables can be partitioned by it. */
  readonly carriesAccount: boolean
  /** Where tables can be split by account: rows of `table` are of `account`, a number or a column. */
  isOfAccount(table: string, account: RawBuilder<unknown> | number): RawBuilder<SqlBool>
  /** Whether accounts lie on several servers. Then a statement about items names one account, as a number. */
  readonly isDistributed: boolean
  /** Whether the items of an account, a column, can be read: not while their server is down. */
  isReachable(account: RawBuilder<unknown>): RawBuilder<SqlBool>
  /** Maximum chunks that one commit inserts, with one statement per table. */
  readonly mostNewChunks: number
  /** Runs steps that don't need each other's results, in this order and, where the engine can, in one round trip. */
  together<Results extends readonly unknown[]>(
    ...steps: { readonly [Step in keyof Results]: () => Promise<Results[Step]> }
  ): Promise<Results>
  insertRows<Table extends keyof Database & string>(db: Db, rows: InsertedRows<Table>): Promise<void>
  /**
   * With several writers: locks the accounts until the commit, except for commands without locks (`postgres/write-locks.ts`).
   * Waits only shortly when there are several.
   * @throws AccountsLocked when another writer held one of several for longer
   */
  lockAccounts(db: Db, accountIds: readonly string[]): Promise<void>
  /** Checks that the database is writable. */
  probe(db: Db): Promise<void>
  /** Runs `work` so that what it deletes is overwritten in the file, where the engine can. */
  secureDelete(db: Db, work: () => Promise<unknown>): Promise<void>
  /** Allocates `count` consecutive unused numbers and returns the first. */
  takeNumbers(db: Db, name: 'chunk' | 'commit', count: number): Promise<number>
  /** The last number that this transaction took with `takeNumbers(db, 'commit', …)`, in a statement. */
  readonly lastCommitNumber: RawBuilder<number>
  /** Number up to which every chunk is committed or never will be. Do not call inside a transaction. */
  settledChunks(db: Db): Promise<number>
  /** With several writers: locks the rows until the commit and skips locked ones. */
  skipLocked<Table extends keyof Database, Row>(
    query: SelectQueryBuilder<Database, Table, Row>,
  ): SelectQueryBuilder<Database, Table, Row>
  /** Remaining rows of a deleted account in the engine's own tables, by table. */
  rowsOfAccount(db: Db, accountKey: number): Promise<Record<string, number>>
  readonly fullText: FullTextWriter
  readonly vectors: VectorWriter
}

/** Another writer holds one of several accounts, which must not hold up the others. */
export class AccountsLocked extends Error {
  constructor(options?: ErrorOptions) {
    super('Another process holds one of the accounts', options)
    this.name = 'AccountsLocked'
  }
}

/** Updates the full-text index of one account inside the caller's transaction. */
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

/** Updates the vector index inside the caller's transaction. */
export interface VectorWriter {
  /** Prepares a space before its first use by any process. */
  prepare(db: Db, spaceKey: number, dimensions: number): Promise<void>
  add(db: Db, accountKey: number, spaceKey: number, rows: readonly VectorRow[]): Promise<void>
  /** Removes the vectors of these chunk ids in all spaces, both ends included. */
  remove(db: Db, accountKey: number, first: number, last: number): Promise<void>
  /** Indexes the rows of `chunk_vector` for these chunk ids, both ends included. */
  follow(db: Db, accountKey: number, first: number, last: number): Promise<void>
  /** Removes a space. `false`: nothing was removed, because others would have to wait. */
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

/** The context of a write command: an open transaction, the time of the call, and a cache. */
export interface WriteContext {
  readonly db: Db
  readonly engine: SqlEngine
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly memo: WriteMemo
}

/** A cache of facts that stay true once committed. Cleared by any rollback. */
export interface WriteMemo {
  readonly spaceKeys: Map<string, number>
  readonly knownTerms: KnownTerms
  readonly turns: Turns
}

/** Fairness between accounts. Harmless if a noted claim was rolled back. */
interface Turns {
  /** Claims so far. */
  servings: number
  /** The account that was served last, by turn. */
  readonly lastServed: Map<JobTurn, number>
  /** Accounts that used a thread for long, by key: they come after others until there were so many claims. */
  readonly chargedUntil: Map<number, number>
  /** The account whose item was claimed last for a language model. */
  lastRefined: number | undefined
}

export function createTurns(): Turns {
  return { servings: 0, lastServed: new Map(), chargedUntil: new Map(), lastRefined: undefined }
}

export function createMemo(turns: Turns): WriteMemo {
  return { spaceKeys: new Map(), knownTerms: new KnownTerms(), turns }
}

/** Finds chunks by words and vectors; the rest of search reads rows by their ids. */
export interface CandidateSource {
  /** How many chunks of the account contain each term. Large numbers may be off by 10%. */
  termStatistics(accountKey: number, terms: readonly string[]): Promise<TermStatistics>
  /** See `SearchIndex.lexicalCandidates`. */
  lexical(query: LexicalQuery): Promise<Hit[]>
  /** See `SearchIndex.nearest`. @param shown for an engine that has no exact vectors of its own */
  nearest(query: NearestQuery, shown: ReadShown): Promise<Hit[]>
  /** See `SearchIndex.similarTerms`. */
  similarTerms(accountKey: number, term: string, limit: number): Promise<string[]>
  /** See `SearchIndex.compoundsOf`. */
  compoundsOf(accountKey: number, term: string, limit: number): Promise<string[]>
  /** The chunks of the account as of the latest commit, where this process has all of them in memory. */
  chunksInMemory?(accountKey: number): Promise<ChunksInMemory | undefined>
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
  /** See `SearchFilter.within`. */
  readonly within?: readonly ChunkRange[] | undefined
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

/** Those of the chunks that the scope may see. */
export type ReadShown = (chunkIds: readonly number[]) => Promise<readonly ChunkRow[]>

/** The reason when pages of the database are damaged. */
export const DAMAGED_PAGES = 'some of its pages are damaged'

/** Also works for errors from the writer thread. */
export function isDamagedDatabase(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'unavailable' && error.message.endsWith(DAMAGED_PAGES)
}
