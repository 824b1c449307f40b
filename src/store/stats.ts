import type { PauseReason } from './refinements.ts'

/** What a store holds and what waits in it, over all accounts, for whoever runs it. */
export interface StoreStats {
  readonly accounts: number
  readonly items: number
  /** Items whose processing is still to come or under way; not those that are only made again. */
  readonly pending: number
  /** Items whose processing has failed for good. */
  readonly failed: number
  readonly bytes: number
  readonly memories: number
  readonly chunks: number
  /** Objects of deleted and replaced uploads that are still to be removed from the storage of objects. */
  readonly garbage: number
  /** Uploads, items made again in the background, and items for the language model. */
  readonly turns: Readonly<Record<'uploads' | 'background' | 'refinements', QueueStats>>
  /** Pauses of the language model that are in force. */
  readonly pauses: Readonly<Record<PauseReason, number>>
}

export interface QueueStats {
  /** Those that nobody has taken, also when their time has not come. */
  readonly waiting: number
  readonly oldestAt: Date | undefined
}

/** Whether a store is the expected one, and sound. */
export interface StoreIntegrity {
  /** Tells this database from every other one, wherever it is moved, copied or restored. */
  identity(): Promise<string>
  /**
   * Reads the database through on a thread of its own: sentences about what is wrong with its pages. None where a server
   * looks after them itself.
   */
  pageProblems(): Promise<readonly string[]>
}

/** What the engine holds in this process; what an engine has not is absent. */
export interface EngineStats {
  /** Derived from the tables, in memory. */
  readonly vectors?: { readonly count: number; readonly bytes: number }
  /** To a database server: those that work, those that are free, and callers that wait for one. */
  readonly connections?: { readonly inUse: number; readonly idle: number; readonly waiting: number }
}
