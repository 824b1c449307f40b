import type { Ledger, LedgerRef } from '../store/ledger/ledger.ts'
import { ledgerKey } from '../store/ledger/ledger.ts'

/**
 * Keeps what is done to one item in order, from reading its row to committing its outcome: partitions and connections are
 * read side by side, and an item that moved between two of them shows in both.
 */
export class ItemLocks {
  readonly #held = new Map<string, Promise<void>>()

  /** Runs `work` when nobody else works on any of these items. All are taken at once, so nobody waits in a circle. */
  async hold<Result>(refs: readonly LedgerRef[], work: () => Promise<Result>): Promise<Result> {
    const keys = refs.map(ledgerKey)
    const holder = () => keys.map((key) => this.#held.get(key)).find((held) => held !== undefined)
    for (let held = holder(); held !== undefined; held = holder()) await held
    const { promise, resolve } = Promise.withResolvers<void>()
    for (const key of keys) this.#held.set(key, promise)
    try {
      return await work()
    } finally {
      for (const key of keys) this.#held.delete(key)
      resolve()
    }
  }
}

const SHARED = new WeakMap<Ledger, ItemLocks>()

/** The locks shared by all runs over this ledger in this process. */
export function itemLocks(ledger: Ledger): ItemLocks {
  const locks = SHARED.get(ledger) ?? new ItemLocks()
  SHARED.set(ledger, locks)
  return locks
}
