import { AppError } from '../../domain/errors.ts'
import type { ApiServer } from './server-types.ts'

/**
 * `beginShutdown`, and the hook that refuses what comes after it. Closing the server begins it as well.
 *
 * @param drainMs when the server closes, requests that were begun have so long from the beginning of the shutdown
 */
export function shutdownHooks(app: ApiServer, drainMs: number): void {
  let stopping = false
  let endsAt = Number.POSITIVE_INFINITY
  app.decorate('beginShutdown', () => {
    stopping = true
    endsAt = Math.min(endsAt, performance.now() + drainMs)
  })
  app.addHook('preClose', async () => {
    app.beginShutdown()
    // Clients open connections in advance, and some never send what they began: those would be waited for without end.
    setTimeout(() => app.server.closeAllConnections(), Math.max(0, endsAt - performance.now())).unref()
  })
  app.addHook('onRequest', async (_request, reply) => {
    if (!stopping) return
    reply.header('connection', 'close')
    throw new AppError('unavailable', 'The service is shutting down; try again in a moment', { retryAfterSeconds: 5 })
  })
  // Closing ends the connections that are idle then; one whose answer was still under way would be waited for.
  app.addHook('onResponse', async () => {
    if (stopping) app.server.closeIdleConnections()
  })
}
