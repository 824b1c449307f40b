import type { RunOutcome } from '../domain/activity.ts'
import { type Advice, AppError } from '../domain/errors.ts'

/** Thrown to end a run early, for problems that concern more than one partition. */
export class EndOfRun extends Error {
  readonly outcome: RunOutcome
  readonly remedy: string | undefined
  readonly advice: Advice | undefined
  /** When it can continue. */
  readonly nextRunAt: Date | undefined

  /** @param message the problem and the remedy in a sentence; may be empty */
  constructor(
    outcome: RunOutcome,
    message: string,
    options: {
      readonly remedy?: string | undefined
      readonly nextRunAt?: Date | undefined
      readonly cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'EndOfRun'
    this.outcome = outcome
    this.remedy = options.remedy
    this.nextRunAt = options.nextRunAt
    this.advice = options.cause instanceof AppError ? options.cause.advice : undefined
  }
}

/**
 * Whether the store refused a write because the account was deleted, so there is nothing to write to. Other not-found
 * errors, such as a proxy's 404 for another service, do not count: the error must name the account.
 */
export function isAccountGone(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not_found' && error.field === 'account'
}
