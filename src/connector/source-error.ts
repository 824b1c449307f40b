import { type Advice, AppError, type ErrorCode } from '../domain/errors.ts'

/**
 * What to do about an error of a source:
 * - `retry`: try again later, at `retryAt` if the source stated it (rate limits, 5xx, connections)
 * - `reauthorize`: the person must grant access again; the grant is kept, the connector pauses
 * - `reconfigure`: the person must change a setting
 * - `skip`: this item or partition can never be read; recorded with the reason
 * - `restart`: the source no longer accepts the cursor; a full scan with a diff follows
 */
export const REMEDIES = ['retry', 'reauthorize', 'reconfigure', 'skip', 'restart'] as const
export type Remedy = (typeof REMEDIES)[number]

const CODES: Readonly<Record<Remedy, ErrorCode>> = {
  retry: 'unavailable',
  reauthorize: 'unauthenticated',
  reconfigure: 'invalid',
  skip: 'unreadable',
  restart: 'not_found',
}

export interface SourceErrorOptions {
  readonly retryAt?: Date
  /** A rate limit: not counted as an attempt. */
  readonly limited?: boolean
  /** Larger than the limit. */
  readonly tooLarge?: boolean
  readonly advice?: Advice
  /** Which request failed, for the log where the message does not say it. */
  readonly request?: string
  readonly cause?: unknown
}

/** An error of a source, with a sentence for the person and its remedy. Never contains contents or tokens. */
export class SourceError extends AppError {
  readonly remedy: Remedy
  readonly retryAt: Date | undefined
  readonly limited: boolean
  readonly request: string | undefined

  constructor(remedy: Remedy, message: string, options: SourceErrorOptions = {}) {
    const limited = options.limited ?? false
    const code = options.tooLarge ? 'too_large' : CODES[remedy]
    super(limited ? 'rate_limited' : code, message, {
      cause: options.cause,
      ...(options.advice && { advice: options.advice }),
    })
    this.name = 'SourceError'
    this.remedy = remedy
    this.retryAt = options.retryAt
    this.limited = limited
    this.request = options.request
  }
}

const NO_SERVER = new Set(['ENOTFOUND', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])

/** Whether an error of a connection, or its cause, says that no server is at the address, rather than one that is busy. */
export function hasNoServer(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  if ('code' in error && NO_SERVER.has(String(error.code))) return true
  // A name with several addresses fails with one error for each.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(hasNoServer)
  return 'cause' in error && hasNoServer(error.cause)
}
