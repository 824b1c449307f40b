import { z } from 'zod'
import { firstOfMonth, zonedDayName } from '../lib/clock.ts'
import type { StoreStats } from '../store/accounts/accounts.ts'
import type { EngineStats, Store } from '../store/store.ts'
import type { ServiceContext } from './service-context.ts'

export interface ServiceStatistics {
  readonly stats: StoreStats
  readonly engine: EngineStats
  /** When the last weekly check ran; absent before the first. */
  readonly integrity: IntegrityReport | undefined
  /** The remaining share of the language model budget of the day or month, for the account with least; in [0, 1]. */
  readonly budgetLeft: number
}

/** Gauges over all accounts, for `/metrics`. */
export async function statistics(context: ServiceContext): Promise<ServiceStatistics> {
  const { store } = context
  const [stats, budgetLeft, integrity] = await Promise.all([
    store.admin.stats(),
    leastBudgetLeft(context),
    readIntegrity(store),
  ])
  return { stats, engine: store.engineStats(), budgetLeft, integrity }
}

/** In western time zones it is still yesterday, or the day before. */
const LONGEST_BEHIND_MS = 2 * 24 * 60 * 60_000

/** In [0, 1], for the account with least. */
async function leastBudgetLeft({ store, paidModel, clock }: ServiceContext): Promise<number> {
  const { tokensPerDay, dollarsPerDay, dollarsPerMonth } = paidModel()?.budget ?? {}
  if (tokensPerDay === undefined && dollarsPerDay === undefined && dollarsPerMonth === undefined) return 1
  const now = clock()
  const day = zonedDayName(new Date(now.getTime() - LONGEST_BEHIND_MS), 'UTC')
  const rows = await store.refinements.spentSince(dollarsPerMonth === undefined ? day : firstOfMonth(day))
  const today = rows.filter((row) => row.day === zonedDayName(now, row.timeZone))
  const left = today.flatMap(({ tokens, microDollars }) => [
    leftOf(tokensPerDay, tokens),
    leftOf(dollarsPerDay, microDollars / 1_000_000),
  ])
  const ofMonth = rows.filter((row) => row.day >= firstOfMonth(zonedDayName(now, row.timeZone)))
  const months = Map.groupBy(ofMonth, ({ accountId }) => accountId).values()
  const leftOfMonth = [...months].map((uses) =>
    leftOf(dollarsPerMonth, uses.reduce((sum, { microDollars }) => sum + microDollars, 0) / 1_000_000),
  )
  return Math.max(0, Math.min(1, ...left, ...leftOfMonth))
}

function leftOf(limit: number | undefined, spent: number): number {
  return limit === undefined ? 1 : 1 - spent / limit
}

const REPORT = z.object({
  /** ISO 8601 */
  at: z.iso.datetime(),
  /** Problems of the database pages; only some if there are many. */
  problems: z.array(z.string()),
  /** Uploads whose bytes were compared with their hash. */
  items: z.number(),
  damaged: z.number(),
  /** Some of them. */
  damaged_items: z.array(z.object({ account_id: z.string(), source_type: z.string(), item_id: z.string() })),
})

/** The result of the last full check of the stored data. */
export type IntegrityReport = z.infer<typeof REPORT>

/** Facts without an account. */
const LEDGER = 'server'
const FACT = 'integrity'

/** `undefined`: it was never completed. */
export async function readIntegrity(store: Store): Promise<IntegrityReport | undefined> {
  const fact = await store.ledger(LEDGER).readFact(FACT)
  return fact === undefined ? undefined : REPORT.parse(JSON.parse(fact))
}

export async function writeIntegrity(store: Store, report: IntegrityReport): Promise<void> {
  await store.ledger(LEDGER).writeFact(FACT, JSON.stringify(report))
}
