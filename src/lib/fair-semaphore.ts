import type { WaitLimits } from './semaphore.ts'

interface Waiter {
  resolve(): void
  reject(reason: unknown): void
}

/**
 * Permits that owners share. An owner may hold as many as are free after that, so nobody can hold them all; those who wait
 * are served round robin by owner, each owner's in the order in which they came.
 */
export class FairSemaphore {
  #free: number
  readonly #held = new Map<string, number>()
  /** The first owner is the next to be served. */
  readonly #waiting = new Map<string, Set<Waiter>>()

  /** @param count at least 1 */
  constructor(count: number) {
    this.#free = count
  }

  /** Takes a permit, to be released once. @throws the reason of the signal, or `failure`; no permit is taken then */
  async acquire(owner: string, limits: WaitLimits = {}): Promise<void> {
    limits.signal?.throwIfAborted()
    // Whoever waits already goes first.
    if (!this.#waiting.has(owner) && this.#mayTake(owner)) this.#take(owner)
    else await this.#wait(owner, limits)
  }

  release(owner: string): void {
    const held = (this.#held.get(owner) ?? 1) - 1
    if (held > 0) this.#held.set(owner, held)
    else this.#held.delete(owner)
    this.#free += 1
    this.#serve()
  }

  /** Dynamic thresholds (Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2), 1998), with the factor 1. */
  #mayTake(owner: string): boolean {
    return (this.#held.get(owner) ?? 0) < this.#free
  }

  #take(owner: string): void {
    this.#free -= 1
    this.#held.set(owner, (this.#held.get(owner) ?? 0) + 1)
  }

  #serve(): void {
    for (let next = this.#nextOwner(); next !== undefined; next = this.#nextOwner()) {
      const waiters = this.#waiting.get(next) ?? new Set()
      const [first] = waiters
      if (first === undefined) throw new RangeError('an owner without a waiter')
      waiters.delete(first)
      // To the end of the round.
      this.#waiting.delete(next)
      if (waiters.size > 0) this.#waiting.set(next, waiters)
      this.#take(next)
      first.resolve()
    }
  }

  #nextOwner(): string | undefined {
    for (const owner of this.#waiting.keys()) if (this.#mayTake(owner)) return owner
    return undefined
  }

  #wait(owner: string, { signal, longest }: WaitLimits): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const waiter: Waiter = {
        resolve: () => {
          end()
          resolve()
        },
        reject: (reason) => {
          end()
          waiters.delete(waiter)
          if (waiters.size === 0) this.#waiting.delete(owner)
          reject(reason)
        },
      }
      const abort = () => waiter.reject(signal?.reason)
      const timer = longest && setTimeout(() => waiter.reject(longest.failure()), longest.ms)
      signal?.addEventListener('abort', abort, { once: true })
      const waiters = this.#waiting.get(owner) ?? new Set()
      this.#waiting.set(owner, waiters.add(waiter))
    })
  }
}
