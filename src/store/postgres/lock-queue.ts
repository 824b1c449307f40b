interface Turn {
  readonly locks: readonly bigint[]
  begin(): void
}

/**
 * Lets those of this process that need the same lock of the database wait here, where they hold no connection. First come,
 * first served, for each lock. Whoever needs several stands in all of their queues from the same moment on, so that of two
 * one is before the other in every queue they share, and never each waits for the other.
 */
export class LockQueue {
  readonly #queues = new Map<bigint, Set<Turn>>()

  /** Resolves with the function that ends the turn; rejects with `late()` when it did not come within `withinMs`. */
  take(locks: readonly bigint[], withinMs: number, late: () => unknown): Promise<() => void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const turn: Turn = {
        locks,
        begin: () => {
          clearTimeout(timer)
          resolve(() => this.#leave(turn))
        },
      }
      for (const lock of locks) this.#queueOf(lock).add(turn)
      if (this.#isFirst(turn)) return turn.begin()
      timer = setTimeout(() => {
        this.#leave(turn)
        reject(late())
      }, withinMs)
    })
  }

  #leave(turn: Turn): void {
    const wasFirst = turn.locks.filter((lock) => this.#first(lock) === turn)
    for (const lock of turn.locks) {
      const queue = this.#queueOf(lock)
      queue.delete(turn)
      if (queue.size === 0) this.#queues.delete(lock)
    }
    // One that needs several of these locks is found once for each.
    const next = new Set(wasFirst.map((lock) => this.#first(lock)))
    for (const one of next) if (one !== undefined && this.#isFirst(one)) one.begin()
  }

  #isFirst(turn: Turn): boolean {
    return turn.locks.every((lock) => this.#first(lock) === turn)
  }

  #first(lock: bigint): Turn | undefined {
    return this.#queues.get(lock)?.values().next().value
  }

  #queueOf(lock: bigint): Set<Turn> {
    const known = this.#queues.get(lock)
    if (known !== undefined) return known
    const made = new Set<Turn>()
    this.#queues.set(lock, made)
    return made
  }
}
