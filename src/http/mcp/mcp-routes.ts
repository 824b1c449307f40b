import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { McpTool } from '../../mcp/mcp-context.ts'
import { CHANGING_TOOLS, MOST_BATCH_CALLS, MOST_MESSAGE_BYTES } from '../../mcp/mcp-context.ts'
import { bindMemory } from '../../service/bind-memory.ts'
import { looksLikeKey, type Principal } from '../../service/principal.ts'
import type { Service } from '../../service/service.ts'
import { identify, principalOf, requireKey } from '../rest/access.ts'
import { countCalls } from '../rest/rate-limit.ts'
import type { ApiServer } from '../rest/server-types.ts'
import { bearerChallenge, type ProtectedResource, resourceMetadataRoutes } from './resource-metadata.ts'

export interface McpRoutesOptions {
  readonly service: Service
  readonly log: Log
  readonly tools: readonly McpTool[]
  /** Narrator of the memories of the tool `remember`. */
  readonly userName: string
  readonly version: string
  /** Additional host names of this service; `*`: any. */
  readonly allowedHosts: readonly string[]
  /** Absent: keys only. */
  readonly oauth?: ProtectedResource | undefined
}

/**
 * `/mcp`: the tools of `recalld mcp` over HTTP, without sessions. Accepts a key as `x-api-key` or bearer token, and access
 * tokens of connected agents, with the same checks and rate limits as `/v1`; each message of a batch counts.
 */
export function mcpRoutes(app: ApiServer, options: McpRoutesOptions): void {
  const { service, log, tools, userName, version, oauth } = options
  if (oauth !== undefined) resourceMetadataRoutes(app, oauth)
  void app.register(async (scope) => {
    scope.addHook('onRequest', checkOrigin(options.allowedHosts))
    scope.addHook('onRequest', async (request) => {
      request.headers['x-api-key'] ??= bearerOf(request)
    })
    scope.addHook(
      'onRequest',
      identify(service, (request) => agentOf(request, options)),
    )
    scope.addHook('onRequest', scope.rateLimit())
    scope.addHook('onRequest', requireKey)
    scope.addHook('onSend', async (request, reply) => {
      if (reply.statusCode !== 401) return
      const isRefused = request.headers['x-api-key'] !== undefined
      reply.header('www-authenticate', bearerChallenge(oauth?.addresses(request.raw), oauth?.scopes ?? [], isRefused))
    })
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_MESSAGE_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    // Without sessions, GET and DELETE do not apply.
    const countEach = countCalls(scope)
    scope.post('/mcp', { schema: { hide: true } }, async (request, reply) => {
      const message = messageOf(request)
      await countEach(request, reply, callsIn(message))
      const { handleMcp } = await import('../../mcp/mcp-server.ts')
      const principal = principalOf(request)
      const memory = async () => {
        // As before every use over REST; here the error becomes text of the tool's result.
        await service.checkBilling(principal, 'read')
        return bindMemory(service, principal)
      }
      const serviceUrl = () => `${request.protocol}://${request.headers.host}`
      const asked = webRequest(request, reply)
      const report = (error: Error) => {
        // A disconnected host cancels its calls, which is not an error.
        if (!asked.signal.aborted) log.warn({ err: error }, 'a message from an agent failed')
      }
      const offered = principal.isReadOnly ? tools.filter((tool) => !CHANGING_TOOLS.has(tool)) : tools
      const writer = principal.keyName
      const context = { memory, serviceUrl, version, tools: offered, userName, report, ...(writer && { writer }) }
      return handleMcp(asked, message, context)
    })
  })
}

/** `undefined`: not JSON, for which the protocol has its own error. */
function messageOf({ body }: FastifyRequest): unknown {
  if (!(body instanceof Buffer)) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** @throws AppError `invalid` for a batch that is too long */
function callsIn(message: unknown): number {
  if (!Array.isArray(message)) return 1
  if (message.length <= MOST_BATCH_CALLS) return message.length
  throw new AppError(
    'invalid',
    `A batch can have at most ${MOST_BATCH_CALLS} messages. This one has ${message.length}.`,
  )
}

/** The caller by access token, where OAuth is available. `undefined`: the request uses a key. */
function agentOf(request: FastifyRequest, { service, oauth }: McpRoutesOptions): Promise<Principal> | undefined {
  const token = bearerOf(request)
  const address = oauth?.addresses(request.raw)
  if (token === undefined || address === undefined || request.headers['x-api-key'] !== token) return undefined
  return looksLikeKey(token) ? undefined : service.agents.authenticate(token, address.resources)
}

function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1]
}

/** Rejects requests of web pages, against DNS rebinding: agents send no origin. */
function checkOrigin(allowedHosts: readonly string[]) {
  const names = new Set(allowedHosts.map((name) => name.toLowerCase()))
  return async ({ headers: { origin } }: FastifyRequest): Promise<void> => {
    if (origin === undefined || names.has('*')) return
    const name = URL.canParse(origin) ? new URL(origin).hostname.replace(/^\[|\]$/g, '') : undefined
    if (name !== undefined && (LOOPBACK.has(name) || names.has(name))) return
    throw new AppError('forbidden', 'This origin is not allowed. To allow it, add its host to allowed_hosts.')
  }
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1'])

function webRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const gone = new AbortController()
  // The host closed the connection before the response.
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one)
  }
  // The SDK sees neither the key nor the caller, which were checked before.
  for (const name of ['x-api-key', 'authorization', 'content-length', 'transfer-encoding', 'connection'])
    headers.delete(name)
  const body = request.body instanceof Buffer && request.body.length > 0 ? new Uint8Array(request.body) : null
  const { method } = request
  return new Request(`http://${request.headers.host}${request.url}`, { method, headers, body, signal: gone.signal })
}
