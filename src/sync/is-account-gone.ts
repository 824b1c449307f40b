import { AppError } from '../domain/errors.ts'

/**
 * Whether the store refused a write because the account was deleted: there is nothing to synchronize into any more. Others
 * find nothing too, as a proxy that answers 404 for a service elsewhere: only what names the account counts.
 */
export function isAccountGone(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not_found' && error.field === 'account'
}
