import type { SourceType } from '../../domain/source-type.ts'
import type { PauseReason } from '../refinements/refinements.ts'

/* ------------------------------------------------------------------- admin */

export interface Admin {
  /** Account, its user and its default key in one commit. */
  createAccount(account: NewAccount): Promise<void>
  /** Creates the first account; of processes that start together, only one does. `false`: an account exists. */
  createFirstAccount(account: NewAccount): Promise<boolean>
  listAccounts(): Promise<AccountRow[]>
  findAccount(accountId: string): Promise<AccountRow | undefined>
  updateBilling(accountId: string, billing: { plan: string; status: BillingStatus }): Promise<void>
  /** Absent fields are unchanged. */
  updateAccount(accountId: string, change: { readonly name?: string; readonly timeZone?: string }): Promise<void>
  listKeys(accountId: string): Promise<KeyRow[]>
  /** Checks `limit` inside the commit, so that racing calls can't exceed it. */
  createKey(key: NewKey, limit: number): Promise<'created' | 'limit_reached' | 'name_taken'>
  /** The old value stops working with this commit. */
  replaceKeyHash(accountId: string, keyId: string, hash: Uint8Array): Promise<boolean>
  deleteKey(accountId: string, keyId: string): Promise<'deleted' | 'absent' | 'default_key'>
  /** Run by every request: one indexed read by the SHA-256 of the key. */
  findKey(hash: Uint8Array): Promise<{ key: KeyRow; account: AccountRow; user: UserRow } | undefined>
  /** Adds counts collected in memory; never part of a read. */
  addUsage(counts: readonly UsageCount[]): Promise<void>
  /** Adds the requests of this process to the shared count; returns the sum and the end of its window. */
  countRequests(counted: CountedRequests): Promise<{ readonly count: number; readonly remainingMs: number }>
  /** Sum of a metric over the account's days from `fromDay` (YYYY-MM-DD, UTC). */
  usage(accountId: string, fromDay: string): Promise<ReadonlyMap<string, number>>
  /** The counts by day, key and metric; keys may have been deleted. Counts of 0 are omitted. */
  usageByDay(accountId: string, fromDay: string): Promise<readonly UsageCount[]>
  /** Of all accounts. */
  stats(): Promise<StoreStats>
}

const BILLING_STATUSES = ['none', 'active', 'past_due'] as const

/** `none`: no billing account, so no further keys; the service itself works. */
export type BillingStatus = (typeof BILLING_STATUSES)[number]

export interface CountedRequests {
  /** SHA-256 of the key. */
  readonly hash: Uint8Array
  readonly count: number
  /** End of the counting window of this process; the first one reported counts for all. */
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

/** Contents and backlog of a store, over all accounts, for operators. */
export interface StoreStats {
  readonly accounts: number
  readonly items: number
  /** Items that are queued or being processed, except reprocessing in the background. */
  readonly pending: number
  /** Items whose processing has failed permanently. */
  readonly failed: number
  readonly bytes: number
  readonly memories: number
  readonly chunks: number
  /** Objects of deleted and replaced uploads that remain in the object storage. */
  readonly garbage: number
  /** Uploads, uploads of low priority, background reprocessing, and items for the language model. */
  readonly turns: Readonly<Record<'uploads' | 'low_priority' | 'background' | 'refinements', QueueStats>>
  /** Active pauses of the language model. */
  readonly pauses: Readonly<Record<PauseReason, number>>
}

export interface QueueStats {
  /** Unclaimed ones, including those that are not due yet. */
  readonly waiting: number
  readonly oldestAt: Date | undefined
}
