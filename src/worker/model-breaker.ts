import type { AppError } from '../domain/errors.ts'

const FIRST_DELAY_MS = 5_000
const LONGEST_DELAY_MS = 5 * 60_000
/** Items refused, without an answer between them, by a model that has answered before: then they are not at fault. */
const REFUSALS_FOR_GOOD = 3

/**
 * Keeps a model that does not answer from being asked by everybody: after a failure nobody asks for a time that doubles
 * (5 s to 5 min, varied by a quarter), then one call tries, and only its answer lets the others ask again.
 */
export class ModelBreaker {
  #failures = 0
  readonly #refused = new Set<number>()
  #hasAnswered = false
  #open = { from: Number.POSITIVE_INFINITY, until: Number.NEGATIVE_INFINITY }
  #trying = false

  /** Whether a call would be let in. @param now in milliseconds since the epoch */
  isOpen(now: number): boolean {
    const { from, until } = this.#open
    // Before the beginning, the clock was set back.
    return this.#failures > 0 && (this.#trying || (now >= from && now < until))
  }

  /** Begins a call, unless it has to wait. Each that begins ends by one of the methods below. */
  enter(now: number): boolean {
    if (this.isOpen(now)) return false
    this.#trying = this.#failures > 0
    return true
  }

  /** Also with nonsense. Returns whether it did not answer before. */
  answered(): boolean {
    const wasAway = this.#failures > 0
    this.#failures = 0
    this.#refused.clear()
    this.#hasAnswered = true
    this.#trying = false
    return wasAway
  }

  /** It is down, slow or overloaded. Returns when it is asked again. @param random in [0, 1) */
  failed({ retryAfterSeconds = 0 }: AppError, now: number, random: number): Date {
    // Of calls that fail together only the first counts.
    if (this.#failures === 0 || this.#trying) this.#failures += 1
    this.#trying = false
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#failures - 1)) * (0.75 + random / 2)
    const until = now + Math.max(delay, retryAfterSeconds * 1_000)
    this.#open = { from: now, until: this.isOpen(now) ? Math.max(this.#open.until, until) : until }
    return new Date(this.#open.until)
  }

  /** It refused an item. Returns whether it is to be asked no more; else the item may be at fault. */
  refused(refinementId: number): boolean {
    this.#trying = false
    this.#refused.add(refinementId)
    return this.#refused.size >= (this.#hasAnswered ? REFUSALS_FOR_GOOD : 1)
  }

  /** The call came to nothing that says something about the model. */
  abandoned(): void {
    this.#trying = false
  }
}
