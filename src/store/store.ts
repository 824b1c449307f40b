import type { Scope } from '../domain/scope.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { ReleaseWhile } from '../lib/semaphore.ts'
import type { Admin } from './accounts/accounts.ts'
import type { ActivityLog, ScopedActivity } from './activity/activity.ts'
import type { Bodies, RestorableBodies } from './bodies/bodies.ts'
import type { AccountDeletions } from './deletions/deletions.ts'
import type { MemoryEdits } from './edits/edits.ts'
import type { GoldenQuestions } from './golden/golden.ts'
import type { GrantStore } from './grants/grants.ts'
import type { Holdings, ItemRow, NewItem, PutOutcome } from './items/items.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Library, ListedItem } from './library/library.ts'
import type { People } from './people/people.ts'
import type { Queue } from './queue/queue.ts'
import type { Refinements, ScopedRefinements } from './refinements/refinements.ts'
import type { SearchIndex } from './search/search.ts'
import type { Spaces } from './spaces/spaces.ts'

/**
 * Where everything lives. Each method that writes is one write command and one commit: it happens whole or not at all, and is
 * durable when its promise resolves. What belongs to an account is reached through `scoped`, which binds account and
 * sources once, so that no method takes an account to get wrong.
 */
export interface Store extends StoreIntegrity {
  readonly capabilities: StoreCapabilities
  scoped(scope: Scope): ScopedStore
  readonly queue: Queue
  /** Of all accounts, for the worker that has the language model. */
  readonly refinements: Refinements
  readonly admin: Admin
  readonly activity: ActivityLog
  readonly deletions: AccountDeletions
  readonly bodies: Bodies
  readonly dailyTasks: DailyTasks
  /** What synchronization knows of one memory: `account:<id>` of this store, or `remote:<...>` of a server elsewhere. */
  ledger(memoryId: string): Ledger
  /** Access that was granted to the sources of one memory, named as for its ledger. */
  grants(memoryId: string): GrantStore
  /** Who may sign in to the app. */
  readonly people: People
  /** Embedding spaces of plugged-in models, of all accounts. */
  readonly spaces: Spaces
  /** Calls back when work may be waiting: an upload was committed here. Returns a function that stops the calls. */
  onWork(listener: () => void): () => void
  /**
   * Calls back with the account whenever items of it came, went or changed their status or memories through this store,
   * so possibly many times a second; with `undefined` when it may have been any account, because others were not heard for
   * a while. Returns a function that stops the calls.
   */
  onItems(listener: (accountId: string | undefined) => void): () => void
  /**
   * Differs from an earlier one when anything was committed in between, by any process; asking costs next to nothing.
   *
   * @throws AppError `unavailable`
   */
  changeMark(): Promise<string>
  /** Rejects with `unavailable` when the store cannot be read and written. */
  check(): Promise<void>
  /** Of this process; reads nothing. */
  engineStats(): EngineStats
  /** A consistent copy of everything in one file, taken while others read and write. */
  backup(file: string): Promise<void>
  close(): Promise<void>
}

export interface StoreCapabilities {
  readonly engine: 'sqlite' | 'postgres'
  /** Several processes may have the same role at a time, also on other machines: nobody can know that it is alone. */
  readonly manyPerRole: boolean
}

export interface ScopedStore extends RestorableBodies {
  readonly scope: Scope
  /** Body, item and job in one commit. Large bodies may be sent to object storage before it, in `releaseWhile`. */
  putItem(item: NewItem, releaseWhile?: ReleaseWhile): Promise<PutOutcome>
  listItems(query: {
    sourceType: SourceType
    limit: number
    offset: number
  }): Promise<{ items: ItemRow[]; total: number }>
  /** Without a source type: the newest match among the sources of the scope. */
  findItem(ref: { itemId: string; sourceType?: SourceType }): Promise<ItemRow | undefined>
  /** @throws AppError `unavailable`, or `damaged` when the object storage lost or changed the bytes */
  readBody(ref: { itemId: string; sourceType: SourceType }): Promise<Uint8Array | undefined>
  /** Removes body, memories, chunks and job; a worker that holds the item finds its claim void. `undefined`: absent. */
  deleteItem(ref: { itemId: string; sourceType: SourceType }): Promise<{ deletedMemories: number } | undefined>
  /** The same, with the reason in the ledger; not for an item that was uploaded again since it was listed, waits, or is being uploaded. */
  forgetItem(listed: ListedItem, reason: string): Promise<{ deletedMemories: number } | undefined>
  /** Queues failed items and refinements that were given up again, all of the scope or one. Returns how many. */
  requeueFailed(ref?: { itemId: string; sourceType: SourceType }): Promise<number>
  holdings(): Promise<Holdings>
  readonly index: SearchIndex
  readonly golden: GoldenQuestions
  readonly edits: MemoryEdits
  readonly library: Library
  readonly activity: ScopedActivity
  readonly refinements: ScopedRefinements
}

/** Whether a store is the expected one, and sound. */
interface StoreIntegrity {
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

/** What one process of several does, now and then. A holder that died loses its lease to the next one. */
export interface DailyTasks {
  /** Whether it is due and nobody else does it; then it is the holder's for `leaseMs`. Asked again by its holder, it extends. */
  claim(task: TaskClaim): Promise<boolean>
  /** It was done, by its holder. */
  done(name: string, holder: string): Promise<void>
  /** Given back undone, by its holder. */
  release(name: string, holder: string): Promise<void>
  /** `undefined`: never. */
  lastDone(name: string): Promise<Date | undefined>
}

export interface TaskClaim {
  readonly name: string
  readonly holder: string
  readonly leaseMs: number
  /** Due so long after it was done last. */
  readonly everyMs: number
}
