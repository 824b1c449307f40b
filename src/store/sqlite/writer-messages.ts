import { AppError, type ErrorCode } from '../../domain/errors.ts'
import type { WriteCommand } from './group-commit.ts'
import { asUnavailable } from './unavailable.ts'

/** What the thread answers. */
export type WriterMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'refused'; readonly error: SerializedError }
  | { readonly type: 'answers'; readonly answers: readonly WriterAnswer[] }
  | { readonly type: 'closed' }

export type WriterAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: SerializedError }

/** A file is opened first, and another one only when it is closed. */
export type WriterRequest = WriteCommand | { readonly open: string } | { readonly close: true }

/** An error as it crosses from the writer thread. */
interface SerializedError {
  readonly code: ErrorCode | undefined
  readonly message: string
  readonly field: string | undefined
  readonly stack: string | undefined
}

export function serializeError(thrown: unknown): SerializedError {
  const error = asUnavailable(thrown)
  const stack = thrown instanceof Error ? thrown.stack : undefined
  if (error instanceof AppError) return { code: error.code, message: error.message, field: error.field, stack }
  return { code: undefined, message: error instanceof Error ? error.message : String(error), field: undefined, stack }
}

export function deserializeError(serialized: SerializedError): Error {
  const cause = serialized.stack === undefined ? {} : { cause: serialized.stack }
  if (serialized.code === undefined) return new Error(serialized.message, cause)
  return new AppError(
    serialized.code,
    serialized.message,
    serialized.field === undefined ? cause : { field: serialized.field, ...cause },
  )
}
