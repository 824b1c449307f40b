import type { RunOutcome } from '../domain/activity.ts'
import type { Advice } from '../domain/errors.ts'

/** The result of one run of a connection; printed by `recalld sync --json`. */
export interface RunReport {
  readonly connector: string
  readonly name: string
  /** Title of the account at the source. */
  readonly account: string
  readonly partitions: number
  /** Processed items: `memorized + unchanged + removed + failed + settling`. */
  readonly items: number
  readonly memorized: number
  readonly unchanged: number
  readonly removed: number
  /** Failed or skipped; the ledger has the reason of each. */
  readonly failed: number
  /** Changed recently; memorized after their quiet period. */
  readonly settling: number
  readonly requests: number
  readonly waited_ms: number
  readonly duration_ms: number
  readonly outcome: RunOutcome
  /** The problem and the remedy in a sentence; absent without a problem. */
  readonly problem?: string
  readonly remedy?: string
  readonly advice?: Advice
  /** ISO 8601: when it continues after a rate limit. */
  readonly next_attempt_at?: string
  /** Titles of the first failures; the ledger has them all. */
  readonly failures: readonly { readonly partition: string; readonly item?: string; readonly error: string }[]
  readonly warnings: readonly string[]
}

/** The result of `recalld sync --dry-run`. */
export interface PreviewReport {
  readonly connector: string
  readonly name: string
  readonly account: string
  readonly partitions: readonly PartitionPreview[]
  readonly requests: number
  readonly waited_ms: number
  readonly duration_ms: number
  readonly problem?: string
}

export interface PartitionPreview {
  readonly partition: string
  readonly new: number
  readonly changed: number
  readonly unchanged: number
  readonly gone: number
  readonly failed: number
  /** Bytes that would be uploaded. */
  readonly bytes: number
  /** Different titles of the first items that would be uploaded, if they have one. */
  readonly examples: readonly string[]
  /** Secrets that would be redacted, by kind. */
  readonly secrets: Readonly<Record<string, number>>
  readonly problem?: string
}

/** For progress bars. */
export interface SyncProgress {
  readonly connector: string
  readonly name: string
  /** The part that is being read. */
  readonly partition?: string
  readonly partitionsDone: number
  /** Absent until every partition is known. */
  readonly partitionsTotal?: number
  readonly items: number
  readonly memorized: number
  readonly unchanged: number
  readonly removed: number
  readonly failed: number
  /** Items a minute, over the last minute; absent until it is known. */
  readonly perMinute?: number
  /** Until the run ends, at this rate; only when the source states how many items there are. */
  readonly remainingMs?: number
  /** In a first sync: everything of so many last days is memorized. */
  readonly recentDays?: number
  /** While waiting for a rate limit. */
  readonly waitingUntil?: Date
}
