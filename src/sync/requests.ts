import type { Requests } from '../connector/connector.ts'
import { SourceError } from '../connector/source-error.ts'
import type { BudgetRow, Ledger } from '../store/ledger/ledger.ts'
import type { SyncEnvironment } from './connection.ts'
import { EndOfRun } from './end-of-run.ts'

/** Attempts of a request whose error has no retry time. */
const MOST_TRIES = 4
/** Attempts of a request that only meets rate limits; a server that keeps postponing must not hold a run forever. */
const MOST_LIMITS = 10
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

export interface RequestCounts {
  sent: number
  /** The time spent waiting for a permit or a retry. */
  waitedMs: number
}

interface RequestsOptions {
  readonly provider: string
  readonly environment: SyncEnvironment
  readonly signal: AbortSignal
  /** `false`: nothing is written, as in a preview. */
  readonly persist: boolean
  readonly counts: RequestCounts
  readonly onWaiting?: (until: Date | undefined) => void
}

/** The `Requests` of one run, over the budget that all runs of its provider and account share. */
export class BudgetedRequests implements Requests {
  #budget: RequestBudget
  readonly #options: RequestsOptions

  constructor(budget: RequestBudget, options: RequestsOptions) {
    this.#budget = budget
    this.#options = options
  }

  /** Switches to the budget of the account that `check` found. */
  use(budget: RequestBudget): void {
    this.#budget = budget
  }

  async call<T>(api: string, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    for (let tries = 1, limits = 0; ; ) {
      await this.#turn(api)
      try {
        this.#options.counts.sent++
        return await send(this.#options.signal)
      } catch (error) {
        if (!(error instanceof SourceError) || error.remedy !== 'retry') throw error
        if (error.retryAt !== undefined) {
          await this.holdUntil(api, error.retryAt)
          if (++limits >= MOST_LIMITS) throw error
        } else {
          if (tries >= MOST_TRIES) throw error
          await this.#wait(pauseMs(tries++, this.#options.environment.random()))
        }
      }
    }
  }

  holdUntil(api: string, at: Date): Promise<void> {
    const { environment, persist } = this.#options
    return this.#budget.holdUntil(api, at, environment.clock(), persist)
  }

  spaceOut(api: string, intervalMs: number): Promise<void> {
    return this.#budget.spaceOut(api, intervalMs, this.#options.persist)
  }

  /** Waits for the permit of a request. @throws SourceError when that exceeds the run's patience */
  async #turn(api: string): Promise<void> {
    const { environment, provider, persist } = this.#options
    for (;;) {
      this.#mustGoOn()
      await this.#budget.refresh(environment.clock())
      const now = environment.clock()
      const turn = this.#budget.nextTurn(api, now.getTime())
      if (turn <= now.getTime()) return this.#budget.take(api, now, persist)
      if (turn - now.getTime() > environment.patienceMs) {
        const retryAt = new Date(turn)
        const when = retryAt.toISOString()
        throw new SourceError('retry', `${provider} accepts no more requests (${api}) until ${when}.`, {
          retryAt,
          limited: true,
        })
      }
      await this.#wait(turn - now.getTime())
    }
  }

  async #wait(ms: number): Promise<void> {
    const { environment, onWaiting, signal, counts } = this.#options
    const began = environment.clock().getTime()
    onWaiting?.(new Date(began + ms))
    await environment.sleep(ms, signal)
    onWaiting?.(undefined)
    counts.waitedMs += Math.max(0, environment.clock().getTime() - began)
    this.#mustGoOn()
  }

  #mustGoOn(): void {
    if (this.#options.signal.aborted) throw new EndOfRun('aborted', '')
  }
}

/** Exponential with full jitter, so that calls that failed together do not retry together. */
function pauseMs(tries: number, random: number): number {
  return Math.ceil(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1)) * random)
}

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
class RequestBudget {
  readonly #apis = new Map<string, BudgetRow>()
  readonly #kept: KeptBudget
  /** From `performance.now()`. */
  #readAt = Number.NEGATIVE_INFINITY

  constructor(kept: KeptBudget) {
    this.#kept = kept
  }

  /** Reads the pauses that other processes recorded, unless that was done a moment ago. */
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
