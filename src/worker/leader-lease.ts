import { randomUUID } from 'node:crypto'
import type { DailyTasks } from '../store/store.ts'

/** Lets one process of several do something; of one that died, the lease runs out. */
export interface LeaderLease {
  /** Whether this process may do it now; asks the store a few times in each lease. */
  isMine(): Promise<boolean>
  /** Keeps the lease, when this process has it. */
  keep(): Promise<void>
  /** Another process may do it at once. */
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
    // Not when it failed: what is known then is as old as before.
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
