import type { ConnectionName } from '../store/ledger/ledger.ts'
import type { RunOptions } from './connection.ts'
import type { EndOfRun } from './end-of-run.ts'
import type { RequestCounts } from './requests.ts'
import type { RunReport, SyncProgress } from './run-report.ts'

const FAILURES_TOLD = 20

/** What became of an item. */
export type ItemFate = 'memorized' | 'unchanged' | 'removed' | 'failed' | 'settling'

/** Counts what a run does, for its report and its progress. */
export class Tally {
  /** Title of the account at the source. */
  account = ''
  /** Of the source's check. */
  warnings: readonly string[] = []
  readonly requests: RequestCounts = { sent: 0, waitedMs: 0 }
  partitionsDone = 0
  partitionsTotal: number | undefined
  /** Something is left that the next run tries again. */
  incomplete = false
  /** When the first of what was left is due. */
  nextAttemptAt: Date | undefined
  /** A problem of a partition that the person has to solve. */
  attention: { readonly problem: string; readonly remedy: string } | undefined
  readonly #counts: Record<ItemFate, number> = { memorized: 0, unchanged: 0, removed: 0, failed: 0, settling: 0 }
  readonly #failures: { partition: string; item?: string; error: string }[] = []
  readonly #name: ConnectionName
  readonly #onProgress: RunOptions['onProgress']
  #partition: string | undefined

  constructor(name: ConnectionName, onProgress: RunOptions['onProgress']) {
    this.#name = name
    this.#onProgress = onProgress
  }

  count(fate: ItemFate): void {
    this.#counts[fate]++
  }

  fail(failure: { readonly partition: string; readonly item?: string; readonly error: string }): void {
    if (this.#failures.length < FAILURES_TOLD) this.#failures.push(failure)
  }

  /** @param at when something that was left is due */
  left(at: Date | undefined): void {
    if (at !== undefined && (this.nextAttemptAt === undefined || at < this.nextAttemptAt)) this.nextAttemptAt = at
  }

  reading(partition: string): void {
    this.#partition = partition
    this.progress()
  }

  progress(waitingUntil?: Date): void {
    if (this.#onProgress === undefined) return
    const progress: SyncProgress = {
      ...this.#name,
      ...(this.#partition !== undefined && { partition: this.#partition }),
      partitionsDone: this.partitionsDone,
      ...(this.partitionsTotal !== undefined && { partitionsTotal: this.partitionsTotal }),
      items: this.#items(),
      memorized: this.#counts.memorized,
      unchanged: this.#counts.unchanged,
      removed: this.#counts.removed,
      failed: this.#counts.failed,
      ...(waitingUntil !== undefined && { waitingUntil }),
    }
    this.#onProgress(progress)
  }

  /** @param durationMs of the whole run */
  report({ outcome, message: problem, remedy, nextRunAt }: EndOfRun, durationMs: number): RunReport {
    return {
      ...this.#name,
      account: this.account,
      partitions: this.partitionsTotal ?? 0,
      items: this.#items(),
      ...this.#counts,
      requests: this.requests.sent,
      waited_ms: this.requests.waitedMs,
      duration_ms: durationMs,
      outcome,
      ...(problem && { problem }),
      ...(remedy && { remedy }),
      ...(nextRunAt && { next_attempt_at: nextRunAt.toISOString() }),
      failures: this.#failures,
      warnings: this.warnings,
    }
  }

  #items(): number {
    return Object.values(this.#counts).reduce((sum, count) => sum + count, 0)
  }
}
