import { AppError } from '../domain/errors.ts'
import type { Clock } from '../lib/clock.ts'
import { zonedDayName } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { askForObject } from '../models/ask-for-object.ts'
import type { LanguageModel, TokenUsage } from '../models/model.ts'
import { estimateTokens, microDollars } from '../models/model.ts'
import type { AnswerWriter } from '../retrieval/write-answer.ts'
import type { Refinements } from '../store/refinements/refinements.ts'
import type { Principal } from './principal.ts'
import { ModelPause } from './question-models.ts'

/** The language model that words answers, and how. */
export interface AnswerModel {
  readonly model: LanguageModel
  /** What the model is to do. */
  readonly instructions: string
  /** How long to wait for an answer to a question. */
  readonly limitMs: number
  /** Of each account, together with all else that the model is used for. */
  readonly budget?: { readonly tokensPerDay?: number; readonly dollarsPerDay?: number }
  /** Aborted: the service stops, and answers under way are quotations. */
  readonly stopping?: AbortSignal | undefined
}

export interface AnswerWritingOptions extends AnswerModel {
  readonly spending: Pick<Refinements, 'spent' | 'storeSpending'>
  readonly clock: Clock
  readonly log: Log
}

/** Enough for the best passages; more makes answers slower and no better. */
const MOST_PASSAGE_TOKENS = 3_000
/** With less there may be a passage that fits nowhere. */
const LEAST_PASSAGE_TOKENS = 700
/** A question of 1,000 characters; in scripts without spaces each is a token. */
const QUESTION_TOKENS = 1_000
/** The schema, which providers send along or the model is shown, and the lines around passages. */
const FRAME_TOKENS = 300
/** An answer that is to be repaired is sent back, with what is wrong with it. */
const REPAIR_TOKENS = 1_000

/**
 * Answers by a language model, for a person who waits: in time, within the budget of the day, and never asked again while
 * it is down.
 *
 * @throws AppError `invalid` when the model takes too little at once
 */
export function createAnswerWriting(options: AnswerWritingOptions): (principal: Principal) => AnswerWriter {
  const { model, instructions } = options
  const taken = estimateTokens(instructions) + FRAME_TOKENS + QUESTION_TOKENS + REPAIR_TOKENS
  const room = model.maxInputTokens - taken
  if (room < LEAST_PASSAGE_TOKENS) {
    const least = `raise max_input_tokens to ${taken + LEAST_PASSAGE_TOKENS} or more, or leave ask out of use`
    throw new AppError('invalid', `${model.id} cannot answer questions within its limits: ${least}.`)
  }
  const writing = new AnswerWriting(options)
  return (principal) => ({
    passageTokens: Math.min(MOST_PASSAGE_TOKENS, room),
    write: (message, schema, signal) => writing.write(principal, { message, schema, signal }),
  })
}

interface Asked {
  readonly message: string
  readonly schema: Parameters<AnswerWriter['write']>[1]
  readonly signal: AbortSignal | undefined
}

/** What a call may cost at most, kept free while it is under way. */
interface Reservation extends Day {
  readonly tokens: number
  readonly microDollars: number
}

interface Day {
  readonly accountId: string
  readonly day: string
}

class AnswerWriting {
  readonly #options: AnswerWritingOptions
  readonly #reserved = new Set<Reservation>()
  readonly #pause: ModelPause

  constructor(options: AnswerWritingOptions) {
    this.#options = options
    this.#pause = new ModelPause(options.clock)
  }

  async write({ accountId, timeZone }: Principal, asked: Asked): ReturnType<AnswerWriter['write']> {
    const { reason } = this.#pause
    if (reason !== undefined) return { problem: reason }
    const day = zonedDayName(this.#options.clock(), timeZone)
    const reservation = await this.#reserve({ accountId, day }, asked)
    if (reservation === undefined) return { problem: "today's budget is used up" }
    const used: TokenUsage[] = []
    const limit = AbortSignal.timeout(this.#options.limitMs)
    try {
      return { answer: await this.#ask(asked, limit, used) }
    } catch (error) {
      asked.signal?.throwIfAborted()
      if (this.#options.stopping?.aborted) return { problem: 'the service is shutting down' }
      return { problem: this.#failed(error, limit.aborted) }
    } finally {
      await this.#record(reservation, used)
      this.#reserved.delete(reservation)
    }
  }

  async #ask({ message, schema, signal }: Asked, limit: AbortSignal, used: TokenUsage[]) {
    const { model, instructions, stopping } = this.#options
    const { value } = await askForObject(model, {
      instructions,
      messages: [{ role: 'user', text: message }],
      schema,
      schemaName: 'answer',
      onUsage: (usage) => used.push(usage),
      signal: AbortSignal.any([signal, limit, stopping].filter((one) => one !== undefined)),
    })
    this.#pause.end()
    return value
  }

  /** `undefined`: what was spent, what answers under way may cost and this one together pass a limit. */
  async #reserve(day: Day, { message }: Asked): Promise<Reservation | undefined> {
    const { budget, model, instructions, spending } = this.#options
    const inputTokens = estimateTokens(instructions) + FRAME_TOKENS + estimateTokens(message)
    const most = { inputTokens, outputTokens: model.maxOutputTokens }
    const reservation = {
      ...day,
      tokens: most.inputTokens + most.outputTokens,
      microDollars: microDollars(most, model.price),
    }
    const before = new Set(this.#reserved)
    const spent = budget === undefined ? [] : await spending.spent(day.accountId, day.day)
    // One that has ended since may not be in what was spent: rather twice than not at all.
    const others = [...before.union(this.#reserved)].filter(
      (one) => one.accountId === day.accountId && one.day === day.day,
    )
    const uses = [
      ...spent.map((one) => ({ ...one, tokens: one.inputTokens + one.outputTokens })),
      ...others,
      reservation,
    ]
    const tokens = uses.reduce((sum, use) => sum + use.tokens, 0)
    const dollars = uses.reduce((sum, use) => sum + use.microDollars, 0) / 1_000_000
    if (tokens > (budget?.tokensPerDay ?? Number.POSITIVE_INFINITY)) return undefined
    if (dollars > (budget?.dollarsPerDay ?? Number.POSITIVE_INFINITY)) return undefined
    this.#reserved.add(reservation)
    return reservation
  }

  /** Shown to the person; the log gets the sentence of the model contract, which holds nothing that was sent. */
  #failed(error: unknown, isSlow: boolean): string {
    const { model, log, limitMs } = this.#options
    const failure = error instanceof AppError ? error : undefined
    const problem = isSlow ? `it took longer than ${limitMs / 1_000} seconds` : problemOf(failure)
    // It has answered, if with nonsense: another question may fare better.
    if (failure?.code !== 'unreadable' || isSlow) this.#pause.begin(problem, failure?.retryAfterSeconds)
    const fields = { err: error, model: model.id, problem }
    if (failure === undefined && !isSlow) log.error(fields, 'calling the language model failed because of a defect')
    else log.warn(fields, 'the language model did not answer a question')
    return problem
  }

  async #record({ accountId, day }: Day, used: readonly TokenUsage[]): Promise<void> {
    if (used.length === 0) return
    const { model, spending, log } = this.#options
    const usage = {
      inputTokens: used.reduce((sum, one) => sum + one.inputTokens, 0),
      outputTokens: used.reduce((sum, one) => sum + one.outputTokens, 0),
    }
    const cost = microDollars(usage, model.price)
    const call = { ...usage, day, model: model.id, calls: used.length, microDollars: cost }
    try {
      await spending.storeSpending(accountId, { ...call, sourceType: 'ask' })
    } catch (error) {
      // The answer is ready and must not be lost to this failure.
      log.error({ err: error, accountId, ...call }, 'the cost of an answer could not be recorded')
    }
  }
}

function problemOf(failure: AppError | undefined): string {
  switch (failure?.code) {
    case 'unavailable':
      return 'it is down or overloaded'
    case 'rate_limited':
      return 'its rate limit is reached'
    case 'invalid':
      return 'it refuses the request; check its settings'
    case 'unreadable':
      return "its answer isn't supported by the quoted passages"
    default:
      return 'an unexpected error; see the service log'
  }
}
