import type { ContentFormat } from '../domain/content-format.ts'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import type { Embedder } from '../models/model.ts'
import type { Rerank } from '../retrieval/rank-chunks.ts'
import type { AnswerWriter } from '../retrieval/write-answer.ts'
import type { Store } from '../store/store.ts'
import type { Activity } from './activity.ts'
import type { Backlog, BacklogSettings, LoadGate } from './load-limits.ts'
import type { Plans } from './plans.ts'
import type { Principal } from './principal.ts'
import type { QuestionSpaces } from './question-models.ts'
import type { UsageMeter } from './usage-meter.ts'

/** Access that was granted at a provider. */
export interface HeldGrant {
  readonly provider: string
  /** Whether the provider was told, and did not refuse. @throws the reason of `signal` when that is aborted */
  withdraw(signal: AbortSignal): Promise<boolean>
}

export interface AccountGrants {
  /** What was granted to an account; it can be withdrawn after the account is gone. */
  hold(accountId: string): Promise<readonly HeldGrant[]>
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

/** What every use case works with. */
export interface ServiceContext {
  readonly store: Store
  /** The built-in one. */
  readonly embedder: Embedder
  readonly questionSpaces: QuestionSpaces
  /** Absent: the order is that of the built-in mix. */
  readonly rerank?: Rerank
  /** Absent: answers are quotations. */
  readonly answerWriting?: (principal: Principal) => AnswerWriter
  /** Absent: no language model is used. */
  readonly paidModel?: PaidModel
  readonly clock: Clock
  readonly log: Log
  readonly telemetry: Telemetry
  readonly settings: ServiceSettings
  readonly plans: Plans
  readonly classify: UploadClassifier
  readonly usage: UsageMeter
  readonly activity: Activity
  readonly backlog: Backlog
  readonly searches: LoadGate
  readonly uploads: LoadGate
  /** Absent: nobody grants anything. */
  readonly grants?: AccountGrants
  /** A fresh UUID: `trace_id`, executions, accounts, keys. */
  readonly newId: () => string
}

/**
 * What an upload is, by its bytes and what its sender says of it. A `pdf` may have 20 MB, which its first 4,096 bytes
 * tell; the others are told by all bytes. Documents have readers of their own, and everything else must be UTF-8 text.
 */
export type UploadClassifier = (head: Uint8Array, fileName: string, contentType: string) => ContentFormat

export interface ServiceSettings extends BacklogSettings {
  /** Questions of one account answered at a time; beyond it, 429 `RATE_LIMIT_EXCEEDED`. */
  readonly maxConcurrentAsks: number
  /** Searches for recall and ask at a time, of all accounts; beyond it they wait a moment, and are refused with 503. */
  readonly maxConcurrentSearches: number
  /** Uploads that are stored at a time; those that come together on SQLite share a commit. */
  readonly maxConcurrentCommits: number
  /** Days for which activity is kept; 0 records no questions. */
  readonly activityDays: number
  /** Days for which acts of administration are kept. */
  readonly auditDays: number
  /** How often usage counts and activity are written, in milliseconds. */
  readonly usageFlushMs: number
  /** IANA time zone of accounts that name none. */
  readonly timeZone: string
}

export const DEFAULT_SERVICE_SETTINGS: ServiceSettings = {
  ...DEFAULT_LIMITS,
  maxConcurrentCommits: 32,
  usageFlushMs: 5_000,
  timeZone: 'UTC',
}
