import type { ApiQuota } from '../connector/connector.ts'

const MINUTE_MS = 60_000
/** Where nothing else is published. */
const AT_ONCE = 8
/** As many at the beginning: a limit that is not known yet is met by few requests. */
const FIRST_AT_ONCE = 4

/**
 * How many requests to one API are under way at once: one more with each answer until the first limit (slow start; Jacobson,
 * 1988), up to its quota, then half as many after a limit, and one more with every round that meets none (additive
 * increase, multiplicative decrease; Chiu and Jain, 1989).
 */
export class RequestPermits {
  readonly #most: number
  readonly #perMinute: number | undefined
  #limit: number
  #underway = 0
  /** Requests without a limit since `#limit` changed. */
  #unhindered = 0
  /** Raised when `#limit` was halved: the requests sent before say nothing about it. */
  #round = 0
  /** Requests that may be sent at once, at `#countedAt`. */
  #allowance: number
  #countedAt: number | undefined
  readonly #waiting: (() => void)[] = []

  constructor({ atOnce = AT_ONCE, perMinute }: ApiQuota = {}) {
    this.#most = atOnce
    this.#limit = Math.min(FIRST_AT_ONCE, atOnce)
    this.#perMinute = perMinute
    this.#allowance = perMinute ?? 0
  }

  /** To be given to `release`. @param isSpacedOut one at a time, as requests keep a distance */
  async acquire(isSpacedOut: () => boolean): Promise<number> {
    while (this.#underway >= (isSpacedOut() ? 1 : this.#limit)) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#underway++
    return this.#round
  }

  /** @param met what the request came to; a failure says nothing about limits */
  release(round: number, met: 'limit' | 'failure' | 'answer'): void {
    this.#underway--
    if (round === this.#round) {
      if (met === 'limit') {
        this.#limit = Math.max(1, Math.floor(this.#limit / 2))
        this.#round++
        this.#unhindered = 0
      } else if (met === 'answer' && (this.#round === 0 || ++this.#unhindered >= this.#limit)) {
        this.#limit = Math.min(this.#most, this.#limit + 1)
        this.#unhindered = 0
      }
    }
    for (const resume of this.#waiting.splice(0)) resume()
  }

  /** When the quota of a minute allows a request, in milliseconds since 1970. */
  allowedAt(now: number): number {
    if (this.#perMinute === undefined) return now
    this.#refill(now, this.#perMinute)
    return this.#allowance >= 1 ? now : now + Math.ceil(((1 - this.#allowance) * MINUTE_MS) / this.#perMinute)
  }

  count(now: number): void {
    if (this.#perMinute === undefined) return
    this.#refill(now, this.#perMinute)
    this.#allowance--
  }

  #refill(now: number, perMinute: number): void {
    // A clock that was set back adds nothing.
    const passed = Math.max(0, now - (this.#countedAt ?? now))
    this.#allowance = Math.min(perMinute, this.#allowance + (passed * perMinute) / MINUTE_MS)
    this.#countedAt = now
  }
}
