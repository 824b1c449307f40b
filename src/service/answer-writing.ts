import { AppError } from '../domain/errors.ts'
import type { Clock } from '../lib/clock.ts'
import { firstOfMonth, zonedDayName } from '../lib/clock.ts'
import { estimateTokens } from '../lib/estimate-tokens.ts'
import type { Log } from '../lib/log.ts'
import { askForObject } from '../models/ask-for-object.ts'
import type { LanguageModel, TokenUsage } from '../models/model.ts'
import { microDollars } from '../models/model.ts'
import type { AnswerWriter } from '../retrieval/answer/write-answer.ts'
import type { Refinements } from '../store/refinements/refinements.ts'
import type { Principal } from './principal.ts'
import { ModelPause } from './question-models.ts'

/** The language model that writes answers, and its instructions. */
export interface AnswerModel {
  readonly model: LanguageModel
  /** The prompt of the model. */
  readonly instructions: string
  /** Time limit for an answer to a question. */
  readonly limitMs: number
  /** Per account, shared with all other uses of the model. */
  readonly budget?: {
    readonly tokensPerDay?: number
    readonly dollarsPerDay?: number
    readonly dollarsPerMonth?: number
  }
  /** Aborted when the service stops; pending answers become quotations. */
  readonly stopping?: AbortSignal | undefined
}

export interface AnswerWritingOptions extends AnswerModel {
  readonly spending: Pick<Refinements, 'spentByDay' | 'storeSpending'>
  readonly clock: Clock
  readonly log: Log
}

/** Enough for the best passages; more makes answers slower and no better. */
const MOST_PASSAGE_TOKENS = 3_000
/** With less, a passage might not fit at all. */
const LEAST_PASSAGE_TOKENS = 700
/** A question of 1,000 characters; in scripts without spaces each is a token. */
const QUESTION_TOKENS = 1_000
/** The schema, sent by providers or shown to the model, and the lines around passages. */
const FRAME_TOKENS = 300
/** An answer to be repaired is sent back with its errors. */
const REPAIR_TOKENS = 1_000

/**
 * Answers by a language model, for a person who waits: within the time limit and the budget, and not while the
 * model is unavailable.
 * @throws AppError `invalid` when the input limit of the model is too small
 */
export function createAnswerWriting(options: AnswerWritingOptions): (principal: Principal) => AnswerWriter {
  const { model, instructions } = options
  const taken = estimateTokens(instructions) + FRAME_TOKENS + QUESTION_TOKENS + REPAIR_TOKENS
  const room = model.maxInputTokens - taken
  if (room < LEAST_PASSAGE_TOKENS) {
    const least = `raise max_input_tokens to ${taken + LEAST_PASSAGE_TOKENS} or more, or remove ask from use`
    throw new AppError('invalid', `${model.id} can't answer questions within its limits: ${least}.`)
  }
  const writing = new AnswerWriting(options)
  return (principal) => ({
    passageTokens: Math.min(MOST_PASSAGE_TOKENS, room),
    write: (message, schema, options) => writing.write(principal, { message, schema, ...options }),
  })
}

/**
 * The writing of the model in use, which may be exchanged.
 * @param answers the same object until then
 * @throws AppError as `createAnswerWriting`, for the present model
 */
export function currentAnswerWriting(
  answers: () => AnswerModel | undefined,
  parts: Omit<AnswerWritingOptions, keyof AnswerModel>,
): (principal: Principal) => AnswerWriter | undefined {
  let made: { readonly of: AnswerModel; readonly writing: (principal: Principal) => AnswerWriter } | undefined
  const current = () => {
    const of = answers()
    if (of === undefined) return undefined
    if (made?.of !== of) made = { of, writing: createAnswerWriting({ ...of, ...parts }) }
    return made.writing
  }
  current()
  return (principal) => current()?.(principal)
}

interface Asked extends NonNullable<Parameters<AnswerWriter['write']>[2]> {
  readonly message: string
  readonly schema: Parameters<AnswerWriter['write']>[1]
}

/** The maximum cost of a call, reserved while it runs. */
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
    if (reservation === 'day') return { problem: "today's budget is used up" }
    if (reservation === 'month') return { problem: "this month's budget is used up" }
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

  async #ask({ message, schema, signal, onPartial }: Asked, limit: AbortSignal, used: TokenUsage[]) {
    const { model, instructions, stopping } = this.#options
    const { value } = await askForObject(model, {
      instructions,
      messages: [{ role: 'user', text: message }],
      schema,
      schemaName: 'answer',
      onUsage: (usage) => used.push(usage),
      ...(onPartial && { onPartial }),
      signal: AbortSignal.any([signal, limit, stopping].filter((one) => one !== undefined)),
    })
    this.#pause.end()
    return value
  }

  /** `day`, `month`: the spending, the reservations of running calls and this one together exceed a limit. */
  async #reserve(day: Day, { message }: Asked): Promise<Reservation | 'day' | 'month'> {
    const { budget, model, instructions, spending } = this.#options
    const inputTokens = estimateTokens(instructions) + FRAME_TOKENS + estimateTokens(message)
    const most = { inputTokens, outputTokens: model.maxOutputTokens }
    const reservation = {
      ...day,
      tokens: most.inputTokens + most.outputTokens,
      microDollars: microDollars(most, model.price),
    }
    const before = new Set(this.#reserved)
    const month = firstOfMonth(day.day)
    const from = budget?.dollarsPerMonth === undefined ? day.day : month
    const spent = budget === undefined ? [] : await spending.spentByDay(day.accountId, from)
    // A call that has just ended may not be in the spending yet; it is better counted twice than not at all.
    const others = [...before.union(this.#reserved)].filter((one) => one.accountId === day.accountId)
    const uses = [
      ...spent.map((one) => ({ ...one, tokens: one.inputTokens + one.outputTokens })),
      ...others,
      reservation,
    ]
    const today = uses.filter((use) => use.day === day.day)
    const tokens = today.reduce((sum, use) => sum + use.tokens, 0)
    if (tokens > (budget?.tokensPerDay ?? Number.POSITIVE_INFINITY)) return 'day'
    if (dollarsIn(today) > (budget?.dollarsPerDay ?? Number.POSITIVE_INFINITY)) return 'day'
    const ofMonth = uses.filter((use) => use.day >= month)
    if (dollarsIn(ofMonth) > (budget?.dollarsPerMonth ?? Number.POSITIVE_INFINITY)) return 'month'
    this.#reserved.add(reservation)
    return reservation
  }

  /** Shown to the person; the log gets the model's error message, which never contains what was sent. */
  #failed(error: unknown, isSlow: boolean): string {
    const { model, log, limitMs } = this.#options
    const failure = error instanceof AppError ? error : undefined
    const problem = isSlow ? `it took longer than ${limitMs / 1_000} seconds` : problemOf(failure)
    // An invalid answer is still an answer, so the next question may work.
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
      // The answer is ready and must not be lost because of this failure.
      log.error({ err: error, accountId, ...call }, 'the cost of an answer could not be recorded')
    }
  }
}

function dollarsIn(uses: readonly { readonly microDollars: number }[]): number {
  return uses.reduce((sum, use) => sum + use.microDollars, 0) / 1_000_000
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
