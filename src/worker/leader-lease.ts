import { randomUUID } from 'node:crypto'
import type { DailyTasks } from '../store/store.ts'

/** Lets one of several processes do something; if it dies, its lease expires. */
export interface LeaderLease {
  /** Whether this process may do it now; queries the store a few times per lease. */
  isMine(): Promise<boolean>
  /** Extends the lease, if this process has it. */
  keep(): Promise<void>
  /** Releases the lease for other processes. */
  giveBack(): Promise<void>
}

/** @param task `name` of the lease in the store */
export function leaderLease(
  tasks: Pick<DailyTasks, 'claim' | 'release'>,
  { name, leaseMs }: { readonly name: string; readonly leaseMs: number },
): LeaderLease {
  const holder = randomUUID()
  let isHeld = false
  let askedAt = Number.NEGATIVE_INFINITY
  const ask = async () => {
    const began = performance.now()
    isHeld = await tasks.claim({ name, holder, leaseMs, everyMs: 0 })
    // Not after an error: the known state is then as old as before.
    askedAt = began
    return isHeld
  }
  return {
    isMine: async () => (performance.now() - askedAt < leaseMs / 3 ? isHeld : ask()),
    async keep() {
      if (isHeld) await ask()
    },
    async giveBack() {
      if (!isHeld) return
      isHeld = false
      await tasks.release(name, holder)
    },
  }
}
