import { AppError, type ErrorCode } from '../../domain/errors.ts'
import { asUnavailable } from './unavailable.ts'

/** An error as it crosses from the writer thread. */
export interface WireError {
  readonly code: ErrorCode | undefined
  readonly message: string
  readonly field: string | undefined
  readonly stack: string | undefined
}

export function toWireError(thrown: unknown): WireError {
  const error = asUnavailable(thrown)
  const stack = thrown instanceof Error ? thrown.stack : undefined
  if (error instanceof AppError) return { code: error.code, message: error.message, field: error.field, stack }
  return { code: undefined, message: error instanceof Error ? error.message : String(error), field: undefined, stack }
}

export function fromWireError(wire: WireError): Error {
  const cause = wire.stack === undefined ? {} : { cause: wire.stack }
  if (wire.code === undefined) return new Error(wire.message, cause)
  return new AppError(wire.code, wire.message, wire.field === undefined ? cause : { field: wire.field, ...cause })
}
