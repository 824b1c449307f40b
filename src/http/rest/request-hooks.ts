import { isIP } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { Log } from '../../lib/log.ts'
import { withLogFields } from '../../lib/log.ts'
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

const RESOLUTION_MS = 10
const SAMPLE_MS = 1_000
const RETRY_SECONDS = 5

/**
 * Refuses requests while the event loop has been late in two measurements in a row. It asks the system for nothing, so that it also works when no file can be
 * opened; a look at the memory of the process would open one.
 *
 * @param maxDelayMs 0: never
 */
export function limitEventLoopDelay(app: ApiServer, maxDelayMs: number): void {
  if (maxDelayMs === 0) return
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  let lastMs = 0
  let delayMs = 0
  let sampledAt = performance.now()
  const timer = setInterval(() => {
    const sinceMs = performance.now() - sampledAt
    sampledAt += sinceMs
    const meanMs = histogram.mean / 1e6 - RESOLUTION_MS
    // Without a single sample, the loop did not turn for all of that time.
    const nowMs = Number.isNaN(meanMs) ? sinceMs : meanMs
    // A single pause, as of a disk or a virtual machine, is over when it is measured.
    delayMs = Math.min(lastMs, nowMs)
    lastMs = nowMs
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
    throw new AppError('unavailable', 'The service is shutting down. Try again in a moment.', { retryAfterSeconds: 5 })
  })
  // Closing ends the connections that are idle then; one whose answer was still under way would be waited for.
  app.addHook('onResponse', async () => {
    if (stopping) app.server.closeIdleConnections()
  })
}

interface HostRules {
  /** Further host names the service answers to, without a port, in any case. `*`: any. */
  readonly allowedHosts: readonly string[]
}

/**
 * Refuses requests under a foreign host name, against DNS rebinding: a page in a browser can point a name of its own at
 * this machine, but cannot make the browser send another name. A plain address cannot be rebound, so clients that
 * connect by IP always work.
 */
export function checkHost({ allowedHosts }: HostRules) {
  const names = new Set(allowedHosts.map((host) => host.toLowerCase()))
  return async (request: FastifyRequest): Promise<void> => {
    const name = isGivenOnce(request.raw.rawHeaders) ? hostName(request.raw.headers.host) : undefined
    if (name === undefined) throw new AppError('invalid', 'The Host header is missing or not valid')
    if (names.has('*') || names.has(name) || isLoopbackName(name) || isIP(name) !== 0) return
    throw new AppError('forbidden', `Unknown host name ${name}. To allow it, add it to allowed_hosts.`)
  }
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}

/** Of two Host headers, another server on the way might go by the other one (RFC 9112, 3.2). */
function isGivenOnce(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  return hosts === 1
}

/** The name or address in a Host header, lowercase, without port and brackets. A port above 65535 makes no address. */
function hostName(header: string | undefined): string | undefined {
  if (!URL.canParse(`http://${header}`)) return undefined
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(header ?? '')
  return (match?.[1] ?? match?.[2])?.toLowerCase().replace(/\.$/, '')
}
