import type { OAuthProvider } from '../../connector/oauth-provider.ts'
import { AppError } from '../../domain/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { GrantRow } from '../../store/grants/grants.ts'
import type { CredentialCipher } from './credential-cipher.ts'
import { readPlace } from './oauth-grants.ts'
import { revokeToken } from './token-client.ts'

/**
 * Revokes a grant at its provider. Returns whether the provider confirmed it.
 * @throws the reason of `signal` when that is aborted
 */
export async function revokeGrantAtProvider(
  row: GrantRow,
  provider: OAuthProvider,
  { seal, clock, signal }: { readonly seal: CredentialCipher; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<boolean> {
  try {
    const place = readPlace(row.place)
    if (provider.endpoints(place).revocation === undefined) return false
    const { accessToken, refreshToken, clientId, clientSecret } = seal.open(row)
    const client = { clientId, ...(clientSecret && { clientSecret }) }
    const parts = { provider, place, client, clock, signal }
    // Revoking the refresh token also revokes the access tokens (RFC 7009, 2.1).
    if (refreshToken !== undefined && (await revokeToken(parts, refreshToken))) return true
    return await revokeToken(parts, accessToken)
  } catch (error) {
    signal.throwIfAborted()
    // It is removed here in any case, and the person is told that the provider still has it.
    if (error instanceof AppError) return false
    throw error
  }
}
