import { AppError } from '../../domain/errors.ts'

const CODES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE'])
/** `unavailable` for a failure because no further file could be opened, in the error or behind it. */
export function outOfFiles(error: unknown): AppError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!('code' in cause && CODES.has(cause.code))) continue
    return new AppError('unavailable', 'The server has too many open files; try again in a few seconds', {
      retryAfterSeconds: 5,
      cause: error,
    })
  }
  return undefined
}
