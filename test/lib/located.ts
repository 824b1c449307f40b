import { AppError, locatedMessage } from '../../src/domain/errors.ts'

/** Runs it; an error it throws has the message that terminals show, with file and line. */
export function located<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new Error(locatedMessage(error))
  }
}
