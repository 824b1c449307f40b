import type { FastifyRequest } from 'fastify'
import type { Log } from '../kit/log.ts'
import type { ApiServer } from './server-types.ts'

/** After an early answer, so much longer a client may go on sending before the connection ends. */
const LINGER_MS = 5_000

/** An id for each request, its line in the log, and an end to bodies that nobody reads. */
export function requestHooks(app: ApiServer, log: Log): void {
  app.decorateRequest('principal', undefined)
  app.decorateRequest('keyRefusal', undefined)
  app.decorateRequest('traceId', undefined)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    log.info(
      {
        requestId: request.id,
        traceId: request.traceId,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        accountId: request.principal?.accountId,
        keyId: request.principal?.keyId,
      },
      'request',
    )
    endLater(request)
  })
}

/** A body that nobody wants any more is read on for a moment, so that its sender sees the answer, and then cut off. */
function endLater({ raw }: FastifyRequest): void {
  if (raw.complete) return
  const timer = setTimeout(() => raw.destroy(), LINGER_MS)
  timer.unref()
  raw.once('close', () => clearTimeout(timer))
}
