import type { CheckContext, DeviceRequest, SourceAccount } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { identityAnswer, installationAnswer } from './github-answers.ts'
import { GITHUB_API, type GithubConfig } from './github-config.ts'
import type { Headers } from './github-failure.ts'
import { apiUrl, type GithubGateway, gatewayOf, githubClient } from './github-gateway.ts'

/** The owner of the token: a person, or for an app token the owner of the repositories the app is installed on. */
export async function githubAccount(context: CheckContext<GithubConfig>): Promise<SourceAccount> {
  const { id, login, headers } = await identity(gatewayOf(context))
  const host = enterpriseHost(apiUrl(context.config))
  return {
    account: host === undefined ? String(id) : `${host}/${id}`,
    title: host === undefined ? login : `${login} (${host})`,
    ...tokenWarnings(headers, context.clock()),
  }
}

async function identity(gateway: GithubGateway) {
  try {
    const answer = await gateway.get(identityAnswer, { path: '/user', params: {} })
    if (answer.outcome === 'found') return { ...answer.data, headers: answer.headers }
  } catch (error) {
    if (!(error instanceof SourceError) || error.remedy !== 'skip') throw error
    return installationOwner(gateway, error)
  }
  throw new SourceError('reconfigure', "api_url doesn't respond like GitHub. On Enterprise servers it ends in /api/v3.")
}

/** GitHub refuses `/user` to the tokens of app installations. */
async function installationOwner(gateway: GithubGateway, refused: SourceError) {
  const answer = await gateway.get(installationAnswer, { path: '/installation/repositories', params: { per_page: 1 } })
  const owner = answer.outcome === 'found' ? answer.data.repositories[0]?.owner : undefined
  if (answer.outcome === 'found' && owner !== undefined) return { ...owner, headers: answer.headers }
  throw new SourceError('reauthorize', `${refused.message} The app of this token isn't installed on any repository.`, {
    cause: refused,
  })
}

/**
 * The host of an Enterprise server, which has its own ids of people and repositories; `undefined`: github.com, also
 * behind a proxy.
 */
export function enterpriseHost(apiUrl: string): string | undefined {
  const { host, pathname } = new URL(apiUrl)
  return /\/api\/v3\/?$/.test(pathname) || host.endsWith('.ghe.com') ? host : undefined
}

const WARN_BEFORE_MS = 7 * 24 * 60 * 60_000

/** Warnings about the token from the response headers: its expiry, and missing scopes (classic tokens and OAuth only). */
function tokenWarnings(headers: Headers, now: Date): Pick<SourceAccount, 'warnings' | 'expiresAt'> {
  const expiresAt = expiry(headers['github-authentication-token-expiration'])
  const scopes = headers['x-oauth-scopes']?.split(',').map((scope) => scope.trim())
  const warnings = [
    ...(scopes !== undefined && !scopes.includes('repo')
      ? ['The token is missing the scope repo, so private repositories are skipped.']
      : []),
    ...(expiresAt !== undefined && expiresAt.getTime() - now.getTime() < WARN_BEFORE_MS
      ? [`The token expires on ${expiresAt.toISOString().slice(0, 10)}. Create a new one before then.`]
      : []),
  ]
  return { warnings, ...(expiresAt && { expiresAt }) }
}

/** `2026-12-20 10:00:00 UTC` or `2026-12-20 10:00:00 +0100`. */
function expiry(header: string | undefined): Date | undefined {
  const [, day, time, zone] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) (UTC|[+-]\d{4})$/.exec(header ?? '') ?? []
  if (zone === undefined) return undefined
  return new Date(`${day}T${time}${zone === 'UTC' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3)}`}`)
}

/** Reading needs `repo`, because classic scopes have no read access to private repositories. */
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
    throw new SourceError('reauthorize', `GitHub issued no token (${reason}). Start again.`, { cause })
  }
}
