import * as oauth from 'openid-client'
import type { OAuthProvider, ProviderInstance } from '../../connector/oauth-provider.ts'
import { SourceError } from '../../connector/source-error.ts'
import { AppError } from '../../domain/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { OAuthClient } from './oauth-grants.ts'
import { type Exchange, exchangeFetch, tokenFailure } from './token-exchange.ts'

/** What a provider gave. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  /** `undefined`: as asked for, or as before. */
  readonly scopes: readonly string[] | undefined
  /** `undefined`: not told, so it is good until it is refused. */
  readonly accessExpiresAt: Date | undefined
  /** When the grant itself ends. */
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
  /** What the answer must carry to belong to this request. */
  readonly state: string
  /** For the request that redeems the code; absent where the provider does not know PKCE. */
  readonly codeVerifier: string | undefined
}

/** @throws SourceError `reconfigure` for addresses that are not safe */
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
 * @param redirected the address that the browser was sent to
 * @throws AppError `invalid` when it is not the answer to this request, or the person refused; TokenFailure
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
      throw new AppError('invalid', `This address isn't the answer of ${title} to your request. Start again.`)
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
 * @param onCode called once: the person types the code at the address
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
      // Without a network the person may still be typing: the next request comes after the interval.
      if (failed.reason !== undefined || failed.remedy !== 'retry') throw failed
    }
  }
}

/** @returns whether the provider has withdrawn what this token stands for */
export async function revokeToken(parts: TokenParts, token: string): Promise<boolean> {
  const { configuration, exchange } = configure(parts)
  try {
    await oauth.tokenRevocation(configuration, token)
    return true
  } catch (error) {
    if (parts.signal.aborted) throw error
    // RFC 7009, 2.2, answers 200 to a token that is gone already; Google says that it is invalid.
    return error instanceof oauth.ResponseBodyError && exchange.answer?.error === 'invalid_token'
  }
}

/** Codes are good for 15 minutes or so; a timer takes no more than 24 days. */
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
  // Not a failure of the provider: the caller has given up.
  if (parts.signal.aborted) throw parts.signal.reason
  return tokenFailure(error, exchange, parts.provider, words)
}

function refusalOf(code: string, { title }: OAuthProvider): AppError {
  if (code === 'access_denied') return new AppError('invalid', `Access was refused at ${title}. Nothing was saved.`)
  const reason = /^[\w.-]{1,64}$/.test(code) ? code : 'an unknown error'
  return new AppError('invalid', `${title} did not grant access (${reason}). Nothing was saved.`)
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
    // RFC 6749 has spaces, GitHub and Slack have commas.
    scopes: typeof scope === 'string' ? scope.split(/[\s,]+/).filter(Boolean) : undefined,
    accessExpiresAt: after(answer.expires_in),
    // Not of RFC 6749, but Google, GitHub and others have it.
    expiresAt: after(answer.refresh_token_expires_in),
    claims,
    answer,
  }
}

/**
 * Tokens and secrets go by TLS, or stay on this machine.
 *
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
