import type { BudgetRow, Ledger } from '../store/ledger/ledger.ts'

/** Whoever wants a longer pause says so again after a day; no limit of a provider that is read here lasts longer. */
const LONGEST_HOLD_MS = 24 * 60 * 60_000

/** How soon a pause is kept that another process was asked for. */
const READ_EVERY_MS = 5_000

interface KeptBudget {
  read(): Promise<readonly BudgetRow[]>
  save(row: BudgetRow): Promise<void>
}

/**
 * What a provider allows one account, for each of its `api`s. All connections of the account in this process share one.
 * The ledger keeps what outlives the process, and what other processes that read with the account have to know.
 */
export class RequestBudget {
  readonly #apis = new Map<string, BudgetRow>()
  readonly #kept: KeptBudget
  /** Of `performance.now()`. */
  #readAt = Number.NEGATIVE_INFINITY

  constructor(kept: KeptBudget) {
    this.#kept = kept
  }

  /** Takes note of what other processes met, unless that was done a moment ago. */
  async refresh(now: Date): Promise<void> {
    if (performance.now() - this.#readAt < READ_EVERY_MS) return
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
   * Earliest time of the next request, in milliseconds since the epoch. An instant that lies further ahead than any could
   * when it was written comes from a clock that was set back since: it does not count.
   */
  nextTurn(api: string, now: number): number {
    const { notBefore, intervalMs, lastRequestAt } = this.#row(api)
    const ahead = (at: number, most: number) => (at > now + most ? now : at)
    return Math.max(
      ahead(notBefore?.getTime() ?? 0, LONGEST_HOLD_MS),
      ahead((lastRequestAt?.getTime() ?? Number.NEGATIVE_INFINITY) + intervalMs, intervalMs),
    )
  }

  /** Counts a request; the next one keeps its distance. Written only where requests are spaced out: others are frequent. */
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

/** What is stored, when it is later and no later than it can be. */
function later(known: Date | undefined, stored: Date | undefined, latest: number): Date | undefined {
  if (stored === undefined || stored.getTime() > latest) return known
  return known === undefined || stored > known ? stored : known
}

const SHARED = new WeakMap<Ledger, Map<string, RequestBudget>>()

/** The one budget of a provider and account in this process; it knows of nothing before it was refreshed. */
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
