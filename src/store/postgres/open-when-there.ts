import { setTimeout as delay } from 'node:timers/promises'
import type { Store } from '../store.ts'
import { openPostgresStore, type PostgresOptions } from './postgres-store.ts'
import { isAway } from './unavailable.ts'

const TRY_EVERY_MS = 1_000
const TELL_EVERY_MS = 30_000

/**
 * Opens the store as `openPostgresStore` does, and waits for a server that is away, starts, or takes no more connections;
 * the log says so. What no waiting mends (the password, the name of the database, a format that is too new) rejects at once.
 *
 * @throws the reason of `stop` as soon as that is aborted
 */
export async function openWhenThere(options: PostgresOptions, stop: AbortSignal): Promise<Store> {
  const database = addressOf(options.url)
  let toldAt = Number.NEGATIVE_INFINITY
  for (;;) {
    try {
      const store = await openUnlessStopped(options, stop)
      if (toldAt > 0) options.log.info({ database }, 'the database is there')
      return store
    } catch (error) {
      if (stop.aborted || !isAway(error)) throw error
      if (performance.now() - toldAt >= TELL_EVERY_MS) {
        toldAt = performance.now()
        options.log.warn({ database, err: error }, 'waiting for the database')
      }
    }
    await delay(TRY_EVERY_MS, undefined, { signal: stop }).catch(() => stop.throwIfAborted())
  }
}

async function openUnlessStopped(options: PostgresOptions, stop: AbortSignal): Promise<Store> {
  stop.throwIfAborted()
  const stopped = Promise.withResolvers<never>()
  const onAbort = () => stopped.reject(stop.reason)
  stop.addEventListener('abort', onAbort, { once: true })
  const opening = openPostgresStore(options)
  try {
    return await Promise.race([opening, stopped.promise])
  } catch (error) {
    // One that is opened after all belongs to nobody.
    opening.then(
      (store) => store.close(),
      () => undefined,
    )
    throw error
  } finally {
    stop.removeEventListener('abort', onAbort)
  }
}

/** Without user and password. */
function addressOf(url: string): string {
  if (!URL.canParse(url)) return 'unknown'
  const { host, pathname, searchParams } = new URL(url)
  return `${searchParams.get('host') ?? host}${pathname}`
}
