import type { ConnectionName, Ledger } from '../store/ledger/ledger.ts'
import type { SyncEnvironment } from './connection.ts'
import { EndOfRun } from './end-of-run.ts'

/** Short, so that after a crash the next run does not wait long. */
export const LEASE_MS = 30_000
const EXTEND_EVERY_MS = 10_000
/** A lease extended longer ago is verified before anything is written. */
const SURE_MS = 20_000

export interface RunLease {
  /** Aborted when the lease was lost: another process has taken over. */
  readonly lost: AbortSignal
  /**
   * The ledger for this run. A suspended process may wake up long after another one has taken over, so the lease is
   * verified before a commit. @throws EndOfRun `aborted` when it was lost
   */
  readonly ledger: Ledger
  /** Stops the timer. The lease itself ends with the run (`endRun`). */
  release(): void
}

/** Extends the lease from `beginRun`. */
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
    // After the clock was set back, the elapsed time is unknown.
    if (Math.abs(clock().getTime() - extendedAt) > SURE_MS) await extend()
    if (lost.signal.aborted) throw new EndOfRun('aborted', '')
    return ledger.commit(...parameters)
  }
  return { lost: lost.signal, ledger: { ...ledger, commit }, release: () => clearInterval(timer) }
}

/**
 * Ends runs of a killed process, whose leases would block the connections until they expire.
 * @param holder prefix of the lease holders
 */
export async function reapOrphanedRuns(
  ledger: Pick<Ledger, 'listConnections' | 'endRun'>,
  holder: string,
): Promise<void> {
  for (const row of await ledger.listConnections()) {
    if (!row.running?.holder.startsWith(holder)) continue
    const problem = 'The last sync was interrupted.'
    await ledger.endRun(row, row.running.holder, { outcome: 'aborted', problem, report: row.report ?? '{}' })
  }
}
