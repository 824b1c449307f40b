import type { ActivityActor } from '../domain/activity.ts'
import { AppError } from '../domain/errors.ts'
import { firstOfMonth, zonedDayName } from '../lib/clock.ts'
import type { BillingStatus, UsageCount } from '../store/accounts/accounts.ts'
import type { DaySpending } from '../store/refinements/refinements.ts'
import { findAccount } from './accounts.ts'
import { SERVER } from './activity.ts'
import type { Plan, Quota } from './plans.ts'
import type { Principal } from './principal.ts'
import type { PaidModel, ServiceContext } from './service-context.ts'
import { type Metric, usageDay } from './usage-meter.ts'

export interface BillingUseCases {
  show(account?: string): Promise<BillingView>
  /** `by` as for keys. */
  set(billing: {
    account?: string
    plan?: string
    status?: 'active' | 'past_due'
    by?: ActivityActor
  }): Promise<BillingView>
  /** The available plans. */
  plans(): readonly PlanView[]
}

interface PlanView {
  readonly name: string
  readonly title: string
  /** Absent quotas are unlimited. */
  readonly quotas: Readonly<Record<string, number | undefined>>
}

export interface BillingView {
  readonly accountId: string
  readonly plan: string
  readonly status: BillingStatus
  /** Whether there is anything to pay or limit; otherwise the app shows no plan. */
  readonly isBilled: boolean
  /** Per quota of the plan: used and allowed (`null`: unlimited). */
  readonly usage: Readonly<Record<string, { readonly used: number; readonly allowed: number | null }>>
}

/** The metered use of a request. */
export type Use = 'upload' | 'recall' | 'ask' | 'read'

const MONTHLY = [
  { quota: 'uploads_per_month', use: 'upload', metric: 'upload', noun: 'uploads' },
  { quota: 'recalls_per_month', use: 'recall', metric: 'recall', noun: 'recalls' },
  { quota: 'asks_per_month', use: 'ask', metric: 'ask', noun: 'questions' },
] as const satisfies readonly { quota: Quota; use: Use; metric: Metric; noun: string }[]

const CHANGE_PLAN = 'under Settings > Usage in the app'

/**
 * Specification 5.7. Reads the store only when the plan limits this use.
 * @throws AppError `payment_required`, naming the quota and the remedy
 */
export async function checkBilling(context: ServiceContext, principal: Principal, use: Use): Promise<void> {
  if (principal.billingStatus === 'past_due') {
    throw new AppError(
      'payment_required',
      `Billing check failed: this account is past due. Pay it, then mark it active ${CHANGE_PLAN}.`,
      { advice: { action: 'change_plan' } },
    )
  }
  const { quotas } = planOf(context, principal)
  const monthly = MONTHLY.find((entry) => entry.use === use)
  if (monthly !== undefined && quotas[monthly.quota] !== undefined) {
    const used = (await context.usage.thisMonth(principal.accountId)).get(monthly.metric) ?? 0
    refuseWhenUsed(principal.plan, monthly.quota, used, quotas[monthly.quota])
  }
}

/**
 * Counts one use, and uncounts it when the work fails. Checked again without a wait between check and count, so that
 * concurrent requests cannot exceed the quota together.
 */
export async function metered<Result>(
  context: ServiceContext,
  principal: Principal,
  use: 'recall' | 'ask',
  work: () => Promise<Result>,
): Promise<Result> {
  const quota: Quota = use === 'recall' ? 'recalls_per_month' : 'asks_per_month'
  const allowed = planOf(context, principal).quotas[quota]
  if (allowed !== undefined) {
    const used = (await context.usage.thisMonth(principal.accountId)).get(use) ?? 0
    refuseWhenUsed(principal.plan, quota, used, allowed)
  }
  context.usage.count(principal, use, 1)
  try {
    return await work()
  } catch (error) {
    context.usage.count(principal, use, -1)
    throw error
  }
}

/** Whether uploads of this account must be checked one after another. */
export function limitsUploads(context: ServiceContext, principal: Principal): boolean {
  const { quotas } = planOf(context, principal)
  return quotas.items !== undefined || quotas.storage_bytes !== undefined || quotas.uploads_per_month !== undefined
}

/** @throws AppError `payment_required` when this would exceed the plan's `items` or `storage_bytes` */
export async function checkStorage(
  context: ServiceContext,
  principal: Principal,
  more: { readonly items: number; readonly bytes: number },
): Promise<void> {
  const { quotas } = planOf(context, principal)
  if (quotas.items === undefined && quotas.storage_bytes === undefined) return
  const held = await context.store.scoped({ accountId: principal.accountId, sources: 'all' }).holdings()
  refuseWhenUsed(principal.plan, 'items', held.items + more.items - 1, quotas.items)
  refuseWhenUsed(principal.plan, 'storage_bytes', held.bytes + more.bytes - 1, quotas.storage_bytes)
}

function refuseWhenUsed(plan: string, quota: Quota, used: number, allowed: number | undefined): void {
  if (allowed === undefined || used < allowed) return
  const monthly = MONTHLY.find((entry) => entry.quota === quota)
  const what = quota === 'storage_bytes' ? 'bytes of uploads' : (monthly?.noun ?? 'items')
  const remedy = monthly === undefined ? "Delete items you don't need" : 'Wait for the next calendar month'
  throw new AppError(
    'payment_required',
    `Usage check failed: the plan ${plan} allows ${allowed} ${what}${monthly ? ' a month' : ''} (quota ${quota}). ${remedy}, or change the plan ${CHANGE_PLAN}.`,
    { advice: { action: 'change_plan' } },
  )
}

function planOf(context: ServiceContext, { plan }: { readonly plan: string }): Plan {
  const found = context.plans.byName.get(plan)
  if (found !== undefined) return found
  throw new AppError(
    'payment_required',
    `Billing check failed: plans.yaml has no plan ${plan}. Choose another plan ${CHANGE_PLAN}.`,
    { advice: { action: 'change_plan' } },
  )
}

export function billingUseCases(context: ServiceContext): BillingUseCases {
  return {
    async show(account) {
      return view(context, await findAccount(context, account))
    },
    async set({ account, plan, status, by = SERVER }) {
      const found = await findAccount(context, account)
      if (plan !== undefined && !context.plans.byName.has(plan)) {
        const known = [...context.plans.byName.keys()].join(', ')
        throw new AppError('invalid', `Unknown plan ${plan}. Choose one of: ${known}`, { field: 'plan' })
      }
      const changed = { plan: plan ?? found.plan, status: status ?? found.billingStatus }
      await context.store.admin.updateBilling(found.accountId, changed)
      context.activity.note(found.accountId, by, { kind: 'billing', ...changed })
      return view(context, { accountId: found.accountId, plan: changed.plan, billingStatus: changed.status })
    },
    plans: () => [...context.plans.byName].map(([name, { title, quotas }]) => ({ name, title, quotas })),
  }
}

async function view(
  context: ServiceContext,
  account: { accountId: string; plan: string; billingStatus: BillingView['status'] },
): Promise<BillingView> {
  const quotas = context.plans.byName.get(account.plan)?.quotas ?? {}
  const month = await context.usage.thisMonth(account.accountId)
  const held = await context.store.scoped({ accountId: account.accountId, sources: 'all' }).holdings()
  const usage: Record<Quota, { used: number; allowed: number | null }> = {
    items: { used: held.items, allowed: quotas.items ?? null },
    storage_bytes: { used: held.bytes, allowed: quotas.storage_bytes ?? null },
    uploads_per_month: { used: month.get('upload') ?? 0, allowed: quotas.uploads_per_month ?? null },
    recalls_per_month: { used: month.get('recall') ?? 0, allowed: quotas.recalls_per_month ?? null },
    asks_per_month: { used: month.get('ask') ?? 0, allowed: quotas.asks_per_month ?? null },
  }
  const isLimited = Object.values(usage).some(({ allowed }) => allowed !== null)
  return {
    accountId: account.accountId,
    plan: account.plan,
    status: account.billingStatus,
    isBilled: context.settings.isBilled || isLimited || account.billingStatus === 'past_due',
    usage,
  }
}

export interface UsageUseCases {
  /** For the last days of an account, including today and counts still in memory. */
  byDay(query: { account?: string; days: number }): Promise<UsageByDay>
}

export interface UsageByDay {
  /** YYYY-MM-DD, UTC; oldest first, including days without use. */
  readonly days: readonly string[]
  /** One for each day, key and metric with use. Keys may have been deleted. */
  readonly counts: readonly UsageCount[]
  readonly spending: {
    /** As `days`, but in the time zone of the account. */
    readonly days: readonly string[]
    readonly timeZone: string
    readonly uses: readonly DaySpending[]
    /** Of this calendar month. */
    readonly monthMicroDollars: number
    /** Absent: no language model is configured. */
    readonly model?: PaidModel
  }
}

const DAY_MS = 86_400_000

/** Use and language model cost of each of the last days. */
export function usageUseCases(context: ServiceContext): UsageUseCases {
  const { store, usage, clock, paidModel } = context
  return {
    async byDay({ account, days: count }) {
      const { accountId, timeZone } = await findAccount(context, account)
      const model = paidModel()
      const days = daysUpTo(usageDay(clock()), count)
      const spendingDays = daysUpTo(zonedDayName(clock(), timeZone), count)
      const counts = await usage.byDay(accountId, days.at(0) ?? '')
      const [firstDay = ''] = spendingDays
      const month = firstOfMonth(spendingDays.at(-1) ?? '')
      const spending = await store.refinements.spentByDay(accountId, firstDay < month ? firstDay : month)
      const ofMonth = spending.filter(({ day }) => day >= month)
      return {
        days,
        counts,
        spending: {
          ...{ days: spendingDays, timeZone },
          uses: spending.filter(({ day }) => day >= firstDay),
          monthMicroDollars: ofMonth.reduce((sum, { microDollars }) => sum + microDollars, 0),
          ...(model && { model }),
        },
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
