import * as oauth from 'openid-client'
import type { OAuthProvider, ProviderInstance } from '../../connector/oauth-provider.ts'
import { SourceError } from '../../connector/source-error.ts'
import { AppError } from '../../domain/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { OAuthClient } from './oauth-grants.ts'
import { type Exchange, exchangeFetch, tokenFailure } from './token-exchange.ts'

/** The tokens from a provider. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  /** `undefined`: as requested, or as before. */
  readonly scopes: readonly string[] | undefined
  /** `undefined`: not stated, so it is valid until it is rejected. */
  readonly accessExpiresAt: Date | undefined
  /** When the grant itself expires. */
  readonly expiresAt: Date | undefined
  readonly claims: Exchange['claims']
  readonly answer: Readonly<Record<string, unknown>>
}

export interface TokenParts {
  readonly provider: OAuthProvider
  readonly place: ProviderInstance
  readonly client: OAuthClient
  readonly clock: Clock
  readonly signal: AbortSignal
}

interface StartedAuthorization {
  /** For the person's browser. */
  readonly url: string
  /** The `state` that identifies the response. */
  readonly state: string
  /** For redeeming the code; absent if the provider does not support PKCE. */
  readonly codeVerifier: string | undefined
}

/** @throws SourceError `reconfigure` for insecure addresses */
export async function startAuthorization(
  parts: TokenParts,
  parameters: Readonly<Record<string, string>>,
): Promise<StartedAuthorization> {
  const state = oauth.randomState()
  const codeVerifier = parts.provider.pkce ? oauth.randomPKCECodeVerifier() : undefined
  const challenge = codeVerifier !== undefined && {
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  }
  const { configuration } = configure(parts)
  return {
    url: oauth.buildAuthorizationUrl(configuration, { ...parameters, state, ...challenge }).href,
    state,
    codeVerifier,
  }
}

/**
 * @param redirected the address after the redirect
 * @throws AppError `invalid` when it does not belong to this request, or the person refused; TokenFailure
 */
export async function redeemCode(
  parts: TokenParts,
  redirected: URL,
  expected: Pick<StartedAuthorization, 'state' | 'codeVerifier'> & { readonly redirectUrl: string },
): Promise<Tokens> {
  const { title } = parts.provider
  const { configuration, exchange } = configure(parts, expected.redirectUrl)
  try {
    const checks = {
      expectedState: expected.state,
      ...(expected.codeVerifier !== undefined && { pkceCodeVerifier: expected.codeVerifier }),
    }
    await oauth.authorizationCodeGrant(configuration, redirected, checks)
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) throw refusalOf(error.error, parts.provider)
    if (exchange.sentAt === undefined) {
      throw new AppError('invalid', `This address isn't from your sign-in at ${title}. Start again.`)
    }
    throw failure(error, parts, exchange, 'did not grant access')
  }
  return tokensOf(exchange)
}

/** @throws TokenFailure */
export async function renewTokens(parts: TokenParts, refreshToken: string, words: string): Promise<Tokens> {
  const { configuration, exchange } = configure(parts)
  try {
    await oauth.refreshTokenGrant(configuration, refreshToken)
  } catch (error) {
    throw failure(error, parts, exchange, words)
  }
  return tokensOf(exchange)
}

/**
 * @param onCode called once with the address to open and the code to enter
 * @throws AppError `invalid` when the person refuses or the code expires; TokenFailure
 */
export async function deviceTokens(
  parts: TokenParts,
  parameters: Readonly<Record<string, string>>,
  onCode: (code: string, url: string) => void,
): Promise<Tokens> {
  const device = await beginDevice(parts, parameters)
  onCode(device.user_code, device.verification_uri)
  const expired = AbortSignal.timeout(Math.min(device.expires_in, LONGEST_CODE_S) * 1_000)
  for (;;) {
    const { configuration, exchange } = configure(parts)
    try {
      const signal = AbortSignal.any([parts.signal, expired])
      await oauth.pollDeviceAuthorizationGrant(configuration, device, undefined, { signal })
      return tokensOf(exchange)
    } catch (error) {
      parts.signal.throwIfAborted()
      const failed = failure(error, parts, exchange, 'did not grant access')
      if (failed.reason === 'expired_token' || expired.aborted) throw new AppError('invalid', CODE_EXPIRED)
      if (failed.reason !== undefined && REFUSALS.has(failed.reason)) throw refusalOf('access_denied', parts.provider)
      // If the network fails, the person may still be entering the code: the next request follows after the interval.
      if (failed.reason !== undefined || failed.remedy !== 'retry') throw failed
    }
  }
}

/** @returns whether the provider has revoked the grant of this token */
export async function revokeToken(parts: TokenParts, token: string): Promise<boolean> {
  const { configuration, exchange } = configure(parts)
  try {
    await oauth.tokenRevocation(configuration, token)
    return true
  } catch (error) {
    if (parts.signal.aborted) throw error
    // RFC 7009, 2.2, returns 200 for a token that is already revoked; Google returns an error.
    return error instanceof oauth.ResponseBodyError && exchange.answer?.error === 'invalid_token'
  }
}

/** Codes are valid for about 15 minutes; a timer is limited to 24 days. */
const LONGEST_CODE_S = 24 * 60 * 60
const CODE_EXPIRED = 'The code has expired. Nothing was saved. Start again.'
/** The second is Microsoft's. */
const REFUSALS: ReadonlySet<string> = new Set(['access_denied', 'authorization_declined'])

async function beginDevice(parts: TokenParts, parameters: Readonly<Record<string, string>>) {
  const { configuration, exchange } = configure(parts)
  try {
    return await oauth.initiateDeviceAuthorization(configuration, { ...parameters })
  } catch (error) {
    throw failure(error, parts, exchange, 'did not issue a code')
  }
}

function configure(parts: TokenParts, redirectUrl?: string) {
  const { provider, place, client, clock, signal } = parts
  const { issuer, authorization, token, deviceAuthorization, revocation } = provider.endpoints(place)
  const addresses = [authorization, token, deviceAuthorization, revocation].filter((url) => url !== undefined)
  const configuration = new oauth.Configuration(
    {
      issuer,
      authorization_endpoint: authorization,
      token_endpoint: token,
      ...(deviceAuthorization !== undefined && { device_authorization_endpoint: deviceAuthorization }),
      ...(revocation !== undefined && { revocation_endpoint: revocation }),
    },
    client.clientId,
    provider.clientSecret === 'none' ? undefined : client.clientSecret,
  )
  if (addresses.some((url) => requireSafeAddress(url, provider.title) === 'loopback')) {
    oauth.allowInsecureRequests(configuration)
  }
  const { exchange, send } = exchangeFetch({
    provider,
    clock,
    signal,
    tokenEndpoint: new URL(token).href,
    ...(redirectUrl !== undefined && { redirectUrl }),
  })
  configuration[oauth.customFetch] = send
  return { configuration, exchange }
}

function failure(error: unknown, parts: TokenParts, exchange: Exchange, words: string) {
  // Not a failure of the provider: the caller has canceled.
  if (parts.signal.aborted) throw parts.signal.reason
  return tokenFailure(error, exchange, parts.provider, words)
}

function refusalOf(code: string, { title }: OAuthProvider): AppError {
  if (code === 'access_denied') return new ConsentRefused(`Access was refused at ${title}. Nothing was saved.`)
  const reason = /^[\w.-]{1,64}$/.test(code) ? code : 'an unknown error'
  return new ConsentRefused(`${title} did not grant access (${reason}). Nothing was saved.`)
}

function tokensOf({ answer, sentAt, claims }: Exchange): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, scope } = answer ?? {}
  if (answer === undefined || sentAt === undefined || typeof accessToken !== 'string') {
    throw new SourceError('retry', 'The response has no access token.')
  }
  const after = (seconds: unknown) => {
    const ms = Number(seconds) * 1_000
    return ms > 0 && Number.isFinite(ms) ? new Date(sentAt.getTime() + ms) : undefined
  }
  return {
    accessToken,
    refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined,
    // RFC 6749 uses spaces, GitHub and Slack commas.
    scopes: typeof scope === 'string' ? scope.split(/[\s,]+/).filter(Boolean) : undefined,
    accessExpiresAt: after(answer.expires_in),
    // Not in RFC 6749, but used by Google, GitHub and others.
    expiresAt: after(answer.refresh_token_expires_in),
    claims,
    answer,
  }
}

/**
 * Tokens and secrets are only sent over TLS, or to this machine.
 * @throws SourceError `reconfigure` for any other address
 */
export function requireSafeAddress(address: string, title: string): 'tls' | 'loopback' {
  const url = URL.parse(address)
  if (url?.protocol === 'https:') return 'tls'
  if (url?.protocol === 'http:' && /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(url.hostname)) return 'loopback'
  throw new SourceError(
    'reconfigure',
    `The address for ${title} must begin with https://, unless it is on this machine.`,
  )
}

/** The person, an administrator or the provider refused the access that was requested. */
export class ConsentRefused extends AppError {
  constructor(message: string) {
    super('invalid', message)
    this.name = 'ConsentRefused'
  }
}
