import { SourceError } from '../../src/connector/source-error.ts'
import { retryTime } from '../../src/connector/source-time.ts'

export type Headers = Readonly<Record<string, string | undefined>>

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly data: unknown
}

/** A failed response, or none at all. */
export interface GithubFailure {
  /** Absent when the response is missing or incomplete; 200: a web page. */
  readonly status?: number
  readonly headers: Headers
  /** The message of GitHub or of the connection. */
  readonly message: string
  readonly cause: unknown
}

export interface Asked {
  /** `acme/shop/issues`, for messages. */
  readonly asked: string
  readonly now: Date
}

/** Minimum pause after a secondary limit without a time (GitHub: "at least one minute", then longer each time). */
const SECONDARY_PAUSE_MS = 60_000
const LONGEST_SECONDARY_PAUSE_MS = 15 * 60_000

/** @param strikes consecutive secondary limits without a time, before this one */
export function githubFailure(
  failure: GithubFailure,
  { asked, now, strikes }: Asked & { readonly strikes: number },
): SourceError {
  const { status, message, cause } = failure
  if (status === undefined) {
    // Without a cause, the response was cut off.
    if (cause !== undefined)
      return new SourceError('retry', `Couldn't reach GitHub (${message}). Check the network of this server.`, {
        cause,
      })
    return new SourceError('retry', `GitHub sent an incomplete response for ${asked} (${message}).`, { cause })
  }
  if (status === 200) {
    const advice = 'set api_url to the address of the API, which ends in /api/v3 on Enterprise servers'
    return new SourceError('reconfigure', `GitHub returned a web page for ${asked}: ${advice}.`, { cause })
  }
  if (status === 403 || status === 429) {
    const retryAt = limitEnd(failure, now, strikes)
    return retryAt === undefined ? forbidden(failure, asked) : limited(retryAt, cause)
  }
  if (status === 401) {
    return new SourceError('reauthorize', 'GitHub rejected the token: it is invalid, expired or revoked.', { cause })
  }
  if (status === 451) return new SourceError('skip', `${asked} is blocked for legal reasons.`, { cause })
  // GitHub rejects the `since` or cursor.
  if (status === 422)
    return new SourceError('restart', `GitHub refused the request for ${asked}: ${firstSentence(message)}.`, { cause })
  if (status < 500)
    return new SourceError('skip', `GitHub refused the request for ${asked} (${status}): ${firstSentence(message)}.`, {
      cause,
    })
  const retryAt = retryTime(failure.headers['retry-after'], now)
  return new SourceError('retry', `GitHub returned an error for ${asked} (HTTP ${status}).`, {
    ...(retryAt && { retryAt }),
    cause,
  })
}

/** When the rate limit ends; `undefined` when the response is not a rate limit. */
function limitEnd(failure: GithubFailure, now: Date, strikes: number): Date | undefined {
  const { status, headers, message } = failure
  const isUsedUp = headers['x-ratelimit-remaining'] === '0'
  const retryAt =
    retryTime(failure.headers['retry-after'], now) ?? (isUsedUp ? rateLimitReset(headers, now) : undefined)
  if (retryAt !== undefined) return retryAt
  const isLimited = isUsedUp || /secondary rate limit|abuse detection|rate limit exceeded/i.test(message)
  if (status !== 429 && !isLimited) return undefined
  return new Date(now.getTime() + Math.min(SECONDARY_PAUSE_MS * 2 ** strikes, LONGEST_SECONDARY_PAUSE_MS))
}

/** When the hourly limit resets; `undefined` when the local clock is already past it. */
export function rateLimitReset(headers: Headers, now: Date): Date | undefined {
  const at = Number(headers['x-ratelimit-reset'] ?? Number.NaN) * 1000
  return at > now.getTime() ? new Date(at) : undefined
}

function limited(retryAt: Date, cause: unknown): SourceError {
  const message = `GitHub's rate limit was reached. The sync continues at ${retryAt.toISOString()}.`
  return new SourceError('retry', message, { retryAt, limited: true, cause })
}

function forbidden({ status, headers, message, cause }: GithubFailure, asked: string): SourceError {
  const sso = headers['x-github-sso']
  if (sso !== undefined) {
    const url = /url=(\S+)/.exec(sso)?.[1]
    const where = url === undefined ? '' : ` at ${url}`
    return new SourceError(
      'reauthorize',
      `The organization requires single sign-on for ${asked}. Authorize the token${where}.`,
      { cause },
    )
  }
  const permission = headers['x-accepted-github-permissions']
  if (permission !== undefined && permission !== '') {
    return new SourceError('skip', `The token needs the permission ${permission} for ${asked}.`, { cause })
  }
  return new SourceError('skip', `GitHub refused the request for ${asked} (${status}): ${firstSentence(message)}.`, {
    cause,
  })
}

export interface GraphqlError {
  readonly type?: string | null | undefined
  readonly message: string
  readonly extensions?: { readonly code?: string | null | undefined } | null | undefined
}

/** Codes of queries that an older Enterprise server does not understand. */
const UNKNOWN_TO_SERVER = /^(undefinedField|undefinedType|argumentNotAccepted|fieldNotFound)/

/** GraphQL reports errors with status 200. `undefined`: the object does not exist. */
export function graphqlFailure(
  errors: readonly GraphqlError[],
  headers: Headers,
  { asked, now }: Asked,
): SourceError | undefined {
  const typed = (type: RegExp) => errors.find((error) => type.test(error.type ?? ''))
  if (typed(/^RATE_LIMITED$/)) {
    const at =
      retryTime(headers['retry-after'], now) ??
      rateLimitReset(headers, now) ??
      new Date(now.getTime() + SECONDARY_PAUSE_MS)
    return limited(at, undefined)
  }
  const refused = typed(/^(FORBIDDEN|INSUFFICIENT_SCOPES)$/)
  if (refused) return forbidden({ status: 403, headers, message: refused.message, cause: undefined }, asked)
  // GitHub returns this for expired cursors.
  if (typed(/^INVALID_CURSOR_ARGUMENTS$/)) return new SourceError('restart', `GitHub rejected the cursor for ${asked}.`)
  const unknown = errors.find(({ extensions }) => UNKNOWN_TO_SERVER.test(extensions?.code ?? ''))
  if (unknown) return new SourceError('skip', `The server's GraphQL is too old: ${firstSentence(unknown.message)}.`)
  if (errors.every(({ type }) => type === 'NOT_FOUND')) return undefined
  return new SourceError('retry', `GitHub returned an error for ${asked}: ${firstSentence(errors[0]?.message ?? '')}.`)
}

/** The first sentence, without the documentation link. */
function firstSentence(message: string): string {
  return (message.split(' - http')[0] ?? '').replace(/\s+/g, ' ').replace(/\.$/, '').slice(0, 200)
}
