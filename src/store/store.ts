import type { ClaimRequest, Lane } from '../domain/claim-request.ts'
import type { IndexedItem } from '../domain/document.ts'
import type { ErrorCode } from '../domain/errors.ts'
import type { ItemStatus } from '../domain/memory.ts'
import type { MemoryContent } from '../domain/memory-content.ts'
import type { Scope } from '../domain/scope.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { ReleaseWhile } from '../lib/semaphore.ts'
import type { ActivityLog, ScopedActivity } from './activity.ts'
import type { Bodies, RestorableBodies } from './bodies.ts'
import type { DailyTasks } from './daily-tasks.ts'
import type { AccountDeletions } from './deletions.ts'
import type { GoldenQuestions } from './golden.ts'
import type { GrantStore } from './grants.ts'
import type { Ledger } from './ledger.ts'
import type { Library, ListedItem } from './library.ts'
import type { People } from './people.ts'
import type { Refinements, ScopedRefinements } from './refinements.ts'
import type { Spaces } from './spaces.ts'
import type { EngineStats, StoreIntegrity, StoreStats } from './stats.ts'

/**
 * Where everything lives. Each method that writes is one intent and one commit: it happens whole or not at all, and is
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
  /** @throws AppError `unavailable`, or `damaged` when the storage of objects lost or changed the bytes */
  readBody(ref: { itemId: string; sourceType: SourceType }): Promise<Uint8Array | undefined>
  /** Removes body, memories, chunks and job; a worker that holds the item finds its claim void. `undefined`: absent. */
  deleteItem(ref: { itemId: string; sourceType: SourceType }): Promise<{ deletedMemories: number } | undefined>
  /** The same, and the ledger says why; not of one that came anew since it was listed, waits, or is brought right now. */
  forgetItem(listed: ListedItem, reason: string): Promise<{ deletedMemories: number } | undefined>
  /** Queues failed items and refinements that were given up again, all of the scope or one. Returns how many. */
  requeueFailed(ref?: { itemId: string; sourceType: SourceType }): Promise<number>
  holdings(): Promise<Holdings>
  readonly index: SearchIndex
  readonly golden: GoldenQuestions
  readonly library: Library
  readonly activity: ScopedActivity
  readonly refinements: ScopedRefinements
}

/** Of the whole account, whatever the sources of the scope: quotas and limits are the account's. */
export interface Holdings {
  readonly items: number
  readonly bytes: number
  readonly memories: number
  /** Items whose processing is still to come; not those that are only made again in the background. */
  readonly waiting: number
  /** Items whose last processing failed. */
  readonly failed: number
}

export interface NewItem {
  readonly itemId: string
  readonly sourceType: SourceType
  readonly userId: string
  readonly userName: string
  readonly fileName: string
  readonly contentType: string
  readonly body: Uint8Array
  /** SHA-256 of the body, lowercase hexadecimal. */
  readonly bodyHash: string
  /** `workflow_execution` of this upload. */
  readonly executionId: string
  readonly onConflict: 'reject' | 'replace'
  /** Of one that is brought from elsewhere: when it came there, first and with these bytes. Else it comes now. */
  readonly came?: { readonly createdAt: Date; readonly uploadedAt: Date }
}

export type PutOutcome =
  | { readonly outcome: 'created' | 'replaced' | 'unchanged'; readonly executionId: string }
  /** The triple exists (`ready`, `failed`) or is being processed (`queued`, `processing`). */
  | { readonly outcome: 'conflict'; readonly status: ItemStatus }

export interface ItemRow {
  readonly itemId: string
  readonly sourceType: SourceType
  readonly fileName: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly status: ItemStatus
  readonly memoryCount: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly error: string | undefined
}

/* ------------------------------------------------------------------ search */

/** Restricts candidates; the scope's account and sources always apply on top. */
export interface SearchFilter {
  readonly source?: SourceType
  /** Inclusive lower, exclusive upper bound on the time of what is told; chunks without a time are left out. */
  readonly since?: Date
  readonly until?: Date
}

export interface Hit {
  readonly chunkId: number
  readonly score: number
}

/** What retrieval needs of a store: statistics, candidates, and the rows behind them. Reads only. */
export interface SearchIndex {
  /** Chunks in the account and, for each term, how many of them hold it (body or meta). */
  termStatistics(
    terms: readonly string[],
  ): Promise<{ chunks: number; averageBodyLength: number; frequencies: ReadonlyMap<string, number> }>
  /**
   * Chunks that hold at least one of the terms, best first by an approximate score (sum of the weights of the terms
   * present); a candidate source, not the ranking. Bounded work: very common terms only separate what rarer ones found.
   */
  lexicalCandidates(
    query: { terms: readonly { term: string; weight: number; frequency: number }[]; limit: number } & SearchFilter,
  ): Promise<Hit[]>
  /** Chunks nearest by cosine in one embedding space; `score` is the cosine. */
  nearest(query: { spaceId: string; vector: Float32Array; limit: number } & SearchFilter): Promise<Hit[]>
  /** Indexed terms spelt like an unknown one, closest first; for misspelt names. */
  similarTerms(term: string, limit: number): Promise<string[]>
  /**
   * Features of these chunks and of their neighbours up to `radius` places before and after within the same item, with
   * their vectors in this space; in that of the built-in model when absent. `known`, which an earlier call returned, are
   * not read again and not returned.
   */
  chunks(ids: readonly number[], radius: number, spaceId?: string, known?: readonly ChunkRow[]): Promise<ChunkRow[]>
  /** What is shown of chunks, by chunk id. */
  passages(ids: readonly number[]): Promise<ReadonlyMap<number, PassageRow>>
  /** Memories made from any of these chunks. */
  memoriesOf(chunkIds: readonly number[]): Promise<MemoryRow[]>
  /** Question-answer pairs whose answer lies in one of these chunks. */
  qasOf(chunkIds: readonly number[]): Promise<QaRow[]>
}

/** Everything ranking needs of a chunk without its text. */
export interface ChunkRow {
  readonly chunkId: number
  /** Internal key of the item: equal for chunks of one item. */
  readonly itemKey: number
  readonly itemId: string
  readonly sourceType: SourceType
  readonly ordinal: number
  readonly kind: 'turn' | 'prose'
  /** Milliseconds since the epoch. */
  readonly at: number | undefined
  readonly bodyHashes: Uint32Array
  readonly metaHashes: Uint32Array
  readonly tokens: Uint16Array
  /** Unit vector times 127, rounded; empty when its space is not the asked-for one or the text had no known token. */
  readonly vector: Int8Array
  readonly spaceId: string
}

/** What is shown of a chunk, and what is known of its item. */
export interface PassageRow {
  readonly text: string
  /** Of a turn, as the source names them. */
  readonly speaker: string | undefined
  readonly title: string | undefined
  readonly url: string | undefined
}

export interface MemoryRow {
  readonly itemKey: number
  readonly itemId: string
  readonly sourceType: SourceType
  readonly index: number
  readonly content: MemoryContent
  readonly firstChunkId: number
  readonly lastChunkId: number
  readonly at: number | undefined
  /** Of the item. */
  readonly url: string | undefined
}

export interface QaRow {
  readonly itemId: string
  readonly sourceType: SourceType
  readonly question: string
  readonly answer: string
  readonly chunkId: number
}

/* ------------------------------------------------------------------- queue */

/** The worker's side. Claims are leases: a worker that dies loses them to the next one. */
export interface Queue {
  /** Oldest first. Counts the attempt, so that an item that kills its worker fails for good in the end. */
  claim(request: ClaimRequest): Promise<Claim[]>
  extend(claims: readonly Claim[], leaseMs: number): Promise<void>
  /** Swaps the item's memories and chunks for these in one commit. `superseded`: deleted, replaced or lease lost. */
  complete(claim: Claim, item: IndexedItem, rest?: ItemParts): Promise<'stored' | 'superseded'>
  /**
   * With `retryAt` the item waits for its next attempt; without, it is `failed` and keeps its bytes and its error. What was
   * `unavailable` counts no attempt, also when the lease is over meanwhile.
   */
  fail(claim: Claim, failure: { code: ErrorCode; message: string; retryAt?: Date }): Promise<void>
  /** Gives claims back untouched, as when shutting down, or moves them to the slow lane; the attempt is not counted. */
  release(claims: readonly Claim[], lane?: 'slow'): Promise<void>
  /** Accounts that used a thread for long come after the others for as long. */
  charge(accountId: string, ms: number): Promise<void>
  /**
   * Ends every lease, so that what a killed worker held is claimed at once; its attempts stay counted. Only for a worker
   * that knows that there is no other. Returns how many.
   */
  endLeases(): Promise<number>
  /** Queues items again whose `pipelineVersion` differs, in the background after all uploads. Returns how many. */
  requeueOutdated(pipelineVersion: string): Promise<number>
  depth(): Promise<{ waiting: number; oldestAt: Date | undefined; nextAt: Date | undefined }>
  /** When the next item of this lane can be claimed, or the lease of one ends. */
  nextAt(lane: Lane): Promise<Date | undefined>
}

/**
 * The chunks of an item too large to be held or handed over whole, in order; the item itself then comes without chunks,
 * memories and pairs. Nothing of it is seen before the last part is stored. The parts are read once, one at a time.
 */
export interface ItemParts {
  /** Chunks in all parts together. */
  readonly chunkCount: number
  readonly parts: AsyncIterable<ItemPart>
}

/** Consecutive chunks, with the memories that begin in them and the pairs whose answers lie in them. */
export type ItemPart = Pick<IndexedItem, 'chunks' | 'memories' | 'qas'>

export interface Claim {
  readonly jobId: number
  readonly leaseToken: string
  /** 1 on the first attempt. */
  readonly attempt: number
  readonly accountId: string
  readonly itemId: string
  readonly sourceType: SourceType
  readonly fileName: string
  readonly contentType: string
  readonly userName: string
  readonly timeZone: string
  readonly uploadedAt: Date
  readonly body: Uint8Array
}

/* ------------------------------------------------------------------- admin */

export interface Admin {
  /** Account, its user and its default key in one commit. */
  createAccount(account: NewAccount): Promise<void>
  /** The same while there is no account at all: of processes that start together one makes it. `false`: there is one. */
  createFirstAccount(account: NewAccount): Promise<boolean>
  listAccounts(): Promise<AccountRow[]>
  findAccount(accountId: string): Promise<AccountRow | undefined>
  updateBilling(accountId: string, billing: { plan: string; status: BillingStatus }): Promise<void>
  /** What is absent stays as it is. */
  updateAccount(accountId: string, change: { readonly name?: string; readonly timeZone?: string }): Promise<void>
  listKeys(accountId: string): Promise<KeyRow[]>
  /** Refused inside the commit when the account has `limit` keys already: two racing calls make no sixth key. */
  createKey(key: NewKey, limit: number): Promise<'created' | 'limit_reached' | 'name_taken'>
  /** The old value stops working with this commit. */
  replaceKeyHash(accountId: string, keyId: string, hash: Uint8Array): Promise<boolean>
  deleteKey(accountId: string, keyId: string): Promise<'deleted' | 'absent' | 'default_key'>
  /** What every request begins with: one indexed read by the SHA-256 of the presented key. */
  findKey(hash: Uint8Array): Promise<{ key: KeyRow; account: AccountRow; user: UserRow } | undefined>
  /** Adds counts gathered in memory; never on the path of a read. */
  addUsage(counts: readonly UsageCount[]): Promise<void>
  /** Adds requests that this process let through to those of others; returns their sum, and until when it counts. */
  countRequests(counted: CountedRequests): Promise<{ readonly count: number; readonly remainingMs: number }>
  /** Sum of a metric over the account's days from `fromDay` (YYYY-MM-DD, UTC). */
  usage(accountId: string, fromDay: string): Promise<ReadonlyMap<string, number>>
  /** The counts behind it, by day, key and metric; keys may be deleted since. Counts of 0 are left out. */
  usageByDay(accountId: string, fromDay: string): Promise<readonly UsageCount[]>
  /** Of all accounts. */
  stats(): Promise<StoreStats>
}

export const BILLING_STATUSES = ['none', 'active', 'past_due'] as const
/** `none`: no billing account, so no further keys; the service itself works. */
export type BillingStatus = (typeof BILLING_STATUSES)[number]

export interface CountedRequests {
  /** SHA-256 of whose they are. */
  readonly hash: Uint8Array
  readonly count: number
  /** Until the window ends that this process counts in; the one that is told of first counts for all. */
  readonly remainingMs: number
}

export interface NewAccount {
  readonly accountId: string
  readonly name: string
  readonly timeZone: string
  readonly plan: string
  /** `none` when absent. */
  readonly billingStatus?: BillingStatus
  readonly user: UserRow
  readonly defaultKey: Omit<NewKey, 'accountId' | 'userId'>
}

export interface AccountRow {
  readonly accountId: string
  readonly name: string
  readonly timeZone: string
  readonly plan: string
  readonly billingStatus: BillingStatus
  readonly createdAt: Date
  readonly userId: string
}

export interface UserRow {
  readonly userId: string
  readonly name: string
}

export interface NewKey {
  readonly keyId: string
  readonly accountId: string
  readonly userId: string
  readonly name: string
  readonly sources: 'all' | readonly SourceType[]
  /** SHA-256 of the key, 32 bytes. */
  readonly hash: Uint8Array
}

export interface KeyRow {
  readonly keyId: string
  readonly accountId: string
  readonly name: string
  readonly sources: 'all' | readonly SourceType[]
  readonly isDefault: boolean
  readonly hash: Uint8Array
  readonly createdAt: Date
  readonly lastUsedAt: Date | undefined
}

export interface UsageCount {
  readonly accountId: string
  readonly keyId: string
  /** YYYY-MM-DD, UTC. */
  readonly day: string
  readonly metric: 'upload' | 'upload_bytes' | 'recall' | 'ask'
  readonly count: number
}
