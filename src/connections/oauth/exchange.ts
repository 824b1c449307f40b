import type { CustomFetchOptions } from 'openid-client'
import { z } from 'zod'
import type { OAuthProvider } from '../../connector/oauth-provider.ts'
import type { Clock } from '../../lib/clock.ts'
import { retryTime } from '../../lib/retry-time.ts'

/** Token endpoints answer within a second or two; one that hangs must not hold up the end of the process for long. */
const PATIENCE_MS = 15_000

/** One request to a provider and what came back, kept beside what openid-client makes of it. */
export interface Exchange {
  /** When the last request began: what it was given counts from then. */
  sentAt: Date | undefined
  /** As RFC 6749 has it: 400 for the errors that some providers send with 200. */
  status: number | undefined
  retryAt: Date | undefined
  /** In the form of RFC 6749. */
  answer: Readonly<Record<string, unknown>> | undefined
  /** Of the ID token. */
  claims: Readonly<Record<string, unknown>> | undefined
}

export interface ExchangeParts {
  readonly provider: OAuthProvider
  readonly tokenEndpoint: string
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Sent as it was to the authorization endpoint; openid-client would write it in another way. */
  readonly redirectUrl?: string
}

const jsonObject = z.record(z.string(), z.unknown())

/**
 * A fetch for openid-client that turns what a provider says into what RFC 6749 expects. ID tokens are taken out: they come
 * by TLS from the token endpoint itself, which may stand for their signature (OpenID Connect Core 1.0, 3.1.3.7, 6), and
 * nothing but the name of the account is read from them.
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
        // Tokens and secrets go to no other address than the one that is configured.
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
  // Some write null or '' for what RFC 6749 leaves out; no scopes at all are an answer.
  const given = Object.entries(answer).filter(([name, value]) => value !== null && (value !== '' || name === 'scope'))
  return { token_type: 'bearer', ...Object.fromEntries(given) }
}

/** Headers that say more than the body, as WWW-Authenticate, would only be an error of another kind. */
function plainResponse({ id_token: _, ...answer }: Readonly<Record<string, unknown>>, status: number): Response {
  return Response.json(answer, { status: status === 200 ? 200 : errorStatus(status) })
}

/** Neither a redirect nor an answer without content is one. */
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
