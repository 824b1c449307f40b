import { AppError } from '../domain/errors.ts'
import type { Clock } from '../lib/clock.ts'
import { askForObject } from '../models/ask-for-object.ts'
import { type LanguageModel, microDollars, type TokenUsage } from '../models/model.ts'
import type { Batch, RefineRules } from '../pipeline/refine/plan-batches.ts'
import { EXTRACT_ANSWER, type ExtractAnswer } from '../pipeline/refine/read-answer.ts'
import type { PaidCall, Pause, RefinementClaim, Refinements } from '../store/refinements/refinements.ts'
import type { RefineBudget, Reservation } from './refine-budget.ts'

/** No call was made: the budget is used up, or the model is unavailable. */
export class Withheld extends Error {
  /** Absent: another caller finds out whether the model is back. */
  readonly pause: Pause | undefined

  constructor(pause?: Pause) {
    super('the language model is paused')
    this.name = 'Withheld'
    this.pause = pause
  }
}

/** The item was deleted or replaced during the call. */
export class Superseded extends Error {
  constructor() {
    super('the item has changed')
    this.name = 'Superseded'
  }
}

/** Wraps an error of the model, to distinguish it from errors of the store. */
export class ModelFailure extends Error {
  readonly failure: AppError

  constructor(failure: AppError) {
    super(failure.message)
    this.name = 'ModelFailure'
    this.failure = failure
  }
}

export interface AskParts {
  readonly refinements: Refinements
  readonly model: LanguageModel
  readonly rules: RefineRules
  readonly budget: RefineBudget
  readonly breaker: ModelBreaker
  readonly clock: Clock
}

/**
 * Calls the model for one batch. The answer and its cost are one commit; the cost of a failed call is recorded too.
 * Rejects with the errors above.
 */
export async function askBatch(
  parts: AskParts,
  claim: RefinementClaim,
  batch: Batch,
  signal: AbortSignal,
): Promise<ExtractAnswer> {
  const { model, rules, budget, breaker, clock } = parts
  const most = { inputTokens: batch.inputTokens, outputTokens: rules.maxOutputTokens }
  const reserved = await budget.reserve(claim, most, clock())
  if ('reason' in reserved) throw new Withheld(reserved)
  if (signal.aborted || !breaker.enter(clock().getTime())) {
    await budget.settle(reserved, () => Promise.resolve())
    throw new Withheld()
  }
  const used: TokenUsage[] = []
  const asked = await outcomeOf(
    askForObject(model, {
      instructions: rules.instructions,
      messages: [{ role: 'user', text: batch.message }],
      schema: EXTRACT_ANSWER,
      schemaName: 'memories',
      maxOutputTokens: rules.maxOutputTokens,
      onUsage: (usage) => used.push(usage),
      signal,
    }),
  )
  const answer = 'value' in asked ? { hash: batch.hash, text: JSON.stringify(asked.value.value) } : undefined
  try {
    await noteAnswer(parts, asked)
    await record(parts, claim, reserved, used, answer)
  } catch (error) {
    // The caller does not know whether the model works: the next call finds out.
    breaker.abandoned()
    throw error
  }
  if ('value' in asked) return asked.value.value
  throw asked.error instanceof AppError ? new ModelFailure(asked.error) : asked.error
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown }

async function outcomeOf<T>(work: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await work }
  } catch (error) {
    return { error }
  }
}

/** Reports answers and aborted calls to the breaker; the caller reports failures. */
async function noteAnswer({ breaker, refinements }: AskParts, asked: Outcome<unknown>): Promise<void> {
  const hasAnswered = 'value' in asked || (asked.error instanceof AppError && asked.error.code === 'unreadable')
  if (hasAnswered && breaker.answered()) await refinements.resume(['away'])
  if (!hasAnswered && !('error' in asked && asked.error instanceof AppError)) breaker.abandoned()
}

async function record(
  { refinements, model, budget }: AskParts,
  claim: RefinementClaim,
  reserved: Reservation,
  used: readonly TokenUsage[],
  answer?: PaidCall['answer'],
): Promise<void> {
  if (used.length === 0) return budget.settle(reserved, () => Promise.resolve())
  const usage = {
    inputTokens: used.reduce((sum, one) => sum + one.inputTokens, 0),
    outputTokens: used.reduce((sum, one) => sum + one.outputTokens, 0),
  }
  const call: PaidCall = {
    ...usage,
    day: reserved.day,
    sourceType: reserved.sourceType,
    model: model.id,
    calls: used.length,
    microDollars: microDollars(usage, model.price),
    ...(answer && { answer }),
  }
  const outcome = await budget.settle(reserved, () => refinements.storeCall(claim, call))
  if (outcome === 'superseded') throw new Superseded()
}

const FIRST_DELAY_MS = 5_000
const LONGEST_DELAY_MS = 5 * 60_000
/**
 * Consecutive refusals, without an answer in between, by a model that has answered before: then the items are not at
 * fault.
 */
const REFUSALS_FOR_GOOD = 3

/**
 * A circuit breaker for the model: after a failure, calls pause for a time that doubles (5 s to 5 min, varied by a
 * quarter), then one call is tried, and only its answer lets the others continue.
 */
export class ModelBreaker {
  #failures = 0
  readonly #refused = new Set<number>()
  #hasAnswered = false
  #open = { from: Number.POSITIVE_INFINITY, until: Number.NEGATIVE_INFINITY }
  #trying = false

  /** Whether a call is allowed. @param now in milliseconds since the epoch */
  isOpen(now: number): boolean {
    const { from, until } = this.#open
    // An earlier time means that the clock was set back.
    return this.#failures > 0 && (this.#trying || (now >= from && now < until))
  }

  /** Starts a call, unless it has to wait. Each started call ends with one of the methods below. */
  enter(now: number): boolean {
    if (this.isOpen(now)) return false
    this.#trying = this.#failures > 0
    return true
  }

  /** Also an invalid answer. Returns whether it did not answer before. */
  answered(): boolean {
    const wasAway = this.#failures > 0
    this.#failures = 0
    this.#refused.clear()
    this.#hasAnswered = true
    this.#trying = false
    return wasAway
  }

  /** It is down, slow or overloaded. Returns when it is tried again. @param random in [0, 1) */
  failed({ retryAfterSeconds = 0 }: AppError, now: number, random: number): Date {
    // Of concurrent failures only the first counts.
    if (this.#failures === 0 || this.#trying) this.#failures += 1
    this.#trying = false
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#failures - 1)) * (0.75 + random / 2)
    const until = now + Math.max(delay, retryAfterSeconds * 1_000)
    this.#open = { from: now, until: this.isOpen(now) ? Math.max(this.#open.until, until) : until }
    return new Date(this.#open.until)
  }

  /** It refused an item. Returns whether calls stop; otherwise the item may be at fault. */
  refused(refinementId: number): boolean {
    this.#trying = false
    this.#refused.add(refinementId)
    return this.#refused.size >= (this.#hasAnswered ? REFUSALS_FOR_GOOD : 1)
  }

  /** The call's result says nothing about the model. */
  abandoned(): void {
    this.#trying = false
  }
}
