import type { SkipReason } from '../domain/document.ts'
import type { Advice } from '../domain/errors.ts'
import type { ItemStatus } from '../domain/results.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { Service } from '../service/service.ts'
import type { IntegrityReport } from '../service/statistics.ts'
import type { GoldenScores } from './reindex-contract.ts'

/** What the commands need from the composition root, which they may not import; src/main.ts provides it. */
export interface Administration extends AsyncDisposable {
  readonly service: Service
  /** Item counts by account, source and state, and the queue. */
  overview(): Promise<Overview>
  /** The account of the key in credentials.json: the default of commands. */
  homeAccount(): Promise<string | undefined>
  /** As in the service; credentials.json gets the key of the first account. */
  createAccount(account: NewAccount): ReturnType<Service['accounts']['create']>
  /** As in the service; credentials.json gets the key of the first account. */
  importAccount(request: ImportRequest): ReturnType<Service['archives']['import']>
  /** As in the service; credentials.json is updated if it has this key. */
  regenerateKey(ref: { account?: string; key: string }): ReturnType<Service['keys']['regenerate']>
  /** Refines existing items with the language model, or estimates the cost. */
  refine(request: RefinementRequest): Promise<RefinementEstimate>
  /** Deletes items beyond the configured retention, or reports them. */
  retention(request: { readonly dryRun: boolean }): Promise<RetentionReport>
  /** Queues the failed items of all accounts again. Returns how many. */
  retryFailed(): Promise<number>
  /** A consistent copy of the database in a new file. */
  backup(file: string): Promise<{ readonly bytes: number }>
  /** Findings of the last weekly check of the stored data; absent before the first one. */
  integrity(): Promise<IntegrityReport | undefined>
  /** Problems of the database file; none when it is sound. */
  databaseProblems(): Promise<readonly string[]>
}

/** A configured PostgreSQL server. */
export interface DatabaseServer {
  readonly check: 'database' | 'replica'
  /** Its version and state. */
  readonly words: string
  /** Each with its remedy. */
  readonly problems: readonly string[]
  readonly measured: object
}

export type ImportRequest = Parameters<Service['archives']['import']>[0]

export type NewAccount = Parameters<Service['accounts']['create']>[0]

export interface Overview {
  readonly sources: readonly SourceOverview[]
  readonly waiting: number
  /** ISO 8601; absent when the queue is empty. */
  readonly oldest_waiting_at?: string
  readonly failed: readonly FailedItem[]
  /** Absent when no language model extracts memories, and none ever did. */
  readonly language_model?: LanguageOverview
  readonly embedding: EmbeddingOverview
  /** For accounts with golden questions. */
  readonly golden: readonly GoldenOverview[]
  /** Absent while everything is kept forever. */
  readonly retention?: {
    readonly sources: readonly RetentionOverview[]
    /** ISO 8601; absent if expired items were never deleted. */
    readonly last_done_at?: string
  }
}

/** The model for questions. */
export interface EmbeddingOverview {
  readonly model: string
  /** Texts in the memory, and how many have a vector of the model; absent for the built-in one. */
  readonly texts?: { readonly all: number; readonly embedded: number }
  readonly building?: { readonly model: string; readonly all: number; readonly embedded: number }
  /** The problem and the remedy. */
  readonly problems: readonly {
    readonly message: string
    readonly advice?: Advice
    /** ISO 8601; time of the next automatic retry. */
    readonly retry_at?: string
  }[]
}

export interface GoldenOverview extends GoldenScores {
  readonly account_id: string
  /** Compared with the previous run. */
  readonly worse: number
  /** ISO 8601. */
  readonly ran_at: string
}

export interface LanguageOverview {
  /** Provider and name; `null` when none is configured. */
  readonly model: string | null
  /** Errors in the model settings. */
  readonly problem?: string
  /** Waiting items by reason; without a reason they are just queued. */
  readonly waiting: readonly {
    readonly items: number
    readonly reason?: 'budget' | 'away' | 'refused'
    readonly message?: string
    /** ISO 8601 */
    readonly until?: string
  }[]
  /** Items with refined memories. */
  readonly refined: number
  /** Memories and answers that were withheld because they quote text that is not in the source. */
  readonly unproven: number
  readonly given_up: number
  /** The first ones, if there are many. */
  readonly given_up_items: readonly Omit<FailedItem, 'file_name'>[]
  readonly spent_today: { readonly tokens: number; readonly dollars: number }
}

export interface RefinementRequest {
  readonly source?: SourceType
  /** Nothing is queued. */
  readonly dryRun: boolean
  /** Number of items to check, reported before the first one. */
  onTotal(items: number): void
  /** One item was checked. */
  onItem(): void
}

export interface RefinementEstimate {
  readonly model: string
  readonly items: number
  /** Number of queued items; 0 in a dry run. */
  readonly queued: number
  readonly calls: number
  /** Paid answers that are reused. */
  readonly kept_answers: number
  readonly input_tokens: number
  readonly output_tokens: number
  /** `null`: the model has no configured price. */
  readonly dollars: number | null
}

/** The retention by source type, and the expired items of all accounts. */
export interface RetentionReport {
  readonly dry_run: boolean
  readonly sources: readonly RetentionOverview[]
  readonly expired: readonly {
    readonly account_id: string
    readonly source_type: SourceType
    readonly days: number
    /** `slack/acme`, when it has its own limit. */
    readonly connection?: string
    readonly items: number
    readonly memories: number
    readonly bytes: number
  }[]
}

export interface RetentionOverview {
  readonly source_type: SourceType
  readonly days: number
  /** `slack/acme`: the connection with this limit. */
  readonly connection?: string
}

export interface SourceOverview {
  readonly account_id: string
  readonly source_type: SourceType
  readonly items: Readonly<Record<ItemStatus, number>>
  readonly memories: number
  /** Skipped parts of its items, most frequent first. */
  readonly left_out: readonly { readonly reason: SkipReason; readonly count: number }[]
}

export interface FailedItem {
  readonly item_id: string
  readonly source_type: SourceType
  readonly file_name: string
  readonly error: string
}

export interface AppStart {
  /** Name of the account of the first start. */
  readonly userName: string
  /** Wait for an unavailable database until this is aborted, then throw its reason. Absent: do not wait. */
  readonly patience?: AbortSignal
  /** Use the existing or new database for this home from now on. */
  readonly acceptDatabase?: boolean
}

export interface RunningApp {
  /**
   * Address of the API on this machine, e.g. `http://127.0.0.1:7411`; without that role, the expected address of the
   * home's API.
   */
  readonly address: string
  /** The public address: the base_url setting, otherwise the address. */
  readonly baseUrl: string
  /** On the first start in a home: the new account and its key, which is shown only here. */
  readonly firstAccount?: { readonly accountId: string; readonly userId: string; readonly key: string }
  /** Until somebody signs up: the sign-up link for the first person. Requires the API role. */
  readonly firstLink?: string
  /** Refuses new requests, finishes or returns running work, and closes; within 10 seconds. */
  stop(): Promise<void>
}

export interface RestoreResult {
  readonly counts: Readonly<Record<string, number>>
  /** Path of the replaced database; absent when there was none. */
  readonly previous?: string
}
