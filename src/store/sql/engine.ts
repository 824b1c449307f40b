import type { Expression, Kysely, RawBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import type { SourceType } from '../../domain/source-type.ts'
import { KnownTerms } from './known-terms.ts'
import type { Database } from './schema.ts'

/** What differs between the engines. Everything else in this folder runs on both. */
export interface SqlEngine {
  /** `value` is one of `ids`, bound as one parameter, so that the statement is prepared once. */
  isOneOf(value: Expression<unknown>, ids: readonly number[] | readonly string[]): RawBuilder<SqlBool>
  /** Rows that are reached by their number alone carry the account too, so that tables can be split by it. */
  readonly carriesAccount: boolean
  /** Of chunks that one commit inserts, with one statement for each table. */
  readonly mostNewChunks: number
  /** Where several may write: until the commit nobody else writes to the account, unless under no lock (`intent-locks.ts`). */
  lockAccount(db: Kysely<Database>, accountId: string): Promise<void>
  /** Proves that the database can be written. */
  probe(db: Kysely<Database>): Promise<void>
  /** Runs `work` so that what it deletes is overwritten in the file, where the engine can. */
  secureDelete(db: Kysely<Database>, work: () => Promise<void>): Promise<void>
  /** Takes `count` consecutive numbers that were never given out, and returns the first. */
  takeNumbers(db: Kysely<Database>, name: 'chunk' | 'commit', count: number): Promise<number>
  /** Number up to which every chunk is committed or never will be. Not for inside of a transaction. */
  settledChunks(db: Kysely<Database>): Promise<number>
  /** Where several may write: the rows that are read are held until the commit, and those that others hold are passed. */
  skipLocked<Table extends keyof Database, Row>(
    query: SelectQueryBuilder<Database, Table, Row>,
  ): SelectQueryBuilder<Database, Table, Row>
  /** Rows of an account in tables of the engine's own, by table: what is left after its deletion. */
  rowsOfAccount(db: Kysely<Database>, accountKey: number): Promise<Record<string, number>>
  readonly fullText: FullTextWriter
  readonly vectors: VectorWriter
}

/** Keeps the full-text index of one account in step, inside the caller's transaction. */
export interface FullTextWriter {
  createAccount(db: Kysely<Database>, accountKey: number): Promise<void>
  /** Undoes `createAccount`, with all rows. */
  dropAccount(db: Kysely<Database>, accountKey: number): Promise<void>
  add(db: Kysely<Database>, accountKey: number, rows: readonly FullTextRow[]): Promise<void>
  /** Removes the rows of these chunk ids, both ends included. */
  remove(db: Kysely<Database>, accountKey: number, first: number, last: number): Promise<void>
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
  prepare(db: Kysely<Database>, spaceKey: number, dimensions: number): Promise<void>
  add(db: Kysely<Database>, accountKey: number, spaceKey: number, rows: readonly VectorRow[]): Promise<void>
  /** Removes the vectors of these chunk ids in all spaces, both ends included. */
  remove(db: Kysely<Database>, accountKey: number, first: number, last: number): Promise<void>
  /** Takes over what was put into `chunk_vector` for these chunk ids, both ends included. */
  follow(db: Kysely<Database>, accountKey: number, first: number, last: number): Promise<void>
  /** Removes all that a space holds. `false`: not now, because others would have to wait for it; nothing has changed. */
  drop(db: Kysely<Database>, spaceKey: number): Promise<boolean>
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

/** What an intent runs with: an open transaction, the time of the call, and what may be remembered between calls. */
export interface WriteContext {
  readonly db: Kysely<Database>
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
export interface Turns {
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
