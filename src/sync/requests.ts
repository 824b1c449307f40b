import type { Requests } from '../connector/connector.ts'
import { SourceError } from '../connector/source-error.ts'
import type { SyncEnvironment } from './connection.ts'
import { EndOfRun } from './end-of-run.ts'
import type { RequestBudget } from './request-budget.ts'

/** Of one request whose error does not say when to try again. */
const MOST_TRIES = 4
/** Of one request that meets limits only; a server that always names a moment a little later must not hold a run for ever. */
const MOST_LIMITS = 10
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

export interface RequestCounts {
  sent: number
  /** The time spent waiting for a turn or another try. */
  waitedMs: number
}

export interface RequestsOptions {
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

  /** Goes on with the budget of the account that `check` found. */
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

  /** Waits for the turn of a request. @throws SourceError when that is longer than the run is patient */
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
        throw new SourceError('retry', `${provider} takes no further requests (${api}) before ${when}.`, {
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

/** Exponential with full jitter: calls that failed together do not return together. */
function pauseMs(tries: number, random: number): number {
  return Math.ceil(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1)) * random)
}
