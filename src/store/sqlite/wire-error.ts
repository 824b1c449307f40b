import { AppError, type ErrorCode } from '../../domain/errors.ts'

/** An error as it crosses from the writer thread. */
export interface WireError {
  readonly code: ErrorCode | undefined
  readonly message: string
  readonly field: string | undefined
  readonly stack: string | undefined
}

// Result codes of SQLite that say that the file or the disk cannot be used, not that the statement is wrong.
const UNAVAILABLE: ReadonlyMap<number, string> = new Map([
  [5, 'another process holds the lock'],
  [8, 'the file is read-only'],
  [10, 'the disk reports an error'],
  [11, 'the file is damaged'],
  [13, 'the disk is full'],
  [14, 'the file cannot be opened'],
  [26, 'the file is not a database'],
])

export function toWireError(error: unknown): WireError {
  if (error instanceof AppError) {
    return { code: error.code, message: error.message, field: error.field, stack: error.stack }
  }
  const reason = unavailableReason(error)
  const stack = error instanceof Error ? error.stack : undefined
  if (reason !== undefined) {
    return { code: 'unavailable', message: `The database cannot be used: ${reason}`, field: undefined, stack }
  }
  return { code: undefined, message: error instanceof Error ? error.message : String(error), field: undefined, stack }
}

export function fromWireError(wire: WireError): Error {
  const cause = wire.stack === undefined ? {} : { cause: wire.stack }
  if (wire.code === undefined) return new Error(wire.message, cause)
  return new AppError(wire.code, wire.message, wire.field === undefined ? cause : { field: wire.field, ...cause })
}

function unavailableReason(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  // Extended codes keep the primary one in the low byte.
  return UNAVAILABLE.get(error.errcode & 0xff)
}
