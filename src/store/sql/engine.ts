import type { Expression, Kysely, RawBuilder, SqlBool } from 'kysely'
import type { SourceType } from '../../domain/source-type.ts'
import type { Database } from './schema.ts'

/** What differs between the engines. Everything else in this folder runs on both. */
export interface SqlEngine {
  /** `value` is one of `ids`, bound as one parameter, so that the statement is prepared once. */
  isOneOf(value: Expression<unknown>, ids: readonly number[] | readonly string[]): RawBuilder<SqlBool>
  /** Runs `work` so that what it deletes is overwritten in the file, where the engine can. */
  erasing(db: Kysely<Database>, work: () => Promise<void>): Promise<void>
  readonly fullText: FullTextWriter
}

/** Keeps the full-text index of one account in step, inside the caller's transaction. */
export interface FullTextWriter {
  createAccount(db: Kysely<Database>, accountKey: number): Promise<void>
  add(db: Kysely<Database>, accountKey: number, rows: readonly FullTextRow[]): Promise<void>
  /** Removes the rows of these chunk ids, both ends included. */
  remove(db: Kysely<Database>, accountKey: number, first: number, last: number): Promise<void>
}

export interface FullTextRow {
  readonly chunkId: number
  readonly bodyTerms: string
  readonly metaTerms: string
  readonly sourceType: SourceType
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
  readonly accountKeys: Map<string, number>
  readonly spaceKeys: Map<string, number>
  readonly knownTerms: Map<number, Set<string>>
  /** For fairness: claims so far, and by account key the number of the last one that served it. */
  servings: number
  readonly servedAt: Map<number, number>
  /** The same for refinements. */
  readonly refinedAt: Map<number, number>
}

export function createMemo(): WriteMemo {
  return {
    accountKeys: new Map(),
    spaceKeys: new Map(),
    knownTerms: new Map(),
    servings: 0,
    servedAt: new Map(),
    refinedAt: new Map(),
  }
}
