import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../../lib/log.ts'
import { withLogFields } from '../../lib/log-fields.ts'
import type { Telemetry } from '../../lib/telemetry.ts'
import type { ApiServer } from './server-types.ts'

/** After an early answer, so much longer a client may go on sending before the connection ends. */
const LINGER_MS = 5_000

/** An id for each request, on every line that is logged for it; its line, numbers and span; an end to unread bodies. */
export function requestHooks(app: ApiServer, log: Log, telemetry: Telemetry): void {
  app.decorateRequest('principal', undefined)
  app.decorateRequest('keyRefusal', undefined)
  app.decorateRequest('span', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    request.span = beginSpan(request, telemetry)
    inRequest(request, done)
  })
  // What reads a body goes on where its bytes came from, which knows nothing of the request.
  app.addHook('preValidation', (request, _reply, done) => inRequest(request, done))
  app.addHook('onResponse', async (request, reply) => {
    told(request, reply, telemetry)
    log.info(
      {
        ...fieldsOf(request),
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
    endLater(request)
  })
}

function inRequest(request: FastifyRequest, done: () => void): void {
  const work = () => withLogFields(() => fieldsOf(request), done)
  if (request.span === undefined) work()
  else request.span.within(work)
}

/** The id of the request is the `trace_id` of its answer, where that has one, and its `x-request-id`. */
function fieldsOf({ id, principal, span }: FastifyRequest) {
  return {
    traceId: id,
    accountId: principal?.accountId,
    keyId: principal?.keyId,
    otelTraceId: span?.ids?.traceId,
  }
}

/** Named after the route, never the path, which holds ids. */
function beginSpan(request: FastifyRequest, { tracer }: Telemetry) {
  const { traceparent } = request.headers
  return tracer.begin(
    `${request.method} ${routeOf(request)}`,
    { 'http.request.method': request.method, 'http.route': routeOf(request), 'url.scheme': request.protocol },
    { kind: 'server', root: true, traceparent: Array.isArray(traceparent) ? traceparent[0] : traceparent },
  )
}

function told(request: FastifyRequest, reply: FastifyReply, { meter }: Telemetry): void {
  const { method, span } = request
  const route = routeOf(request)
  const status = String(reply.statusCode)
  meter.count('recalld_http_requests_total', { method, route, status })
  meter.observe('recalld_http_request_seconds', { method, route }, reply.elapsedTime / 1_000)
  span?.set({ 'http.response.status_code': reply.statusCode })
  if (reply.statusCode >= 500) span?.fail(undefined)
  span?.end()
}

function routeOf(request: FastifyRequest): string {
  return request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown')
}

/** A body that nobody wants any more is read on for a moment, so that its sender sees the answer, and then cut off. */
function endLater({ raw }: FastifyRequest): void {
  if (raw.complete) return
  const timer = setTimeout(() => raw.destroy(), LINGER_MS)
  timer.unref()
  raw.once('close', () => clearTimeout(timer))
}
