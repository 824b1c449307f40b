import type { SourceItem } from '../connector/connector.ts'
import type { ErrorCode } from '../domain/errors.ts'
import type { ItemPhase, LedgerItem, LedgerItemState } from '../store/ledger/ledger.ts'
import type { Selection } from './connection.ts'
import type { PartitionScan, Reading } from './sync-run.ts'

const FIRST_DELAY_MS = 5 * 60_000
const LONGEST_DELAY_MS = 24 * 60 * 60_000
/** Ten attempts reach over about five days. */
const MOST_ATTEMPTS = 10

/**
 * When a failed item is retried: after 5 minutes, doubling up to a day. Up to a quarter is added, so that items that
 * failed together do not retry together. `undefined` after the tenth attempt.
 * @param attempts failed attempts, from 1
 * @param random in [0, 1)
 */
export function nextAttemptAt(attempts: number, now: Date, random: number): Date | undefined {
  if (attempts >= MOST_ATTEMPTS) return undefined
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempts - 1))
  return new Date(now.getTime() + Math.round(delay * (1 + random / 4)))
}

/** A call was in flight when the row was written, so the stored version is unknown. */
const IN_FLIGHT: ReadonlySet<ItemPhase> = new Set(['memorizing', 'deleting', 'removing'])

export function isInFlight({ phase }: LedgerItem): boolean {
  return IN_FLIGHT.has(phase)
}

/** Hash of the version that is certainly stored. */
export function storedHash(row: LedgerItem | undefined): string | undefined {
  return row === undefined || isInFlight(row) ? undefined : row.contentHash
}

/** Whether the memory may have a version of it, which must be deleted. */
export function mayBeHeld(row: LedgerItem | undefined): row is LedgerItem {
  if (row === undefined || row.phase === 'removed' || row.phase === 'forgotten') return false
  return row.phase !== 'skipped' || row.contentHash !== undefined
}

export function isOwn(run: Reading, { partition }: PartitionScan, row: LedgerItem): boolean {
  const { connector, name } = run.name
  return row.connector === connector && row.name === name && row.partitionId === partition.id
}

/** An item as a row without its phase. */
export function described(item: SourceItem, selection: Selection): Omit<LedgerItemState, 'phase' | 'scanNumber'> {
  return {
    sourceType: item.sourceType,
    itemId: item.itemId,
    revision: selection.stamp(item.revision),
    title: item.title,
    ...(item.locator !== undefined && { locator: item.locator }),
    ...(item.url !== undefined && { url: item.url }),
    ...((item.createdAt ?? item.updatedAt) && { statedAt: item.createdAt ?? item.updatedAt }),
  }
}

/** A copy of a row for writing changes, without its errors and attempts. */
export function again(row: LedgerItem, scanNumber: number): LedgerItemState {
  const { sourceType, itemId, phase, contentHash, revision, locator, title, url, statedAt } = row
  return { sourceType, itemId, phase, scanNumber, contentHash, revision, locator, title, url, statedAt }
}

export interface ItemError {
  readonly code: ErrorCode
  readonly message: string
  /** When the source wants to be retried. */
  readonly retryAt?: Date | undefined
}

/** @param state of the item, with the hash of the stored version */
export function failedState(
  { environment }: Reading,
  state: Omit<LedgerItemState, 'phase'>,
  row: LedgerItem | undefined,
  error: ItemError,
  phase: 'failed' | 'removing' = 'failed',
): LedgerItemState {
  const { clock, random } = environment
  const attempts = (row?.error === undefined ? 0 : row.attempts) + 1
  const next = error.retryAt ?? nextAttemptAt(attempts, clock(), random())
  return { ...state, phase, attempts, nextAttemptAt: next, errorCode: error.code, error: error.message }
}

export function skippedState(state: Omit<LedgerItemState, 'phase'>, error: ItemError): LedgerItemState {
  return { ...state, phase: 'skipped', errorCode: error.code, error: error.message }
}

export function tombstone({ sourceType, itemId, revision, title, statedAt }: LedgerItem): LedgerItemState {
  return { sourceType, itemId, revision, title, statedAt, phase: 'removed', scanNumber: 0 }
}
