import { createHash } from 'node:crypto'
import type { Body, ItemRef, SourceItem } from '../connector/connector.ts'
import { type ItemDocument, renderDocument } from '../connector/document.ts'
import { SourceError } from '../connector/source-error.ts'
import { keptSince, retentionReason } from '../domain/retention.ts'
import type { LedgerItem, LedgerItemState } from '../store/ledger/ledger.ts'
import { EndOfRun } from './end-of-run.ts'
import {
  again,
  described,
  failedState,
  type ItemError,
  isOwn,
  mayBeHeld,
  skippedState,
  storedHash,
  tombstone,
} from './item-state.ts'
import type { Evaluation, ItemFate, PartitionScan, Reading } from './sync-run.ts'

/** An item that keeps changing is memorized after this time anyway. */
const LONGEST_SETTLING_MS = 60 * 60_000
const MINUTE_MS = 60_000

type Verdict =
  /** The row is up to date. */
  | { readonly kind: 'keep'; readonly fate: 'unchanged' | 'settling' }
  /** Nothing is memorized now, but the row changes. */
  | { readonly kind: 'write'; readonly fate: 'unchanged' | 'settling'; readonly state: LedgerItemState }
  /** The decision depends on its body. */
  | { readonly kind: 'evaluate' }

const EVALUATE: Verdict = { kind: 'evaluate' }
const UNCHANGED: Verdict = { kind: 'keep', fate: 'unchanged' }

/** Decides about an item before its body is read. */
function judgeItem(run: Reading, scan: PartitionScan, item: SourceItem, row: LedgerItem | undefined): Verdict {
  if (row === undefined) return EVALUATE
  const sameRevision = row.revision === run.selection.stamp(item.revision)
  switch (row.phase) {
    case 'forgotten':
      return UNCHANGED
    case 'removed':
      return isEcho(run, scan, item, row) ? UNCHANGED : EVALUATE
    case 'clean':
      if (!sameRevision) return settle(run, scan, item, row)
      return adopted(run, scan, row)
    case 'settling':
      // The revision equals the stored one, so a reverted change counts as none.
      return sameRevision ? written(again({ ...row, phase: 'clean' }, scan.scanNumber)) : settle(run, scan, item, row)
    case 'skipped':
    case 'failed':
      return sameRevision && !isDue(run, row) ? adopted(run, scan, row) : EVALUATE
    default:
      return EVALUATE
  }
}

function adopted(run: Reading, scan: PartitionScan, row: LedgerItem): Verdict {
  if (isOwn(run, scan, row)) return UNCHANGED
  const { attempts, nextAttemptAt, errorCode, error } = row
  return written({ ...again(row, scan.scanNumber), attempts, nextAttemptAt, errorCode, error })
}

function written(state: LedgerItemState): Verdict {
  return { kind: 'write', fate: 'unchanged', state }
}

export function isDue({ environment }: Reading, { nextAttemptAt }: LedgerItem): boolean {
  return nextAttemptAt !== undefined && nextAttemptAt <= environment.clock()
}

/**
 * A read overlap returned a deleted item again without a change. Items deleted elsewhere, for example by moving between
 * partitions, do not count.
 */
function isEcho(run: Reading, scan: PartitionScan, item: SourceItem, row: LedgerItem): boolean {
  if (scan.current || run.manifest.exactFeed || !isOwn(run, scan, row)) return false
  if (row.revision === run.selection.stamp(item.revision)) return true
  return item.updatedAt !== undefined && row.statedAt !== undefined && item.updatedAt <= row.statedAt
}

/** Waits until an item was not changed for a while, with an upper limit. */
function settle(run: Reading, scan: PartitionScan, item: SourceItem, row: LedgerItem): Verdict {
  const quietMs = Math.min(run.manifest.quietPeriodMs, LONGEST_SETTLING_MS)
  if (!run.options.settle || quietMs === 0 || item.updatedAt === undefined) return EVALUATE
  if (row.phase === 'settling' && !isDue(run, row)) return { kind: 'keep', fate: 'settling' }
  const now = run.environment.clock().getTime()
  // The first change after a quiet time is not kept back; what follows it is.
  if (run.options.pushed !== undefined && row.phase === 'clean' && now - row.changedAt.getTime() >= quietMs)
    return EVALUATE
  const quietAt = item.updatedAt.getTime() + quietMs
  // A settling row has no attempts, so the field counts the minutes since its first change.
  const settled = row.phase === 'settling' ? row.attempts + Math.ceil((now - row.changedAt.getTime()) / MINUTE_MS) : 0
  const left = LONGEST_SETTLING_MS - settled * MINUTE_MS
  if (quietAt <= now || left <= 0) return EVALUATE
  const nextAttemptAt = new Date(Math.min(quietAt, now + quietMs, now + left))
  const state: LedgerItemState = { ...again(row, scan.scanNumber), phase: 'settling', attempts: settled, nextAttemptAt }
  return { kind: 'write', fate: 'settling', state }
}

/** An item's entry from the source. */
export type Entry =
  | { readonly type: 'item'; readonly item: SourceItem }
  | { readonly type: 'gone'; readonly ref: ItemRef }
  /** The partition was not found; the manifest decides what that means (`vanished`). */
  | { readonly type: 'missing'; readonly ref: ItemRef }
  | { readonly type: 'failed'; readonly ref: ItemRef; readonly error: SourceError }

/** An item that is to be memorized. */
export interface Candidate {
  readonly item: SourceItem
  readonly row: LedgerItem | undefined
  readonly document: ItemDocument
  readonly hash: string
  /** Hash of the older version in the memory; absent when it is unknown or there is none. */
  readonly held: string | undefined
}

/** An item that is to be deleted from the memory. */
export interface Removal {
  readonly row: LedgerItem
  /** Its row afterwards. */
  readonly after: LedgerItemState
  readonly fate: ItemFate
}

export type Evaluated =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'keep'; readonly fate: ItemFate }
  | { readonly kind: 'write'; readonly fate: ItemFate; readonly state: LedgerItemState }
  | { readonly kind: 'memorize'; readonly candidate: Candidate }
  | { readonly kind: 'remove'; readonly removal: Removal }

const EMPTY: ItemError = { code: 'unreadable', message: 'It has no text.' }

export function entryRef(entry: Entry): ItemRef {
  return entry.type === 'item' ? entry.item : entry.ref
}

/** Reads a body, when there is room for it. */
export type ReadBody = (read: () => Promise<Body | undefined>) => Promise<Body | undefined>

/** @throws EndOfRun */
export async function evaluateEntry(
  run: Evaluation,
  scan: PartitionScan,
  entry: Entry,
  row: LedgerItem | undefined,
  readBody: ReadBody = (read) => read(),
): Promise<Evaluated> {
  if (entry.type === 'gone') return isPresentInPartition(run, scan, row) ? removed(row) : { kind: 'nothing' }
  if (entry.type === 'missing')
    return isPresentInPartition(run, scan, row) ? missing(run, scan, row) : { kind: 'nothing' }
  if (entry.type === 'failed') return failed(run, scan, entry.ref, row, entry.error)
  const { item } = entry
  const verdict = judgeItem(run, scan, item, row)
  if (verdict.kind !== 'evaluate') return verdict
  const old = expired(run, item)
  if (old !== undefined)
    return leftOut(row, skippedState({ ...described(item, run.selection), scanNumber: scan.scanNumber }, old))
  let body: Body | undefined
  try {
    body = await (typeof item.body === 'function' ? readBody(() => run.source.body(item)) : run.source.body(item))
  } catch (error) {
    if (error instanceof SourceError) return failed(run, scan, item, row, error)
    throw error
  }
  if (body === undefined) return isPresentInPartition(run, scan, row) ? missing(run, scan, row) : { kind: 'nothing' }
  return evaluateBody(run, scan, item, row, body)
}

async function evaluateBody(
  run: Evaluation,
  scan: PartitionScan,
  item: SourceItem,
  row: LedgerItem | undefined,
  body: Body,
): Promise<Evaluated> {
  const state = { ...described(item, run.selection), scanNumber: scan.scanNumber }
  if (isEmpty(body)) return discarded(row, skippedState(state, EMPTY))
  const document = renderDocument(item, body)
  const hash = createHash('sha256').update(document.bytes).digest('hex')
  const held = storedHash(row)
  if (held === hash) return { kind: 'write', fate: 'unchanged', state: { ...state, phase: 'clean', contentHash: hash } }
  if (held !== undefined && !(await run.memory.holds(item))) return forgotten(state)
  return { kind: 'memorize', candidate: { item, row, document, hash, held } }
}

/** Why it is skipped, if it is older than its source's retention. */
function expired({ environment, context, name }: Evaluation, item: SourceItem): ItemError | undefined {
  const own = context.config.retention_days
  const days = own ?? environment.retention?.[item.sourceType]
  const changedAt = item.updatedAt ?? item.createdAt
  if (days === undefined || changedAt === undefined || changedAt >= keptSince(days, environment.clock()))
    return undefined
  const connection = own === undefined ? undefined : `${name.connector}/${name.name}`
  return { code: 'not_found', message: retentionReason(item.sourceType, days, connection) }
}

/** Skips an item intentionally, without counting a failure. */
function leftOut(row: LedgerItem | undefined, after: LedgerItemState): Evaluated {
  return mayBeHeld(row)
    ? { kind: 'remove', removal: { row, after, fate: 'removed' } }
    : { kind: 'write', fate: 'unchanged', state: after }
}

/** There is nothing to memorize. */
function isEmpty(body: Body): boolean {
  return typeof body === 'string' ? body.trim() === '' : body.length === 0
}

/** Somebody deleted it from the memory, so it does not come back. */
export function forgotten(state: Omit<LedgerItemState, 'phase'>): Evaluated & { readonly kind: 'write' } {
  return { kind: 'write', fate: 'unchanged', state: { ...state, phase: 'forgotten' } }
}

/** An item that cannot be memorized; an older version of it is removed. */
export function discarded(row: LedgerItem | undefined, after: LedgerItemState): Evaluated {
  return mayBeHeld(row)
    ? { kind: 'remove', removal: { row, after, fate: 'failed' } }
    : { kind: 'write', fate: 'failed', state: after }
}

/** Not a tombstone, and in this partition. */
export function isPresentInPartition(
  run: Reading,
  scan: PartitionScan,
  row: LedgerItem | undefined,
): row is LedgerItem {
  return row !== undefined && row.phase !== 'removed' && row.phase !== 'forgotten' && isOwn(run, scan, row)
}

function removed(row: LedgerItem): Evaluated {
  return { kind: 'remove', removal: { row, after: tombstone(row), fate: 'removed' } }
}

async function missing(run: Evaluation, scan: PartitionScan, row: LedgerItem): Promise<Evaluated> {
  const held = storedHash(row)
  const keeps = run.manifest.vanished === 'keep' && (held !== undefined || (await run.memory.holds(row)))
  if (!keeps) return removed(row)
  const state: LedgerItemState = { ...again(row, scan.scanNumber), phase: 'clean', contentHash: held }
  return { kind: 'write', fate: 'unchanged', state }
}

function failed(
  run: Evaluation,
  scan: PartitionScan,
  ref: ItemRef | SourceItem,
  row: LedgerItem | undefined,
  error: SourceError,
): Evaluated {
  if (row?.phase === 'forgotten') return { kind: 'keep', fate: 'unchanged' }
  const { code, message, remedy, retryAt } = error
  if (remedy === 'reauthorize' || remedy === 'reconfigure') {
    throw new EndOfRun('attention', `${ref.title ?? ref.itemId}: ${message}`, { remedy, cause: error })
  }
  const known = row && again(row, scan.scanNumber)
  const { sourceType, itemId, locator, title } = ref
  const revision = ref.revision === undefined ? row?.revision : run.selection.stamp(ref.revision)
  const contentHash = storedHash(row)
  const state = {
    ...known,
    sourceType,
    itemId,
    scanNumber: scan.scanNumber,
    revision,
    contentHash,
    ...(locator !== undefined && { locator }),
    ...(title !== undefined && { title }),
  }
  if (remedy !== 'skip')
    return { kind: 'write', fate: 'failed', state: failedState(run, state, row, { code, message, retryAt }) }
  const skipped = skippedState(state, { code, message })
  // A file that is too large fails once, not in every run.
  if (row?.phase === 'skipped' && row.error === message && row.revision === revision && isOwn(run, scan, row)) {
    return { kind: 'write', fate: 'unchanged', state: skipped }
  }
  return contentHash === undefined ? discarded(row, skipped) : { kind: 'write', fate: 'failed', state: skipped }
}
