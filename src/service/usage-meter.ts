import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Admin, UsageCount } from '../store/accounts/accounts.ts'
import type { Principal } from './service.ts'

export type Metric = UsageCount['metric']

/** Counts what is used, in memory; the store hears of it every few seconds, so that no read waits for a write. */
export interface UsageMeter {
  /** Adds to today's count; a negative number takes back what was counted before it failed. */
  count(who: Pick<Principal, 'accountId' | 'keyId'>, metric: Metric, amount: number): void
  /** The account's counts of this calendar month (UTC): what is stored and what is still in memory. */
  thisMonth(accountId: string): Promise<ReadonlyMap<string, number>>
  /** The account's counts from a day on (YYYY-MM-DD, UTC), as `thisMonth`; one for each day, key and metric. */
  byDay(accountId: string, fromDay: string): Promise<readonly UsageCount[]>
  flush(): Promise<void>
  /** Stops the timer and writes what is left. */
  close(): Promise<void>
}

export function createUsageMeter(options: {
  readonly admin: Pick<Admin, 'addUsage' | 'usage' | 'usageByDay'>
  readonly clock: Clock
  readonly log: Log
  readonly flushMs: number
}): UsageMeter {
  const { admin, clock, log } = options
  let pending = new Map<string, UsageCount>()
  let writing: Promise<void> | undefined
  // Raised by each write, so that a reader notices that what it read and what it finds in memory are of two moments.
  let writes = 0

  const add = (counts: Map<string, UsageCount>, usage: UsageCount) => {
    const id = `${usage.accountId} ${usage.keyId} ${usage.day} ${usage.metric}`
    const count = (counts.get(id)?.count ?? 0) + usage.count
    if (count === 0) counts.delete(id)
    else counts.set(id, { ...usage, count })
  }

  const write = async () => {
    const batch = pending
    pending = new Map()
    writes += 1
    try {
      await admin.addUsage([...batch.values()])
    } catch (error) {
      for (const usage of batch.values()) add(pending, usage)
      throw error
    } finally {
      writing = undefined
    }
  }

  const flush = async (): Promise<void> => {
    // Whoever began that write hears of its failure; its counts are back in memory and go out with this one.
    while (writing !== undefined) await writing.catch(() => undefined)
    if (pending.size === 0) return
    writing = write()
    await writing
  }

  const timer = setInterval(() => {
    flush().catch((error: unknown) => log.warn({ err: error }, 'usage counts could not be written; trying again'))
  }, options.flushMs)
  timer.unref()

  /** What is stored, and what was in memory at the same moment. */
  const readWithPending = async <Stored, Result>(
    read: () => Promise<Stored>,
    merge: (stored: Stored, pending: Iterable<UsageCount>) => Result,
  ): Promise<Result> => {
    for (;;) {
      // A failed write has put its counts back into memory, and is reported by whoever asked for it.
      if (writing !== undefined) await writing.catch(() => undefined)
      const before = writes
      const stored = await read()
      if (writes === before) return merge(stored, pending.values())
    }
  }

  return {
    count({ accountId, keyId }, metric, amount) {
      add(pending, { accountId, keyId, day: usageDay(clock()), metric, count: amount })
    },
    thisMonth(accountId) {
      const fromDay = `${usageDay(clock()).slice(0, 7)}-01`
      const read = () => admin.usage(accountId, fromDay)
      return readWithPending(read, (stored, inMemory) => {
        const totals = new Map(stored)
        for (const usage of inMemory) {
          if (usage.accountId !== accountId || usage.day < fromDay) continue
          totals.set(usage.metric, (totals.get(usage.metric) ?? 0) + usage.count)
        }
        return totals
      })
    },
    byDay(accountId, fromDay) {
      const read = () => admin.usageByDay(accountId, fromDay)
      return readWithPending(read, (stored, inMemory) => {
        const counts = new Map<string, UsageCount>()
        for (const usage of stored) add(counts, usage)
        for (const usage of inMemory) if (usage.accountId === accountId && usage.day >= fromDay) add(counts, usage)
        return [...counts.values()]
      })
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

/** The day (UTC) that a use counts to: YYYY-MM-DD. */
export function usageDay(time: Date): string {
  return time.toISOString().slice(0, 10)
}
