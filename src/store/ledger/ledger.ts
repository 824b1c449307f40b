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
   * Begins a run of a connection, whose row is made when there is none. Only one run at a time: `running` while another
   * holder's lease lasts; `taken`: another process has run it since for the same reason.
   */
  beginRun(
    connection: ConnectionName,
    run: { readonly holder: string; readonly leaseMs: number; readonly because?: RunReason },
  ): Promise<
    | { readonly outcome: 'begun'; readonly row: ConnectionRow }
    | { readonly outcome: 'running'; readonly since: Date }
    | { readonly outcome: 'taken' }
  >
  /** `false`: the lease was lost to another run, so this one must stop. */
  extendRun(connection: ConnectionName, run: { readonly holder: string; readonly leaseMs: number }): Promise<boolean>
  /**
   * Ends the lease and records how the run ended; of a holder that lost it, nothing. Without `nextRunAt` a time that is
   * still to come stays.
   */
  endRun(connection: ConnectionName, holder: string, end: RunEnd): Promise<void>
  /** Changes what is given; `null` clears a field. Makes the row when there is none. */
  updateConnection(connection: ConnectionName, change: ConnectionChange): Promise<void>
  /** Removes the connection with its partitions and items; what the memory holds stays. */
  removeConnection(connection: ConnectionName): Promise<void>

  listPartitions(connection: ConnectionName): Promise<PartitionRow[]>
  /** Only when no items belong to it any more but tombstones, which stay. */
  removePartition(connection: ConnectionName, partitionId: string): Promise<void>

  /**
   * One commit: these items, and with them the state of their partition. Rows that do not exist are made. An item that
   * another connection or partition had is this one's from now on, and its `walk` begins with the one given.
   */
  commit(connection: ConnectionName, partitionId: string, changes: LedgerCommit): Promise<void>
  findItems(refs: readonly LedgerRef[]): Promise<ReadonlyMap<string, LedgerItem>>
  /**
   * Rows of a connection in the order of their keys; a page at a time.
   * - `unfinished`: a call was in flight when the process ended (`memorizing`, `deleting`, `deleted`, `removing`)
   * - `due`: `nextAttemptAt` is at or before `now`
   * - `unseen`: of one partition, last seen by a full scan before `walk`, and not a tombstone
   * - `partition`: all of one partition but tombstones
   */
  pageItems(
    connection: ConnectionName,
    query: LedgerQuery,
    page: { readonly after?: LedgerRef; readonly limit: number },
  ): Promise<LedgerItem[]>
  /** Numbers by phase, for the whole connection and by partition. */
  countItems(
    connection: ConnectionName,
  ): Promise<readonly { readonly partitionId: string; readonly phase: ItemPhase; readonly count: number }[]>
  /** Numbers of skipped items by reason, most frequent first, at most `MOST_SKIP_REASONS`. */
  skipReasons(connection: ConnectionName): Promise<readonly LedgerSkips[]>
  /** Failed and skipped items, newest error first. */
  failedItems(connection: ConnectionName, limit: number): Promise<LedgerItem[]>
  /**
   * Failed and skipped items are due now, with their attempts forgotten; with `forgotten`, tombstones of `forget` too.
   * Their phase becomes `failed`. How many.
   */
  retryItems(connection?: ConnectionName, options?: { readonly forgotten?: boolean }): Promise<number>
  /** Stored items of this ledger whose content is dated in [since, until), oldest first. */
  memorizedBetween(
    range: { readonly since: Date; readonly until: Date },
    page: { readonly offset: number; readonly limit: number },
  ): Promise<LedgerItem[]>
  /** Removes tombstones of the phase `removed` older than `before`. How many. */
  dropTombstones(before: Date): Promise<number>

  /** Every budget of a provider and account. */
  listBudgets(provider: string, account: string): Promise<BudgetRow[]>
  saveBudget(provider: string, account: string, budget: BudgetRow): Promise<void>
  /** Small facts about the memory itself, e.g. whose it is. */
  readFact(name: string): Promise<string | undefined>
  writeFact(name: string, value: string): Promise<void>
}

/** Why a run begins: it is due since the time that the ledger keeps, or somebody asked for it. Each counts for one run. */
export type RunReason = { readonly dueAt: Date } | 'asked'

export interface ConnectionName {
  /** Id of the connector, `slack`. */
  readonly connector: string
  /** Name in the configuration. */
  readonly name: string
}

/** `full`: everything is read again and compared. */
export type AskedRun = 'changes' | 'full'

export interface ConnectionRow extends ConnectionName {
  /** Immutable account of the source that ids and cursors belong to; absent before the first successful check. */
  readonly account: string | undefined
  readonly accountTitle: string | undefined
  /** Hash of the settings that decide what is taken, and the version of the connector. */
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
  /** When the schedule, a retry or a rate limit wants it to run next. */
  readonly nextRunAt: Date | undefined
  /** A run that somebody asked for and nobody has begun. */
  readonly asked: AskedRun | undefined
  /** JSON: the report of the last run. */
  readonly report: string | undefined
  /** While a run holds it. */
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
  /** The row as it was read: nothing is changed when a run has begun or the next one was planned since. */
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
  /** JSON; absent until the first checkpoint, and after the source refused it. */
  readonly cursor: string | undefined
  readonly cursorAt: Date | undefined
  /** Number of the full scan in progress or last finished (column `walk`). */
  readonly walk: number
  /** Whether a full scan is in progress (column `walking`). */
  readonly walking: boolean
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
  readonly walk?: number
  readonly walking?: boolean
  readonly lastSuccessAt?: Date | null
  readonly lastInventoryAt?: Date | null
  readonly error?: string | null
  readonly errorAt?: Date | null
  readonly remedy?: string | null
}

/**
 * Where an item stands. The phase before a call is written before the call, so that a crash in between is seen.
 * - `clean`: the memory holds it as `contentHash` says
 * - `settling`: changed again, waits for its quiet period (`nextAttemptAt`)
 * - `memorizing`, `deleting`: on the way to `clean` (`deleting`: the old version goes first)
 * - `failed`: will be tried again at `nextAttemptAt`, or by `retry` only when absent
 * - `skipped`: cannot be taken, with the reason
 * - `removing`, `removed`: gone at its source; `removed` is a tombstone for a while
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
  /** SHA-256 of the document the memory holds, hexadecimal; absent when it holds none. */
  readonly contentHash: string | undefined
  /** Revision of the source that was last dealt with. */
  readonly revision: string | undefined
  /** Number of the last full scan of its partition that saw it. */
  readonly walk: number
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
  /** Absent of rows that were written without one. */
  readonly code: ErrorCode | undefined
  /** Of the code `invalid`, which says too little: the sentence about it. Those of other codes name the item. */
  readonly message: string | undefined
  readonly count: number
}

/** What a row becomes; everything that is absent is cleared, but `walk`, which never goes back. */
export interface LedgerItemState extends LedgerRef {
  readonly phase: ItemPhase
  readonly contentHash?: string
  readonly revision?: string
  readonly walk: number
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
  /** Unchanged items of this partition that a full scan met: only their `walk` changes, and only upwards. */
  readonly seen?: { readonly refs: readonly LedgerRef[]; readonly walk: number }
  readonly partition?: PartitionChange
}

export type LedgerQuery =
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'due'; readonly now: Date }
  | { readonly kind: 'unseen'; readonly partitionId: string; readonly walk: number }
  | { readonly kind: 'partition'; readonly partitionId: string }

export interface BudgetRow {
  /** What the provider counts together. */
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
