import type { Scope } from '../domain/scope.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { ReleaseWhile } from '../lib/semaphore.ts'
import type { Admin } from './accounts/accounts.ts'
import type { ActivityLog, ScopedActivity } from './activity/activity.ts'
import type { Authorizations } from './authorizations/authorizations.ts'
import type { Bodies, RestorableBodies } from './bodies/bodies.ts'
import type { AccountDeletions } from './deletions/deletions.ts'
import type { MemoryEdits } from './edits/edits.ts'
import type { GoldenQuestions } from './golden/golden.ts'
import type { GrantStore } from './grants/grants.ts'
import type { Holdings, ItemRow, ListedItems, NewItem, PutOutcome } from './items/items.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Library, ListedItem } from './library/library.ts'
import type { NameDecisions } from './names/names.ts'
import type { People } from './people/people.ts'
import type { Queue } from './queue/queue.ts'
import type { Refinements, ScopedRefinements } from './refinements/refinements.ts'
import type { SearchIndex } from './search/search.ts'
import type { Spaces } from './spaces/spaces.ts'
import type { ItemTags } from './tags/tags.ts'

/**
 * The storage of everything. Each method that writes is one write command and one commit: it happens completely or not
 * at all, and is durable when its promise resolves. Data of an account is accessed through `scoped`, which binds
 * account and sources, so no other method takes an account.
 */
export interface Store extends StoreIntegrity {
  readonly capabilities: StoreCapabilities
  scoped(scope: Scope): ScopedStore
  readonly queue: Queue
  /** For all accounts; used by the worker with the language model. */
  readonly refinements: Refinements
  readonly admin: Admin
  readonly activity: ActivityLog
  readonly deletions: AccountDeletions
  readonly bodies: Bodies
  readonly dailyTasks: DailyTasks
  /** The ledger of one memory: `account:<id>` of this store, or `remote:<...>` of another server. */
  ledger(memoryId: string): Ledger
  /** Grants for the sources of one memory, named as for its ledger. */
  grants(memoryId: string): GrantStore
  /** Agents that people connected by OAuth. */
  readonly authorizations: Authorizations
  /** People who can sign in to the app. */
  readonly people: People
  /** Embedding spaces of configured models, for all accounts. */
  readonly spaces: Spaces
  /**
   * Calls back when work may be waiting because an upload was committed here. Returns a function that stops the calls.
   */
  onWork(listener: () => void): () => void
  /**
   * Calls back with the account whenever its items are added, deleted or change their status or memories through this
   * store, possibly many times a second; with `undefined` when any account may have changed, because notifications were
   * missed. Returns a function that stops the calls.
   */
  onItems(listener: (accountId: string | undefined) => void): () => void
  /**
   * Changes with every commit of any process; cheap to read.
   * @throws AppError `unavailable`
   */
  changeMark(): Promise<string>
  /** Rejects with `unavailable` when the store cannot be read and written. */
  check(): Promise<void>
  /** Of this process; no query. */
  engineStats(): EngineStats
  /** A consistent copy of everything in one file, made while others read and write. */
  backup(file: string): Promise<void>
  close(): Promise<void>
}

export interface StoreCapabilities {
  readonly engine: 'sqlite' | 'postgres'
  /** Several processes may have the same role at a time, also on other machines. */
  readonly manyPerRole: boolean
}

export interface ScopedStore extends RestorableBodies {
  readonly scope: Scope
  /** Body, item and job in one commit. Large bodies may be sent to object storage before it, in `releaseWhile`. */
  putItem(item: NewItem, releaseWhile?: ReleaseWhile): Promise<PutOutcome>
  listItems(query: ListedItems): Promise<{ items: ItemRow[]; total: number }>
  /** Without a source type: the newest match among the sources of the scope. */
  findItem(ref: { itemId: string; sourceType?: SourceType }): Promise<ItemRow | undefined>
  /** @throws AppError `unavailable`, or `damaged` when the object storage lost or changed the bytes */
  readBody(ref: { itemId: string; sourceType: SourceType }): Promise<Uint8Array | undefined>
  /**
   * Removes body, memories, chunks and job; a worker's claim of the item becomes void. `undefined`: it did not exist.
   */
  deleteItem(ref: { itemId: string; sourceType: SourceType }): Promise<{ deletedMemories: number } | undefined>
  /**
   * The same, with the reason in the ledger; skips an item that was uploaded again since it was listed, is waiting, or
   * is being uploaded.
   */
  forgetItem(listed: ListedItem, reason: string): Promise<{ deletedMemories: number } | undefined>
  /** Queues failed items and refinements again, all of the scope or one. Returns how many. */
  requeueFailed(ref?: { itemId: string; sourceType: SourceType }): Promise<number>
  holdings(): Promise<Holdings>
  readonly index: SearchIndex
  readonly golden: GoldenQuestions
  readonly edits: MemoryEdits
  readonly tags: ItemTags
  readonly names: NameDecisions
  readonly library: Library
  readonly activity: ScopedActivity
  readonly refinements: ScopedRefinements
}

/** Whether a store is the expected one, and sound. */
interface StoreIntegrity {
  /** Identifies this database, wherever it is moved, copied or restored. */
  identity(): Promise<string>
  /**
   * Checks the database on a separate thread: problems of its pages, in sentences. Empty for a server, which checks
   * itself.
   */
  pageProblems(): Promise<readonly string[]>
}

/** What the engine keeps in this process; absent where it keeps nothing. */
export interface EngineStats {
  /** In memory, derived from the tables. */
  readonly vectors?: { readonly count: number; readonly bytes: number }
  /** Connections to a database server: in use, idle, and callers waiting for one. */
  readonly connections?: { readonly inUse: number; readonly idle: number; readonly waiting: number }
  /** The replica for recall. `lagMs` is absent until it has shown that it follows the main server. */
  readonly replica?: { readonly lagMs: number | undefined; readonly isUsed: boolean }
}

/** A task that one of several processes runs regularly. When its holder dies, the lease passes to the next one. */
export interface DailyTasks {
  /** Acquires the lease if the task is due and free; called again by its holder, it extends it. */
  claim(task: TaskClaim): Promise<boolean>
  /** The holder has completed the task. */
  done(name: string, holder: string): Promise<void>
  /** The holder gives it up without completing it. */
  release(name: string, holder: string): Promise<void>
  /** `undefined`: never. */
  lastDone(name: string): Promise<Date | undefined>
}

export interface TaskClaim {
  readonly name: string
  readonly holder: string
  readonly leaseMs: number
  /** Due this long after it was last completed. */
  readonly everyMs: number
}
