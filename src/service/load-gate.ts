import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { AppError } from '../domain/errors.ts'
import { type ReleaseWhile, Semaphore } from '../lib/semaphore.ts'

/**
 * Lets so much of one kind of work go on at a time. Under more load than can be served, what is let in stays fast and the
 * rest is refused soon; without it all would wait for each other, and nobody would be answered in time.
 */
export interface LoadGate {
  /**
   * @param signal ends the wait for a place, with its reason
   * @throws AppError `unavailable` when no place becomes free soon enough
   */
  run<Result>(work: (releaseWhile: ReleaseWhile) => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /** For what costs something before it comes to the gate. @throws AppError `unavailable` when it would be refused there */
  admit(): void
}

/*
 * After controlled delay in "Fail at Scale" (Maurer, ACM Queue 13(8), 2015): in a burst, which will pass, people wait; once
 * somebody has waited in vain, nobody waits longer than about what the work takes, until for a while nobody had to be
 * refused. The times there are 100 and 5 ms for work that is shorter: a search takes 10 to 30 ms, and an agent asks several
 * things at once. There an overload is over as soon as nobody waits. Tried here, that let half a second of long waits in again
 * and again: at twice the capacity the median of what was answered was 260 ms, in place of 42 at half of it.
 */
const BURST_MS = 500
const CALM_MS = 2_000
const OVERLOAD_WAIT_MS = 25
const RETRY_SECONDS = 2

/**
 * @param count how much goes on at a time, at least 1
 * @param burstMs so long somebody waits in a burst
 */
export function createLoadGate(count: number, burstMs = BURST_MS): LoadGate {
  const permits = new Semaphore(count)
  let overloadUntil = Number.NEGATIVE_INFINITY
  let lastBegin: Promise<unknown> = Promise.resolve()

  /**
   * One begins in each turn of the event loop. A search on SQLite never waits for anything: several in a turn would keep the
   * process from everything else, and those that come meanwhile would wait unseen, outside of the gate.
   */
  const begin = () => {
    lastBegin = lastBegin.then(() => turnOfLoop())
    return lastBegin
  }
  const isOverload = () => performance.now() < overloadUntil
  const refusal = () => {
    overloadUntil = performance.now() + CALM_MS
    return new AppError('unavailable', `The server is overloaded. Try again in ${RETRY_SECONDS} seconds`, {
      retryAfterSeconds: RETRY_SECONDS,
    })
  }
  return {
    admit() {
      if (permits.hasWaiters && isOverload()) throw refusal()
    },
    run(work, signal) {
      const longest = { ms: isOverload() ? OVERLOAD_WAIT_MS : burstMs, failure: refusal }
      return permits.run({ signal, longest }, async () => {
        await begin()
        return work(permits.releaseWhile)
      })
    },
  }
}
