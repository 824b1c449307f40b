import type { RunOutcome } from '../store/ledger.ts'
import type { Connection, RunOptions } from './connection.ts'
import type { RunReport, SyncProgress } from './run-report.ts'

const FAILURES_TOLD = 20

/** What became of an item. */
export type ItemFate = 'memorized' | 'unchanged' | 'removed' | 'failed' | 'settling'

export interface ReportEnd {
  readonly account: string
  readonly requests: number
  readonly waitedMs: number
  readonly durationMs: number
  readonly outcome: RunOutcome
  readonly problem?: string | undefined
  readonly remedy?: string | undefined
  readonly nextRunAt?: Date | undefined
  readonly warnings: readonly string[]
}

/** Counts what a run does, for its report and its progress. */
export class Tally {
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
  readonly #connection: Connection
  readonly #onProgress: RunOptions['onProgress']
  #partition: string | undefined

  constructor(connection: Connection, onProgress: RunOptions['onProgress']) {
    this.#connection = connection
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
      connector: this.#connection.connector.manifest.id,
      name: this.#connection.config.name,
      ...(this.#partition !== undefined && { partition: this.#partition }),
      partitionsDone: this.partitionsDone,
      ...(this.partitionsTotal !== undefined && { partitionsTotal: this.partitionsTotal }),
      items: this.#items(),
      memorized: this.#counts.memorized,
      failed: this.#counts.failed,
      ...(waitingUntil !== undefined && { waitingUntil }),
    }
    this.#onProgress(progress)
  }

  report(end: ReportEnd): RunReport {
    return {
      connector: this.#connection.connector.manifest.id,
      name: this.#connection.config.name,
      account: end.account,
      partitions: this.partitionsTotal ?? 0,
      items: this.#items(),
      ...this.#counts,
      requests: end.requests,
      waited_ms: end.waitedMs,
      duration_ms: end.durationMs,
      outcome: end.outcome,
      ...(end.problem && { problem: end.problem }),
      ...(end.remedy && { remedy: end.remedy }),
      ...(end.nextRunAt && { next_attempt_at: end.nextRunAt.toISOString() }),
      failures: this.#failures,
      warnings: end.warnings,
    }
  }

  #items(): number {
    return Object.values(this.#counts).reduce((sum, count) => sum + count, 0)
  }
}
