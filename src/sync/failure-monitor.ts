import { EndOfRun } from './end-of-run.ts'

const MOST_IN_A_ROW = 10
const MOST_OF_ALL = 0.15
/** Fewer items than this are no share to judge by. */
const LEAST_ITEMS = 20

/**
 * Tells one broken item from a broken source: a run that fails item after item stops, instead of failing all of them.
 * Skipped items are no failures: a folder may be full of what nobody can read.
 */
export class FailureMonitor {
  #items = 0
  #failed = 0
  #inARow = 0
  #last = ''

  succeeded(): void {
    this.#items++
    this.#inARow = 0
  }

  /** An item could be read; what becomes of it is told later, and the row of failures is broken now. */
  read(): void {
    this.#inARow = 0
  }

  /** @param what which item, and why, as a sentence */
  failed(what: string): void {
    this.#last = what
    this.#items++
    this.#failed++
    this.#inARow++
  }

  /** @throws EndOfRun `stopped` */
  check(): void {
    const what =
      this.#inARow >= MOST_IN_A_ROW
        ? `${this.#inARow} items in a row failed`
        : this.#items >= LEAST_ITEMS && this.#failed > this.#items * MOST_OF_ALL
          ? `${this.#failed} of ${this.#items} items failed`
          : undefined
    if (what === undefined) return
    throw new EndOfRun(
      'stopped',
      `${what}, so the run was stopped; the next one goes on. The last error: ${this.#last}`,
    )
  }
}
