import type { ConnectionRow } from '../store/ledger/ledger.ts'

const MOMENT_MS = 60_000

/** Whether a run has ended a moment ago whose process has not said yet when the next one is due: none is due at once. */
export function ranRecently(row: ConnectionRow | undefined, now: number): boolean {
  if (row?.lastEndedAt === undefined || row.nextRunAt !== undefined || row.outcome === 'aborted') return false
  return Math.abs(now - row.lastEndedAt.getTime()) < MOMENT_MS
}
