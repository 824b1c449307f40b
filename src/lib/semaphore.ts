/** Does work that waits for somebody else without holding the permit; whoever comes back goes before those who wait. */
export type ReleaseWhile = <Result>(work: () => Promise<Result>) => Promise<Result>

export interface WaitLimits {
  /** Ends the wait with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Ends a wait that is longer. */
  readonly longest?: { readonly ms: number; readonly failure: () => Error }
}

/** Hands out a number of permits; those who wait for one are served in the order in which they came. */
export class Semaphore {
  #free: number
  readonly #returning: (() => void)[] = []
  readonly #waiting = new Set<() => void>()

  /** @param permits at least 1 */
  constructor(permits: number) {
    this.#free = permits
  }

  get hasWaiters(): boolean {
    return this.#waiting.size > 0
  }

  /** Takes a permit, to be released once. @throws the reason of the signal, or `failure`; no permit is taken then */
  async acquire(limits: WaitLimits = {}): Promise<void> {
    limits.signal?.throwIfAborted()
    if (this.#free > 0) this.#free -= 1
    else await this.#wait(limits)
  }

  release(): void {
    const [first] = this.#waiting
    const next = this.#returning.shift() ?? first
    if (next === undefined) this.#free += 1
    else next()
  }

  /** Runs `work` with a permit. @throws as `acquire`; `work` is not begun then */
  async run<Result>(limits: WaitLimits, work: () => Promise<Result>): Promise<Result> {
    await this.acquire(limits)
    try {
      return await work()
    } finally {
      this.release()
    }
  }

  /** For whoever holds a permit. */
  readonly releaseWhile: ReleaseWhile = async (work) => {
    this.release()
    try {
      return await work()
    } finally {
      if (this.#free > 0) this.#free -= 1
      else await new Promise<void>((resolve) => this.#returning.push(resolve))
    }
  }

  /** Resolves when a released permit is handed on. */
  #wait({ signal, longest }: WaitLimits): Promise<void> {
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
