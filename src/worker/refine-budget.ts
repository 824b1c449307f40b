import { AppError } from '../domain/errors.ts'
import type { SourceType } from '../domain/source-type.ts'
import { firstOfMonth, startOfZonedDay, zonedDay, zonedDayName } from '../lib/clock.ts'
import { Semaphore } from '../lib/semaphore.ts'
import type { Price, TokenUsage } from '../models/model.ts'
import { microDollars } from '../models/model.ts'
import type { ModelBudget, SpendingLimit } from '../models/model-settings.ts'
import type { DaySpending, Pause, RefinementClaim, Spending } from '../store/refinements/refinements.ts'

/** Maximum cost of a call, reserved until it ends. */
export interface Reservation {
  readonly accountId: string
  readonly sourceType: SourceType
  /** YYYY-MM-DD, in the time zone of the account. */
  readonly day: string
  readonly tokens: number
  readonly microDollars: number
}

/**
 * Rejects limits below the maximum cost of one call, because no call could ever be made.
 * @param call the largest possible call
 * @throws AppError `invalid`, naming the setting and the minimum
 */
export function checkBudget(budget: ModelBudget | undefined, call: TokenUsage, price: Price | undefined): void {
  if (budget === undefined) return
  const tokens = call.inputTokens + call.outputTokens
  const dollars = microDollars(call, price) / 1_000_000
  if (budget.dollarsPerMonth !== undefined) checkDollars('dollars_per_month', budget.dollarsPerMonth, dollars, price)
  for (const [source, limit] of [['', budget], ...Object.entries(budget.perSource)] as const) {
    const of = source === '' ? '' : `per_source: ${source}: `
    if ((limit?.tokensPerDay ?? tokens) < tokens) {
      const least = `tokens_per_day must be ${tokens} or more, which one call may take`
      throw new AppError('invalid', `budget: ${of}${least}; raise it, or lower max_input_tokens.`)
    }
    if (limit?.dollarsPerDay !== undefined) checkDollars(`${of}dollars_per_day`, limit.dollarsPerDay, dollars, price)
  }
}

function checkDollars(setting: string, limit: number, call: number, price: Price | undefined): void {
  if (price === undefined) throw new AppError('invalid', `budget: ${setting} needs price.`)
  if (limit >= call) return
  const least = `${setting} must be ${call} or more, which one call may cost`
  throw new AppError('invalid', `budget: ${least}; raise it, or lower max_input_tokens.`)
}

export interface RefineBudgetOptions {
  readonly budget: ModelBudget | undefined
  readonly price: Price | undefined
  /** From a day on. */
  spentByDay(accountId: string, fromDay: string): Promise<readonly DaySpending[]>
}

/**
 * Allows calls while the spending of the day and the month, the reservations of running calls and the next call together stay within
 * the limits. Limits are per account, and days in its time zone. A repair call is not reserved: each running call can
 * exceed a limit by one of these.
 */
export class RefineBudget {
  readonly #options: RefineBudgetOptions
  readonly #reserved = new Set<Reservation>()
  /** Serializes reading the spending and reserving for the next call. */
  readonly #lock = new Semaphore(1)
  #settled = Promise.withResolvers<void>()

  constructor(options: RefineBudgetOptions) {
    this.#options = options
  }

  /** Waits while running calls may leave room. A pause: the budget is used up until it ends. */
  async reserve(claim: RefinementClaim, call: TokenUsage, now: Date): Promise<Reservation | Pause> {
    const { accountId, sourceType, timeZone } = claim
    const today = zonedDay(now, timeZone)
    const reservation: Reservation = {
      accountId,
      sourceType,
      day: zonedDayName(now, timeZone),
      tokens: call.inputTokens + call.outputTokens,
      microDollars: microDollars(call, this.#options.price),
    }
    for (;;) {
      const settled = this.#settled.promise
      const room = await this.#lock.run({}, () => this.#reserveRoom(reservation))
      if (room === 'reserved') return reservation
      if (room === 'later') await settled
      else {
        const next = room === 'month' ? { ...today, month: today.month + 1, day: 1 } : { ...today, day: today.day + 1 }
        return {
          reason: 'budget',
          accountId,
          ...(room === 'source' && { sourceType }),
          until: startOfZonedDay(next, timeZone),
          message: messageOf(room, sourceType),
        }
      }
    }
  }

  /** The call has ended: `record` writes its cost, if any, and the rest of the reservation is released. */
  settle<T>(reservation: Reservation, record: () => Promise<T>): Promise<T> {
    return this.#lock.run({}, async () => {
      try {
        return await record()
      } finally {
        this.#reserved.delete(reservation)
        const { resolve } = this.#settled
        this.#settled = Promise.withResolvers()
        resolve()
      }
    })
  }

  /** The limit that is exceeded even without running calls; `later`: it depends on them. */
  async #reserveRoom(reservation: Reservation): Promise<'reserved' | 'later' | UsedUp> {
    const { budget } = this.#options
    const { accountId, day, sourceType } = reservation
    const from = budget?.dollarsPerMonth === undefined ? day : firstOfMonth(day)
    const rows = budget === undefined ? [] : await this.#options.spentByDay(accountId, from)
    const spent = rows.map((one) => ({ ...one, tokens: one.inputTokens + one.outputTokens }))
    const underWay = [...this.#reserved].filter((other) => other.accountId === accountId)
    const passedBy = (uses: readonly Use[]): UsedUp | undefined => {
      if (
        dollarsIn(uses.filter((use) => use.day >= firstOfMonth(day))) >
        (budget?.dollarsPerMonth ?? Number.POSITIVE_INFINITY)
      )
        return 'month'
      const ofDay = uses.filter((use) => use.day === day)
      if (isPassed(budget, ofDay)) return 'all'
      const ofSource = ofDay.filter((use) => use.sourceType === sourceType)
      return isPassed(budget?.perSource[sourceType], ofSource) ? 'source' : undefined
    }
    if (passedBy([...spent, ...underWay, reservation]) !== undefined)
      return passedBy([...spent, reservation]) ?? 'later'
    this.#reserved.add(reservation)
    return 'reserved'
  }
}

/** The limit that is exceeded: of the month, of the day, or of the source on this day. */
type UsedUp = 'month' | 'all' | 'source'

function messageOf(usedUp: UsedUp, sourceType: SourceType): string {
  if (usedUp === 'month') return 'monthly budget used up'
  return `daily budget ${usedUp === 'source' ? `for ${sourceType} ` : ''}used up`
}

type Use = Pick<Reservation, 'day' | 'tokens' | 'microDollars'> & Pick<Spending, 'sourceType'>

function isPassed(limit: SpendingLimit | undefined, uses: readonly Use[]): boolean {
  const { tokensPerDay = Number.POSITIVE_INFINITY, dollarsPerDay = Number.POSITIVE_INFINITY } = limit ?? {}
  const tokens = uses.reduce((sum, use) => sum + use.tokens, 0)
  return tokens > tokensPerDay || dollarsIn(uses) > dollarsPerDay
}

function dollarsIn(uses: readonly Use[]): number {
  return uses.reduce((sum, use) => sum + use.microDollars, 0) / 1_000_000
}
