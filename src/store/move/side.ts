import type { Kysely } from 'kysely'
import type { SqlEngine } from '../sql/engine.ts'
import type { Database } from '../sql/schema.ts'

/** The last number given out, by the name of a counter or of a table whose rows are numbered; 0 before the first. */
export type LastNumbers = Readonly<Record<string, number>>

/** A database as it is moved from or to: one connection, which nobody else writes through. */
export interface Side {
  readonly db: Kysely<Database>
  readonly engine: SqlEngine
  /** Of a table, in no order. */
  columns(table: string): Promise<readonly string[]>
  hasTable(name: string): Promise<boolean>
  /** All of it is durable when this resolves, or nothing happened. Not for sources. */
  commit(work: () => Promise<void>): Promise<void>
  /** @param tables whose rows have numbers that are not given out twice */
  lastNumbers(tables: readonly string[]): Promise<LastNumbers>
  /** Numbers that are given out from now on are larger than these, and than those of the rows that are there. */
  continueAfter(numbers: LastNumbers): Promise<void>
  /** Makes room for the vectors of a space, inside of a commit: their index waits for `endVectors`. */
  beginVectors(spaceKey: number, dimensions: number): Promise<void>
  /** Inside of a commit, when all vectors have arrived. */
  endVectors(): Promise<void>
  /** Rows of the indexes that belong to chunks; of vectors where they are indexed by the database. */
  indexed(): Promise<{ readonly chunks: number; readonly vectors: number | undefined }>
  close(): Promise<void>
}
