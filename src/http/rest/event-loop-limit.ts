import { monitorEventLoopDelay } from 'node:perf_hooks'
import { AppError } from '../../domain/errors.ts'
import type { ApiServer } from './server-types.ts'

const RESOLUTION_MS = 10
const SAMPLE_MS = 1_000
const RETRY_SECONDS = 5

/**
 * Refuses requests while the event loop is late. It asks the system for nothing, so that it also works when no file can be
 * opened; a look at the memory of the process would open one.
 *
 * @param maxDelayMs 0: never
 */
export function limitEventLoopDelay(app: ApiServer, maxDelayMs: number): void {
  if (maxDelayMs === 0) return
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  let delayMs = 0
  const timer = setInterval(() => {
    const meanMs = histogram.mean / 1e6 - RESOLUTION_MS
    // Without a single sample in a second, the loop did not turn.
    delayMs = Number.isNaN(meanMs) ? Number.POSITIVE_INFINITY : meanMs
    histogram.reset()
  }, SAMPLE_MS)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    histogram.disable()
  })
  app.addHook('onRequest', async () => {
    if (delayMs <= maxDelayMs) return
    throw new AppError('unavailable', `The server is overloaded. Try again in ${RETRY_SECONDS} seconds`, {
      retryAfterSeconds: RETRY_SECONDS,
    })
  })
}
