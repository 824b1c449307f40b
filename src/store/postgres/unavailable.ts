import { AppError } from '../../domain/errors.ts'
import { DAMAGED_PAGES } from '../engine.ts'

// SQLSTATE codes and classes that mean that the database can't be used now, not that the statement is wrong
// (https://www.postgresql.org/docs/current/errcodes-appendix.html).
const REASONS: readonly (readonly [prefix: string, reason: string])[] = [
  ['08', 'the connection was lost'],
  ['25006', 'it is read-only'],
  ['25P03', 'a transaction waited too long'],
  ['40001', 'concurrent writes conflicted'],
  ['40P01', 'concurrent writes conflicted'],
  ['28', 'it rejected the user or the password'],
  ['3D000', 'there is no database with this name'],
  ['53100', 'its disk is full'],
  ['53300', 'it has too many connections'],
  ['53', 'it has no resources left'],
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
/** Messages of `pg` that have no code. */
const SENTENCES =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Query read timeout|Cannot use a pool after calling end|Client was closed/

/** What Citus says when a server with the items of accounts is lost; its own code for that is that of an internal error. */
const DATA_SERVER_LOST = /^(failure on connection marked as essential|connection to the remote node)/

/**
 * Two transactions conflicted, and the one that was rolled back can run again. Or another process deleted a cached account or
 * space: a reference to it fails (23503) or its partition is gone (23514).
 */
const TRANSIENT = new Set(['40001', '40P01', '23503', '23514'])

/** Converts errors that mean that the database can't be used into an `AppError` with the reason; returns others unchanged. */
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

/** Statement and lock timeouts, lost conflicts with other transactions. */
const WAITED = new Set(['57014', '55P03', '40001', '40P01'])

/** Whether only others were in the way: they held the locks, or all connections of this process. */
export function hasWaited(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error
  const code = codeOf(cause)
  if (code !== undefined) return WAITED.has(code)
  return cause instanceof Error && cause.message === NO_FREE_CONNECTION
}

/** Whether a lock was not free within `lock_timeout`. */
export function isLocked(error: unknown): boolean {
  return codeOf(error instanceof AppError ? error.cause : error) === '55P03'
}

/** The message of `pg` when none was free in time. */
export const NO_FREE_CONNECTION = 'timeout exceeded when trying to connect'

/** The user lacks the permission. */
export function isForbidden(error: unknown): boolean {
  return codeOf(error) === '42501'
}

/** Temporary failures: unreachable, starting, or out of connections or memory. */
export function isAway(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error
  const code = codeOf(cause)
  if (code === undefined) return reasonOf(cause) !== undefined
  return NETWORK_CODES.has(code) || ['08', '53', '57P'].some((prefix) => code.startsWith(prefix))
}

/** Whether the connection can't be used again. */
export function isBroken(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error
  const code = codeOf(cause)
  if (code === undefined) return reasonOf(cause) !== undefined
  if (isDataServerLost(cause)) return false
  // An ended statement may leave a session lock behind (`take_chunks`), which ends with the session.
  const isOver = code === '25P03' || code === '57014'
  // After a failover the connection leads to the old server; a new one resolves the address again.
  const isElsewhere = code === '25006'
  return isOver || isElsewhere || NETWORK_CODES.has(code) || code.startsWith('08') || code.startsWith('57P')
}

function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = codeOf(error)
  if (code === undefined) return SENTENCES.test(error.message) ? 'it is not connected' : undefined
  if (NETWORK_CODES.has(code)) return "it can't be reached"
  if (isDataServerLost(error)) return "one of its servers can't be reached"
  return REASONS.find(([prefix]) => code.startsWith(prefix))?.[1]
}

function isDataServerLost(error: unknown): boolean {
  return error instanceof Error && DATA_SERVER_LOST.test(error.message)
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
