import type { RunOutcome } from '../../domain/activity.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import type { SourceType } from '../../domain/source-type.ts'

/**
 * What synchronization knows: which item came from where, what of it the memory holds, and how far each partition was
 * read. One ledger per memory that is written to (an account of this store, or an account of a server elsewhere): it is bound
 * once by `store.ledger(memoryId)`, so no method takes it. Each method that writes is one commit.
 */
export interface Ledger {
  listConnections(): Promise<ConnectionRow[]>
  /**
   * Begins a run of a connection; creates its row if needed. Only one run at a time: `running` while another
   * holder's lease lasts; `taken` when another process has run it since for the same reason.
   */
  beginRun(
    connection: ConnectionName,
    run: { readonly holder: string; readonly leaseMs: number; readonly because?: RunReason },
  ): Promise<
    | { readonly outcome: 'begun'; readonly row: ConnectionRow }
    | { readonly outcome: 'running'; readonly since: Date }
    | { readonly outcome: 'taken' }
  >
  /** `false` when another run took the lease, so this one must stop. */
  extendRun(connection: ConnectionName, run: { readonly holder: string; readonly leaseMs: number }): Promise<boolean>
  /**
   * Ends the lease and records the outcome of the run; does nothing for a holder that lost the lease. Without `nextRunAt`, a
   * future time is kept.
   */
  endRun(connection: ConnectionName, holder: string, end: RunEnd): Promise<void>
  /** Changes the given fields; `null` clears one. Creates the row if needed. */
  updateConnection(connection: ConnectionName, change: ConnectionChange): Promise<void>
  /** Removes the connection with its partitions and item rows; the memory keeps the items. */
  removeConnection(connection: ConnectionName): Promise<void>

  listPartitions(connection: ConnectionName): Promise<PartitionRow[]>
  /** Only when it has no items left but tombstones, which are kept. */
  removePartition(connection: ConnectionName, partitionId: string): Promise<void>

  /**
   * Saves these items and the state of their partition in one commit; creates missing rows. An item of another connection or
   * partition moves to this one, and its `scanNumber` becomes the given one.
   */
  commit(connection: ConnectionName, partitionId: string, changes: LedgerCommit): Promise<void>
  findItems(refs: readonly LedgerRef[]): Promise<ReadonlyMap<string, LedgerItem>>
  /**
   * One page of the rows of a connection, in key order.
   * - `unfinished`: a call was in flight when the process ended (`memorizing`, `deleting`, `deleted`, `removing`)
   * - `due`: `nextAttemptAt` is at or before `now`
   * - `unseen`: of one partition, last seen by a full scan before `scanNumber`, and not a tombstone
   * - `partition`: all of one partition except tombstones
   */
  pageItems(
    connection: ConnectionName,
    query: LedgerQuery,
    page: { readonly after?: LedgerRef; readonly limit: number },
  ): Promise<LedgerItem[]>
  /** Counts by phase, for the whole connection and by partition. */
  countItems(
    connection: ConnectionName,
  ): Promise<readonly { readonly partitionId: string; readonly phase: ItemPhase; readonly count: number }[]>
  /** Counts of skipped items by reason, most frequent first, at most `MOST_SKIP_REASONS`. */
  skipReasons(connection: ConnectionName): Promise<readonly LedgerSkips[]>
  /** Failed and skipped items, newest error first. */
  failedItems(connection: ConnectionName, limit: number): Promise<LedgerItem[]>
  /**
   * Makes failed and skipped items due now and resets their attempts; with `forgotten`, tombstones of `forget` too.
   * Their phase becomes `failed`. @returns how many
   */
  retryItems(connection?: ConnectionName, options?: { readonly forgotten?: boolean }): Promise<number>
  /** Stored items of this ledger whose content is dated in [since, until), oldest first. */
  memorizedBetween(
    range: { readonly since: Date; readonly until: Date },
    page: { readonly offset: number; readonly limit: number },
  ): Promise<LedgerItem[]>
  /** Removes tombstones of the phase `removed` older than `before`. @returns how many */
  dropTombstones(before: Date): Promise<number>

  /** All budgets of an account at a provider. */
  listBudgets(provider: string, account: string): Promise<BudgetRow[]>
  saveBudget(provider: string, account: string, budget: BudgetRow): Promise<void>
  /** Small facts about the memory itself, e.g. whose it is. */
  readFact(name: string): Promise<string | undefined>
  writeFact(name: string, value: string): Promise<void>
}

/** Why a run begins: it is due since the stored time, or somebody requested it. Each reason starts one run. */
export type RunReason = { readonly dueAt: Date } | 'asked'

export interface ConnectionName {
  /** Id of the connector, `slack`. */
  readonly connector: string
  /** Name in the configuration. */
  readonly name: string
}

/** `full`: reads and compares everything again. */
export type AskedRun = 'changes' | 'full'

export interface ConnectionRow extends ConnectionName {
  /** Immutable account of the source that ids and cursors belong to; absent before the first successful check. */
  readonly account: string | undefined
  readonly accountTitle: string | undefined
  /** Hash of the settings that select items and of the connector version. */
  readonly selection: string | undefined
  readonly outcome: RunOutcome | undefined
  /** The sentence and remedy of the last run that did not end `ok`. */
  readonly problem: string | undefined
  readonly remedy: string | undefined
  /** JSON: warnings of the last check. */
  readonly warnings: string | undefined
  readonly expiresAt: Date | undefined
  readonly lastStartedAt: Date | undefined
  readonly lastEndedAt: Date | undefined
  /** End of the last run whose outcome was `ok`. */
  readonly lastSuccessAt: Date | undefined
  /** Next run by the schedule, a retry or a rate limit. */
  readonly nextRunAt: Date | undefined
  /** A requested run that has not begun. */
  readonly asked: AskedRun | undefined
  /** JSON: the report of the last run. */
  readonly report: string | undefined
  /** Set while a run holds the lease. */
  readonly running: { readonly holder: string; readonly until: Date } | undefined
}

export interface ConnectionChange {
  readonly account?: string | null
  readonly accountTitle?: string | null
  readonly selection?: string | null
  readonly warnings?: string | null
  readonly expiresAt?: Date | null
  readonly nextRunAt?: Date | null
  readonly asked?: AskedRun | null
  /** The row as it was read. Changes nothing if a run has begun or been scheduled since. */
  readonly since?: Pick<ConnectionRow, 'lastStartedAt' | 'nextRunAt'> | undefined
}

export interface RunEnd {
  readonly outcome: RunOutcome
  readonly problem?: string
  readonly remedy?: string
  readonly report: string
  readonly nextRunAt?: Date
}

export interface PartitionRow {
  readonly partitionId: string
  readonly title: string
  /** JSON; absent until the first checkpoint. */
  readonly cursor: string | undefined
  /** Without it, the partition is scanned from its start, and `cursor` is the last of an earlier scan. */
  readonly cursorAt: Date | undefined
  /** Number of the full scan in progress or last finished (column `walk`). */
  readonly scanNumber: number
  /** Whether a full scan is in progress (column `walking`). */
  readonly scanning: boolean
  readonly lastSuccessAt: Date | undefined
  readonly lastInventoryAt: Date | undefined
  readonly error: string | undefined
  readonly errorAt: Date | undefined
  readonly remedy: string | undefined
}

export interface PartitionChange {
  readonly title?: string
  readonly cursor?: string | null
  readonly cursorAt?: Date | null
  readonly scanNumber?: number
  readonly scanning?: boolean
  readonly lastSuccessAt?: Date | null
  readonly lastInventoryAt?: Date | null
  readonly error?: string | null
  readonly errorAt?: Date | null
  readonly remedy?: string | null
}

/**
 * The state of an item. Its phase is written before each call, so that a crash during the call is noticed.
 * - `clean`: the memory has the version of `contentHash`
 * - `settling`: changed recently, waits for its quiet period (`nextAttemptAt`)
 * - `memorizing`, `deleting`: on the way to `clean` (`deleting`: the old version is deleted first)
 * - `failed`: retried at `nextAttemptAt`; without it, only by `retry`
 * - `skipped`: can't be memorized, with the reason
 * - `removing`, `removed`: deleted at its source; `removed` is a temporary tombstone
 * - `forgotten`: somebody deleted it from the memory; a tombstone that keeps it from coming back
 */
export const ITEM_PHASES = [
  'clean',
  'settling',
  'memorizing',
  'deleting',
  'failed',
  'skipped',
  'removing',
  'removed',
  'forgotten',
] as const

export type ItemPhase = (typeof ITEM_PHASES)[number]

export interface LedgerRef {
  readonly sourceType: SourceType
  readonly itemId: string
}

export interface LedgerItem extends LedgerRef, ConnectionName {
  readonly partitionId: string
  readonly phase: ItemPhase
  /** SHA-256 of the document in the memory, hexadecimal; `undefined` when there is none. */
  readonly contentHash: string | undefined
  /** Last processed revision of the source. */
  readonly revision: string | undefined
  /** Number of the last full scan of its partition that saw it. */
  readonly scanNumber: number
  readonly attempts: number
  readonly nextAttemptAt: Date | undefined
  readonly errorCode: ErrorCode | undefined
  readonly error: string | undefined
  readonly locator: string | undefined
  readonly title: string | undefined
  readonly url: string | undefined
  /** Time of the content. */
  readonly statedAt: Date | undefined
  readonly changedAt: Date
}

export const MOST_SKIP_REASONS = 20

export interface LedgerSkips {
  /** `undefined` for older rows without a code. */
  readonly code: ErrorCode | undefined
  /** Message of the unspecific code `invalid` only; messages of other codes name the item. */
  readonly message: string | undefined
  readonly count: number
}

/** The new state of a row. Absent fields are cleared; `scanNumber` never decreases. */
export interface LedgerItemState extends LedgerRef {
  readonly phase: ItemPhase
  readonly contentHash?: string
  readonly revision?: string
  readonly scanNumber: number
  readonly attempts?: number
  readonly nextAttemptAt?: Date
  readonly errorCode?: ErrorCode
  readonly error?: string
  readonly locator?: string
  readonly title?: string
  readonly url?: string
  readonly statedAt?: Date
}

export interface LedgerCommit {
  readonly items?: readonly LedgerItemState[]
  /** Unchanged items that a full scan found; only their `scanNumber` changes, and it never decreases. */
  readonly seen?: { readonly refs: readonly LedgerRef[]; readonly scanNumber: number }
  readonly partition?: PartitionChange
}

export type LedgerQuery =
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'due'; readonly now: Date }
  | { readonly kind: 'unseen'; readonly partitionId: string; readonly scanNumber: number }
  | { readonly kind: 'partition'; readonly partitionId: string }

export interface BudgetRow {
  /** Group of requests that the provider counts together. */
  readonly api: string
  readonly notBefore: Date | undefined
  /** Least time between two requests. */
  readonly intervalMs: number
  readonly lastRequestAt: Date | undefined
}

/** Key of `findItems`' result. */
export function ledgerKey({ sourceType, itemId }: LedgerRef): string {
  return `${sourceType}\n${itemId}`
}
