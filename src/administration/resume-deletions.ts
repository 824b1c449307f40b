import type { Log } from '../lib/log.ts'
import type { Service } from '../service/service.ts'

/** How often to look for unfinished deletions. */
const LOOK_MS = 60_000

/**
 * Continues unfinished account deletions in the background; `stack` ends that. Several processes may work on the same
 * one: each step is one commit, and happens once.
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
