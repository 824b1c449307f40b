import { AppError } from '../domain/errors.ts'

/** Whether the ledger refused a write because its account was deleted: there is nothing to synchronize into any more. */
export function isAccountGone(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not_found'
}
