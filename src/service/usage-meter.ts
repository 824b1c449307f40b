import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Admin, UsageCount } from '../store/accounts/accounts.ts'
import type { Principal } from './principal.ts'

export type Metric = UsageCount['metric']

interface UsageMeterOptions {
  readonly admin: Pick<Admin, 'addUsage' | 'usage' | 'usageByDay'>
  readonly clock: Clock
  readonly log: Log
  readonly flushMs: number
}

/** Counts usage in memory and writes it to the store every few seconds, so that no read waits for a write. */
export class UsageMeter {
  readonly #admin: UsageMeterOptions['admin']
  readonly #clock: Clock
  readonly #timer: NodeJS.Timeout
  #pending = new Map<string, UsageCount>()
  #writing: Promise<void> | undefined
  /** Incremented by each write, so that a reader notices a write between reading store and memory. */
  #writes = 0

  constructor({ admin, clock, log, flushMs }: UsageMeterOptions) {
    this.#admin = admin
    this.#clock = clock
    this.#timer = setInterval(() => {
      this.flush().catch((error: unknown) => log.warn({ err: error }, 'usage counts could not be written; retrying'))
    }, flushMs)
    this.#timer.unref()
  }

  /** Adds to today's count; a negative number reverses the count of a failed use. */
  count({ accountId, keyId }: Pick<Principal, 'accountId' | 'keyId'>, metric: Metric, amount: number): void {
    addUsage(this.#pending, { accountId, keyId, day: usageDay(this.#clock()), metric, count: amount })
  }

  /** The account's counts of this calendar month (UTC), including those in memory. */
  thisMonth(accountId: string): Promise<ReadonlyMap<string, number>> {
    const fromDay = `${usageDay(this.#clock()).slice(0, 7)}-01`
    const read = () => this.#admin.usage(accountId, fromDay)
    return this.#readWithPending(read, (stored, inMemory) => {
      const totals = new Map(stored)
      for (const usage of inMemory) {
        if (usage.accountId !== accountId || usage.day < fromDay) continue
        totals.set(usage.metric, (totals.get(usage.metric) ?? 0) + usage.count)
      }
      return totals
    })
  }

  /**
   * The account's counts from a day on (YYYY-MM-DD, UTC), including those in memory; one for each day, key and metric.
   */
  byDay(accountId: string, fromDay: string): Promise<readonly UsageCount[]> {
    const read = () => this.#admin.usageByDay(accountId, fromDay)
    return this.#readWithPending(read, (stored, inMemory) => {
      const counts = new Map<string, UsageCount>()
      for (const usage of stored) addUsage(counts, usage)
      for (const usage of inMemory) if (usage.accountId === accountId && usage.day >= fromDay) addUsage(counts, usage)
      return [...counts.values()]
    })
  }

  async flush(): Promise<void> {
    // A failed write is reported to its caller; its counts return to memory and are written by the next one.
    while (this.#writing !== undefined) await this.#writing.catch(() => undefined)
    if (this.#pending.size === 0) return
    this.#writing = this.#write()
    await this.#writing
  }

  /** Stops the timer and writes the remaining counts. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  async #write(): Promise<void> {
    const batch = this.#pending
    this.#pending = new Map()
    this.#writes += 1
    try {
      await this.#admin.addUsage([...batch.values()])
    } catch (error) {
      for (const usage of batch.values()) addUsage(this.#pending, usage)
      throw error
    } finally {
      this.#writing = undefined
    }
  }

  /** A consistent view of the stored counts and those in memory. */
  async #readWithPending<Stored, Result>(
    read: () => Promise<Stored>,
    merge: (stored: Stored, pending: Iterable<UsageCount>) => Result,
  ): Promise<Result> {
    for (;;) {
      // A failed write has returned its counts to memory, and is reported to its caller.
      if (this.#writing !== undefined) await this.#writing.catch(() => undefined)
      const before = this.#writes
      const stored = await read()
      if (this.#writes === before) return merge(stored, this.#pending.values())
    }
  }
}

function addUsage(counts: Map<string, UsageCount>, usage: UsageCount): void {
  const id = `${usage.accountId} ${usage.keyId} ${usage.day} ${usage.metric}`
  const count = (counts.get(id)?.count ?? 0) + usage.count
  if (count === 0) counts.delete(id)
  else counts.set(id, { ...usage, count })
}

/** The day (UTC) of a use: YYYY-MM-DD. */
export function usageDay(time: Date): string {
  return time.toISOString().slice(0, 10)
}
