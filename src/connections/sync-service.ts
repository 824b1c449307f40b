import type { Choice } from '../connector/connector.ts'
import type { ActivityEntry } from '../domain/activity.ts'
import type { AlertsOverview, AlertTests } from '../domain/alerts.ts'
import type { ErrorCode } from '../domain/errors.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { SyncEnvironment } from '../sync/connection.ts'
import type { PreviewReport, RunReport, SyncProgress } from '../sync/run-report.ts'
import type { OAuthGrants } from './oauth/oauth-grants.ts'

/** Synchronization for commands; created by the composition root. */
export interface SyncService extends AsyncDisposable {
  /**
   * The connections for `recalld sync`: all active ones, or the named ones: a connector (`slack`, all of its
   * connections) or one connection (`slack/acme`). A connector without required settings need not be configured.
   * @throws AppError `invalid` for other names, listing the available ones
   */
  targets(names: readonly string[]): Promise<readonly SyncTarget[]>
  run(target: SyncTarget, options: SyncRunOptions): Promise<RunReport>
  preview(target: SyncTarget, options: SyncRunOptions): Promise<PreviewReport>
  /**
   * Waits until the memorized items can be recalled. Without a running service on this home, they are processed here.
   * @param onWaiting called with the number of waiting items
   */
  finish(signal: AbortSignal, onWaiting: (waiting: number) => void): Promise<void>
  status(): Promise<readonly ConnectionStatus[]>
  /**
   * Retries failed and skipped items of these connections (all, when none are named) at their next run. Returns how
   * many.
   */
  retry(names: readonly string[], options: { readonly forgotten: boolean }): Promise<number>
  /** All connectors, for `recalld connect`. */
  connectors(): Promise<readonly ConnectorView[]>
  /**
   * Checks the account of the source, as before every run, and what its settings name; reads no items.
   * @throws AppError `unauthenticated` when the source rejects the token, `invalid` when a setting is wrong, or when
   * the account differs from the one synced under this name
   */
  check(target: SyncTarget, signal?: AbortSignal): Promise<SourceCheck>
  /** What the person can choose to sync; `undefined` where the connector offers no choice. @throws AppError as `check` */
  choices(target: SyncTarget, signal?: AbortSignal): Promise<SourceChoices | undefined>
  /** Records as activity that somebody saved this connection in config.yaml, if the account is in this home. */
  note(target: SyncTarget, kind: EntryChangeKind): Promise<void>
  /**
   * Gets a token by the provider's device flow; `undefined` when no connector supports it.
   * @throws AppError `invalid` for a connector without a device flow, `unauthenticated` when the person refused
   */
  authorize?(connector: string, options: DeviceAuthorization): Promise<string>
  /** Grants by browser. The home is created if needed. */
  grants(): Promise<OAuthGrants>
  /** Where alerts about sources go, and what failed. */
  alerts(): Promise<AlertsOverview>
  /** Sends a test by each channel. */
  testAlerts(): Promise<AlertTests>
  /** How the connections of config.yaml get access; those that need none are omitted. */
  access(): Promise<readonly ConnectionAccess[]>
}

/** What happened to a connection, as activity names it. */
export type EntryChangeKind = 'source_connected' | 'source_changed'

export interface ConnectionAccess {
  readonly connector: string
  readonly name: string
  /** `token`: its own, in config.yaml, a file or a key file; `grant`: that of `need`. */
  readonly by: 'token' | 'grant'
  /** Present when the connector can use a grant. */
  readonly need?: AccessNeed
}

/** The provider and family, and the minimum scopes. */
export interface AccessNeed {
  readonly provider: string
  readonly family: string
  readonly scopes: readonly string[]
  /** Title or id, if config.yaml states it. */
  readonly account?: string
}

export interface SourceCheck {
  /** Display name: `acme (ada@acme.test)`. */
  readonly account: string
  /** Problems that do not stop it, with the remedy. */
  readonly warnings: readonly string[]
}

export interface SourceChoices {
  readonly setting: string
  /** Sorted by group and name. */
  readonly choices: readonly Choice[]
}

export interface DeviceAuthorization {
  /** Of the app that the person registered with the provider. */
  readonly clientId: string
  /** The provider's address, if not the standard one. */
  readonly apiUrl?: string
  /** Shows the address to open and the code to enter. */
  readonly onCode: (userCode: string, url: string) => void
}

export interface SyncTarget {
  readonly connector: string
  readonly name: string
  /** Display name of the connector: `Slack`; its id is shown when absent. */
  readonly title?: string
  /** Whether it has the setting `exclude`, for leaving out partitions. */
  readonly canExclude?: boolean
  /** The error in its settings, which makes every run fail. */
  readonly mistake?: string
}

export interface SyncRunOptions {
  readonly signal: AbortSignal
  readonly full: boolean
  readonly onProgress: (progress: SyncProgress) => void
}

export const CONNECTION_STATES = [
  'healthy',
  'running',
  'incomplete', // The last run was incomplete; it is retried.
  'waiting', // for a rate limit
  'needs attention',
  'paused',
  'never ran',
  'not configured', // known from earlier runs
] as const
export type ConnectionState = (typeof CONNECTION_STATES)[number]

/** The format of `recalld status --json`. Times are ISO 8601, UTC. */
export interface ConnectionStatus {
  readonly connector: string
  readonly name: string
  readonly title: string
  readonly account: string | null
  readonly state: ConnectionState
  readonly schedule: string | null
  readonly last_run_at: string | null
  readonly last_success_at: string | null
  readonly next_run_at: string | null
  /** Counts of remembered, retried and skipped items. */
  readonly items: number
  readonly failed: number
  readonly skipped: number
  /** Most frequent first. `message` if the code is not specific enough. */
  readonly skip_reasons: readonly {
    readonly code: ErrorCode | null
    readonly message?: string
    readonly count: number
  }[]
  readonly settling: number
  /** How many partitions were read completely without an error, of all. */
  readonly coverage: { readonly complete: number; readonly total: number }
  /** Partitions with a problem. */
  readonly partitions: readonly {
    readonly partition: string
    readonly error: string
    /** What happens next, as a sentence; null where the error says it. */
    readonly remedy: string | null
    readonly since: string | null
  }[]
  readonly failures: readonly {
    readonly item: string
    readonly error: string
    readonly next_attempt_at: string | null
  }[]
  /** Age of the oldest cursor in seconds, and the age at which it is at risk. */
  readonly cursor_age_s: number | null
  readonly cursor_limit_s: number | null
  readonly warnings: readonly string[]
  /** Of the run in progress, and of an unfinished first sync; null otherwise. */
  readonly progress: StatedProgress | null
  /** The problem and the remedy; null without a problem. */
  readonly problem: string | null
  readonly remedy: string | null
}

export interface StatedProgress {
  /** Over the last minute; null until it is known, and between runs. */
  readonly items_per_minute: number | null
  /** Until the run ends; null unless the source states how many items there are. */
  readonly remaining_s: number | null
  /** In a first sync: everything of so many last days can be recalled. */
  readonly recent_days: number | null
}

export interface ConnectorView {
  readonly id: string
  readonly title: string
  readonly auth: 'none' | 'token' | 'oauth'
  readonly configured: readonly string[]
  /** Works without settings. */
  readonly standalone: boolean
  /** Has the setting `paths` with folders to read. */
  readonly takesPaths: boolean
  /** The paths may be files, such as exports. */
  readonly takesFiles?: true
  /** What people enter as `token`; absent: a token. */
  readonly secret?: 'password'
  readonly needs: string
  /** The npm package that it comes from, which runs with the rights of recalld; absent when it is built in. */
  readonly package?: { readonly name: string; readonly version: string }
  /** The setting that people can fill in from a list of what is there. */
  readonly choosing?: string
  /** How to create a token, if the connector states it. */
  readonly tokenSteps?: readonly string[]
  /** The grant that a new connection needs, if the connector can use one; no scopes if it needs settings first. */
  readonly grant?: Omit<AccessNeed, 'scopes' | 'account'> & { readonly scopes?: readonly string[] }
}

/** An open home for a command's synchronization, while a service may be running on it. */
export interface SyncHome {
  readonly environment: SyncEnvironment
  readonly grants: OAuthGrants
  /** Records the end of a run as activity, if the account is in this home. */
  note(report: RunReport): void
  /** The same for an action on the command line. */
  noteByHand(entry: ActivityEntry): void
  /** Memorized items that cannot be recalled yet; `soon`: whether that takes only seconds. */
  backlog(sourceTypes: ReadonlySet<SourceType>): Promise<{ readonly waiting: number; readonly soon: boolean }>
  /** Processes waiting items here when no other process does. */
  work(): Promise<void>
}
