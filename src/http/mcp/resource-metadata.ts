import { AppError } from '../../domain/errors.ts'
import type { OAuthAddress, OAuthAddresses } from '../oauth/addresses.ts'
import type { ApiServer } from '../rest/server-types.ts'

const METADATA = '/.well-known/oauth-protected-resource'

export interface ProtectedResource {
  readonly addresses: OAuthAddresses
  /** What agents may ask for, such as `memory:read`. */
  readonly scopes: readonly string[]
  /** What people are told where OAuth is not offered. */
  readonly whyNot: string
}

/** Says who gives out tokens for `/mcp` (RFC 9728), at the address of the service and at the one of the path. */
export function resourceMetadataRoutes(app: ApiServer, { addresses, scopes, whyNot }: ProtectedResource): void {
  for (const path of [METADATA, `${METADATA}/mcp`]) {
    app.get(path, { schema: { hide: true }, onRequest: app.rateLimit() }, async (request, reply) => {
      const address = addresses(request.raw)
      if (address === undefined) throw new AppError('not_found', whyNot)
      reply.header('access-control-allow-origin', '*')
      return {
        resource: address.resource,
        authorization_servers: [address.issuer],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
        resource_name: 'recalld',
      }
    })
  }
}

/** The challenge of a 401 (RFC 6750, 9728): from it a client learns where to ask for a token. */
export function bearerChallenge(
  address: OAuthAddress | undefined,
  scopes: readonly string[],
  isRefused: boolean,
): string {
  if (address === undefined) return 'Bearer realm="recalld"'
  const parts = [
    'realm="recalld"',
    `resource_metadata="${new URL(address.resource).origin}${METADATA}/mcp"`,
    `scope="${scopes.join(' ')}"`,
    ...(isRefused ? ['error="invalid_token"'] : []),
  ]
  return `Bearer ${parts.join(', ')}`
}
