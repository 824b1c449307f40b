import type { ConnectionConfig, Context, Manifest, Partition } from '../connector/connector.ts'
import { RECENT_DAYS } from '../connector/recent-window.ts'
import type { Clock } from '../lib/clock.ts'
import type { ConnectionName, Ledger } from '../store/ledger/ledger.ts'
import type { RunOptions, Selection, SyncEnvironment } from './connection.ts'
import { EndOfRun } from './end-of-run.ts'
import type { MemoryPort } from './memory-port.ts'
import type { RequestCounts } from './requests.ts'
import type { RunReport, SyncProgress } from './run-report.ts'
import type { Source } from './source.ts'
import { SyncPace } from './sync-pace.ts'

/** The environment for reading. */
export interface Reading {
  readonly name: ConnectionName
  readonly manifest: Manifest
  readonly ledger: Ledger
  readonly environment: SyncEnvironment
  readonly options: RunOptions
  readonly source: Source
  readonly context: Context<ConnectionConfig>
  readonly selection: Selection
}

/** The environment for decisions about items; a preview has no actual memory. */
export interface Evaluation extends Reading {
  readonly memory: Pick<MemoryPort, 'holds'>
}

/** State shared by the steps of one run. */
export interface SyncRun extends Evaluation {
  /** Aborted by the caller, and when the lease was lost. */
  readonly signal: AbortSignal
  readonly memory: MemoryPort
  readonly tally: Tally
  readonly monitor: FailureMonitor
  /** What ended one partition and concerns them all. */
  readonly end: { reason?: { readonly error: unknown } }
}

/** @throws what ended another partition for the whole run: this one ends with it */
export function mustGoOn({ end }: SyncRun): void {
  if (end.reason !== undefined) throw end.reason.error
}

/** A partition with the scan that reads its items. */
export interface PartitionScan {
  readonly partition: Partition
  /** Number of the full scan (column `walk` of the ledger); 0 keeps the stored number. */
  readonly scanNumber: number
  /** Whether items exist now, as in a full scan; otherwise they may be older than a deletion, from an overlap. */
  readonly current: boolean
}

const FAILURES_LISTED = 20

/** The problem of a run that ended for others. */
export const GAVE_WAY = 'Paused so that other sources can sync. It continues automatically.'

export function yieldedToOthers(now: Date): EndOfRun {
  return new EndOfRun('waiting', GAVE_WAY, { nextRunAt: now })
}

/** What is known about a partition while it is read. */
interface PartitionProgress {
  isRecentRead: boolean
  /** How many items are to come, if the source states it. */
  left: number | undefined
}

/** Outcome of an item. */
export type ItemFate = 'memorized' | 'unchanged' | 'removed' | 'failed' | 'settling'

/** Counts what a run does, for its report and its progress. */
export class Tally {
  /** Title of the account at the source. */
  account = ''
  /** Of the source's check, and of what was read since. */
  readonly warnings = new Set<string>()
  readonly requests: RequestCounts = { sent: 0, waitedMs: 0 }
  partitionsDone = 0
  partitionsTotal: number | undefined
  /** Something is left that the next run retries. */
  incomplete = false
  /** When the first remaining item is due. */
  nextAttemptAt: Date | undefined
  /** A problem of a partition that the person must fix. */
  attention: { readonly problem: string; readonly remedy: string; readonly cause: unknown } | undefined
  readonly #counts: Record<ItemFate, number> = { memorized: 0, unchanged: 0, removed: 0, failed: 0, settling: 0 }
  readonly #failures: { partition: string; item?: string; error: string }[] = []
  readonly #name: ConnectionName
  readonly #onProgress: RunOptions['onProgress']
  readonly #pace: SyncPace
  /** Those that are not done yet. */
  readonly #partitions = new Map<string, PartitionProgress>()
  #partition: string | undefined
  #hasAdvanced = false
  /** Some partition has a first scan. */
  #isFirst = false

  constructor(name: ConnectionName, onProgress: RunOptions['onProgress'], clock: Clock) {
    this.#name = name
    this.#onProgress = onProgress
    this.#pace = new SyncPace(clock)
  }

  /** A cursor was stored, or a partition was finished: the next run has less to do. */
  get hasAdvanced(): boolean {
    return this.#hasAdvanced
  }

  advanced(): void {
    this.#hasAdvanced = true
  }

  expectPartitions(
    partitions: readonly { readonly id: string; readonly isFirst: boolean; readonly isRecentRead: boolean }[],
  ): void {
    this.#isFirst = partitions.some(({ isFirst }) => isFirst)
    for (const { id, isRecentRead } of partitions) this.#partitions.set(id, { isRecentRead, left: undefined })
  }

  /** The recent part of a partition is read. @returns `false` when that was known */
  recentRead(id: string): boolean {
    const known = this.#partitions.get(id)
    if (known === undefined || known.isRecentRead) return false
    known.isRecentRead = true
    this.progress()
    return true
  }

  /** @param items that the partition still yields */
  expect(id: string, items: number): void {
    const known = this.#partitions.get(id)
    if (known !== undefined) known.left = items
  }

  yielded(id: string): void {
    const known = this.#partitions.get(id)
    if (known?.left !== undefined) known.left = Math.max(0, known.left - 1)
  }

  partitionDone(id: string): void {
    this.#partitions.delete(id)
    this.#hasAdvanced = true
    this.partitionsDone++
    this.progress()
  }

  count(fate: ItemFate): void {
    this.#counts[fate]++
  }

  fail(failure: { readonly partition: string; readonly item?: string; readonly error: string }): void {
    if (this.#failures.length < FAILURES_LISTED) this.#failures.push(failure)
  }

  /** @param at when a remaining item is due */
  left(at: Date | undefined): void {
    if (at !== undefined && (this.nextAttemptAt === undefined || at < this.nextAttemptAt)) this.nextAttemptAt = at
  }

  reading(partition: string): void {
    this.#partition = partition
    this.progress()
  }

  progress(waitingUntil?: Date): void {
    const items = this.#items()
    this.#pace.count(items)
    if (this.#onProgress === undefined) return
    const perMinute = this.#pace.perMinute(items)
    const remainingMs = waitingUntil === undefined ? this.#pace.remainingMs(items, this.#left()) : undefined
    const isRecentReady = this.#isFirst && [...this.#partitions.values()].every(({ isRecentRead }) => isRecentRead)
    const progress: SyncProgress = {
      ...this.#name,
      ...(this.#partition !== undefined && { partition: this.#partition }),
      partitionsDone: this.partitionsDone,
      ...(this.partitionsTotal !== undefined && { partitionsTotal: this.partitionsTotal }),
      items,
      memorized: this.#counts.memorized,
      unchanged: this.#counts.unchanged,
      removed: this.#counts.removed,
      failed: this.#counts.failed,
      ...(perMinute !== undefined && { perMinute }),
      ...(remainingMs !== undefined && { remainingMs }),
      ...(isRecentReady && { recentDays: RECENT_DAYS }),
      ...(waitingUntil !== undefined && { waitingUntil }),
    }
    this.#onProgress(progress)
  }

  /** @param durationMs of the whole run */
  report({ outcome, message: problem, remedy, advice, nextRunAt }: EndOfRun, durationMs: number): RunReport {
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
      ...(advice && { advice }),
      ...(nextRunAt && { next_attempt_at: nextRunAt.toISOString() }),
      failures: this.#failures,
      warnings: [...this.warnings],
    }
  }

  /** Items to come; `undefined` while some partition does not state it. */
  #left(): number | undefined {
    const left = [...this.#partitions.values()].map((partition) => partition.left)
    if (this.partitionsTotal === undefined || left.includes(undefined)) return undefined
    return left.reduce<number>((sum, items = 0) => sum + items, 0)
  }

  #items(): number {
    return Object.values(this.#counts).reduce((sum, count) => sum + count, 0)
  }
}

const MOST_IN_A_ROW = 10
const MOST_OF_ALL = 0.15
/** Fewer items than this are too few for a failure rate. */
const LEAST_ITEMS = 20

/**
 * Distinguishes a broken item from a broken source: after a series of failures the run stops instead of failing all
 * items. Skipped items do not count: a folder may be full of unreadable files.
 */
export class FailureMonitor {
  #items = 0
  #failed = 0
  #inARow = 0
  #last = ''

  succeeded(): void {
    this.#items++
    this.#inARow = 0
  }

  /** An item was read, which ends the series of failures. Its outcome is reported later. */
  read(): void {
    this.#inARow = 0
  }

  /** @param what the item and the reason, as a sentence */
  failed(what: string): void {
    this.#last = what
    this.#items++
    this.#failed++
    this.#inARow++
  }

  get mustStop(): boolean {
    return this.#problem !== undefined
  }

  /** @throws EndOfRun `stopped` */
  check(): void {
    const what = this.#problem
    if (what === undefined) return
    throw new EndOfRun('stopped', `${what}, so the sync stopped. The next sync continues. Last error: ${this.#last}`)
  }

  get #problem(): string | undefined {
    if (this.#inARow >= MOST_IN_A_ROW) return `${this.#inARow} items in a row failed`
    const isMany = this.#items >= LEAST_ITEMS && this.#failed > this.#items * MOST_OF_ALL
    return isMany ? `${this.#failed} of ${this.#items} items failed` : undefined
  }
}
