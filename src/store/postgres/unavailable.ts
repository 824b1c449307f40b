import { AppError } from '../../domain/errors.ts'
import { DAMAGED_PAGES } from '../engine.ts'

// SQLSTATE codes and classes that say that the database cannot be used now, not that the statement is wrong
// (https://www.postgresql.org/docs/current/errcodes-appendix.html).
const REASONS: readonly (readonly [prefix: string, reason: string])[] = [
  ['08', 'the connection was lost'],
  ['25006', 'it is read-only'],
  ['25P03', 'a transaction waited too long'],
  ['40001', 'others were in its way'],
  ['40P01', 'others were in its way'],
  ['28', 'it refuses the user or the password'],
  ['3D000', 'there is no database of this name'],
  ['53100', 'its disk is full'],
  ['53300', 'it has too many connections'],
  ['53', 'it is out of resources'],
  ['55P03', 'another process holds the lock'],
  ['57014', 'it took too long'],
  ['57P', 'it is shutting down or starting'],
  ['58', 'its disk reports an error'],
  ['XX001', DAMAGED_PAGES],
  ['XX002', DAMAGED_PAGES],
]
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
])
/** What `pg` says without a code. */
const SENTENCES =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Query read timeout|Cannot use a pool after calling end|Client was closed/

/**
 * Two transactions were in each other's way; the one that was undone may try again. Or another process deleted the account
 * or the space that this one remembered: what refers to it fails (23503), or has no table any more (23514).
 */
const TRANSIENT = new Set(['40001', '40P01', '23503', '23514'])

/** An `AppError` that says why the database cannot be used, when that is what happened; else the error as it is. */
export function asUnavailable(error: unknown): unknown {
  const reason = reasonOf(error)
  if (reason === undefined) return error
  return new AppError('unavailable', `The database can't be used: ${reason}`, {
    ...(reason === DAMAGED_PAGES && { advice: { action: 'run_doctor' } }),
    cause: error,
  })
}

export function isTransient(error: unknown): boolean {
  return TRANSIENT.has(codeOf(error instanceof AppError ? error.cause : error) ?? '')
}

/** The user has no right to do it. */
export function isForbidden(error: unknown): boolean {
  return codeOf(error) === '42501'
}

/** It may be there in a moment by itself: it is not reached, or starts, or has no connection or memory left. */
export function isAway(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error
  const code = codeOf(cause)
  if (code === undefined) return reasonOf(cause) !== undefined
  return NETWORK_CODES.has(code) || ['08', '53', '57P'].some((prefix) => code.startsWith(prefix))
}

/** The connection cannot be used again after it. */
export function isBroken(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error
  const code = codeOf(cause)
  if (code === undefined) return reasonOf(cause) !== undefined
  // A statement that was ended may leave a lock of its session behind (`take_chunks`); without the session it is gone.
  const isOver = code === '25P03' || code === '57014'
  // After a failover it leads to the server that was replaced; a new one is looked up anew.
  const isElsewhere = code === '25006'
  return isOver || isElsewhere || NETWORK_CODES.has(code) || code.startsWith('08') || code.startsWith('57P')
}

function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = codeOf(error)
  if (code === undefined) return SENTENCES.test(error.message) ? 'there is no connection to it' : undefined
  if (NETWORK_CODES.has(code)) return 'it cannot be reached'
  return REASONS.find(([prefix]) => code.startsWith(prefix))?.[1]
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
