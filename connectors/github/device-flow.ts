import { createOAuthDeviceAuth } from '@octokit/auth-oauth-device'
import { SourceError } from '../../src/connector/source-error.ts'
import { githubClient } from './github-gateway.ts'

export interface DeviceCode {
  /** What the person enters at `url`. */
  readonly code: string
  readonly url: string
  readonly expiresInSeconds: number
}

export interface DeviceFlow {
  /** Of an OAuth app for which the device flow is enabled. */
  readonly clientId: string
  readonly scopes: readonly string[]
  /** Of the API, as in `api_url`. */
  readonly baseUrl: string
  readonly onCode: (code: DeviceCode) => void
}

/**
 * A token for this machine, which the person grants in a browser anywhere.
 *
 * @throws SourceError `reauthorize` when the person refuses or the code expires (15 minutes)
 */
export async function githubDeviceFlow({ clientId, scopes, baseUrl, onCode }: DeviceFlow): Promise<string> {
  const authorize = createOAuthDeviceAuth({
    clientType: 'oauth-app',
    clientId,
    scopes: [...scopes],
    request: githubClient(baseUrl.replace(/\/+$/, '')).request,
    onVerification: ({ user_code, verification_uri, expires_in }) =>
      onCode({ code: user_code, url: verification_uri, expiresInSeconds: expires_in }),
  })
  try {
    const { token } = await authorize({ type: 'oauth' })
    return token
  } catch (cause) {
    const reason = /\((\w+),/.exec(cause instanceof Error ? cause.message : '')?.[1] ?? 'no answer'
    throw new SourceError('reauthorize', `GitHub gave no token (${reason}): start again.`, { cause })
  }
}
