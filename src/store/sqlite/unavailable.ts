import { AppError } from '../../domain/errors.ts'
import { DAMAGED_PAGES } from '../engine.ts'

// SQLite result codes that mean that the file or the disk can't be used, not that the statement is wrong
// (https://sqlite.org/rescode.html).
const REASONS: ReadonlyMap<number, string> = new Map([
  [5, 'another process holds the lock'],
  [7, 'there is not enough memory'],
  [8, 'the file is read-only'],
  [10, 'the disk reports an error'],
  [11, DAMAGED_PAGES],
  [13, 'the disk is full'],
  [14, "the file can't be opened"],
  [15, 'another process holds the lock'],
  [26, 'the file is not a database'],
])

/**
 * Converts errors that mean that the database can't be used into an `AppError` with the reason; returns others
 * unchanged.
 */
export function asUnavailable(error: unknown): unknown {
  const reason = reasonOf(error)
  if (reason === undefined) return error
  return new AppError('unavailable', `The database can't be used: ${reason}`, {
    ...(reason === DAMAGED_PAGES && { advice: { action: 'run_doctor' } }),
    cause: error,
  })
}

function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  // Error of `node:sqlite` for a closed connection or statement.
  if ('code' in error && error.code === 'ERR_INVALID_STATE') return 'it is closed'
  if (!('errcode' in error) || typeof error.errcode !== 'number') return undefined
  // The low byte of an extended code is the primary code.
  return REASONS.get(error.errcode & 0xff)
}
