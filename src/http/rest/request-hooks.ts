import { isIP } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { Log } from '../../lib/log.ts'
import { withLogFields } from '../../lib/log.ts'
import type { Telemetry } from '../../lib/telemetry.ts'
import type { ApiServer } from './server-types.ts'

/** Time for a client to continue sending after an early response, before the connection is closed. */
const LINGER_MS = 5_000

/** Sets an id for each request on all its log lines; logs, counts and traces it; ends unread bodies. */
export function requestHooks(app: ApiServer, log: Log, telemetry: Telemetry): void {
  app.decorateRequest('principal', undefined)
  app.decorateRequest('keyRefusal', undefined)
  app.decorateRequest('span', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    request.span = beginSpan(request, telemetry)
    inRequest(request, done)
  })
  // Reading a body continues in the socket's async context, so the request's context is restored.
  app.addHook('preValidation', (request, _reply, done) => inRequest(request, done))
  app.addHook('onResponse', async (request, reply) => {
    recordResponse(request, reply, telemetry)
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

/** The id of the request is its `x-request-id`, and the `trace_id` of responses that have one. */
function fieldsOf({ id, principal, span }: FastifyRequest) {
  return {
    traceId: id,
    accountId: principal?.accountId,
    keyId: principal?.keyId,
    otelTraceId: span?.ids?.traceId,
  }
}

/** Named after the route, never the path, which contains ids. */
function beginSpan(request: FastifyRequest, { tracer }: Telemetry) {
  const { traceparent } = request.headers
  return tracer.begin(
    `${request.method} ${routeOf(request)}`,
    { 'http.request.method': request.method, 'http.route': routeOf(request), 'url.scheme': request.protocol },
    { kind: 'server', root: true, traceparent: Array.isArray(traceparent) ? traceparent[0] : traceparent },
  )
}

function recordResponse(request: FastifyRequest, reply: FastifyReply, { meter }: Telemetry): void {
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

/** An unwanted body is read for a moment, so that its sender gets the response, and then cut off. */
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
 * Refuses requests while the event loop was late in two consecutive measurements. Opens no file, so it also works at
 * the limit of open files.
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
    // Without a sample, the event loop was blocked for the whole interval.
    const nowMs = Number.isNaN(meanMs) ? sinceMs : meanMs
    // A single pause, as of a disk or a virtual machine, has ended when it is measured.
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
 * `beginShutdown`, and the hook that refuses later requests. Closing the server also begins it.
 * @param drainMs time for running requests, from the beginning of the shutdown
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
    // Clients open connections in advance and may never use them; waiting for those would never end.
    setTimeout(() => app.server.closeAllConnections(), Math.max(0, endsAt - performance.now())).unref()
  })
  app.addHook('onRequest', async (_request, reply) => {
    if (!stopping) return
    reply.header('connection', 'close')
    throw new AppError('unavailable', 'The service is shutting down. Try again in a moment.', { retryAfterSeconds: 5 })
  })
  // Closing ends idle connections; one with a pending response is awaited.
  app.addHook('onResponse', async () => {
    if (stopping) app.server.closeIdleConnections()
  })
}

interface HostRules {
  /** Additional host names of the service, without a port, ignoring case. `*`: any. */
  readonly allowedHosts: readonly string[]
}

/**
 * Refuses requests with an unknown host name, against DNS rebinding: a web page can point its own name at this machine,
 * but cannot make the browser send another name. IP addresses cannot be rebound, so clients that use one always work.
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

/** With two Host headers, an intermediate server might use the other one (RFC 9112, 3.2). */
function isGivenOnce(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  return hosts === 1
}

/** The name or address in a Host header, lowercase, without port and brackets. A port above 65535 is invalid. */
function hostName(header: string | undefined): string | undefined {
  if (!URL.canParse(`http://${header}`)) return undefined
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(header ?? '')
  return (match?.[1] ?? match?.[2])?.toLowerCase().replace(/\.$/, '')
}
