import type { ContentFormat } from '../domain/content-format.ts'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import type { Embedder } from '../models/model.ts'
import type { AnswerWriter } from '../retrieval/answer/write-answer.ts'
import type { Rerank } from '../retrieval/recall/rerank-chunks.ts'
import type { Store } from '../store/store.ts'
import type { Activity } from './activity.ts'
import type { Backlog, BacklogSettings, LoadGate } from './load-limits.ts'
import type { Plans } from './plans.ts'
import type { Principal } from './principal.ts'
import type { QuestionSpaces } from './question-models.ts'
import type { UsageMeter } from './usage-meter.ts'

/** A grant at a provider. */
export interface HeldGrant {
  readonly provider: string
  /** Whether the provider confirmed the revocation. @throws the reason of `signal` when that is aborted */
  withdraw(signal: AbortSignal): Promise<boolean>
}

export interface AccountGrants {
  /** The grants of an account; they can be revoked after the account is deleted. */
  hold(accountId: string): Promise<readonly HeldGrant[]>
}

/** The configured language model, as far as costs are concerned. */
export interface PaidModel {
  readonly id: string
  /** Whether its price is configured; otherwise all spending counts as 0 dollars. */
  readonly isPriced: boolean
  /** Per account; absent: unlimited. */
  readonly budget?: DayLimit & {
    readonly dollarsPerMonth?: number
    readonly perSource: Readonly<Partial<Record<SourceType, DayLimit>>>
  }
}

export interface DayLimit {
  readonly tokensPerDay?: number
  readonly dollarsPerDay?: number
}

/** The dependencies of every use case. */
export interface ServiceContext {
  readonly store: Store
  /** The built-in one. */
  readonly embedder: Embedder
  readonly questionSpaces: QuestionSpaces
  /** `undefined`: the built-in ranking is used. */
  readonly rerank: () => Rerank | undefined
  /** For answers. */
  readonly rerankAnswers: () => Rerank | undefined
  /** `undefined`: answers are quotations. */
  readonly answerWriting: (principal: Principal) => AnswerWriter | undefined
  /** `undefined`: no language model is used. */
  readonly paidModel: () => PaidModel | undefined
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
  /** Absent: there are no grants. */
  readonly grants?: AccountGrants
  /** A fresh UUID: `trace_id`, executions, accounts, keys. */
  readonly newId: () => string
}

/**
 * The format of an upload, by its bytes and metadata. A `pdf`, recognized by its first 4,096 bytes, may have 20 MB;
 * other formats need all bytes. Documents have their own readers, and everything else must be UTF-8 text.
 */
export type UploadClassifier = (head: Uint8Array, fileName: string, contentType: string) => ContentFormat

export interface ServiceSettings extends BacklogSettings {
  /** Concurrent questions of one account; beyond it, 429 `RATE_LIMIT_EXCEEDED`. */
  readonly maxConcurrentAsks: number
  /** Concurrent searches for recall and ask, of all accounts; beyond it they wait briefly, and are refused with 503. */
  readonly maxConcurrentSearches: number
  /** Concurrent uploads; on SQLite they share commits. */
  readonly maxConcurrentCommits: number
  /** Whether accounts pay: a second key then requires a billing account in the app, too. */
  readonly isBilled: boolean
  /** Retention of activity in days; 0 records no questions. */
  readonly activityDays: number
  /** Retention of administrative activity in days. */
  readonly auditDays: number
  /** How often usage counts and activity are written, in milliseconds. */
  readonly usageFlushMs: number
  /** IANA time zone of accounts without one. */
  readonly timeZone: string
}

export const DEFAULT_SERVICE_SETTINGS: ServiceSettings = {
  ...DEFAULT_LIMITS,
  maxConcurrentCommits: 32,
  isBilled: false,
  usageFlushMs: 5_000,
  timeZone: 'UTC',
}
