import type { ApiQuota, Requests } from '../connector/connector.ts'
import { SourceError } from '../connector/source-error.ts'
import type { SyncEnvironment } from './connection.ts'
import { EndOfRun } from './end-of-run.ts'
import type { RequestBudget } from './request-budget.ts'
import type { RequestPermits } from './request-permits.ts'

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
  readonly quotas?: Readonly<Record<string, ApiQuota>> | undefined
  readonly environment: SyncEnvironment
  readonly signal: AbortSignal
  /** `false`: nothing is written, as in a preview. */
  readonly persist: boolean
  readonly counts: RequestCounts
  readonly onWaiting?: (until: Date | undefined) => void
}

/** No request was sent, because its turn is further away than the run is patient. */
class NoTurn extends SourceError {}

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
      const { answer, error } = await this.#attempt(api, send)
      if (error === undefined) return answer
      if (error.retryAt !== undefined) {
        await this.holdUntil(api, error.retryAt)
        if (++limits >= MOST_LIMITS) throw error
      } else {
        if (tries >= MOST_TRIES) throw error
        await this.#wait(pauseMs(tries++, this.#options.environment.random()))
      }
    }
  }

  /** One request. @returns an error after which it may be sent again */
  async #attempt<T>(
    api: string,
    send: (signal: AbortSignal) => Promise<T>,
  ): Promise<
    { readonly answer: T; readonly error?: never } | { readonly error: SourceError; readonly answer?: never }
  > {
    const budget = this.#budget
    const permits = budget.permits(api, this.#options.quotas?.[api])
    const round = await permits.acquire(() => budget.isSpacedOut(api))
    let met: 'limit' | 'failure' | 'answer' = 'failure'
    try {
      await this.#turn(api, permits)
      this.#options.counts.sent++
      const answer = await send(this.#options.signal)
      met = 'answer'
      return { answer }
    } catch (error) {
      if (!(error instanceof SourceError) || error.remedy !== 'retry' || error instanceof NoTurn) throw error
      if (error.limited || error.retryAt !== undefined) met = 'limit'
      return { error }
    } finally {
      permits.release(round, met)
    }
  }

  holdUntil(api: string, at: Date): Promise<void> {
    const { environment, persist } = this.#options
    return this.#budget.holdUntil(api, at, environment.clock(), persist)
  }

  spaceOut(api: string, intervalMs: number): Promise<void> {
    return this.#budget.spaceOut(api, intervalMs, this.#options.persist)
  }

  /** Waits until the budget allows the request. @throws SourceError when that exceeds the run's patience */
  async #turn(api: string, permits: RequestPermits): Promise<void> {
    const { environment, provider, persist } = this.#options
    for (;;) {
      this.#mustGoOn()
      await this.#budget.refresh(environment.clock())
      const now = environment.clock()
      const turn = Math.max(this.#budget.nextTurn(api, now.getTime()), permits.allowedAt(now.getTime()))
      if (turn <= now.getTime()) {
        permits.count(now.getTime())
        return this.#budget.take(api, now, persist)
      }
      if (turn - now.getTime() > environment.patienceMs) {
        const retryAt = new Date(turn)
        const when = retryAt.toISOString()
        throw new NoTurn('retry', `${provider} accepts no more requests (${api}) until ${when}.`, {
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
