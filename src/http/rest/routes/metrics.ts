import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../domain/errors.ts'
import type { Metrics } from '../metrics.ts'
import type { ApiServer } from '../server-types.ts'

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

export function metricsRoute(app: ApiServer, metrics: Metrics, visibleTo: 'loopback' | 'everyone'): void {
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (visibleTo === 'loopback' && !isLocal(request)) {
      throw new AppError('forbidden', 'Metrics are served to this machine only')
    }
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

/** A proxy on this machine connects from loopback as well, but says for whom. */
function isLocal(request: FastifyRequest): boolean {
  const { headers } = request
  const isForwarded = headers.forwarded !== undefined || headers['x-forwarded-for'] !== undefined
  return LOOPBACK.test(request.ip) && !isForwarded
}
