import type { Clock } from '../lib/clock.ts'

/** After a failure a model is left alone for so long, so that not every question waits for it. */
const PAUSE_MS = 30_000

/** The time after a failure of a model, in which questions are answered without it, and what they are told. */
export class ModelPause {
  readonly #clock: Clock
  #now: { readonly from: number; readonly until: number; readonly reason: string } | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @param retryAfterSeconds as the model itself says */
  begin(reason: string, retryAfterSeconds = 0): void {
    const from = this.#clock().getTime()
    this.#now = { from, until: from + Math.max(PAUSE_MS, retryAfterSeconds * 1_000), reason }
  }

  /** The model has answered. */
  end(): void {
    this.#now = undefined
  }

  /** `undefined`: the model may be asked. */
  get reason(): string | undefined {
    if (this.#now === undefined) return undefined
    const { from, until, reason } = this.#now
    const now = this.#clock().getTime()
    // Before the beginning, the clock was set back.
    return now < from || now >= until ? undefined : reason
  }
}
