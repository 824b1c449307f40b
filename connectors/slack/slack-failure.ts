import { cutOff, redirected, unreachable } from '../../src/connector/lost-answer.ts'
import { type Remedy, SourceError } from '../../src/connector/source-error.ts'

/** Why a request failed, without the SDK's classes. */
export type Failure =
  | { readonly kind: 'refused'; readonly code: string; readonly needed?: string; readonly retryAfter?: number }
  | { readonly kind: 'limited'; readonly retryAfter?: number }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'cut off' }
  /** Not JSON. */
  | { readonly kind: 'unread' }

export interface FailedRequest {
  readonly method: string
  /** Of `api_url`. */
  readonly host: string
  /** Title of the requested channel. */
  readonly channel?: string | undefined
  readonly now: Date
  readonly cause?: unknown
}

const TOKEN_IS_DEAD = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'user_removed_from_team',
])
/** Why a channel cannot be read, and what to do. */
const CHANNEL_IS_CLOSED: ReadonlyMap<string, string> = new Map([
  ['not_in_channel', 'the app is not a member. Invite it, or exclude the channel'],
  ['channel_not_found', 'the token no longer has access. Join it again, or exclude it'],
  ['is_archived', "it is archived and the token can't read it. Exclude it"],
  ['no_permission', 'the token has no access. Ask a workspace administrator, or exclude it'],
  ['access_denied', 'the token has no access. Ask a workspace administrator, or exclude it'],
  ['team_access_not_granted', 'the app has no access to its workspace. Have it approved there, or exclude it'],
  ['channel_is_limited_access', 'only some members have access. Exclude it'],
  ['method_not_supported_for_channel_type', "Slack doesn't let apps read this kind of conversation. Exclude it"],
])

const NOT_OFFERED = new Set([
  'unknown_method',
  'method_deprecated',
  'deprecated_endpoint',
  'missing_scope',
  'no_permission',
  'access_denied',
  'not_allowed_token_type',
  'limit_required',
])
const STATUS_NOT_OFFERED = new Set([403, 404, 405, 410, 501])

/** Only a different token helps. */
export function isTokenDead(failure: Failure): boolean {
  return failure.kind === 'refused' && TOKEN_IS_DEAD.has(failure.code)
}

/** A later request with this token, or to this server, will fail too. */
export function isNotOffered(failure: Failure): boolean {
  if (failure.kind === 'refused') return NOT_OFFERED.has(failure.code)
  return failure.kind === 'status' && STATUS_NOT_OFFERED.has(failure.status)
}

/** The message and the remedy for a failed request. */
export function slackFailure(failure: Failure, request: FailedRequest): SourceError {
  const { method, host, cause, now } = request
  const lost = { title: 'Slack', asked: method, cause }
  if (failure.kind === 'unreachable') return unreachable(lost)
  if (failure.kind === 'cut off') return cutOff(lost)
  if (failure.kind === 'unread')
    return new SourceError(
      'retry',
      `Slack sent an unexpected response for ${method}. Check api_url, or update recalld.`,
      { cause },
    )
  if (failure.kind === 'refused') return refusal(failure, request)
  const retryAt = later(now, failure.retryAfter)
  if (failure.kind === 'limited' || failure.status === 429) {
    return new SourceError(
      'retry',
      `Slack's rate limit for ${method} was reached. The sync continues when Slack allows it.`,
      {
        ...retryAt,
        limited: true,
        cause,
      },
    )
  }
  const { status } = failure
  if (status >= 300 && status < 400) return redirected(host, lost)
  if (status >= 500 || status === 408)
    return new SourceError('retry', `Slack returned an error for ${method} (HTTP ${status}).`, {
      ...retryAt,
      cause,
    })
  return new SourceError(
    'reconfigure',
    `The response to ${method} (HTTP ${status}) is not from the Slack API. Check api_url and your network.`,
    { cause },
  )
}

function refusal(failure: Failure & { kind: 'refused' }, request: FailedRequest): SourceError {
  const { code, needed, retryAfter } = failure
  const { method, channel, cause, now } = request
  const error = (remedy: Remedy, sentence: string) => new SourceError(remedy, sentence, { cause })
  if (code === 'ratelimited' || code === 'rate_limited')
    return slackFailure({ kind: 'limited', ...(retryAfter !== undefined && { retryAfter }) }, request)
  if (TOKEN_IS_DEAD.has(code))
    return error('reauthorize', `Slack rejected the token (${code}): it is invalid, expired or revoked.`)
  if (code === 'not_allowed_token_type') {
    const kinds = 'use a user token (xoxp-...) or a bot token (xoxb-...)'
    return error('reconfigure', `Slack doesn't accept this type of token for ${method} (${code}): ${kinds}.`)
  }
  if (code === 'missing_scope') {
    const scope = needed === undefined ? 'another scope' : `the scope ${needed}`
    const remedy = 'add it to the Slack app and reinstall it'
    return channel === undefined
      ? error('reconfigure', `The token needs ${scope} for ${method}: ${remedy}.`)
      : error('skip', `${channel}: the token needs ${scope}: ${remedy}.`)
  }
  const closed = CHANNEL_IS_CLOSED.get(code)
  if (closed !== undefined && channel !== undefined) return error('skip', `${channel}: ${closed} (${code}).`)
  const concerned = channel === undefined ? method : `${method} for ${channel}`
  return new SourceError('retry', `Slack refused ${concerned} (${code}).`, { ...later(now, retryAfter), cause })
}

function later(now: Date, seconds: number | undefined): { retryAt?: Date } {
  return seconds === undefined ? {} : { retryAt: new Date(now.getTime() + seconds * 1000) }
}
