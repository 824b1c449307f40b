import type { z } from 'zod'
import type { ConnectorGroup, ConnectorIcon, PartNoun } from '../domain/connector-listing.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Grants } from './access-grant.ts'
import type { SourceError } from './source-error.ts'

export type { ConnectorIcon } from '../domain/connector-listing.ts'
export type { SourceType } from '../domain/source-type.ts'
export type { Clock } from '../lib/clock.ts'
export type { Log } from '../lib/log.ts'

/**
 * Reads one kind of source. It only reads and yields: it stores nothing, schedules nothing and keeps no state between
 * calls, so it cannot lose data. Every method may throw a `SourceError`; anything else that is thrown is a defect.
 *
 * Three rules: take the cursor before enumerating; yield a checkpoint only when everything before it was yielded; say
 * `gone` only of what the source itself reports as deleted, or what a full scan did not find.
 */
export interface Connector<Config extends ConnectionConfig = ConnectionConfig, Cursor = unknown> {
  readonly manifest: Manifest<Config, Cursor>
  /** Checks that the source can be read, and returns its account. Called before every run. */
  check(context: CheckContext<Config>): Promise<SourceAccount>
  /**
   * Before settings are saved: throws `reconfigure` for what they name and no server has, such as a mistyped address.
   * Runs don't ask for it, because an address that fails later must not stop the others.
   */
  probe?(context: CheckContext<Config>): Promise<void>
  /**
   * Everything with its own cursor: channels, repositories, folders. Must be complete or throw: a missing partition
   * counts as lost or excluded, and its items are forgotten (unless the manifest keeps them).
   */
  partitions(context: Context<Config>): AsyncIterable<Partition>
  /**
   * What has changed since `cursor`; without one, everything. Throws a `SourceError` with remedy `restart` when the
   * source no longer accepts the cursor: a full scan with a diff follows.
   * @param lastCursor in full scans too; not where to go on, but for what it holds of the source, such as its disk
   */
  changes(
    partition: Partition,
    cursor: Cursor | undefined,
    context: Context<Config>,
    lastCursor?: Cursor,
  ): AsyncIterable<Change<Cursor>>
  /**
   * One item as it is now, for retries and after a quiet period; `undefined` when it no longer exists, or the partition
   * or the settings no longer include it.
   */
  read(ref: StoredRef, context: Context<Config>): Promise<SourceItem | undefined>
  /** Every item that exists now. Must throw rather than end early: items that are not yielded are forgotten. */
  inventory?(partition: Partition, context: Context<Config>): AsyncIterable<ItemRef>
  /**
   * What changes at the source as it happens, for connections that listen (`listening`). Each item is read by `read`. Ends
   * with the signal, or by throwing; then it is opened again. What is missed meanwhile is found by `changes`.
   */
  listen?(context: Context<Config>): AsyncIterable<PushedRef>
  /** Gets a token by the device flow (the person enters a code in any browser), where the provider supports it. */
  deviceToken?(request: DeviceRequest): Promise<string>
  /** What a person can choose from before the first run, for sources with many parts. */
  readonly choosing?: Choosing<Config>
  /** For sources that are files which an app exports: people can upload them. */
  readonly importing?: Importing
  /** Lets the person pick items in a browser for the next run, for sources without another API. Returns how many. */
  pick?(request: PickRequest, context: CheckContext<Config>): Promise<number>
}

export interface Choosing<Config extends ConnectionConfig = ConnectionConfig> {
  /** The setting that takes the values: a list; without it, everything is synced. */
  readonly setting: string
  /** Everything within reach that other settings don't exclude. */
  choices(context: CheckContext<Config>): Promise<readonly Choice[]>
}

export interface Importing {
  /** The setting that takes the paths of files: a list. */
  readonly setting: string
  /** Titles of the apps whose exports are in a file; empty when it holds none. */
  found(path: string, machine: SourceMachine): Promise<readonly string[]>
}

/** A repository, for example. */
export interface Choice {
  /** `acme/shop` */
  readonly value: string
  /** Whose it is: `acme`. */
  readonly group: string
  /** The value for all of the group, also for those that are created later: `acme/*`. */
  readonly groupValue: string
  readonly isPrivate: boolean
  readonly updatedAt?: Date
  /** By the current settings. */
  readonly isChosen: boolean
}

export interface PickRequest {
  /** Called once with the address to open. */
  readonly onAddress: (url: string) => void
  /** Waits between polls. Rejects when the command is interrupted. */
  readonly sleep: (ms: number) => Promise<void>
}

export interface DeviceRequest {
  /** Of the app that the person registered with the provider. */
  readonly clientId: string
  /** The provider's address, if not the standard one. */
  readonly apiUrl?: string
  /** Called once with the address to open and the code to enter. */
  readonly onCode: (code: string, url: string) => void
}

export interface Manifest<Config extends ConnectionConfig = ConnectionConfig, Cursor = unknown> {
  /** Key below `connectors:` in config.yaml, and the name on the command line. */
  readonly id: string
  /** `Slack`, `Claude Code`. */
  readonly title: string
  readonly sourceTypes: readonly SourceType[]
  readonly auth: 'none' | 'token' | 'oauth'
  /** Strict: unknown keys are errors. Each field has a `.describe()` for people. */
  readonly config: z.ZodType<Config>
  readonly cursor: z.ZodType<Cursor>
  /** Cron expression used when the configuration has none. */
  readonly schedule: string
  /** For connectors with `listen`: which connections listen, and their schedule if the configuration has none. */
  readonly listening?: { isOn(config: Config): boolean; readonly schedule: string }
  /**
   * How deletions are detected. `feed`: `changes` yields `gone`; `inventory`: by comparing with `inventory()`; `none`:
   * never. With `feed`, a full scan (no cursor) also ends with a diff.
   */
  readonly deletions: 'feed' | 'inventory' | 'none'
  /**
   * `changes` reports the current state: a deleted item that is yielded again was restored, even with the same
   * revision, such as a message moved out of the trash. Absent: reads overlap, and a deleted item with the same
   * revision is ignored.
   */
  readonly exactFeed?: true
  /** Minimum time between two inventories of a partition; 0: at every run. Only with `inventory`. */
  readonly inventoryEveryMs: number
  /**
   * Its listings may leave out what exists, for example what changes while they are read: what a full scan or an
   * inventory did not find is removed only if `read` does not find it in its partition either.
   */
  readonly missingMayExist?: true
  /** `keep`: missing items and partitions stay memorized, for sources that delete old data themselves. */
  readonly vanished: 'forget' | 'keep'
  /** Whose rate limits apply: budgets are stored per provider and account. */
  readonly provider: string
  /** Published quotas of the provider's APIs, by the name in `Requests.call`. */
  readonly quotas?: Readonly<Record<string, ApiQuota>>
  /**
   * Whether everything that changed at or after `since` was read before this cursor of an unfinished scan; for connectors
   * that begin with it.
   */
  recentRead?(cursor: Cursor, since: Date): boolean
  /** Its partitions are apps, such as WhatsApp: their ids are what people find the items by, instead of the connector. */
  readonly partitionsAreApps?: true
  /** Partitions that are read concurrently; absent: several. 1 where reading one depends on another. */
  readonly partitionsAtOnce?: number
  /**
   * Raise it when the connector creates different documents from the same source: everything is read again, and
   * unchanged items stay.
   */
  readonly version: number
  /** Quiet period: a changed item is memorized again only after no changes for this long. 0: at once. */
  readonly quietPeriodMs: number
  /** When a cursor or the source's data expires: `status` warns before. */
  readonly cursorLife?: { readonly warnAfterMs: number; readonly reason: string }
  /** The settings that select items: when they change, everything is compared again. */
  selection(config: Config): unknown
  /** For `oauth`: the provider and family of the grant, and the minimum scopes. */
  readonly grant?: ManifestGrant<Config>
  /** How the web app and the command line present it. */
  readonly listing: ManifestListing
  /** One line each, for the tables in the documentation. */
  readonly documentation: ManifestDocumentation
}

/** How much one account may ask of an API. */
export interface ApiQuota {
  /** Requests under way at once. */
  readonly atOnce?: number
  /** Requests a minute, where more are refused. */
  readonly perMinute?: number
}

export interface ManifestGrant<Config extends ConnectionConfig = ConnectionConfig> {
  /** Id of an `OAuthProvider`. */
  readonly provider: string
  /** One of its families. */
  readonly family: string
  /** Scopes that the connection needs as configured. */
  scopes(config: Config): readonly string[]
}

export interface ManifestListing {
  /** What it reads, in one sentence. */
  readonly summary: string
  readonly icon: ConnectorIcon
  readonly group: ConnectorGroup
  /** The noun for a partition, singular and plural; absent: `part`, `parts`. */
  readonly partNoun?: PartNoun
  /** How to create a token, one sentence per step, for connectors that use one. */
  readonly tokenSteps?: readonly string[]
  /** What people enter as `token`, if it is none. */
  readonly secret?: 'password'
}

export interface ManifestDocumentation {
  readonly item: string
  readonly removed: string
  readonly needs: string
  /** The API in use, such as `Gmail API v1: history.list`. */
  readonly api: string
  /** What `changes` starts from. */
  readonly cursor: string
  /** Limits of the source that shaped the connector. */
  readonly limits: string
  /** What it was tested against, such as `fake server, recordings`. Only list what was really run. */
  readonly verified: string
}

/** Settings of every connection (`connectionFields`). */
export interface ConnectionConfig {
  readonly name: string
  readonly schedule?: string | undefined
  readonly paused?: boolean | undefined
  /** How long its items are kept; overrides the source's retention. */
  readonly retention_days?: number | undefined
}

export interface SourceAccount {
  /**
   * Immutable: team id, numeric user id, hash of a profile. Cursors and ids of one account are never used for another.
   */
  readonly account: string
  /** Display name: `acme (ada@acme.test)`. */
  readonly title?: string
  /** Problems that do not stop it, with the remedy: missing scopes, a token that expires soon. */
  readonly warnings?: readonly string[]
  /** When the token expires, if the source states it. */
  readonly expiresAt?: Date
}

export interface Partition {
  /** Stable, at most 500 characters; never a mutable name. */
  readonly id: string
  /** `#general`, `acme/shop`, `~/docs`. */
  readonly title: string
  /** Overrides the manifest: missing items of this partition stay memorized, such as those from exports. */
  readonly vanished?: 'keep'
}

/** Everything a connector can use: no store, no memory. */
export interface CheckContext<Config> {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  /** Aborted to end the run; loops and requests must stop then. */
  readonly signal: AbortSignal
  readonly requests: Requests
  readonly grants: Grants
  readonly machine: SourceMachine
  /** The account's owner. */
  readonly userName: string
  /** IANA name. */
  readonly timeZone: string
}

export interface Context<Config> extends CheckContext<Config> {
  /** The result of `check`. */
  readonly account: SourceAccount
  /** The partitions that earlier runs read. */
  knownPartitions(): Promise<readonly Partition[]>
  /** Tells the person of something that makes the run slower or less complete, in a sentence with its remedy. */
  warn(message: string): void
  /**
   * Items of this account from all connectors and uploads, dated in [since, until), oldest first; for
   * digests.
   */
  memorized(range: { readonly since: Date; readonly until: Date }): AsyncIterable<MemorizedItem>
}

export interface MemorizedItem {
  readonly sourceType: SourceType
  readonly itemId: string
  readonly title: string
  readonly url?: string
  readonly at: Date
}

/** The machine of local sources; tests use a fake one. */
export interface SourceMachine {
  readonly platform: string
  readonly userHome: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Private to this process; for copies of live databases. */
  readonly temporaryFolder: string
  /** Private to recalld and durable: where the stream socket stores what it receives. */
  readonly spoolFolder: string
  /** Whether text in images is read here; absent: `ocr` is off. `missing`: the program for it is not installed. */
  readonly imageReader?: 'ready' | 'missing'
  /** Standard input of the command, if piped. */
  readonly standardInput?: AsyncIterable<Uint8Array>
}

/** The rate budget of one provider and account: persisted, shared by all partitions. */
export interface Requests {
  /**
   * Sends one request when the budget allows it, concurrently with as many others as the quota of the `api` allows.
   * A `SourceError` with remedy `retry` is retried: at its `retryAt`,
   * which then applies to all requests to this `api`, or after an increasing pause with jitter. If the wait is too long
   * for the run, or retries do not help, the error is thrown.
   * @param api what the provider limits together, e.g. `conversations.history`, `core`, `graphql`
   */
  call<T>(api: string, send: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** No request to `api` before this instant, for example when a response states that the quota is used up. */
  holdUntil(api: string, at: Date): Promise<void>
  /**
   * From now on at most one request to `api` per interval, for example when a stricter limit was detected. 0 removes
   * it.
   */
  spaceOut(api: string, intervalMs: number): Promise<void>
}

/** Identifies an item for `read`, a diff or a failure. */
export interface ItemRef {
  readonly sourceType: SourceType
  readonly itemId: string
  /** What `read` needs in addition to the id, e.g. a path. At most 4,000 characters. */
  readonly locator?: string
  /** For messages: the name of the file, the subject of the thread. */
  readonly title?: string
  /** Equal revisions mean equal content. */
  readonly revision?: string
}

/** An item that a source reports as changed, or perhaps deleted. */
export interface PushedRef extends ItemRef {
  /** Items of unknown partitions are left to the next run. */
  readonly partitionId: string
}

/** An `ItemRef` as stored in the ledger. */
export interface StoredRef extends ItemRef {
  readonly partition: Partition
}

export interface SourceItem extends ItemRef {
  /** Etag, modification time, or size and time of a file: when it equals the known one, the body is not read. */
  readonly revision: string
  readonly title: string
  readonly url?: string
  readonly author?: string
  readonly people?: readonly string[]
  /** `#general`, a repository, a meeting room. */
  readonly where?: string
  /** From the outermost to the innermost: team, channel; owner, repository. */
  readonly parents?: readonly string[]
  readonly visibility?: 'private' | 'direct' | 'shared' | 'public'
  readonly createdAt?: Date
  /** The last change; the quiet period starts here. */
  readonly updatedAt?: Date
  /**
   * Text gets front matter from the fields above (`renderDocument`); bytes are memorized unchanged. A function is
   * called only when the revision is new; it returns `undefined` when the item no longer exists. It may also fill in
   * the item's title, people, link and times, which are read after it returns.
   */
  readonly body: Body | (() => Promise<Body | undefined>)
  /** With its extension; derived from the title when absent. Required for bytes. */
  readonly fileName?: string
  /** `text/markdown` when absent. Required for bytes. */
  readonly contentType?: string
}

export type Body = string | Uint8Array

export type Change<Cursor> =
  | { readonly type: 'item'; readonly item: SourceItem }
  | { readonly type: 'gone'; readonly ref: ItemRef }
  | { readonly type: 'failed'; readonly ref: ItemRef; readonly error: SourceError }
  /**
   * Everything before it was yielded. With `recentSince`, everything that changed since then was yielded too, and what is
   * older may wait: the recent part of other partitions is read first.
   */
  | { readonly type: 'checkpoint'; readonly cursor: Cursor; readonly recentSince?: Date }
  /** How many items this scan of the partition still yields, if the source states it. */
  | { readonly type: 'expected'; readonly items: number }
