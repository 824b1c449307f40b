import type { ActivityActor } from '../domain/activity.ts'
import type {
  AskResult,
  CallOptions,
  Download,
  FileList,
  ForgetResult,
  ListQuery,
  RecallQuery,
  RecallResult,
  Upload,
  UploadResult,
} from '../domain/memory.ts'
import type { Scope } from '../domain/scope.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { BillingStatus, UsageCount } from '../store/accounts/accounts.ts'
import type { Bodies } from '../store/bodies/bodies.ts'
import type { GoldenItem, GoldenQuestion, GoldenRun } from '../store/golden/golden.ts'
import type { DaySpending } from '../store/refinements/refinements.ts'
import type { EngineStats, StoreStats } from '../store/store.ts'
import type { AccountDeletionUseCases } from './account-deletion.ts'
import type { Activity } from './activity.ts'
import type { AccountExport, ExportRequest } from './archive/export-account.ts'
import type { ImportReport, ImportRequest } from './archive/import-account.ts'
import type { ExploreUseCases } from './explore.ts'
import type { IntegrityReport } from './integrity.ts'
import type { LibraryUseCases } from './library.ts'
import type { PeopleUseCases } from './people-contract.ts'

/** What a request does. */
export type Use = 'upload' | 'recall' | 'ask' | 'read'

/** The use cases behind every door: REST, MCP, command line, web app. Every method rejects with an `AppError`. */
export interface Service {
  /**
   * For doors, before they do anything for a request.
   *
   * @throws AppError `unavailable` while so much is asked that the use case would refuse it
   */
  admit(use: Use): void
  /** The holder of a key, or `unauthenticated`. Constant-time in the value; looks at the store on every call. */
  authenticate(presentedKey: string | undefined): Promise<Principal>
  /** Rejects with `payment_required` when billing is past due or the plan's quota for this use is spent. */
  checkBilling(principal: Principal, use: Use): Promise<void>
  /**
   * Whether an upload may begin at all: rejects with `rate_limited` or `unavailable` while too many wait for processing.
   * `memorize` asks by itself; a door that receives a body first asks before it reads one.
   */
  admitUpload(principal: Principal): Promise<void>
  /** Most bytes an upload that begins like this may have (specification 8); a door stops reading beyond it. */
  uploadLimit(upload: UploadStart): UploadLimit
  memorize(principal: Principal, upload: Upload): Promise<UploadResult>
  /** This and `ask`: when the signal is aborted, rejects with its reason before the next step. */
  recall(principal: Principal, query: RecallQuery, options?: CallOptions): Promise<RecallResult>
  ask(principal: Principal, question: { readonly text: string }, options?: CallOptions): Promise<AskResult>
  /** For the fence around what one answer shows to an agent; `undefined` where no fence is recognized later. */
  fenceId(principal: Principal): string | undefined
  list(principal: Principal, query: ListQuery): Promise<FileList>
  download(principal: Principal, ref: { itemId: string; sourceType?: SourceType }): Promise<Download>
  forget(principal: Principal, ref: { itemId: string; sourceType: SourceType }): Promise<ForgetResult>
  /** Queues failed items of the scope again; how many. */
  retryFailed(principal: Principal): Promise<number>
  /** Rejects with `unavailable` when the store cannot be read and written. */
  health(): Promise<void>
  /** Whether the disk has room for further uploads. */
  hasDiskSpace(): Promise<boolean>
  /** Whether uploads of anybody are still taken: `false` while too many wait for processing. */
  hasRoom(): Promise<boolean>
  /** Numbers over all accounts, for `/metrics`. */
  statistics(): Promise<ServiceStatistics>
  /** Recall and ask for the pages of the web app. */
  readonly explore: ExploreUseCases
  readonly library: LibraryUseCases
  readonly accounts: AccountUseCases
  readonly deletions: AccountDeletionUseCases
  /** Where the bytes of uploads lie. */
  readonly bodies: Bodies
  /** Accounts as files. */
  readonly archives: {
    export(request: ExportRequest): Promise<AccountExport>
    import(request: ImportRequest): Promise<ImportReport>
  }
  readonly keys: KeyUseCases
  readonly billing: BillingUseCases
  readonly usage: UsageUseCases
  readonly golden: GoldenUseCases
  readonly people: PeopleUseCases
  readonly activity: Omit<Activity, 'flush' | 'close'>
  /** Writes counts and activity that are still in memory. */
  close(): Promise<void>
}

/** The first bytes of an upload (all of it, or at least 4,096), and what its sender says of it. */
export interface UploadStart {
  readonly head: Uint8Array
  readonly fileName: string
  readonly contentType?: string
}

export interface UploadLimit {
  readonly bytes: number
  /** For the message: `A text file may have at most 10 MB`. */
  readonly sentence: string
}

export interface ServiceStatistics {
  readonly stats: StoreStats
  readonly engine: EngineStats
  /** Of the last weekly check; absent before the first. */
  readonly integrity: IntegrityReport | undefined
  /** What is left of the budget of the language model for today, of the account with least; in [0, 1]. */
  readonly budgetLeft: number
}

/** Who is asking: made from a key by `authenticate`. */
export interface Principal {
  readonly scope: Scope
  readonly accountId: string
  readonly userId: string
  readonly keyId: string
  /** Absent in the app. */
  readonly keyName?: string
  /** Who is signed in, where no key was presented. */
  readonly person?: { readonly id: string; readonly name: string }
  /** A connector of this server: its runs are noted as activity, not each of its calls. */
  readonly isConnector?: true
  readonly timeZone: string
  readonly plan: string
  readonly billingStatus: BillingStatus
}

export interface AccountUseCases {
  /** The key is in this result and nowhere else. */
  create(account: {
    name: string
    userName: string
    timeZone?: string
  }): Promise<{ accountId: string; userId: string; key: string }>
  /** The same where there is no account yet; of processes that start together, one makes it. `undefined`: there is one. */
  createFirst(
    ...account: Parameters<AccountUseCases['create']>
  ): Promise<Awaited<ReturnType<AccountUseCases['create']>> | undefined>
  list(): Promise<AccountView[]>
  /** What is absent stays as it is; `by` as for keys. */
  update(change: { account: string; name?: string; timeZone?: string; by?: ActivityActor }): Promise<void>
}

export interface AccountView {
  readonly accountId: string
  readonly name: string
  readonly plan: string
  readonly billingStatus: BillingStatus
  readonly createdAt: string
}

/** `account`: an account id; when the store holds one account only, it may be left out. `by`: who does it, for the activity; absent: somebody at the command line. */
export interface KeyUseCases {
  list(account?: string): Promise<KeyView[]>
  create(key: {
    account?: string
    name: string
    sources: 'all' | readonly SourceType[]
    by?: ActivityActor
  }): Promise<KeyView & { readonly key: string }>
  /** By id or name. The old value stops working at once; the new one is in this result and nowhere else. */
  regenerate(ref: { account?: string; key: string; by?: ActivityActor }): Promise<KeyView & { readonly key: string }>
  delete(ref: { account?: string; key: string; by?: ActivityActor }): Promise<KeyView>
}

export interface KeyView {
  readonly id: string
  readonly name: string
  readonly sources: 'all' | readonly SourceType[]
  readonly isDefault: boolean
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

/** `account` as for keys. A person's own questions with the items that answer them. */
export interface GoldenUseCases {
  /** Rejects with `not_found` when the memory holds one of the items not. Returns the number of the question. */
  add(question: { account?: string; question: string; items: readonly GoldenItem[] }): Promise<number>
  /** With the last runs, newest first; the last two are enough to tell what changed. */
  list(account?: string): Promise<{ questions: readonly GoldenQuestion[]; runs: readonly GoldenRun[] }>
  remove(ref: { account?: string; number: number }): Promise<void>
  /**
   * Asks all questions as users do: in the space that they are asked in, or only in the one that is named. Keeps the run
   * unless it had to be asked in another space than chosen (`notice`) or `keep` is false.
   */
  run(request: {
    account?: string
    by: Pick<GoldenRun, 'version' | 'pipelineVersion'>
    spaceId?: string
    keep?: boolean
    signal?: AbortSignal
  }): Promise<{ readonly run: GoldenRun; readonly notice?: string }>
}

export interface BillingUseCases {
  show(account?: string): Promise<BillingView>
  /** `by` as for keys. */
  set(billing: {
    account?: string
    plan?: string
    status?: 'active' | 'past_due'
    by?: ActivityActor
  }): Promise<BillingView>
  /** Those there are to choose from. */
  plans(): readonly PlanView[]
}

export interface PlanView {
  readonly name: string
  readonly title: string
  /** What is left out is unlimited. */
  readonly quotas: Readonly<Record<string, number | undefined>>
}

export interface BillingView {
  readonly accountId: string
  readonly plan: string
  readonly status: BillingStatus
  /** Per quota of the plan: used and allowed (`null`: unlimited). */
  readonly usage: Readonly<Record<string, { readonly used: number; readonly allowed: number | null }>>
}

export interface UsageUseCases {
  /** Of the last days of an account, today included; counts that are still in memory too. */
  byDay(query: { account?: string; days: number }): Promise<UsageByDay>
}

export interface UsageByDay {
  /** YYYY-MM-DD, UTC; oldest first, also days on which nothing was done. */
  readonly days: readonly string[]
  /** One for each day, key and metric with any. Keys may be deleted since. */
  readonly counts: readonly UsageCount[]
  readonly spending: {
    /** As `days`, but in the time zone of the account. */
    readonly days: readonly string[]
    readonly timeZone: string
    readonly uses: readonly DaySpending[]
    /** Absent: no language model is used. */
    readonly model?: PaidModel
  }
}

/** The language model that is used, as far as its costs go. */
export interface PaidModel {
  readonly id: string
  /** Its price is known: else all that is spent counts as 0 dollars. */
  readonly isPriced: boolean
  /** Of each account; absent: without limits. */
  readonly budget?: DayLimit & { readonly perSource: Readonly<Partial<Record<SourceType, DayLimit>>> }
}

export interface DayLimit {
  readonly tokensPerDay?: number
  readonly dollarsPerDay?: number
}
