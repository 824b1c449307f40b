import type { ActivityEntry } from '../domain/activity.ts'
import type { ErrorCode } from '../domain/errors.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { SyncEnvironment } from '../sync/connection.ts'
import type { PreviewReport, RunReport, SyncProgress } from '../sync/run-report.ts'
import type { OAuthGrants } from './oauth/oauth-grants.ts'

/** Synchronization as commands use it; the composition root makes it. */
export interface SyncService extends AsyncDisposable {
  /**
   * What `recalld sync` is to run: everything that is configured and not paused, or what is named: a connector (`slack`,
   * all of its connections) or one connection (`slack/acme`). A connector that needs no settings need not be configured.
   *
   * @throws AppError `invalid` for names that are neither, with what there is
   */
  targets(names: readonly string[]): Promise<readonly SyncTarget[]>
  run(target: SyncTarget, options: SyncRunOptions): Promise<RunReport>
  preview(target: SyncTarget, options: SyncRunOptions): Promise<PreviewReport>
  /**
   * Waits until what was memorized can be recalled. When no service runs on this home, its work is done here.
   *
   * @param onWaiting how many items still wait
   */
  finish(signal: AbortSignal, onWaiting: (waiting: number) => void): Promise<void>
  status(): Promise<readonly ConnectionStatus[]>
  /** Failed and skipped items of these connections (all, when none are named) are tried at their next run. How many. */
  retry(names: readonly string[], options: { readonly forgotten: boolean }): Promise<number>
  /** Every connector there is, for `recalld connect`. */
  connectors(): Promise<readonly ConnectorView[]>
  /**
   * Asks the source whose account it is, as before every run; reads nothing else.
   *
   * @throws AppError `unauthenticated` when the source refuses the token, `invalid` when a setting is wrong, and when it is
   *   another account than the one that was read under this name until now
   */
  check(target: SyncTarget, signal?: AbortSignal): Promise<SourceCheck>
  /** Has it told as activity that somebody wrote this connection to config.yaml, where the account is one of this home. */
  note(target: SyncTarget, kind: EntryNews): Promise<void>
  /**
   * Gets a token by the device flow of the provider; `undefined` when no connector has one.
   *
   * @throws AppError `invalid` for a connector without a device flow, `unauthenticated` when the person refused
   */
  authorize?(connector: string, options: DeviceAuthorization): Promise<string>
  /** Access that is granted in a browser. The home is made where there is none. */
  grants(): Promise<OAuthGrants>
  /** How the connections of config.yaml get access; those that need none are not among them. */
  access(): Promise<readonly ConnectionAccess[]>
}

/** What happened to a connection, as activity names it. */
export type EntryNews = 'source_connected' | 'source_changed'

export interface ConnectionAccess {
  readonly connector: string
  readonly name: string
  /** `token`: its own, in config.yaml, a file or a key file; `grant`: that of `need`. */
  readonly by: 'token' | 'grant'
  /** Present when the connector can use a grant. */
  readonly need?: AccessNeed
}

/** Which grant, and the fewest scopes of it. */
export interface AccessNeed {
  readonly provider: string
  readonly family: string
  readonly scopes: readonly string[]
  /** Title or id, when config.yaml says which. */
  readonly account?: string
}

export interface SourceCheck {
  /** For people: `acme (ada@acme.test)`. */
  readonly account: string
  /** What works less well than it could, with the remedy. */
  readonly warnings: readonly string[]
}

export interface DeviceAuthorization {
  /** Of the app that the person registered at the provider. */
  readonly clientId: string
  /** Where the provider answers, when not at its standard address. */
  readonly apiUrl?: string
  /** The person opens the address and types the code there. */
  readonly onCode: (userCode: string, url: string) => void
}

export interface SyncTarget {
  readonly connector: string
  readonly name: string
  /** Of the connector, for people: `Slack`; its id is shown when absent. */
  readonly title?: string
  /** What is wrong with its settings: it cannot run, and every attempt ends with this. */
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
  'incomplete', // the last run did not take everything; it is tried again
  'waiting', // for a rate limit
  'needs attention',
  'paused',
  'never ran',
  'not configured', // known from earlier runs
] as const
export type ConnectionState = (typeof CONNECTION_STATES)[number]

/** As `recalld status --json` prints it. Times are ISO 8601, UTC. */
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
  /** Remembered, will be tried again, cannot be taken. */
  readonly items: number
  readonly failed: number
  readonly skipped: number
  /** Most frequent first. `message` where the code says too little. */
  readonly skip_reasons: readonly {
    readonly code: ErrorCode | null
    readonly message?: string
    readonly count: number
  }[]
  readonly settling: number
  /** How many partitions were read to their end without an error, of all. */
  readonly coverage: { readonly complete: number; readonly total: number }
  /** Partitions with something to tell. */
  readonly partitions: readonly { readonly partition: string; readonly error: string; readonly since: string | null }[]
  readonly failures: readonly {
    readonly item: string
    readonly error: string
    readonly next_attempt_at: string | null
  }[]
  /** Age of the oldest cursor, in seconds, and from when on it is in danger. */
  readonly cursor_age_s: number | null
  readonly cursor_limit_s: number | null
  readonly warnings: readonly string[]
  /** What is wrong, and what the person should do; null when nothing. */
  readonly problem: string | null
  readonly remedy: string | null
}

export interface ConnectorView {
  readonly id: string
  readonly title: string
  readonly auth: 'none' | 'token' | 'oauth'
  readonly configured: readonly string[]
  /** Works without settings. */
  readonly standalone: boolean
  /** Has the setting `paths`: the folders that it reads. */
  readonly takesPaths: boolean
  readonly needs: string
  /** How the person gets a token of their own, where the connector says so. */
  readonly tokenSteps?: readonly string[]
  /** What a new connection needs, when the connector can use a grant; no scopes when it needs settings first. */
  readonly grant?: Omit<AccessNeed, 'scopes' | 'account'> & { readonly scopes?: readonly string[] }
}

/** A home that a command synchronizes with, beside a service that may be running on it. */
export interface SyncHome {
  readonly environment: SyncEnvironment
  readonly grants: OAuthGrants
  /** Has a run that ended told as activity, where the account is one of this home. */
  note(report: RunReport): void
  /** The same for what somebody did at the command line. */
  noteByHand(entry: ActivityEntry): void
  /** Items that were memorized and cannot be recalled yet; `soon`: whether that will change within seconds. */
  backlog(sourceTypes: ReadonlySet<SourceType>): Promise<{ readonly waiting: number; readonly soon: boolean }>
  /** Has waiting items processed here when no other process does. */
  work(): Promise<void>
}
