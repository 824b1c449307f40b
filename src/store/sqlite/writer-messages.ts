import { type Advice, AppError, type ErrorCode } from '../../domain/errors.ts'
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

/** A thread opens a file first, and another one only after closing it. */
export type WriterRequest = WriteCommand | { readonly open: string } | { readonly close: true }

/** An error, as sent from the writer thread. */
interface SerializedError {
  readonly code: ErrorCode | undefined
  readonly message: string
  readonly field: string | undefined
  readonly advice: Advice | undefined
  readonly stack: string | undefined
}

export function serializeError(thrown: unknown): SerializedError {
  const error = asUnavailable(thrown)
  const stack = thrown instanceof Error ? thrown.stack : undefined
  if (error instanceof AppError) {
    const { code, message, field, advice } = error
    return { code, message, field, advice, stack }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { code: undefined, message, field: undefined, advice: undefined, stack }
}

export function deserializeError({ code, message, field, advice, stack }: SerializedError): Error {
  const cause = stack === undefined ? {} : { cause: stack }
  if (code === undefined) return new Error(message, cause)
  return new AppError(code, message, { ...(field !== undefined && { field }), ...(advice && { advice }), ...cause })
}
