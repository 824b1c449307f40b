import { AppError } from '../../domain/errors.ts'
import type { OAuthAddress, OAuthAddresses } from '../oauth/addresses.ts'
import type { ApiServer } from '../rest/server-types.ts'

const METADATA = '/.well-known/oauth-protected-resource'

export interface ProtectedResource {
  readonly addresses: OAuthAddresses
  /** Supported scopes, such as `memory:read`. */
  readonly scopes: readonly string[]
  /** The reason shown where OAuth isn't available. */
  readonly whyNot: string
}

/** Names the authorization server of `/mcp` (RFC 9728), at the root and at the path of the resource. */
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

/** The challenge of a 401 (RFC 6750, 9728), with the address of the resource metadata. */
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
