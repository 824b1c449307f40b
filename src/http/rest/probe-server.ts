import fastify from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { AppError } from '../../domain/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { Readiness } from '../../service/health.ts'
import type { Service } from '../../service/service.ts'
import { guardConnections, httpTimeouts } from './limit-connections.ts'
import { type Metrics, metricsRoute } from './metrics.ts'
import { answerClientError, answerError } from './problem.ts'
import { checkHost, shutdownHooks } from './request-hooks.ts'
import { healthRoute, liveRoute, readyRoute } from './routes/health.ts'
import type { ApiServer } from './server-types.ts'

export interface ProbeServerOptions {
  readonly service: Pick<Service, 'health' | 'hasDiskSpace'>
  readonly readiness: Readiness
  readonly metrics: Metrics
  readonly visibleTo: 'loopback' | 'everyone' | 'off'
  /** As for the API; with public metrics, nothing needs protection from DNS rebinding. */
  readonly allowedHosts: readonly string[]
  readonly log: Log
}

const LAST_ANSWER_MS = 500
/** Probes are few, and must work while the API is at its connection limit. */
const MOST_CONNECTIONS = 32
const ARRIVES_WITHIN_MS = 5_000

/** A server for liveness, health, readiness and metrics, for processes without the API; not yet listening. */
export function createProbeServer(options: ProbeServerOptions): ApiServer {
  const { service, readiness, metrics, visibleTo, log } = options
  const app: ApiServer = fastify({
    logger: false,
    return503OnClosing: false,
    requestTimeout: ARRIVES_WITHIN_MS,
    clientErrorHandler: answerClientError,
    http: httpTimeouts(ARRIVES_WITHIN_MS),
  }).withTypeProvider<ZodTypeProvider>()
  guardConnections(app.server, {
    perProcess: MOST_CONNECTIONS,
    perAddress: MOST_CONNECTIONS,
    isProxy: () => false,
    log,
    meter: metrics.meter,
  })
  app.setErrorHandler((error, request, reply) => answerError(log, error, request, reply))
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (value) => JSON.stringify(value))
  app.setNotFoundHandler(() => {
    throw new AppError('not_found', "This path doesn't exist. Use /metrics, /v1/live, /v1/health or /v1/ready.")
  })
  shutdownHooks(app, LAST_ANSWER_MS)
  if (visibleTo !== 'everyone') app.addHook('onRequest', checkHost(options))
  liveRoute(app)
  healthRoute(app, service)
  readyRoute(app, readiness)
  if (visibleTo !== 'off') metricsRoute(app, metrics, visibleTo)
  return app
}
