import { zonedDayName } from '../lib/zoned-time.ts'
import { readIntegrity } from './integrity.ts'
import type { ServiceStatistics } from './service.ts'
import type { ServiceContext } from './service-context.ts'

/** Numbers over all accounts, for `/metrics`. */
export async function statistics(context: ServiceContext): Promise<ServiceStatistics> {
  const { store } = context
  const [stats, budgetLeft, integrity] = await Promise.all([
    store.admin.stats(),
    leastBudgetLeft(context),
    readIntegrity(store),
  ])
  return { stats, engine: store.engineStats(), budgetLeft, integrity }
}

/** West of Greenwich it is still yesterday, or the day before that. */
const LONGEST_BEHIND_MS = 2 * 24 * 60 * 60_000

/** In [0, 1], of the account with the least. */
async function leastBudgetLeft({ store, paidModel, clock }: ServiceContext): Promise<number> {
  const { tokensPerDay, dollarsPerDay } = paidModel?.budget ?? {}
  if (tokensPerDay === undefined && dollarsPerDay === undefined) return 1
  const now = clock()
  const from = zonedDayName(new Date(now.getTime() - LONGEST_BEHIND_MS), 'UTC')
  const rows = await store.refinements.spentSince(from)
  const today = rows.filter(({ day, timeZone }) => day === zonedDayName(now, timeZone))
  const left = today.flatMap(({ tokens, microDollars }) => [
    leftOf(tokensPerDay, tokens),
    leftOf(dollarsPerDay, microDollars / 1_000_000),
  ])
  return Math.max(0, Math.min(1, ...left))
}

function leftOf(limit: number | undefined, spent: number): number {
  return limit === undefined ? 1 : 1 - spent / limit
}
