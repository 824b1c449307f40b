import type { ApiQuota } from '../connector/connector.ts'
import type { BudgetRow, Ledger } from '../store/ledger/ledger.ts'
import { RequestPermits } from './request-permits.ts'

/** Longest pause: one day. No supported provider has a longer limit, and a further request would meet it again. */
const LONGEST_HOLD_MS = 24 * 60 * 60_000

/** Delay until a pause received by another process is respected. */
const READ_EVERY_MS = 5_000

interface KeptBudget {
  read(): Promise<readonly BudgetRow[]>
  save(row: BudgetRow): Promise<void>
}

/**
 * The rate limits of one account at a provider, by `api`. All connections of the account in this process share one. The
 * ledger stores what must outlive the process or be known to others.
 */
export class RequestBudget {
  readonly #apis = new Map<string, BudgetRow>()
  readonly #permits = new Map<string, RequestPermits>()
  readonly #kept: KeptBudget
  /** From `performance.now()`. */
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined

  constructor(kept: KeptBudget) {
    this.#kept = kept
  }

  /** @param quota of the API, when it is asked for the first time */
  permits(api: string, quota: ApiQuota | undefined): RequestPermits {
    const permits = this.#permits.get(api) ?? new RequestPermits(quota)
    this.#permits.set(api, permits)
    return permits
  }

  isSpacedOut(api: string): boolean {
    return this.#row(api).intervalMs > 0
  }

  /** Reads the pauses that other processes recorded, unless that was done a moment ago. */
  async refresh(now: Date): Promise<void> {
    if (performance.now() - this.#readAt < READ_EVERY_MS) return
    this.#reading ??= this.#read(now).finally(() => {
      this.#reading = undefined
    })
    await this.#reading
  }

  async #read(now: Date): Promise<void> {
    const rows = await this.#kept.read()
    this.#readAt = performance.now()
    for (const row of rows) {
      const known = this.#apis.get(row.api) ?? row
      const latest = now.getTime() + LONGEST_HOLD_MS
      this.#apis.set(row.api, {
        ...known,
        notBefore: later(known.notBefore, row.notBefore, latest),
        lastRequestAt: later(known.lastRequestAt, row.lastRequestAt, now.getTime()),
      })
    }
  }

  /**
   * Earliest time of the next request, in milliseconds since the epoch. A time that is too far ahead was recorded
   * before the clock was set back: it is ignored.
   */
  nextTurn(api: string, now: number): number {
    const { notBefore, intervalMs, lastRequestAt } = this.#row(api)
    const ahead = (at: number, most: number) => (at > now + most ? now : at)
    return Math.max(
      ahead(notBefore?.getTime() ?? 0, LONGEST_HOLD_MS),
      ahead((lastRequestAt?.getTime() ?? Number.NEGATIVE_INFINITY) + intervalMs, intervalMs),
    )
  }

  /**
   * Counts a request, so that the next one keeps its distance. Stored only for spaced requests, because others are
   * frequent.
   */
  async take(api: string, at: Date, persist: boolean): Promise<void> {
    const row = { ...this.#row(api), lastRequestAt: at }
    await this.#change(row, persist && row.intervalMs > 0)
  }

  async holdUntil(api: string, at: Date, now: Date, persist: boolean): Promise<void> {
    const row = this.#row(api)
    const latest = now.getTime() + LONGEST_HOLD_MS
    const known = row.notBefore?.getTime() ?? 0
    if (known >= at.getTime() && known <= latest) return
    await this.#change({ ...row, notBefore: new Date(Math.min(at.getTime(), latest)) }, persist)
  }

  async spaceOut(api: string, intervalMs: number, persist: boolean): Promise<void> {
    const row = this.#row(api)
    if (row.intervalMs !== intervalMs) await this.#change({ ...row, intervalMs }, persist)
  }

  #row(api: string): BudgetRow {
    return this.#apis.get(api) ?? { api, notBefore: undefined, intervalMs: 0, lastRequestAt: undefined }
  }

  async #change(row: BudgetRow, persist: boolean): Promise<void> {
    this.#apis.set(row.api, row)
    if (persist) await this.#kept.save(row)
  }
}

/** The stored pause, if it is later and plausible. */
function later(known: Date | undefined, stored: Date | undefined, latest: number): Date | undefined {
  if (stored === undefined || stored.getTime() > latest) return known
  return known === undefined || stored > known ? stored : known
}

const SHARED = new WeakMap<Ledger, Map<string, RequestBudget>>()

/** The one budget of a provider and account in this process; empty until it is refreshed. */
export function sharedBudget(ledger: Ledger, provider: string, account: string): RequestBudget {
  const budgets = SHARED.get(ledger) ?? new Map<string, RequestBudget>()
  SHARED.set(ledger, budgets)
  const key = `${provider}\n${account}`
  const budget =
    budgets.get(key) ??
    new RequestBudget({
      read: () => ledger.listBudgets(provider, account),
      save: (row) => ledger.saveBudget(provider, account, row),
    })
  budgets.set(key, budget)
  return budget
}
