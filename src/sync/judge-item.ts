import type { SourceItem } from '../connector/connector.ts'
import type { LedgerItem, LedgerItemState } from '../store/ledger/ledger.ts'
import { again, isOwn } from './item-state.ts'
import type { Place, Reading } from './sync-run.ts'

/** However long somebody goes on writing, what was written is remembered after this time. */
const LONGEST_SETTLING_MS = 60 * 60_000
const MINUTE_MS = 60_000

export type Verdict =
  /** The row is right as it is. */
  | { readonly kind: 'keep'; readonly fate: 'unchanged' | 'settling' }
  /** Nothing is to be memorized now, but the row changes. */
  | { readonly kind: 'write'; readonly fate: 'unchanged' | 'settling'; readonly state: LedgerItemState }
  /** Its body decides. */
  | { readonly kind: 'evaluate' }

const EVALUATE: Verdict = { kind: 'evaluate' }
const UNCHANGED: Verdict = { kind: 'keep', fate: 'unchanged' }

/** What is to be done about an item, by what is known of it without its body. */
export function judgeItem(run: Reading, place: Place, item: SourceItem, row: LedgerItem | undefined): Verdict {
  if (row === undefined) return EVALUATE
  const sameRevision = row.revision === run.selection.stamp(item.revision)
  switch (row.phase) {
    case 'forgotten':
      return UNCHANGED
    case 'removed':
      return isEcho(run, place, item, row) ? UNCHANGED : EVALUATE
    case 'clean':
      if (!sameRevision) return settle(run, place, item, row)
      return adopted(run, place, row)
    case 'settling':
      // The revision is still the one that is held, so that a change which was taken back is none.
      return sameRevision ? written(again({ ...row, phase: 'clean' }, place.walk)) : settle(run, place, item, row)
    case 'skipped':
    case 'failed':
      return sameRevision && !isDue(run, row) ? adopted(run, place, row) : EVALUATE
    default:
      return EVALUATE
  }
}

function adopted(run: Reading, place: Place, row: LedgerItem): Verdict {
  if (isOwn(run, place, row)) return UNCHANGED
  const { attempts, nextAttemptAt, errorCode, error } = row
  return written({ ...again(row, place.walk), attempts, nextAttemptAt, errorCode, error })
}

function written(state: LedgerItemState): Verdict {
  return { kind: 'write', fate: 'unchanged', state }
}

export function isDue({ environment }: Reading, { nextAttemptAt }: LedgerItem): boolean {
  return nextAttemptAt !== undefined && nextAttemptAt <= environment.clock()
}

/**
 * An overlap of windows shows an item once more that was removed since: nothing about it is newer than what was removed.
 * Items removed elsewhere, as when they move between partitions, are none.
 */
function isEcho(run: Reading, place: Place, item: SourceItem, row: LedgerItem): boolean {
  if (place.current || run.manifest.exactFeed || !isOwn(run, place, row)) return false
  if (row.revision === run.selection.stamp(item.revision)) return true
  return item.updatedAt !== undefined && row.toldAt !== undefined && item.updatedAt <= row.toldAt
}

/** Waits until a changed item was left alone, but not for ever. */
function settle(run: Reading, place: Place, item: SourceItem, row: LedgerItem): Verdict {
  const quietMs = Math.min(run.manifest.quietPeriodMs, LONGEST_SETTLING_MS)
  if (!run.options.settle || quietMs === 0 || item.updatedAt === undefined) return EVALUATE
  if (row.phase === 'settling' && !isDue(run, row)) return { kind: 'keep', fate: 'settling' }
  const now = run.environment.clock().getTime()
  const quietAt = item.updatedAt.getTime() + quietMs
  // A row that settles has made no attempts: it counts the minutes since it first began.
  const settled = row.phase === 'settling' ? row.attempts + Math.ceil((now - row.changedAt.getTime()) / MINUTE_MS) : 0
  const left = LONGEST_SETTLING_MS - settled * MINUTE_MS
  if (quietAt <= now || left <= 0) return EVALUATE
  const nextAttemptAt = new Date(Math.min(quietAt, now + quietMs, now + left))
  const state: LedgerItemState = { ...again(row, place.walk), phase: 'settling', attempts: settled, nextAttemptAt }
  return { kind: 'write', fate: 'settling', state }
}
