import type { ConnectionName, Ledger } from '../store/ledger.ts'

/** Short, so that after a crash the next run need not wait long. */
export const LEASE_MS = 30_000
const EXTEND_EVERY_MS = 10_000

export interface RunLease {
  /** Aborted when the lease was lost: another process works on the connection by now. */
  readonly lost: AbortSignal
  /** Extends it now; a timer does so besides, because one step of a source can take longer than the lease. */
  extend(): Promise<void>
  /** Stops the timer. The lease itself ends with the run (`endRun`). */
  release(): void
}

/** Keeps the lease that `beginRun` gave. */
export function keepLease(ledger: Ledger, connection: ConnectionName, holder: string): RunLease {
  const lost = new AbortController()
  const extend = async () => {
    if (lost.signal.aborted) return
    const held = await ledger.extendRun(connection, { holder, leaseMs: LEASE_MS })
    if (!held) lost.abort(new Error('The lease of the run was lost to another process.'))
  }
  const timer = setInterval(() => {
    // A ledger that cannot be written would fail the run at its next step, too.
    extend().catch((error: unknown) => lost.abort(error))
  }, EXTEND_EVERY_MS)
  timer.unref()
  return { lost: lost.signal, extend, release: () => clearInterval(timer) }
}
