import type { SourceType } from '../../domain/source-type.ts'
import type { PauseReason } from '../refinements/refinements.ts'

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

const BILLING_STATUSES = ['none', 'active', 'past_due'] as const

/** `none`: no billing account, so no further keys; the service itself works. */
export type BillingStatus = (typeof BILLING_STATUSES)[number]

export interface CountedRequests {
  /** SHA-256 of whose they are. */
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
