import type {
  AskQuery,
  CallOptions,
  Download,
  ListQuery,
  OpenQuery,
  RecallQuery,
  RecentQuery,
  Upload,
} from '../domain/memory.ts'
import type {
  AskResult,
  FileList,
  ForgetResult,
  OpenResult,
  RecallResult,
  RecentResult,
  UploadResult,
} from '../domain/results.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { BriefingQuery, BriefingResult, PromptQuery, SuggestionResult } from '../domain/suggestions.ts'
import type { Bodies } from '../store/bodies/bodies.ts'
import type { AccountDeletionUseCases } from './account-deletion.ts'
import type { AccountUseCases } from './accounts.ts'
import type { Activity } from './activity.ts'
import type { AgentUseCases } from './agents.ts'
import type { AccountExport, ExportRequest } from './archive/export-account.ts'
import type { ImportReport, ImportRequest } from './archive/import-account.ts'
import type { BillingUseCases, UsageUseCases, Use } from './billing.ts'
import type { DaysUseCases } from './days.ts'
import type { EditListUseCases } from './edit-list.ts'
import type { EditUseCases } from './edits.ts'
import type { ExploreUseCases } from './explore.ts'
import type { GoldenUseCases } from './golden.ts'
import type { KeyUseCases } from './keys.ts'
import type { LibraryUseCases } from './library.ts'
import type { NameUseCases } from './names.ts'
import type { PeopleUseCases } from './people.ts'
import type { Principal } from './principal.ts'
import type { ProfileUseCases } from './profile.ts'
import type { ServiceStatistics } from './statistics.ts'
import type { TagUseCases } from './tags.ts'
import type { UploadLimit, UploadStart } from './upload-checks.ts'

/** All use cases, as called by REST, MCP, the command line and the web app. Every method rejects with an `AppError`. */
export interface Service {
  /**
   * Called by routes before any work for a request.
   * @throws AppError `unavailable` during an overload, when the use case would refuse the request
   */
  admit(use: Use): void
  /** The owner of a key, or `unauthenticated`. Constant time in the value; queries the store on every call. */
  authenticate(presentedKey: string | undefined): Promise<Principal>
  /** Rejects with `payment_required` when billing is past due or the plan's quota for this use is used up. */
  checkBilling(principal: Principal, use: Use): Promise<void>
  /**
   * Whether an upload may start: rejects with `rate_limited` or `unavailable` while too many wait for processing.
   * `memorize` checks this itself; routes check it before they receive a body.
   */
  admitUpload(principal: Principal): Promise<void>
  /** Maximum bytes of an upload with these first bytes (specification 8); routes stop reading beyond it. */
  uploadLimit(upload: UploadStart): UploadLimit
  memorize(principal: Principal, upload: Upload): Promise<UploadResult>
  /** This and `ask`: when the signal is aborted, rejects with its reason before the next step. */
  recall(principal: Principal, query: RecallQuery, options?: CallOptions): Promise<RecallResult>
  ask(principal: Principal, question: AskQuery, options?: CallOptions): Promise<AskResult>
  /** Recent passages by source. */
  recent(principal: Principal, query: RecentQuery, options?: CallOptions): Promise<RecentResult>
  /** The passages around a result. */
  open(principal: Principal, query: OpenQuery): Promise<OpenResult>
  /** Passages to show an agent for a prompt. */
  suggest(principal: Principal, prompt: PromptQuery, options?: CallOptions): Promise<SuggestionResult>
  /** The briefing for an agent session in a project. */
  brief(principal: Principal, query: BriefingQuery): Promise<BriefingResult>
  /** The fence for one response to an agent; `undefined` when fences are not recognized later. */
  fenceId(principal: Principal): string | undefined
  list(principal: Principal, query: ListQuery): Promise<FileList>
  download(principal: Principal, ref: { itemId: string; sourceType?: SourceType }): Promise<Download>
  forget(principal: Principal, ref: { itemId: string; sourceType: SourceType }): Promise<ForgetResult>
  /** Queues failed items of the scope again. Returns how many. */
  retryFailed(principal: Principal): Promise<number>
  /** Rejects with `unavailable` when the store cannot be read and written. */
  health(): Promise<void>
  /** Whether the disk has room for further uploads. */
  hasDiskSpace(): Promise<boolean>
  /** Whether uploads are accepted: `false` while too many wait for processing. */
  hasRoom(): Promise<boolean>
  /** Gauges over all accounts, for `/metrics`. */
  statistics(): Promise<ServiceStatistics>
  /** Recall and ask for the pages of the web app. */
  readonly explore: ExploreUseCases
  readonly library: LibraryUseCases
  readonly accounts: AccountUseCases
  readonly deletions: AccountDeletionUseCases
  /** Where uploads are stored. */
  readonly bodies: Bodies
  /** Account export and import. */
  readonly archives: {
    export(request: ExportRequest): Promise<AccountExport>
    import(request: ImportRequest): Promise<ImportReport>
  }
  readonly keys: KeyUseCases
  readonly agents: AgentUseCases
  readonly billing: BillingUseCases
  readonly usage: UsageUseCases
  readonly golden: GoldenUseCases
  readonly edits: EditUseCases
  readonly editList: EditListUseCases
  readonly tags: TagUseCases
  readonly names: NameUseCases
  readonly profile: ProfileUseCases
  readonly days: DaysUseCases
  readonly people: PeopleUseCases
  readonly activity: Omit<Activity, 'flush' | 'close'>
  /** Writes counts and activity that are still in memory. */
  close(): Promise<void>
}
