import type { ConnectionRow, RunReason } from '../store/ledger/ledger.ts'
import type { Connection } from './connection.ts'
import type { ScheduleTimes } from './schedule.ts'

/** A connection that a scheduler runs, and what it knows of it. */
export interface ScheduledConnection {
  connection: Connection
  times: ScheduleTimes
  /** In milliseconds since 1970. */
  dueAt: number
  /** The same as the ledger has it, as far as is known: whoever begins the run first changes that. */
  plannedAt: number | undefined
  /** After the machine slept, what is due does not begin all at once. */
  notBefore: number
  /** Another process runs it. */
  isElsewhere: boolean
  /** Raised with each change of this entry, so that a row which was read before the change counts as outdated. */
  mark: number
  /** When what was missed is to be caught up with, or a new connection begins: what a run by hand does before. */
  catchUpAt: number | undefined
  /** Somebody asked for a run that has not begun. */
  wanted: { readonly full: boolean; readonly isByLedger: boolean } | undefined
  running: { readonly abort: AbortController; readonly ended: Promise<void> } | undefined
}

/**
 * Runs of all connections at a time: two keep the network busy while one of them waits for a rate limit. What somebody
 * waits for comes on top.
 */
const MOST_RUNS = 2

/**
 * What may begin now: what somebody asked for, then who has waited longest; never two of a provider, whose rate limits
 * they share.
 *
 * @param now in milliseconds since 1970
 * @param seen of those alone it is known whether they are due
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
    if (running.length + chosen.length >= MOST_RUNS && entry.wanted === undefined) break
    if (busy.has(providerOf(entry))) continue
    busy.add(providerOf(entry))
    chosen.push(entry)
  }
  return chosen
}

function providerOf({ connection }: ScheduledConnection): string {
  return connection.connector.manifest.provider
}

/** Why a connection is run now; `undefined`: somebody asked for it in this process. */
export function runReason({ wanted, plannedAt }: ScheduledConnection): RunReason | undefined {
  if (wanted !== undefined) return wanted.isByLedger ? 'asked' : undefined
  return plannedAt === undefined ? undefined : { dueAt: new Date(plannedAt) }
}

const MOMENT_MS = 60_000

/** Whether a run has ended a moment ago whose process has not said yet when the next one is due: none is due at once. */
export function ranRecently(row: ConnectionRow | undefined, now: number): boolean {
  if (row?.lastEndedAt === undefined || row.nextRunAt !== undefined || row.outcome === 'aborted') return false
  return Math.abs(now - row.lastEndedAt.getTime()) < MOMENT_MS
}
