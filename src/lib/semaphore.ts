/** Releases the permit while `work` waits for something else, and takes it back before those who wait for one. */
export type ReleaseWhile = <Result>(work: () => Promise<Result>) => Promise<Result>

export interface WaitLimits {
  /** Ends the wait with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Ends a wait after this time. */
  readonly longest?: { readonly ms: number; readonly failure: () => Error }
}

/** Returned function ends the wait. */
type Queue = Set<() => void>

/** A number of permits, granted in order of request. Decision 24 says why it is not a library. */
export class Semaphore {
  #free: number
  readonly #returning: (() => void)[] = []
  readonly #waiting: Queue = new Set()

  /** @param permits at least 1 */
  constructor(permits: number) {
    this.#free = permits
  }

  /** Number of waiting requests. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Takes a permit, to be released once. @throws the reason of the signal, or `failure`; then no permit is taken */
  async acquire(limits: WaitLimits = {}): Promise<void> {
    limits.signal?.throwIfAborted()
    if (this.#free > 0) this.#free -= 1
    else await enqueue(this.#waiting, limits)
  }

  release(): void {
    const [first] = this.#waiting
    const next = this.#returning.shift() ?? first
    if (next === undefined) this.#free += 1
    else next()
  }

  /** Runs `work` with a permit. @throws as `acquire`; then `work` is not started */
  async run<Result>(limits: WaitLimits, work: () => Promise<Result>): Promise<Result> {
    await this.acquire(limits)
    try {
      return await work()
    } finally {
      this.release()
    }
  }

  /** For the holder of a permit. */
  readonly releaseWhile: ReleaseWhile = async (work) => {
    this.release()
    try {
      return await work()
    } finally {
      if (this.#free > 0) this.#free -= 1
      else await new Promise<void>((resolve) => this.#returning.push(resolve))
    }
  }
}

/**
 * Permits shared by owners: an owner may hold as many as are still free, so that nobody holds them all. Waiting owners
 * are served round robin, and each owner's requests in order.
 */
export class FairSemaphore {
  #free: number
  readonly #held = new Map<string, number>()
  /** The first owner is served next. */
  readonly #waiting = new Map<string, Queue>()

  /** @param permits at least 1 */
  constructor(permits: number) {
    this.#free = permits
  }

  /** Takes a permit, to be released once. @throws the reason of the signal, or `failure`; then no permit is taken */
  async acquire(owner: string, limits: WaitLimits = {}): Promise<void> {
    limits.signal?.throwIfAborted()
    const queue: Queue = this.#waiting.get(owner) ?? new Set()
    if (queue.size === 0 && this.#mayTake(owner)) return this.#take(owner)
    this.#waiting.set(owner, queue)
    await enqueue(queue, limits, () => {
      if (queue.size === 0) this.#waiting.delete(owner)
    })
  }

  release(owner: string): void {
    const held = (this.#held.get(owner) ?? 1) - 1
    if (held > 0) this.#held.set(owner, held)
    else this.#held.delete(owner)
    this.#free += 1
    for (let next = this.#nextOwner(); next !== undefined; next = this.#nextOwner()) this.#serve(next)
  }

  /** Dynamic thresholds (Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2), 1998), with the factor 1. */
  #mayTake(owner: string): boolean {
    return (this.#held.get(owner) ?? 0) < this.#free
  }

  #take(owner: string): void {
    this.#free -= 1
    this.#held.set(owner, (this.#held.get(owner) ?? 0) + 1)
  }

  #nextOwner(): string | undefined {
    for (const owner of this.#waiting.keys()) if (this.#mayTake(owner)) return owner
    return undefined
  }

  /** Serves an owner's first waiter and moves the owner to the end of the round. */
  #serve(owner: string): void {
    const queue = this.#waiting.get(owner)
    const [first] = queue ?? []
    if (queue === undefined || first === undefined) throw new RangeError('an owner without a waiter')
    this.#waiting.delete(owner)
    if (queue.size > 1) this.#waiting.set(owner, queue)
    this.#take(owner)
    first()
  }
}

/** Waits in the queue until it is served or the limits end the wait; either way it leaves the queue. */
function enqueue(queue: Queue, { signal, longest }: WaitLimits, onLeave?: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => () => {
      queue.delete(next)
      onLeave?.()
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      settle()
    }
    const next = end(resolve)
    const abort = end(() => reject(signal?.reason))
    const timer = longest && setTimeout(() => end(() => reject(longest.failure()))(), longest.ms)
    signal?.addEventListener('abort', abort, { once: true })
    queue.add(next)
  })
}
