import { AppError, type ErrorCode } from '../domain/errors.ts'
import type { RefinementClaim } from '../store/refinements/refinements.ts'

/** What the store is told about an item whose memories could not be made again. */
export interface RefinementFailure {
  readonly code: ErrorCode
  /** For the person whose item it is. */
  readonly message: string
  /** Absent: given up. */
  readonly retryAt?: Date
}

/** In a row. Each has cost two calls, and a model that is asked the same says mostly the same. */
const MOST_FAILURES = 3
// The model's, the network's or the disk's, and over at some time.
const PASSING: ReadonlySet<ErrorCode> = new Set(['unavailable', 'rate_limited'])
const FIRST_DELAY_MS = 30_000
const LONGEST_DELAY_MS = 3_600_000

/**
 * Nonsense, refusals and defects count against the item, and it is given up in the end; that something is away does not.
 * Delays double from 30 s to an hour.
 *
 * @param notBefore when the model is asked again
 */
export function judgeRefinement(
  error: unknown,
  claim: Pick<RefinementClaim, 'failures' | 'failureCode'>,
  now: Date,
  notBefore: Date | undefined,
): RefinementFailure {
  const { code, message } = describe(error)
  const earlier = claim.failureCode === code ? claim.failures : 0
  if (!PASSING.has(code) && earlier + 1 >= MOST_FAILURES) return { code, message }
  const delayMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** earlier)
  return { code, message, retryAt: new Date(Math.max(now.getTime() + delayMs, notBefore?.getTime() ?? 0)) }
}

function describe(error: unknown): { code: ErrorCode; message: string } {
  if (error instanceof AppError) return { code: error.code, message: error.message }
  return {
    code: 'internal',
    message: 'Making memories by the language model failed because of a defect; the log of the service says more',
  }
}
