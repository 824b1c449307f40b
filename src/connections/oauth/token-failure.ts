import type { OAuthProvider } from '../../connector/oauth-provider.ts'
import { type Remedy, SourceError } from '../../connector/source-error.ts'
import type { Exchange } from './exchange.ts'

/**
 * Answers that mean the client and not the grant (RFC 6749, 5.2; the others are names that GitHub and Slack have for it):
 * the grant is kept, since it works again once the registration at the provider is put right.
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

/** What a provider said instead of giving tokens. Never holds what was sent or received but the error code. */
export class TokenFailure extends SourceError {
  /** Error code of the answer: `invalid_grant`; absent when there was no such answer. */
  readonly reason: string | undefined
  /** The grant, or the attempt to get one, is over for good. */
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
 * @param error what openid-client threw; it is told by its code only, because its causes hold answers with tokens
 * @param words what came of it: `did not renew the access of ada@acme.test`
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
    // The client that is known would be taken again.
    const remedy =
      'check the client that is registered there and its secret, and connect again with --client-id or --client-file'
    return new TokenFailure('reconfigure', `${said} (${reason}): ${remedy}.`, facts)
  }
  return new TokenFailure('retry', `${said}: ${reason ?? transportProblem(error, status)}.`, facts)
}

/** The hint of the provider, an empty one when it has none, `undefined` when nothing has ended. */
function endingOf({ endings }: OAuthProvider, answer: Readonly<Record<string, unknown>>): string | undefined {
  const description = typeof answer.error_description === 'string' ? answer.error_description : ''
  const codes = [answer.error, answer.suberror, description].filter((code) => typeof code === 'string')
  const known = Object.entries(endings)
    .filter(([beginning]) => codes.some((code) => code.startsWith(beginning)))
    .sort(([one], [other]) => other.length - one.length)[0]
  return known?.[1] ?? (answer.error === 'invalid_grant' ? '' : undefined)
}

/** Errors of servers that are out of order are no answers, whatever their bodies say. */
function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== 429
}

/** As it may stand in a sentence and in a log. */
function plainCode(code: unknown): string | undefined {
  if (typeof code !== 'string' || code === '') return undefined
  return /^[\w.-]{1,64}$/.test(code) ? code : 'an unknown error'
}

function transportProblem(error: unknown, status: number | undefined): string {
  if (status !== undefined && status !== 200) return `it answered ${status}`
  if (status === 200) return 'its answer has not the form of RFC 6749'
  const code = connectionCode(error)
  return code === undefined ? 'it did not answer' : `it did not answer (${code})`
}

function connectionCode(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' && /^[A-Z_]+$/.test(code) ? code : undefined
}
