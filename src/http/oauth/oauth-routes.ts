import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientNetwork } from '../../lib/network-address.ts'
import type { ApiServer } from '../rest/server-types.ts'
import type { OAuthServer } from './oauth-server.ts'
import { OAUTH_ROUTES } from './provider.ts'

const METADATA = '/.well-known/oauth-authorization-server'
/** Discovery paths of different protocol versions (RFC 8414, OpenID Connect Discovery). */
const METADATA_PATHS = [
  METADATA,
  `${METADATA}/mcp`,
  '/.well-known/openid-configuration',
  '/.well-known/openid-configuration/mcp',
  '/mcp/.well-known/openid-configuration',
]

/** Rate limits per client address. Registrations and authorization requests are stored, so they are limited most. */
const LIMITS = {
  metadata: { max: 300, timeWindow: 60_000 },
  registration: { max: 30, timeWindow: 3_600_000 },
  authorization: { max: 60, timeWindow: 60_000 },
  token: { max: 300, timeWindow: 60_000 },
} as const

/** The routes of the authorization server. The library parses requests and writes responses itself. */
export function oauthRoutes(app: ApiServer, server: OAuthServer): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.addHook('onRequest', async (request) => void (await server.provider(request.raw)))
    const limited = (kind: keyof typeof LIMITS) => ({
      schema: { hide: true },
      onRequest: scope.rateLimit({ ...LIMITS[kind], keyGenerator: ({ ip }) => `oauth ${kind} ${clientNetwork(ip)}` }),
    })
    const forward = (request: FastifyRequest, reply: FastifyReply) => handOver(server, request, reply)
    for (const path of METADATA_PATHS) {
      scope.route({
        ...{ method: ['GET', 'OPTIONS'], url: path, ...limited('metadata') },
        handler: (request, reply) => {
          request.raw.url = METADATA
          return forward(request, reply)
        },
      })
    }
    scope.get(OAUTH_ROUTES.jwks, limited('metadata'), forward)
    scope.post(OAUTH_ROUTES.registration, limited('registration'), forward)
    scope.get(OAUTH_ROUTES.authorization, limited('authorization'), forward)
    scope.get(`${OAUTH_ROUTES.authorization}/:uid`, limited('authorization'), forward)
    for (const path of [OAUTH_ROUTES.token, OAUTH_ROUTES.revocation]) {
      scope.route({ ...{ method: ['POST', 'OPTIONS'], url: path, ...limited('token') }, handler: forward })
    }
  })
}

async function handOver(server: OAuthServer, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  await server.answer(request.raw, reply.raw)
}
