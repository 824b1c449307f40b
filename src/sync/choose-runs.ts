import { MAX_CONCURRENT_SYNCS } from '../domain/limits.ts'
import type { ConnectionRow, RunReason } from '../store/ledger/ledger.ts'
import type { Connection } from './connection.ts'
import type { ScheduleTimes } from './schedule.ts'

/** A scheduled connection with its state. */
export interface ScheduledConnection {
  connection: Connection
  times: ScheduleTimes
  /** Account of the source, once it is known: its connections by one connector share an API and its limits. */
  account: string | undefined
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
  running: ActiveRun | undefined
  /** The last run gave way to others: it is not urgent. */
  hasYielded: boolean
}

interface ActiveRun {
  readonly abort: AbortController
  /** Aborted when the run should end at its next checkpoint, because others wait for it. */
  readonly yieldController: AbortController
  readonly ended: Promise<void>
  /** In milliseconds since 1970. */
  readonly since: number
}

/**
 * The runs that may start now: requested ones first, then the longest waiting; never two of one account and connector,
 * which share an API and its limits.
 * @param now in milliseconds since 1970
 * @param seen the entries whose due time is known
 */
export function chooseRuns(
  entries: readonly ScheduledConnection[],
  now: number,
  seen: ReadonlySet<ScheduledConnection>,
): ScheduledConnection[] {
  const running = entries.filter((entry) => entry.running !== undefined)
  const busy = new Set(entries.filter((entry) => entry.running ?? entry.isElsewhere).map(apiOf))
  const chosen: ScheduledConnection[] = []
  const due = entries.filter((entry) => (entry.wanted ?? seen.has(entry)) && isDue(entry, now))
  for (const entry of due.sort((a, b) => dueSince(a) - dueSince(b) || a.dueAt - b.dueAt)) {
    if (running.length + chosen.length >= MAX_CONCURRENT_SYNCS && entry.wanted === undefined) break
    if (busy.has(apiOf(entry))) continue
    busy.add(apiOf(entry))
    chosen.push(entry)
  }
  return chosen
}

/** A run that lasts longer gives way when others wait for it. The shortest schedule is ten minutes. */
const SLICE_MS = 2 * 60_000
/** The same where those that wait gave way themselves, so that long ones alternate rarely. */
const LONG_SLICE_MS = 10 * 60_000

/**
 * The runs that should give way now, for due ones that cannot start: those of the same API, or the longest of all when as
 * many run as may.
 * @param now in milliseconds since 1970
 */
export function chooseRunsToYield(entries: readonly ScheduledConnection[], now: number): ScheduledConnection[] {
  const running = entries.filter((entry) => entry.running !== undefined)
  const yielding = new Set(running.filter((entry) => entry.running?.yieldController.signal.aborted))
  const chosen = new Set<ScheduledConnection>()
  let wanted = 0
  for (const waiting of entries.filter((entry) => isDue(entry, now))) {
    const slice = waiting.hasYielded ? LONG_SLICE_MS : SLICE_MS
    const isLong = (entry: ScheduledConnection) => now - (entry.running?.since ?? now) >= slice
    const same = running.find((entry) => apiOf(entry) === apiOf(waiting))
    if (same !== undefined) {
      if (isLong(same)) chosen.add(same)
      continue
    }
    if (running.length < MAX_CONCURRENT_SYNCS) continue
    wanted += 1
    const longest = running.toSorted((a, b) => (a.running?.since ?? now) - (b.running?.since ?? now))
    for (const entry of longest.filter(isLong)) if (chosen.size + yielding.size < wanted) chosen.add(entry)
  }
  return [...chosen].filter((entry) => !yielding.has(entry))
}

function isDue(entry: ScheduledConnection, now: number): boolean {
  return entry.running === undefined && !entry.isElsewhere && dueSince(entry) <= now
}

function dueSince({ wanted, dueAt, notBefore }: ScheduledConnection): number {
  return wanted === undefined ? Math.max(dueAt, notBefore) : Number.NEGATIVE_INFINITY
}

/** What only one run uses at a time: a connector's API for an account. */
function apiOf({ connection, account }: ScheduledConnection): string {
  const { connector, config } = connection
  return `${connector.manifest.id}\n${account ?? `connection ${config.name}`}`
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
