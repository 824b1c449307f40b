/**
 * Lets some partitions be read at a time. One whose recent part is read makes room for those whose recent part is not, and
 * continues after them.
 */
export class PartitionTurns {
  #free: number
  readonly #first: (() => void)[] = []
  readonly #later: (() => void)[] = []

  /** @param atOnce at least 1 */
  constructor(atOnce: number) {
    this.#free = atOnce
  }

  /** To be given back by `end` once. */
  async begin(): Promise<void> {
    await this.#take(this.#first)
  }

  end(): void {
    const next = this.#first.shift() ?? this.#later.shift()
    if (next === undefined) this.#free += 1
    else next()
  }

  /** Waits until no partition waits for its first turn. */
  async continueLater(): Promise<void> {
    this.end()
    await this.#take(this.#later)
  }

  async #take(queue: (() => void)[]): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    await new Promise<void>((resolve) => queue.push(resolve))
  }
}
