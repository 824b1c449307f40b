import { AppError } from '../../domain/errors.ts'

/** Why a database cannot be used of which some pages are not what it wrote. */
export const DAMAGED_PAGES = 'some of its pages are damaged; "recalld doctor" says more'

/** Also of an error that came from the thread that writes. */
export function isDamagedDatabase(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'unavailable' && error.message.endsWith(DAMAGED_PAGES)
}
