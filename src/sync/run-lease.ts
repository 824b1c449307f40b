import type { ConnectionName, Ledger } from '../store/ledger/ledger.ts'
import type { SyncEnvironment } from './connection.ts'
import { EndOfRun } from './end-of-run.ts'

/** Short, so that after a crash the next run need not wait long. */
export const LEASE_MS = 30_000
const EXTEND_EVERY_MS = 10_000
/** A lease that was extended longer ago is asked for before anything is written. */
const SURE_MS = 20_000

export interface RunLease {
  /** Aborted when the lease was lost: another process works on the connection by now. */
  readonly lost: AbortSignal
  /**
   * The ledger for this run alone. A process that was suspended wakes up in the middle of what it did, when another one
   * has long gone on: so before a commit the lease must be certain. @throws EndOfRun `aborted` when it was lost
   */
  readonly ledger: Ledger
  /** Stops the timer. The lease itself ends with the run (`endRun`). */
  release(): void
}

/** Keeps the lease that `beginRun` gave. */
export function keepLease(environment: SyncEnvironment, connection: ConnectionName, holder: string): RunLease {
  const { ledger, clock, log } = environment
  const lost = new AbortController()
  let extendedAt = clock().getTime()
  const extend = async () => {
    const now = clock().getTime()
    if (await ledger.extendRun(connection, { holder, leaseMs: LEASE_MS })) extendedAt = now
    else lost.abort()
  }
  // One step of a source can take longer than the lease.
  const timer = setInterval(() => {
    extend().catch((error: unknown) => log.warn({ ...connection, err: error }, 'the lease could not be extended'))
  }, EXTEND_EVERY_MS)
  timer.unref()
  const commit: Ledger['commit'] = async (...parameters) => {
    // A clock that was set back says nothing about how long ago it was.
    if (Math.abs(clock().getTime() - extendedAt) > SURE_MS) await extend()
    if (lost.signal.aborted) throw new EndOfRun('aborted', '')
    return ledger.commit(...parameters)
  }
  return { lost: lost.signal, ledger: { ...ledger, commit }, release: () => clearInterval(timer) }
}

/**
 * Ends runs of a process that was killed: their leases would keep the connections from running until they are over.
 *
 * @param holder how the holders of its runs begin
 */
export async function reapOrphanedRuns(
  ledger: Pick<Ledger, 'listConnections' | 'endRun'>,
  holder: string,
): Promise<void> {
  for (const row of await ledger.listConnections()) {
    if (!row.running?.holder.startsWith(holder)) continue
    const problem = 'The last run was interrupted.'
    await ledger.endRun(row, row.running.holder, { outcome: 'aborted', problem, report: row.report ?? '{}' })
  }
}
