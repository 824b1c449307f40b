import { AppError } from '../domain/errors.ts'
import type { Store } from '../store/store.ts'
import type { ServiceSettings } from './service-context.ts'

/** The application limits on uploads that wait for processing. */
export interface Backlog {
  /** Rejects with `unavailable` (all accounts together) or `rate_limited` (this account) while too many wait. */
  admit(accountId: string): Promise<void>
  /** Whether too many of all accounts together wait. */
  isFull(): Promise<boolean>
  /** An upload was accepted. */
  accepted(accountId: string): void
}

/** Waiting uploads, read at a moment, and those accepted since. */
interface Level {
  readonly readAt: number
  waiting: number
}

// Counting the queue for each upload would cost more than storing it: a count is used for a second, plus what was
// accepted since, which is never too low. Before refusing, it is counted again, but not more often than this.
const KEEP_MS = 1_000
const RECOUNT_MS = 50
const ALL = ''

export function createBacklog(
  store: Store,
  settings: Pick<ServiceSettings, 'maxUploadsWaiting' | 'maxUploadsWaitingPerAccount'>,
): Backlog {
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
        throw new AppError('unavailable', 'Too many uploads are waiting for processing; try again later', {
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
