/** Does what waits for somebody else without holding the place meanwhile; whoever comes back goes before those who wait. */
export type Aside = <Result>(work: () => Promise<Result>) => Promise<Result>

export interface WaitLimits {
  /** Ends the wait with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Ends a wait that is longer. */
  readonly longest?: { readonly ms: number; readonly failure: () => Error }
}

/** So many at a time; whoever comes when all places are taken waits, first come first served. */
export class Places {
  #free: number
  readonly #returning: (() => void)[] = []
  readonly #waiting = new Set<() => void>()

  /** @param count at least 1 */
  constructor(count: number) {
    this.#free = count
  }

  get isAwaited(): boolean {
    return this.#waiting.size > 0
  }

  /** Takes a place, to be left once. @throws the reason of the signal, or `failure`; no place is taken then */
  async enter(limits: WaitLimits = {}): Promise<void> {
    limits.signal?.throwIfAborted()
    if (this.#free > 0) this.#free -= 1
    else await this.#turn(limits)
  }

  leave(): void {
    const [first] = this.#waiting
    const next = this.#returning.shift() ?? first
    if (next === undefined) this.#free += 1
    else next()
  }

  /** Runs `work` in a place of its own. @throws as `enter`; `work` is not begun then */
  async within<Result>(limits: WaitLimits, work: () => Promise<Result>): Promise<Result> {
    await this.enter(limits)
    try {
      return await work()
    } finally {
      this.leave()
    }
  }

  /** For whoever has a place. */
  readonly aside: Aside = async (work) => {
    this.leave()
    try {
      return await work()
    } finally {
      if (this.#free > 0) this.#free -= 1
      else await new Promise<void>((resolve) => this.#returning.push(resolve))
    }
  }

  /** Resolves when the place of somebody who left is handed on. */
  #turn({ signal, longest }: WaitLimits): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (done: () => void) => () => {
        this.#waiting.delete(next)
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        done()
      }
      const next = end(resolve)
      const abort = end(() => reject(signal?.reason))
      const timer = longest && setTimeout(() => end(() => reject(longest.failure()))(), longest.ms)
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.add(next)
    })
  }
}
