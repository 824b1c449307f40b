import type { Log } from '../lib/log.ts'
import type { Service } from '../service/service.ts'

/** How often it is looked for deletions that nobody waits for any more. */
const LOOK_MS = 60_000

/**
 * Goes on, in the background, with deletions of accounts that were begun and not ended; `stack` ends that. Several may go
 * on with the same one: each step is one commit, and happens once.
 */
export function resumeDeletions({ service, log }: { service: Service; log: Log }, stack: AsyncDisposableStack): void {
  const stopping = new AbortController()
  let running: Promise<unknown> = Promise.resolve()
  const look = () => {
    running = running
      .then(() => service.deletions.resume(stopping.signal))
      .catch((error: unknown) => {
        log.error({ err: error }, 'unfinished account deletions could not be listed; retrying')
      })
  }
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  look()
  stack.defer(async () => {
    stopping.abort()
    clearInterval(timer)
    await running
  })
}
