import { AppError } from '../domain/errors.ts'
import type { ApiServer } from './server-types.ts'

/** `beginShutdown`, and the hook that refuses what comes after it. Closing the server begins it as well. */
export function shutdownHooks(app: ApiServer): void {
  let stopping = false
  app.decorate('beginShutdown', () => {
    stopping = true
  })
  app.addHook('preClose', async () => app.beginShutdown())
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
