import { zonedDayName } from '../lib/zoned-time.ts'
import { findAccount } from './accounts.ts'
import type { UsageUseCases } from './service.ts'
import type { ServiceContext } from './service-context.ts'
import { usageDay } from './usage-meter.ts'

const DAY_MS = 86_400_000

/** What was done and what language models have cost on each of the last days. */
export function usageUseCases(context: ServiceContext): UsageUseCases {
  const { store, usage, clock, paidModel } = context
  return {
    async byDay({ account, days: count }) {
      const { accountId, timeZone } = await findAccount(context, account)
      const days = daysUpTo(usageDay(clock()), count)
      const spendingDays = daysUpTo(zonedDayName(clock(), timeZone), count)
      const counts = await usage.byDay(accountId, days.at(0) ?? '')
      const spending = await store.refinements.spentByDay(accountId, spendingDays.at(0) ?? '')
      return {
        days,
        counts,
        spending: { days: spendingDays, timeZone, uses: spending, ...(paidModel && { model: paidModel }) },
      }
    },
  }
}

/** Oldest first. @param today YYYY-MM-DD */
function daysUpTo(today: string, count: number): string[] {
  const last = Date.parse(today)
  return Array.from({ length: count }, (_, place) =>
    new Date(last - (count - 1 - place) * DAY_MS).toISOString().slice(0, 10),
  )
}
