import { AppError, type ErrorCode } from '../domain/errors.ts'
import type { RefinementClaim } from '../store/refinements/refinements.ts'
import { LimitReached, ThreadLost } from './pipeline-runner.ts'

/** The stored failure of an item's processing or refinement. */
export interface Failure {
  readonly code: ErrorCode
  /** For the person whose item it is. */
  readonly message: string
  /** Absent: not tried again. */
  readonly retryAt?: Date
}

export const MOST_ATTEMPTS = 5
const FIRST_RETRY_MS = 2_000
const LONGEST_RETRY_MS = 5 * 60_000

/** The file is the cause, and another attempt would fail the same way. */
const FINAL: ReadonlySet<ErrorCode> = new Set(['unreadable', 'invalid', 'too_large'])

/**
 * Decides how to handle a processing error. Final errors fail at once. All others are retried after a delay that
 * doubles (2 s, 4 s, 8 s, 16 s), varied by half so that items that failed together do not retry together.
 * `unavailable`, such as a full disk, is retried without a limit.
 * @param random in [0, 1)
 */
export function classifyFailure(error: unknown, attempt: number, now: Date, random: number): Failure {
  const { code, message } = describeFailure(error, attempt)
  if (FINAL.has(code) || (attempt >= MOST_ATTEMPTS && code !== 'unavailable')) return { code, message }
  const delay = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1)) * (0.5 + random)
  return { code, message, retryAt: new Date(now.getTime() + delay) }
}

/** Then the file is the cause, and its thread is fine. */
export function isTooCostly(error: unknown): error is LimitReached {
  return error instanceof LimitReached && error.limit === 'processorMs'
}

export function isAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable'
}

function describeFailure(error: unknown, attempt: number): Failure {
  if (isTooCostly(error)) {
    const message = `This file is too costly to read: ${error.message}. Upload smaller parts of it`
    return { code: 'unreadable', message }
  }
  if (error instanceof ThreadLost) {
    const times = attempt === 1 ? 'once' : `${attempt} times`
    return { code: 'internal', message: `Processing this file crashed the worker ${times}: ${error.message}` }
  }
  return appFailure(error, 'Processing this file failed because of a defect. See the service log.')
}

/** Consecutive failures. Each costs two calls, and the same prompt usually gets the same answer. */
const MOST_REFINEMENT_FAILURES = 3
const PASSING: ReadonlySet<ErrorCode> = new Set(['unavailable', 'rate_limited'])
const FIRST_REFINEMENT_RETRY_MS = 30_000
const LONGEST_REFINEMENT_RETRY_MS = 3_600_000

/**
 * Decides how to handle a refinement error. Invalid answers, refusals and defects count against the item, which
 * eventually fails; an unavailable model does not. Delays double from 30 s to an hour.
 * @param notBefore when the model is available again
 */
export function classifyRefinementFailure(
  error: unknown,
  claim: Pick<RefinementClaim, 'failures' | 'failureCode'>,
  now: Date,
  notBefore: Date | undefined,
): Failure {
  const defect = 'Extracting memories with the language model failed because of a defect. See the service log.'
  const { code, message } = appFailure(error, defect)
  const earlier = claim.failureCode === code ? claim.failures : 0
  if (!PASSING.has(code) && earlier + 1 >= MOST_REFINEMENT_FAILURES) return { code, message }
  const delayMs = Math.min(LONGEST_REFINEMENT_RETRY_MS, FIRST_REFINEMENT_RETRY_MS * 2 ** earlier)
  return { code, message, retryAt: new Date(Math.max(now.getTime() + delayMs, notBefore?.getTime() ?? 0)) }
}

/** @param defect the message for anything that is not an `AppError` */
function appFailure(error: unknown, defect: string): Failure {
  return error instanceof AppError
    ? { code: error.code, message: error.message }
    : { code: 'internal', message: defect }
}
