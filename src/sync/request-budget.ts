import type { BudgetRow, Ledger } from '../store/ledger.ts'

/** Whoever wants a longer pause says so again after a day; no limit of a provider that is read here lasts longer. */
const LONGEST_HOLD_MS = 24 * 60 * 60_000

/**
 * What a provider allows one account, for each of its `api`s. All connections of the account in this process share one,
 * and the ledger keeps what outlives the process: a restart makes no request before it may.
 */
export class RequestBudget {
  readonly #apis: Map<string, BudgetRow>
  readonly #save: (row: BudgetRow) => Promise<void>

  constructor(rows: readonly BudgetRow[], save: (row: BudgetRow) => Promise<void>) {
    this.#apis = new Map(rows.map((row) => [row.api, row]))
    this.#save = save
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
    if (persist) await this.#save(row)
  }
}

const SHARED = new WeakMap<Ledger, Map<string, Promise<RequestBudget>>>()

/** The one budget of a provider and account in this process. */
export function sharedBudget(ledger: Ledger, provider: string, account: string): Promise<RequestBudget> {
  const budgets = SHARED.get(ledger) ?? new Map<string, Promise<RequestBudget>>()
  SHARED.set(ledger, budgets)
  const key = `${provider}\n${account}`
  const known = budgets.get(key)
  if (known !== undefined) return known
  const opened = openBudget(ledger, provider, account).catch((error: unknown) => {
    budgets.delete(key)
    throw error
  })
  budgets.set(key, opened)
  return opened
}

async function openBudget(ledger: Ledger, provider: string, account: string): Promise<RequestBudget> {
  const rows = await ledger.listBudgets(provider, account)
  return new RequestBudget(rows, (row) => ledger.saveBudget(provider, account, row))
}
