import { AppError, type ErrorCode } from '../domain/errors.ts'
import { LimitReached, ThreadLost } from './pipeline-runner.ts'

/** What the queue is told about an item that could not be made into memories. */
export interface Failure {
  readonly code: ErrorCode
  /** For the person whose file it is. */
  readonly message: string
  readonly retryAt?: Date
}

export const MOST_ATTEMPTS = 5
const FIRST_DELAY_MS = 2_000
const LONGEST_DELAY_MS = 5 * 60_000

// The file is at fault: it will read the same way at the next attempt.
const FINAL: ReadonlySet<ErrorCode> = new Set(['unreadable', 'invalid', 'too_large'])

/**
 * Final errors fail at once; everything else is tried again after a delay that doubles (2 s, 4 s, 8 s, 16 s), varied by
 * half in both directions so that items that failed together do not return together. What was unavailable, such as a
 * full disk, is no reason to give a file up: it is tried again until it is back.
 *
 * @param random in [0, 1)
 */
export function judgeFailure(error: unknown, attempt: number, now: Date, random: number): Failure {
  const { code, message } = describe(error, attempt)
  if (FINAL.has(code) || (attempt >= MOST_ATTEMPTS && code !== 'unavailable')) return { code, message }
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)) * (0.5 + random)
  return { code, message, retryAt: new Date(now.getTime() + delay) }
}

function describe(error: unknown, attempt: number): { code: ErrorCode; message: string } {
  if (error instanceof LimitReached && error.limit === 'processorMs') {
    return {
      code: 'unreadable',
      message: `This file is too costly to read: ${error.message}. Upload smaller parts of it`,
    }
  }
  if (error instanceof ThreadLost) {
    const times = attempt === 1 ? 'once' : `${attempt} times`
    return { code: 'internal', message: `Processing this file stopped the worker ${times}: ${error.message}` }
  }
  if (error instanceof AppError) return { code: error.code, message: error.message }
  return {
    code: 'internal',
    message: 'Processing this file failed because of a defect; the log of the service says more',
  }
}
