import type { RunOutcome } from '../domain/activity.ts'
import type { Advice } from '../domain/errors.ts'

/** What one run of a connection did; `recalld sync --json` prints it. */
export interface RunReport {
  readonly connector: string
  readonly name: string
  /** Title of the account at the source. */
  readonly account: string
  readonly partitions: number
  /** Items that were looked at: `memorized + unchanged + removed + failed + settling`. */
  readonly items: number
  readonly memorized: number
  readonly unchanged: number
  readonly removed: number
  /** Failed or skipped; each is in the ledger with its reason. */
  readonly failed: number
  /** Changed a moment ago; memorized when they are left alone. */
  readonly settling: number
  readonly requests: number
  readonly waited_ms: number
  readonly duration_ms: number
  readonly outcome: RunOutcome
  /** What went wrong and what to do, in a sentence; absent when all is well. */
  readonly problem?: string
  readonly remedy?: string
  readonly advice?: Advice
  /** ISO 8601: when it goes on after a rate limit. */
  readonly next_attempt_at?: string
  /** The first failures by name; the ledger has them all. */
  readonly failures: readonly { readonly partition: string; readonly item?: string; readonly error: string }[]
  readonly warnings: readonly string[]
}

/** What a run would take (`recalld sync --dry-run`). */
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
  /** Different titles of the first items that would be uploaded, where they have one. */
  readonly examples: readonly string[]
  /** Secrets that would be redacted, by kind. */
  readonly secrets: Readonly<Record<string, number>>
  readonly problem?: string
}

/** For progress bars. */
export interface SyncProgress {
  readonly connector: string
  readonly name: string
  /** What is being read. */
  readonly partition?: string
  readonly partitionsDone: number
  /** Absent until every partition is known. */
  readonly partitionsTotal?: number
  readonly items: number
  readonly memorized: number
  readonly unchanged: number
  readonly removed: number
  readonly failed: number
  /** While a rate limit is being waited for. */
  readonly waitingUntil?: Date
}
