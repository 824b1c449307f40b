import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { Log } from '../../lib/log.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import type { ApiServer } from './server-types.ts'

/** Counts shared by the processes of a service. */
export interface RequestCounts {
  /** @returns the sum of all processes, and when it resets */
  countRequests(counted: {
    readonly hash: Uint8Array
    readonly count: number
    readonly remainingMs: number
  }): Promise<{ readonly count: number; readonly remainingMs: number }>
}

interface Window {
  endsAt: number
  /** The last shared total, including the reported requests of this process. */
  shared: number
  /** Being reported. */
  telling: number
  /** Only this process. */
  untold: number
  notBefore: number
}

/** Maximum number of keys; the least recently used one is dropped first. */
const MOST_KEYS = 10_000
/** A process reports its requests when they reach this share of the limit. */
const PORTIONS = 20
const AGAIN_AFTER_MS = 1_000

/**
 * Counts the requests of a key in a time window for `@fastify/rate-limit`. Requests of accounts are shared between
 * processes: each reports a twentieth of the limit at a time, and continues with what it knows. So no request waits for
 * the database, and during an outage each process counts alone; the limit can be exceeded by a twentieth per process,
 * plus requests during a report.
 */
export class RateCounts {
  readonly #counts: RequestCounts | undefined
  readonly #log: Log
  readonly #now: () => number
  readonly #windows = new RecentMap<string, Window>(MOST_KEYS)

  /** @param counts absent: there is only one process */
  constructor(counts: RequestCounts | undefined, log: Log, now: () => number = () => performance.now()) {
    this.#counts = counts
    this.#log = log
    this.#now = now
  }

  incr(
    key: string,
    callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
    timeWindow: number,
    max: number,
  ): void {
    const now = this.#now()
    const window = this.#windowOf(key, now, timeWindow)
    const current = window.shared + window.telling + window.untold + 1
    // Refused requests are not counted.
    if (current <= max) window.untold += 1
    if (this.#counts !== undefined && key.startsWith('account ')) this.#tell(key, window, { now, max })
    callback(null, { current, ttl: window.endsAt - now })
  }

  /** For other limits, which each process counts alone. */
  child(): RateCounts {
    return new RateCounts(undefined, this.#log, this.#now)
  }

  #windowOf(key: string, now: number, timeWindow: number): Window {
    const known = this.#windows.get(key)
    const window =
      known !== undefined && known.endsAt > now
        ? known
        : { endsAt: now + timeWindow, shared: 0, telling: 0, untold: 0, notBefore: now }
    this.#windows.set(key, window)
    return window
  }

  #tell(key: string, window: Window, { now, max }: { readonly now: number; readonly max: number }): void {
    const portion = Math.max(1, Math.floor(max / PORTIONS))
    if (window.untold < portion || window.telling > 0 || window.notBefore > now) return
    window.telling = window.untold
    window.untold = 0
    const hash = new Uint8Array(createHash('sha256').update(key).digest())
    this.#counts?.countRequests({ hash, count: window.telling, remainingMs: Math.ceil(window.endsAt - now) }).then(
      ({ count, remainingMs }) => {
        window.shared = count
        window.telling = 0
        window.endsAt = this.#now() + remainingMs
      },
      (error: unknown) => {
        window.untold += window.telling
        window.telling = 0
        window.notBefore = this.#now() + AGAIN_AFTER_MS
        this.#log.warn({ err: error }, 'requests were counted by this process alone')
      },
    )
  }
}

/**
 * For requests with several calls: each counts. The first was counted with the request.
 * @returns a function that throws `rate_limited` when they are too many, without counting them
 */
export function countCalls(app: ApiServer) {
  const count = app.createRateLimit()
  return async (request: FastifyRequest, reply: FastifyReply, calls: number): Promise<void> => {
    const further = calls - 1
    if (further <= 0) return
    if (further > Number(reply.getHeader('x-ratelimit-remaining') ?? 0)) throw exceeded(reply, calls)
    for (let counted = 0; counted < further; counted++) {
      const limit = await count(request)
      if (!('isExceeded' in limit)) continue
      reply.header('x-ratelimit-remaining', limit.remaining)
      // Concurrent requests have used up the rest.
      if (limit.isExceeded) throw exceeded(reply, calls)
    }
  }
}

function exceeded(reply: FastifyReply, calls: number): AppError {
  const retryAfterSeconds = Number(reply.getHeader('x-ratelimit-reset') ?? 60)
  return new AppError(
    'rate_limited',
    `Rate limit exceeded: each of the ${calls} calls of a batch counts; retry with exponential backoff`,
    { retryAfterSeconds },
  )
}
