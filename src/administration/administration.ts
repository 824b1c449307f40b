import type { SkipReason } from '../domain/document.ts'
import type { Advice } from '../domain/errors.ts'
import type { ItemStatus } from '../domain/results.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { Service } from '../service/service.ts'
import type { IntegrityReport } from '../service/statistics.ts'
import type { GoldenScores } from './reindex-contract.ts'

/** What the commands need of the composition root, which they may not import: src/main.ts hands it to them. */
export interface Administration extends AsyncDisposable {
  readonly service: Service
  /** Items by account, source and state, and what is waiting. */
  overview(): Promise<Overview>
  /** The account of the key in credentials.json: the one that commands mean when they name none. */
  homeAccount(): Promise<string | undefined>
  /** As the use case of the service; credentials.json gets the key of the first account. */
  createAccount(account: NewAccount): ReturnType<Service['accounts']['create']>
  /** As the use case of the service; credentials.json gets the key of the first account. */
  importAccount(request: ImportRequest): ReturnType<Service['archives']['import']>
  /** As the use case of the service; credentials.json follows when it holds the key whose value changes. */
  regenerateKey(ref: { account?: string; key: string }): ReturnType<Service['keys']['regenerate']>
  /** Has the language model make memories of items that were there before, or tells what that would cost. */
  refine(request: RefinementRequest): Promise<RefinementEstimate>
  /** Forgets what is older than config.yaml says, or tells what that would be. */
  retention(request: { readonly dryRun: boolean }): Promise<RetentionReport>
  /** Failed items of all accounts, queued again; how many. */
  retryFailed(): Promise<number>
  /** A consistent copy of the database in a new file. */
  backup(file: string): Promise<{ readonly bytes: number }>
  /** What the last weekly check of the stored data found; absent before the first. */
  integrity(): Promise<IntegrityReport | undefined>
  /** Sentences about what is wrong with the database file; none when it is sound. */
  databaseProblems(): Promise<readonly string[]>
}

/** A server of PostgreSQL that the settings name. */
export interface DatabaseServer {
  readonly check: 'database' | 'replica'
  /** What it is, and how it stands. */
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
  /** ISO 8601; absent when nothing is waiting. */
  readonly oldest_waiting_at?: string
  readonly failed: readonly FailedItem[]
  /** Absent when no language model makes memories, nor ever did. */
  readonly language_model?: LanguageOverview
  readonly embedding: EmbeddingOverview
  /** Of accounts that have golden questions. */
  readonly golden: readonly GoldenOverview[]
  /** Absent while everything is kept for good. */
  readonly retention?: {
    readonly sources: readonly RetentionOverview[]
    /** ISO 8601; absent when what was too old was never forgotten yet. */
    readonly last_done_at?: string
  }
}

/** Which model questions are asked with. */
export interface EmbeddingOverview {
  readonly model: string
  /** Texts of the memory, and how many of them have a vector of the model; absent for the built-in one. */
  readonly texts?: { readonly all: number; readonly embedded: number }
  readonly building?: { readonly model: string; readonly all: number; readonly embedded: number }
  /** What is wrong, and what to do about it. */
  readonly problems: readonly {
    readonly message: string
    readonly advice?: Advice
    /** ISO 8601, when it is tried again by itself. */
    readonly retry_at?: string
  }[]
}

export interface GoldenOverview extends GoldenScores {
  readonly account_id: string
  /** Than in the run before. */
  readonly worse: number
  /** ISO 8601. */
  readonly ran_at: string
}

export interface LanguageOverview {
  /** Provider and name; `null` when none is configured for it any more. */
  readonly model: string | null
  /** What is wrong with the settings of models. */
  readonly problem?: string
  /** Items that wait for it, by what keeps them from being taken; without a reason, nothing but their turn does. */
  readonly waiting: readonly {
    readonly items: number
    readonly reason?: 'budget' | 'away' | 'refused'
    readonly message?: string
    /** ISO 8601 */
    readonly until?: string
  }[]
  /** Items whose memories it made. */
  readonly refined: number
  /** Memories and answers of it that were left out, because they quote what is not in the source. */
  readonly unproven: number
  readonly given_up: number
  /** Not all, where there are many. */
  readonly given_up_items: readonly Omit<FailedItem, 'file_name'>[]
  readonly spent_today: { readonly tokens: number; readonly dollars: number }
}

export interface RefinementRequest {
  readonly source?: SourceType
  /** Nothing is queued. */
  readonly dryRun: boolean
  /** How many items are looked at, before the first. */
  onTotal(items: number): void
  /** One was looked at. */
  onItem(): void
}

export interface RefinementEstimate {
  readonly model: string
  readonly items: number
  /** Of them; 0 in a dry run. */
  readonly queued: number
  readonly calls: number
  /** Answers that were paid for and are used again. */
  readonly kept_answers: number
  readonly input_tokens: number
  readonly output_tokens: number
  /** `null`: nobody said what the model costs. */
  readonly dollars: number | null
}

/** For how many days items are kept, by source type; and what of all accounts is older. */
export interface RetentionReport {
  readonly dry_run: boolean
  readonly sources: readonly RetentionOverview[]
  readonly expired: readonly {
    readonly account_id: string
    readonly source_type: SourceType
    readonly days: number
    /** `slack/acme`, when it has a limit of its own. */
    readonly connection?: string
    readonly items: number
    readonly memories: number
    readonly bytes: number
  }[]
}

export interface RetentionOverview {
  readonly source_type: SourceType
  readonly days: number
  /** `slack/acme`: the limit is of what it brings. */
  readonly connection?: string
}

export interface SourceOverview {
  readonly account_id: string
  readonly source_type: SourceType
  readonly items: Readonly<Record<ItemStatus, number>>
  readonly memories: number
  /** Parts that were left out of its items, most first. */
  readonly left_out: readonly { readonly reason: SkipReason; readonly count: number }[]
}

export interface FailedItem {
  readonly item_id: string
  readonly source_type: SourceType
  readonly file_name: string
  readonly error: string
}

export interface AppStart {
  /** For the account that the first start makes. */
  readonly userName: string
  /** Waits for an unavailable database until this is aborted, then throws its reason. Absent: does not wait. */
  readonly patience?: AbortSignal
  /** The database that is there, or is made, is this home's from now on. */
  readonly acceptDatabase?: boolean
}

export interface RunningApp {
  /** Where the API answers on this machine, e.g. `http://127.0.0.1:7411`; without that role, where that of the home is expected. */
  readonly address: string
  /** Where others reach it: the base_url setting, else the address. */
  readonly baseUrl: string
  /** On the first start in a home: the account that was made, and its key, which is nowhere else. */
  readonly firstAccount?: { readonly accountId: string; readonly userId: string; readonly key: string }
  /** While nobody has signed up to the app: the link that makes the first person. Not without the API. */
  readonly firstLink?: string
  /** Refuses further requests, finishes what is running or gives it back, and closes; within 10 seconds. */
  stop(): Promise<void>
}

export interface RestoreResult {
  readonly counts: Readonly<Record<string, number>>
  /** Where the database that was replaced lies now; absent when there was none. */
  readonly previous?: string
}
