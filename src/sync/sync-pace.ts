import type { Clock } from '../lib/clock.ts'

const MINUTE_MS = 60_000
/** A rate over a shorter time is not meaningful. */
const LEAST_MS = 5_000
/** A remaining time is only stated once this many items were processed. */
const LEAST_ITEMS = 20

interface Sample {
  readonly at: number
  readonly items: number
}

/** The rate of a run over the last minute, because waits and slow parts change it. */
export class SyncPace {
  readonly #clock: Clock
  readonly #samples: Sample[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @param items processed so far */
  count(items: number): void {
    const at = this.#clock().getTime()
    const last = this.#samples.at(-1)
    if (last !== undefined && at < last.at) this.#samples.length = 0
    if (last === undefined || at - last.at >= 1_000) this.#samples.push({ at, items })
    while ((this.#samples[1]?.at ?? at) <= at - MINUTE_MS) this.#samples.shift()
  }

  /** Items a minute; `undefined` until it is known. @param items processed so far */
  perMinute(items: number): number | undefined {
    const first = this.#samples[0]
    if (first === undefined) return undefined
    const passed = this.#clock().getTime() - first.at
    return passed < LEAST_MS ? undefined : ((items - first.items) * MINUTE_MS) / passed
  }

  /** @param left how many items are to come; `undefined` when nobody knows */
  remainingMs(items: number, left: number | undefined): number | undefined {
    const rate = this.perMinute(items)
    if (left === undefined || rate === undefined || rate <= 0 || items < LEAST_ITEMS) return undefined
    return (Math.max(0, left) / rate) * MINUTE_MS
  }
}
