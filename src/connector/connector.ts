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
  /** Proves that the source can be read, and says whose it is. Before every run. */
  check(context: CheckContext<Config>): Promise<SourceAccount>
  /**
   * Everything that has a cursor of its own: channels, repositories, folders. Must be complete or throw: a partition that
   * is not yielded any more is one that the person lost or excluded, and what came from it is forgotten (unless the
   * manifest keeps what vanishes).
   */
  partitions(context: Context<Config>): AsyncIterable<Partition>
  /**
   * What has changed since `cursor`; without one, everything. Throws a `SourceError` with remedy `restart` when the source
   * does not take the cursor any more: a full scan with a diff follows.
   */
  changes(partition: Partition, cursor: Cursor | undefined, context: Context<Config>): AsyncIterable<Change<Cursor>>
  /** One item as it is now, for retries and for what was left settling; `undefined` when it is gone. */
  read(ref: StoredRef, context: Context<Config>): Promise<SourceItem | undefined>
  /** Every item that exists now. Must throw rather than end early: what it does not yield is forgotten. */
  inventory?(partition: Partition, context: Context<Config>): AsyncIterable<ItemRef>
  /** A token that the person grants in a browser anywhere, by typing a code; where the provider offers that. */
  deviceToken?(request: DeviceRequest): Promise<string>
  /** Has the person choose in a browser what the next run takes, where a source gives nothing else. How much that is. */
  pick?(request: PickRequest, context: CheckContext<Config>): Promise<number>
}

export interface PickRequest {
  /** Called once: the person opens it and chooses there. */
  readonly onAddress: (url: string) => void
  /** Between two questions whether the person is done. Rejects when the command is ended. */
  readonly sleep: (ms: number) => Promise<void>
}

export interface DeviceRequest {
  /** Of the app that the person registered at the provider. */
  readonly clientId: string
  /** Where the provider answers, when not at its standard address. */
  readonly apiUrl?: string
  /** Called once: the person opens the address and types the code there. */
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
  /**
   * How a deletion is noticed: `feed`: `changes` yields `gone`; `inventory`: by comparing with `inventory()`; `none`:
   * never. With `feed` too, a full scan (no cursor) ends with a diff.
   */
  readonly deletions: 'feed' | 'inventory' | 'none'
  /**
   * What `changes` yields is so now: an item that was gone is there again, also with the revision it had, as when a message
   * is taken out of the trash. Absent: windows overlap, and an unchanged item that was removed is an echo.
   */
  readonly exactFeed?: true
  /** Least time between two inventories of a partition; 0: at every run. Only with `inventory`. */
  readonly inventoryEveryMs: number
  /** `keep`: items, partitions and roots that vanish stay remembered, as transcripts that a tool cleans up. */
  readonly vanished: 'forget' | 'keep'
  /** Whose rate limits apply: budgets are kept per provider and account. */
  readonly provider: string
  /** Raised when the same source gives other documents: everything is read again, and unchanged content stays. */
  readonly version: number
  /** A changed item is memorized again only when it was left alone for this long. 0: at once. */
  readonly quietPeriodMs: number
  /** When a cursor or a source goes stale: `status` warns before it is too late. */
  readonly cursorLife?: { readonly warnAfterMs: number; readonly reason: string }
  /** The settings that decide what is taken: when they change, everything is compared again. */
  selection(config: Config): unknown
  /** For those of `oauth`: whose consent serves it, and the fewest scopes that do. */
  readonly grant?: ManifestGrant<Config>
  /** How the web app and the command line offer it. */
  readonly listing: ManifestListing
  /** One line each, for the tables of the README. */
  readonly documentation: ManifestDocumentation
}

export interface ManifestGrant<Config extends ConnectionConfig = ConnectionConfig> {
  /** Id of an `OAuthProvider`. */
  readonly provider: string
  /** One of its families. */
  readonly family: string
  /** Without which the connection, as it is configured, cannot work. */
  scopes(config: Config): readonly string[]
}

export interface ManifestListing {
  /** What it reads, in one sentence. */
  readonly summary: string
  readonly icon: ConnectorIcon
  readonly group: ConnectorGroup
  /** What one partition is called, and several; absent: `part`, `parts`. */
  readonly partNoun?: PartNoun
  /** How the person gets a token of their own, one sentence a step, for connectors that are read with one. */
  readonly tokenSteps?: readonly string[]
}

export interface ManifestDocumentation {
  readonly item: string
  readonly removed: string
  readonly needs: string
  /** `Gmail API v1: history.list`; the interface that is read. */
  readonly api: string
  /** The starting point of `changes`. */
  readonly cursor: string
  /** Limits of the source that shaped the connector. */
  readonly limits: string
  /** `fake server, recordings`: what it was run against. Never more than was run. */
  readonly verified: string
}

/** What the configuration of every connection has (`connectionFields`). */
export interface ConnectionConfig {
  readonly name: string
  readonly schedule?: string | undefined
  readonly paused?: boolean | undefined
  /** Items that it brings are kept so long, whatever holds for their source. */
  readonly retention_days?: number | undefined
}

export interface SourceAccount {
  /** Never changes: team id, numeric user id, hash of a profile. Cursors and ids of one account are never used for another. */
  readonly account: string
  /** For people: `acme (ada@acme.test)`. */
  readonly title?: string
  /** What works less well than it could, with the remedy: scopes that are missing, a token that expires soon. */
  readonly warnings?: readonly string[]
  /** When the token expires, if the source says so. */
  readonly expiresAt?: Date
}

export interface Partition {
  /** Stable, at most 500 characters; never a mutable name. */
  readonly id: string
  /** `#general`, `acme/shop`, `~/docs`. */
  readonly title: string
  /** Instead of what the manifest says: items of this partition that vanish stay remembered, as those of exports do. */
  readonly vanished?: 'keep'
}

/** Everything a connector can use: no store, no memory. */
export interface CheckContext<Config> {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  /** Aborted when the run is to end; loops and requests must heed it. */
  readonly signal: AbortSignal
  readonly requests: Requests
  readonly grants: Grants
  readonly machine: SourceMachine
  /** The person whose memory this is. */
  readonly userName: string
  /** IANA name. */
  readonly timeZone: string
}

export interface Context<Config> extends CheckContext<Config> {
  /** What `check` said. */
  readonly account: SourceAccount
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

/** The machine that local sources lie on; tests put a made-up one here. */
export interface SourceMachine {
  readonly platform: string
  readonly userHome: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Private to this process; for copies of live databases. */
  readonly temporaryFolder: string
  /** Private to recalld and durable: where the stream socket lays down what it received. */
  readonly spoolFolder: string
  /** Standard input of the command, if piped. */
  readonly standardInput?: AsyncIterable<Uint8Array>
}

/** The rate budget of one provider and account: persisted, shared by all partitions. */
export interface Requests {
  /**
   * Sends one request when its turn has come. A `SourceError` with remedy `retry` is tried again: at its `retryAt`, which
   * is remembered for all requests to this `api`, or after a growing pause with jitter when it has none. When that would
   * take longer than the run is patient, or did not help, the error is thrown.
   *
   * @param api what the provider counts together, e.g. `conversations.history`, `core`, `graphql`
   */
  call<T>(api: string, send: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** No request to `api` before this instant, as when the answer said that none remain. */
  holdUntil(api: string, at: Date): Promise<void>
  /** From now on at most one request to `api` in this time, as when a stricter regime was noticed. 0 lifts it. */
  spaceOut(api: string, intervalMs: number): Promise<void>
}

/** Names an item to `read`, to a diff, or in a failure. */
export interface ItemRef {
  readonly sourceType: SourceType
  readonly itemId: string
  /** What `read` needs to find it again when the id alone does not tell, e.g. a path. At most 4,000 characters. */
  readonly locator?: string
  /** For messages: the name of the file, the subject of the thread. */
  readonly title?: string
  /** Equal revisions mean equal content. */
  readonly revision?: string
}

/** An `ItemRef` as the ledger gives it back. */
export interface StoredRef extends ItemRef {
  readonly partition: Partition
}

export interface SourceItem extends ItemRef {
  /** Etag, update time or size and time of a file: when it equals the one that is known, the body is not even read. */
  readonly revision: string
  readonly title: string
  readonly url?: string
  readonly author?: string
  readonly people?: readonly string[]
  /** `#general`, a repository, a meeting room. */
  readonly where?: string
  /** From the widest to the nearest: team, channel; owner, repository. */
  readonly parents?: readonly string[]
  readonly visibility?: 'private' | 'direct' | 'shared' | 'public'
  readonly createdAt?: Date
  /** The last change; also what the quiet period counts from. */
  readonly updatedAt?: Date
  /**
   * Text gets front matter from the fields above (`renderDocument`); bytes are memorized as they are. A function is
   * called only when the revision is new; it returns `undefined` when the item is gone by now. Where a listing says too
   * little, it may complete its item (title, people, link, times) before it ends: they are looked at afterwards.
   */
  readonly body: Body | (() => Promise<Body | undefined>)
  /** With its extension; made from the title when absent. Needed for bytes. */
  readonly fileName?: string
  /** `text/markdown` when absent. Needed for bytes. */
  readonly contentType?: string
}

export type Body = string | Uint8Array

export type Change<Cursor> =
  | { readonly type: 'item'; readonly item: SourceItem }
  | { readonly type: 'gone'; readonly ref: ItemRef }
  | { readonly type: 'failed'; readonly ref: ItemRef; readonly error: SourceError }
  /** Everything before it has been yielded. */
  | { readonly type: 'checkpoint'; readonly cursor: Cursor }
