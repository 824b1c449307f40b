import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../domain/errors.ts'
import type { Log } from '../lib/log.ts'
import { isAway } from '../store/postgres/unavailable.ts'

/** One that takes connections and then fails is not asked without a pause. */
const PAUSE_MS = 1_000

/**
 * Starts what opens a database server, and starts it again when that goes away before the start is through; the opening
 * itself waits until it is there.
 *
 * @param start closes what it opened when it rejects
 * @throws the reason of `patience` when that is aborted meanwhile; what else `start` rejects with
 */
export async function startThroughOutages<Started>(
  start: () => Promise<Started>,
  { log, patience }: { readonly log: Log; readonly patience: AbortSignal },
): Promise<Started> {
  for (;;) {
    try {
      return await start()
    } catch (error) {
      const cause = firstFailure(error)
      if (!(cause instanceof AppError && isAway(cause))) throw error
      patience.throwIfAborted()
      log.warn({ err: cause }, 'the database went away during the start, which begins again')
    }
    await delay(PAUSE_MS, undefined, { signal: patience }).catch(() => patience.throwIfAborted())
  }
}

/** What was opened may not be closed without the database either. */
function firstFailure(error: unknown): unknown {
  return error instanceof SuppressedError ? firstFailure(error.suppressed) : error
}
