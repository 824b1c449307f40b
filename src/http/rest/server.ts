import { randomUUID } from 'node:crypto'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify'
import fastify from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import type { Log } from '../../lib/log.ts'
import { NO_TRACER, type Tracer } from '../../lib/telemetry.ts'
import { createReadiness, type Readiness, serviceChecks } from '../../service/health.ts'
import type { Service } from '../../service/service.ts'
import { identify, rateKey, requireBilling, requireKey } from './access.ts'
import { guardConnections, httpTimeouts, trustedPeers } from './limit-connections.ts'
import { createMetrics, type Metrics, metricsRoute, readService } from './metrics.ts'
import { registerOpenapi } from './openapi.ts'
import { pagesRoutes } from './pages/pages.ts'
import { answerClientError, answerError, answerUnexpected, checkInput } from './problem.ts'
import { proxyHooks } from './proxy-hooks.ts'
import { RateCounts, type RequestCounts } from './rate-limit.ts'
import { createUploadSlots } from './read-form.ts'
import { checkHost, limitEventLoopDelay, requestHooks, shutdownHooks } from './request-hooks.ts'
import { correctionRoutes } from './routes/corrections.ts'
import { editRoutes } from './routes/edits.ts'
import { filesRoutes } from './routes/files.ts'
import { healthRoute, liveRoute, readyRoute } from './routes/health.ts'
import { memoriesRoutes, memorizeRoute, openRoute, recentRoute } from './routes/memories.ts'
import { personNameRoutes } from './routes/person-names.ts'
import { profileRoutes } from './routes/profile.ts'
import { suggestionRoutes } from './routes/suggestions.ts'
import type { ApiServer } from './server-types.ts'
import { slowClientHooks } from './slow-clients.ts'

export interface ServerSettings {
  /** Requests per minute of an account, and of an address without a valid key (specification 8). */
  readonly rateLimitPerMinute: number
  /** Additional host names of the service; `*`: any. IP addresses and localhost always work. */
  readonly allowedHosts: readonly string[]
  /** Addresses and networks of proxies whose X-Forwarded-For and -Proto are trusted. */
  readonly trustedProxies: readonly string[]
  /** Public address, shown in the documentation. */
  readonly baseUrl: string
  readonly version: string
  /** `/metrics`: for this machine, for everybody, or disabled. */
  readonly metrics: 'loopback' | 'everyone' | 'off'
  /** Large upload bodies in memory at a time; further ones wait. */
  readonly maxConcurrentUploads: number
  /** Connections of clients that are open at a time. */
  readonly maxConnections: number
  /** Connections from one address; for trusted proxies, the forwarded clients are counted instead. */
  readonly maxConnectionsPerAddress: number
  /** A request whose headers take longer is answered 408. */
  readonly headersTimeoutMs: number
  /** A request that takes longer is answered 408. */
  readonly requestTimeoutMs: number
  /** A request whose body arrives more slowly, over any `bodyWindowMs`, is answered 408. */
  readonly bodyBytesPerSecond: number
  readonly bodyWindowMs: number
  /** While the event loop is this far behind, requests are answered 503; 0: never. */
  readonly maxEventLoopDelayMs: number
  /** Time for running requests when the server closes. */
  readonly drainMs: number
}

const DEFAULTS: ServerSettings = {
  rateLimitPerMinute: 1_000,
  allowedHosts: [],
  trustedProxies: [],
  baseUrl: 'http://127.0.0.1:7411',
  version: '0.0.0',
  metrics: 'loopback',
  maxConcurrentUploads: 16,
  maxConnections: 10_000,
  maxConnectionsPerAddress: 1_250,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 300_000,
  // A phone in a tunnel also reaches this on average over the window.
  bodyBytesPerSecond: 1_024,
  bodyWindowMs: 15_000,
  maxEventLoopDelayMs: 3_000,
  drainMs: 3_500,
}

interface ServerOptions {
  readonly service: Service
  readonly log: Log
  readonly settings?: Partial<ServerSettings>
  /** Metrics of the process; those of this server and its service when absent. */
  readonly metrics?: Metrics
  /** Absent: only the store and the queue are checked. */
  readonly readiness?: Readiness
  readonly tracer?: Tracer
  /** Shared by all processes that answer requests; absent for a single one. */
  readonly requestCounts?: RequestCounts | undefined
  /** Without the REST routes and their pages: for servers with other routes. */
  readonly isBare?: boolean
}

/** Longest path parameter: an `item_id` of 500 characters of 4 bytes, percent-encoded. */
const MAX_PARAM_LENGTH = 500 * 4 * 3
const UPLOAD_WAIT_MS = 20_000

/** The REST interface, not yet listening. Further routes (the app, MCP) may be registered on it before `listen`. */
export async function createServer(options: ServerOptions): Promise<ApiServer> {
  const { service, log, settings: given, tracer = NO_TRACER } = options
  const settings = { ...DEFAULTS, ...given }
  const app = bareServer(service, log, settings)
  const methods = watchMethods(app)
  shutdownHooks(app, settings.drainMs)
  const metrics = options.metrics ?? metricsOf(service)
  requestHooks(app, log, { meter: metrics.meter, tracer })
  const isProxy = trustedPeers(settings.trustedProxies)
  const perAddress = settings.maxConnectionsPerAddress
  guardConnections(app.server, { perProcess: settings.maxConnections, perAddress, isProxy, log, meter: metrics.meter })
  slowClientHooks(app, { log, bytesPerSecond: settings.bodyBytesPerSecond, windowMs: settings.bodyWindowMs })
  app.addHook('onRequest', checkHost(settings))
  proxyHooks(app, { perAddress, isProxy, log })
  limitEventLoopDelay(app, settings.maxEventLoopDelayMs)
  await plugins(app, settings, options.requestCounts, log)
  if (options.isBare !== true) await registerOpenapi(app, settings)

  const limitRate = app.rateLimit()
  app.setNotFoundHandler({ preHandler: limitRate }, (request, reply) => {
    const allowed = methods.of(request.url.split('?', 1)[0] ?? '')
    if (allowed.length === 0) throw new AppError('not_found', "This path doesn't exist. See /docs for all paths.")
    reply.header('allow', allowed.join(', '))
    throw new AppError(
      'method_not_allowed',
      `This path doesn't support ${request.method}. Use ${allowed.join(' or ')}.`,
    )
  })

  liveRoute(app)
  healthRoute(app, service)
  readyRoute(app, options.readiness ?? createReadiness(serviceChecks(service)))
  if (options.isBare !== true) {
    await app.register(async (scope) => {
      keyedRoutes(scope.withTypeProvider<ZodTypeProvider>(), service, settings, limitRate)
    })
    await app.register(async (scope) => {
      scope.addHook('onRequest', limitRate)
      pagesRoutes(scope.withTypeProvider<ZodTypeProvider>(), settings)
    })
  }
  await app.register(async (scope) => {
    scope.addHook('onRequest', limitRate)
    if (settings.metrics !== 'off') metricsRoute(scope.withTypeProvider<ZodTypeProvider>(), metrics, settings.metrics)
  })
  return app
}

function metricsOf(service: Service): Metrics {
  const metrics = createMetrics()
  metrics.readWith('service', (meter) => readService(service, meter))
  return metrics
}

/** Fastify with our errors and validation, and no routes. */
function bareServer(service: Service, log: Log, settings: ServerSettings): ApiServer {
  const app: ApiServer = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    requestTimeout: settings.requestTimeoutMs,
    trustProxy: [...settings.trustedProxies],
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    // checkHost rejects a request without Host with an explanation, unlike Node.
    http: {
      ...httpTimeouts(Math.min(settings.headersTimeoutMs, settings.requestTimeoutMs)),
      requireHostHeader: false,
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      answerError(log, error, request, reply),
  }).withTypeProvider<ZodTypeProvider>()

  app.setErrorHandler((error, request, reply) => answerUnexpected(service, log, error, request, reply))
  app.setValidatorCompiler<z.ZodType>(validator)
  app.setSerializerCompiler(() => (value) => JSON.stringify(value))
  app.server.on('checkExpectation', (_request, response) => {
    const body = JSON.stringify({ detail: 'Only the expectation 100-continue is supported' })
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }
    response.writeHead(417, { ...headers, connection: 'close' }).end(body)
  })
  return app
}

/** Everything behind a key; the order of the hooks is the order of the checks. */
function keyedRoutes(
  scope: ApiServer,
  service: Service,
  settings: ServerSettings,
  limitRate: ReturnType<ApiServer['rateLimit']>,
): void {
  // Routes read forms as they arrive; their schemas are for the documentation.
  scope.setValidatorCompiler<z.ZodType>((part) => (part.httpPart === 'body' ? (value) => ({ value }) : validator(part)))
  // Before any work: refusing a request during an overload must be cheap.
  scope.addHook('onRequest', async ({ routeOptions }) => service.admit(routeOptions.config.use ?? 'read'))
  scope.addHook('onRequest', identify(service))
  scope.addHook('onRequest', limitRate)
  scope.addHook('onRequest', requireKey)
  scope.addHook('onRequest', requireBilling(service))
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })
  // Bodies other than forms are not read; the routes report what they expect.
  scope.removeContentTypeParser(['application/json', 'text/plain'])
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  memorizeRoute(scope, service, createUploadSlots(settings.maxConcurrentUploads, UPLOAD_WAIT_MS))
  memoriesRoutes(scope, service)
  openRoute(scope, service)
  recentRoute(scope, service)
  correctionRoutes(scope, service)
  editRoutes(scope, service)
  personNameRoutes(scope, service)
  profileRoutes(scope, service)
  suggestionRoutes(scope, service)
  filesRoutes(scope, service)
}

async function plugins(
  app: ApiServer,
  settings: ServerSettings,
  counts: RequestCounts | undefined,
  log: Log,
): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // Plain HTTP on loopback is the default; a TLS proxy sets its own headers.
    strictTransportSecurity: false,
  })
  await app.register(rateLimit, {
    global: false,
    max: settings.rateLimitPerMinute,
    timeWindow: 60_000,
    store: class extends RateCounts {
      constructor() {
        super(counts, log)
      }
    },
    keyGenerator: rateKey,
    errorResponseBuilder: (_request, { max, ttl }) =>
      new AppError('rate_limited', `Rate limit exceeded: ${max} requests a minute; retry with exponential backoff`, {
        retryAfterSeconds: Math.ceil(ttl / 1_000),
      }),
  })
  await app.register(multipart)
}

const validator: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (value) => {
    try {
      return { value: checkInput(schema, value) }
    } catch (error) {
      if (error instanceof AppError) return { error }
      throw error
    }
  }

/** Records the methods of each path, over all routes of the server; for 405 and `Allow`. */
interface AllowedMethods {
  of(path: string): readonly string[]
}

/** Must be called before routes are added. */
function watchMethods(app: FastifyInstance): AllowedMethods {
  const routes = new Map<string, { readonly matches: RegExp; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    // A catch-all (the web app, a 404) does not tell which methods exist below it.
    if (url.includes('*')) return
    const route = routes.get(url) ?? { matches: pathPattern(url), methods: new Set<string>() }
    for (const one of [method].flat()) route.methods.add(one)
    routes.set(url, route)
  })
  return {
    of(path) {
      const methods = new Set<string>()
      for (const route of routes.values()) {
        if (route.matches.test(path)) for (const method of route.methods) methods.add(method)
      }
      return [...methods].sort()
    },
  }
}

function pathPattern(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:[A-Za-z_]+/g, '[^/]+')}$`)
}
