import type { DeviceRequest } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { GITHUB_API } from './github-config.ts'
import { githubClient } from './github-gateway.ts'

/** Reading needs `repo`: classic scopes know no read access to private repositories. */
const SCOPES = ['repo']

/**
 * A token for this machine, by an OAuth app for which the device flow is enabled.
 *
 * @throws SourceError `reauthorize` when the person refuses or the code expires (15 minutes)
 */
export async function githubDeviceToken({ clientId, apiUrl, onCode }: DeviceRequest): Promise<string> {
  const { createOAuthDeviceAuth } = await import('@octokit/auth-oauth-device')
  const { request } = await githubClient((apiUrl ?? GITHUB_API).replace(/\/+$/, ''))
  const authorize = createOAuthDeviceAuth({
    clientType: 'oauth-app',
    clientId,
    scopes: SCOPES,
    request,
    onVerification: ({ user_code, verification_uri }) => onCode(user_code, verification_uri),
  })
  try {
    const { token } = await authorize({ type: 'oauth' })
    return token
  } catch (cause) {
    const reason = /\((\w+),/.exec(cause instanceof Error ? cause.message : '')?.[1] ?? 'no answer'
    throw new SourceError('reauthorize', `GitHub gave no token (${reason}): start again.`, { cause })
  }
}
