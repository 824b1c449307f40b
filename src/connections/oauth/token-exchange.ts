import type { CustomFetchOptions } from 'openid-client'
import { z } from 'zod'
import type { OAuthProvider } from '../../connector/oauth-provider.ts'
import { type Remedy, SourceError } from '../../connector/source-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { retryTime } from '../../lib/retry-time.ts'

/** Token endpoints respond within a second or two; a hanging one must not delay the end of the process for long. */
const PATIENCE_MS = 15_000

/** One request to a provider and its response, in addition to openid-client's result. */
export interface Exchange {
  /** When the last request was sent: token lifetimes count from here. */
  sentAt: Date | undefined
  /** As in RFC 6749: 400 for the errors that some providers send with 200. */
  status: number | undefined
  retryAt: Date | undefined
  /** In RFC 6749 format. */
  answer: Readonly<Record<string, unknown>> | undefined
  /** Claims of the ID token. */
  claims: Readonly<Record<string, unknown>> | undefined
}

interface ExchangeParts {
  readonly provider: OAuthProvider
  readonly tokenEndpoint: string
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Scopes as sent to the authorization endpoint; openid-client would format them differently. */
  readonly redirectUrl?: string
}

const jsonObject = z.record(z.string(), z.unknown())

/**
 * A fetch for openid-client that converts responses to RFC 6749. ID tokens are removed: they come over TLS from the
 * token endpoint itself, so their signature need not be checked (OpenID Connect Core 1.0, 3.1.3.7, 6), and only the
 * account is read from them.
 */
export function exchangeFetch(parts: ExchangeParts): {
  readonly exchange: Exchange
  send(url: string, options: CustomFetchOptions): Promise<Response>
} {
  const exchange: Exchange = {
    sentAt: undefined,
    status: undefined,
    retryAt: undefined,
    answer: undefined,
    claims: undefined,
  }
  return {
    exchange,
    async send(url, { body, headers, method }) {
      Object.assign(exchange, { sentAt: parts.clock(), status: undefined, retryAt: undefined, answer: undefined })
      if (parts.redirectUrl !== undefined && body instanceof URLSearchParams)
        body.set('redirect_uri', parts.redirectUrl)
      const response = await fetch(url, {
        method,
        headers,
        ...(body !== undefined && { body }),
        // Tokens and secrets are only sent to the configured address.
        redirect: 'manual',
        signal: AbortSignal.any([parts.signal, AbortSignal.timeout(PATIENCE_MS)]),
      })
      const text = await response.text()
      exchange.retryAt = retryTime(response.headers.get('retry-after'), parts.clock())
      const told = readObject(text)
      const answer = told && (url === parts.tokenEndpoint ? tokenAnswer(told, parts.provider) : told)
      exchange.answer = answer
      exchange.status = response.status === 200 && typeof answer?.error === 'string' ? 400 : response.status
      if (answer === undefined) return new Response(undefined, { status: errorStatus(exchange.status) })
      exchange.claims = claimsOf(answer.id_token)
      return plainResponse(answer, exchange.status)
    },
  }
}

function tokenAnswer(told: Readonly<Record<string, unknown>>, provider: OAuthProvider): Record<string, unknown> {
  const answer = provider.standardTokenAnswer?.(told) ?? told
  // Some send null or '' for what RFC 6749 omits; an empty list of scopes is valid.
  const given = Object.entries(answer).filter(([name, value]) => value !== null && (value !== '' || name === 'scope'))
  return { token_type: 'bearer', ...Object.fromEntries(given) }
}

/** Headers with more details, such as WWW-Authenticate, would cause a different error. */
function plainResponse({ id_token: _, ...answer }: Readonly<Record<string, unknown>>, status: number): Response {
  return Response.json(answer, { status: status === 200 ? 200 : errorStatus(status) })
}

/** A redirect or a response without content is invalid. */
function errorStatus(status: number): number {
  return status >= 400 && status <= 599 ? status : 502
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    return jsonObject.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function claimsOf(token: unknown): Record<string, unknown> | undefined {
  const payload = typeof token === 'string' ? token.split('.')[1] : undefined
  return payload === undefined ? undefined : readObject(Buffer.from(payload, 'base64url').toString('utf8'))
}

/**
 * Errors of the client and not the grant (RFC 6749, 5.2; the others are GitHub's and Slack's names for them): the grant
 * is kept, because it works again once the registration is fixed.
 */
const CLIENT_MISTAKES: ReadonlySet<string> = new Set([
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'deleted_client',
  'redirect_uri_mismatch',
  'incorrect_client_credentials',
  'device_flow_disabled',
  'bad_client_secret',
  'invalid_client_id',
  'bad_redirect_uri',
])

/** A provider's error response. Contains only the error code, never other parts of request or response. */
export class TokenFailure extends SourceError {
  /** Error code of the response: `invalid_grant`; absent without a valid response. */
  readonly reason: string | undefined
  /** The grant, or the attempt to get one, has ended permanently. */
  readonly ends: boolean

  constructor(
    remedy: Remedy,
    message: string,
    facts: { reason: string | undefined; retryAt: Date | undefined; limited: boolean },
  ) {
    const { retryAt, limited } = facts
    super(remedy, message, { limited, ...(retryAt !== undefined && { retryAt }) })
    this.name = 'TokenFailure'
    this.reason = facts.reason
    this.ends = remedy === 'reauthorize'
  }
}

/**
 * @param error from openid-client; only its code is used, because its causes contain responses with tokens
 * @param words what failed: `did not renew the access of ada@acme.test`
 */
export function tokenFailure(error: unknown, exchange: Exchange, provider: OAuthProvider, words: string): TokenFailure {
  const { status, retryAt, answer } = exchange
  const limited = status === 429
  const reason = isRefusal(status) ? plainCode(answer?.error) : undefined
  const facts = { reason, retryAt, limited }
  const hint = reason === undefined ? undefined : endingOf(provider, answer ?? {})
  const said = `${provider.title} ${words}`
  if (hint !== undefined) {
    return new TokenFailure('reauthorize', `${said} (${reason}). ${hint || 'Connect again.'}`, facts)
  }
  if (reason !== undefined && CLIENT_MISTAKES.has(reason)) {
    // The known client would be used again.
    const remedy = 'check the registered client and its secret, then connect again with them'
    return new TokenFailure('reconfigure', `${said} (${reason}): ${remedy}.`, facts)
  }
  return new TokenFailure('retry', `${said}: ${reason ?? transportProblem(error, status)}.`, facts)
}

/** The provider's hint, empty if it has none, `undefined` when nothing has ended. */
function endingOf({ endings }: OAuthProvider, answer: Readonly<Record<string, unknown>>): string | undefined {
  const description = typeof answer.error_description === 'string' ? answer.error_description : ''
  const codes = [answer.error, answer.suberror, description].filter((code) => typeof code === 'string')
  const known = Object.entries(endings)
    .filter(([beginning]) => codes.some((code) => code.startsWith(beginning)))
    .sort(([one], [other]) => other.length - one.length)[0]
  return known?.[1] ?? (answer.error === 'invalid_grant' ? '' : undefined)
}

/** Errors of failing servers are not responses, whatever their bodies contain. */
function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== 429
}

/** In a form that is safe in a sentence and in a log. */
function plainCode(code: unknown): string | undefined {
  if (typeof code !== 'string' || code === '') return undefined
  return /^[\w.-]{1,64}$/.test(code) ? code : 'an unknown error'
}

function transportProblem(error: unknown, status: number | undefined): string {
  if (status !== undefined && status !== 200) return `it answered ${status}`
  if (status === 200) return 'its response does not follow RFC 6749'
  const code = connectionCode(error)
  return code === undefined ? 'it did not answer' : `it did not answer (${code})`
}

function connectionCode(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' && /^[A-Z_]+$/.test(code) ? code : undefined
}
