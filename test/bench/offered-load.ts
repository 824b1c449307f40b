import { percentile, sleep } from './measure.ts'

/** What became of the requests of a stretch of time. */
export interface Outcome {
  readonly seconds: number
  readonly asked: number
  readonly accepted: number
  readonly refused429: number
  readonly refused503: number
  /** Refusals that did not say when to come again. */
  readonly withoutRetryAfter: number
  /** Any other answer, or none, with the first reason. */
  readonly failed: number
  readonly failure: string | undefined
  /** Of what was accepted, in ms. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

export interface Call {
  readonly status: number
  readonly retryAfter: string | null
}

/** Calls that come by themselves, however long the answers take, as those of many independent people do. */
export class OfferedLoad {
  readonly #call: (number: number) => Promise<Call>
  readonly #perSecond: () => number
  #number = 0
  #stopped = false
  #running: Promise<void> | undefined
  #tally = newTally()

  /** @param perSecond mean of a Poisson process; asked again for each call */
  constructor(perSecond: () => number, call: (number: number) => Promise<Call>) {
    this.#perSecond = perSecond
    this.#call = call
  }

  start(): void {
    this.#running = this.#run()
  }

  /** No more calls; those under way are waited for. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  /** What came to an end since it was asked before. */
  take(): Outcome {
    const tally = this.#tally
    this.#tally = newTally()
    const { durations, since, ...counts } = tally
    return {
      ...counts,
      seconds: (performance.now() - since) / 1_000,
      accepted: durations.length,
      p50: percentile(durations, 0.5),
      p95: percentile(durations, 0.95),
      p99: percentile(durations, 0.99),
    }
  }

  async #run(): Promise<void> {
    const underWay = new Set<Promise<void>>()
    let next = performance.now()
    while (!this.#stopped) {
      next += (-Math.log(1 - Math.random()) / this.#perSecond()) * 1_000
      const wait = next - performance.now()
      if (wait > 0) await sleep(wait)
      const one = this.#one(this.#number++).finally(() => underWay.delete(one))
      underWay.add(one)
    }
    await Promise.all(underWay)
  }

  async #one(number: number): Promise<void> {
    const start = performance.now()
    let call: Call | undefined
    let reason: string | undefined
    try {
      call = await this.#call(number)
    } catch (error) {
      reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    }
    // Of the stretch in which it ended.
    const tally = this.#tally
    tally.asked += 1
    if (call?.status === 200) tally.durations.push(performance.now() - start)
    else if (call?.status === 429 || call?.status === 503) {
      if (call.status === 429) tally.refused429 += 1
      else tally.refused503 += 1
      if (call.retryAfter === null) tally.withoutRetryAfter += 1
    } else {
      tally.failed += 1
      tally.failure ??= reason ?? `status ${call?.status}`
    }
  }
}

function newTally() {
  return {
    since: performance.now(),
    asked: 0,
    refused429: 0,
    refused503: 0,
    withoutRetryAfter: 0,
    failed: 0,
    failure: undefined as string | undefined,
    durations: [] as number[],
  }
}
