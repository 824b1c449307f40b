import { MAX_CONCURRENT_SYNCS } from '../domain/limits.ts'
import type { ConnectionRow, RunReason } from '../store/ledger/ledger.ts'
import type { Connection } from './connection.ts'
import type { ScheduleTimes } from './schedule.ts'

/** A scheduled connection with its state. */
export interface ScheduledConnection {
  connection: Connection
  times: ScheduleTimes
  /** In milliseconds since 1970. */
  dueAt: number
  /** The due time in the ledger at the last read; the process that starts the run changes it. */
  plannedAt: number | undefined
  /** Delays after the machine slept, so that due runs don't start all at once. */
  notBefore: number
  /** Another process runs it. */
  isElsewhere: boolean
  /** Incremented with each change of this entry, so that a row read before the change counts as outdated. */
  mark: number
  /** When to catch up a missed run or start a new connection; a manual run does it earlier. */
  catchUpAt: number | undefined
  /** A requested run has not started. */
  wanted: { readonly full: boolean; readonly isByLedger: boolean } | undefined
  running: { readonly abort: AbortController; readonly ended: Promise<void> } | undefined
}

/**
 * The runs that may start now: requested ones first, then the longest waiting; never two of a provider, which share its
 * rate limits.
 * @param now in milliseconds since 1970
 * @param seen the entries whose due time is known
 */
export function chooseRuns(
  entries: readonly ScheduledConnection[],
  now: number,
  seen: ReadonlySet<ScheduledConnection>,
): ScheduledConnection[] {
  const running = entries.filter((entry) => entry.running !== undefined)
  const busy = new Set(entries.filter((entry) => entry.running ?? entry.isElsewhere).map(providerOf))
  const chosen: ScheduledConnection[] = []
  const since = ({ wanted, dueAt, notBefore }: ScheduledConnection) =>
    wanted === undefined ? Math.max(dueAt, notBefore) : Number.NEGATIVE_INFINITY
  const due = entries.filter(
    (entry) => entry.running === undefined && (entry.wanted ?? seen.has(entry)) && since(entry) <= now,
  )
  for (const entry of due.sort((a, b) => since(a) - since(b) || a.dueAt - b.dueAt)) {
    if (running.length + chosen.length >= MAX_CONCURRENT_SYNCS && entry.wanted === undefined) break
    if (busy.has(providerOf(entry))) continue
    busy.add(providerOf(entry))
    chosen.push(entry)
  }
  return chosen
}

function providerOf({ connection }: ScheduledConnection): string {
  return connection.connector.manifest.provider
}

/** The reason of the run; `undefined`: it was requested in this process. */
export function runReason({ wanted, plannedAt }: ScheduledConnection): RunReason | undefined {
  if (wanted !== undefined) return wanted.isByLedger ? 'asked' : undefined
  return plannedAt === undefined ? undefined : { dueAt: new Date(plannedAt) }
}

const MOMENT_MS = 60_000

/** Whether a run has just ended and its process has not set the next due time yet. */
export function ranRecently(row: ConnectionRow | undefined, now: number): boolean {
  if (row?.lastEndedAt === undefined || row.nextRunAt !== undefined || row.outcome === 'aborted') return false
  return Math.abs(now - row.lastEndedAt.getTime()) < MOMENT_MS
}
