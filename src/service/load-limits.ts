import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { AppError } from '../domain/errors.ts'
import { type ReleaseWhile, Semaphore } from '../lib/semaphore.ts'
import type { Store } from '../store/store.ts'

/**
 * Limits concurrent work of one kind. Under overload, accepted work stays fast and the rest is refused soon; otherwise
 * all of it would wait, and nobody would be answered in time.
 */
export interface LoadGate {
  /**
   * @param signal ends the wait, with its reason
   * @throws AppError `unavailable` when no permit becomes free soon enough
   */
  run<Result>(work: (releaseWhile: ReleaseWhile) => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /** Called before expensive preparations. @throws AppError `unavailable` when the work would be refused */
  admit(): void
}

/*
 * After controlled delay in "Fail at Scale" (Maurer, ACM Queue 13(8), 2015): in a short burst, requests wait; once a
 * wait timed out, nobody waits longer than about the duration of the work, until nothing was refused for a while. The
 * article uses 100 and 5 ms, for shorter work: a search takes 10 to 30 ms, and an agent sends several at once. It also
 * ends the overload as soon as nobody waits. That led to repeated long waits here: at twice the capacity, the median
 * latency was 260 ms, compared with 42 at half of it.
 */
const BURST_MS = 500
const CALM_MS = 2_000
const OVERLOAD_WAIT_MS = 25
const RETRY_SECONDS = 2

/**
 * @param count maximum concurrent work, at least 1
 * @param burstMs maximum wait in a burst
 */
export function createLoadGate(count: number, burstMs = BURST_MS): LoadGate {
  const permits = new Semaphore(count)
  let overloadUntil = Number.NEGATIVE_INFINITY
  let lastBegin: Promise<unknown> = Promise.resolve()

  /**
   * One starts per turn of the event loop. A search on SQLite never yields: several per turn would block the process,
   * and new requests would wait outside the gate.
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
      if (permits.waiting > 0 && isOverload()) throw refusal()
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

/** Limits the concurrent questions of an account, and refuses further ones. */
export interface AskLimit {
  /** @throws AppError `rate_limited` with the message that the specification gives for application limits (7) */
  run<Result>(accountId: string, work: () => Promise<Result>): Promise<Result>
}

export function createAskLimit(limit: number): AskLimit {
  const running = new Map<string, number>()
  return {
    async run(accountId, work) {
      const before = running.get(accountId) ?? 0
      if (before >= limit) throw new AppError('rate_limited', 'RATE_LIMIT_EXCEEDED', { retryAfterSeconds: 1 })
      running.set(accountId, before + 1)
      try {
        return await work()
      } finally {
        const left = (running.get(accountId) ?? 1) - 1
        if (left === 0) running.delete(accountId)
        else running.set(accountId, left)
      }
    },
  }
}

/** The application limits on uploads that wait for processing. */
export interface Backlog {
  /** Rejects with `unavailable` (all accounts together) or `rate_limited` (this account) while too many wait. */
  admit(accountId: string): Promise<void>
  /** Whether too many of all accounts together wait. */
  isFull(): Promise<boolean>
  /** An upload was accepted. */
  accepted(accountId: string): void
}

export interface BacklogSettings {
  /** Uploads of all accounts that may wait for processing; beyond it, 503. */
  readonly maxUploadsWaiting: number
  /**
   * Uploads of one account that may wait for processing; beyond it, 429 `RATE_LIMIT_EXCEEDED`. Enough for the first
   * sync of a large source, but one account cannot fill the queue.
   */
  readonly maxUploadsWaitingPerAccount: number
}

/** Waiting uploads at a moment, and those accepted since. */
interface Level {
  readonly readAt: number
  waiting: number
}

// Counting the queue for each upload would cost more than storing it: a count is used for a second, plus the uploads
// accepted since, which is never too low. Before refusing, it is counted again, but not more often than this.
const KEEP_MS = 1_000
const RECOUNT_MS = 50
const ALL = ''

export function createBacklog(store: Store, settings: BacklogSettings): Backlog {
  const levels = new Map<string, Level>()
  const counting = new Map<string, Promise<Level>>()

  const count = (id: string): Promise<Level> => {
    const running = counting.get(id)
    if (running !== undefined) return running
    const readAt = performance.now()
    const result = (id === ALL ? store.queue.depth() : store.scoped({ accountId: id, sources: 'all' }).holdings()).then(
      ({ waiting }) => {
        const level = { readAt, waiting }
        levels.set(id, level)
        return level
      },
    )
    const forgotten = result.finally(() => counting.delete(id))
    counting.set(id, forgotten)
    return forgotten
  }

  const isFull = async (id: string, limit: number): Promise<boolean> => {
    const known = levels.get(id)
    const age = known === undefined ? Number.POSITIVE_INFINITY : performance.now() - known.readAt
    if (known !== undefined && age < KEEP_MS && known.waiting < limit) return false
    if (known !== undefined && age < RECOUNT_MS) return true
    return (await count(id)).waiting >= limit
  }

  return {
    isFull: () => isFull(ALL, settings.maxUploadsWaiting),
    async admit(accountId) {
      if (await isFull(ALL, settings.maxUploadsWaiting)) {
        throw new AppError('unavailable', 'Too many uploads are waiting for processing. Try again later.', {
          retryAfterSeconds: 30,
        })
      }
      if (await isFull(accountId, settings.maxUploadsWaitingPerAccount)) {
        throw new AppError('rate_limited', 'RATE_LIMIT_EXCEEDED', { retryAfterSeconds: 10 })
      }
    },
    accepted(accountId) {
      for (const id of [ALL, accountId]) {
        const level = levels.get(id)
        if (level !== undefined) level.waiting += 1
      }
    },
  }
}
