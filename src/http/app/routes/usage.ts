import { actorOf } from '../../../service/activity.ts'
import type { BillingView, UsageByDay } from '../../../service/billing.ts'
import type { LiveEvents } from '../../../service/live-events.ts'
import type { Service } from '../../../service/service.ts'
import type { DayLimit, PaidModel } from '../../../service/service-context.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import { type Billing, billingChange, type Quotas, type UsageReport, usageQuery } from '../schemas/usage.ts'
import { APP_KEY_ID, routeFor, viewerOf } from '../viewer.ts'

/** Use and language model costs, by day. */
export function usageRoute(scope: ApiServer, service: Service): void {
  const route = routeFor('member', { querystring: usageQuery })
  scope.get('/app/api/usage', route, async (request): Promise<AnswerOf<'GET /usage'>> => {
    const { accountId } = viewerOf(request).principal
    const { days, counts, spending } = await service.usage.byDay({ account: accountId, days: request.query.days })
    const [keys, agents] = await Promise.all([service.keys.list(accountId), service.agents.list(accountId)])
    const names = new Map([...keys, ...agents].map(({ id, name }) => [id, name]))
    return {
      days: [...days],
      keys: [...new Set(counts.map(({ keyId }) => keyId))].map((id) => wireKey(id, names.get(id))),
      counts: counts.map(({ day, keyId, metric, count }) => ({ day, key_id: keyId, metric, count })),
      spending: wireSpending(spending),
    }
  })
}

function wireKey(id: string, name: string | undefined): UsageReport['keys'][number] {
  if (id === APP_KEY_ID) return { id, name: 'Web app', kind: 'app' }
  return name === undefined ? { id, name: 'Deleted key', kind: 'deleted' } : { id, name, kind: 'key' }
}

function wireSpending({
  days,
  timeZone,
  uses,
  monthMicroDollars,
  model,
}: UsageByDay['spending']): UsageReport['spending'] {
  return {
    days: [...days],
    time_zone: timeZone,
    dollars_this_month: monthMicroDollars / 1_000_000,
    model: model === undefined ? null : wireModel(model),
    uses: uses.map((use) => ({
      day: use.day,
      source: use.sourceType,
      calls: use.calls,
      input_tokens: use.inputTokens,
      output_tokens: use.outputTokens,
      dollars: use.microDollars / 1_000_000,
    })),
  }
}

function wireModel({ id, isPriced, budget }: PaidModel): UsageReport['spending']['model'] {
  if (budget === undefined) return { id, is_priced: isPriced, budget: null }
  const perSource = Object.entries(budget.perSource).map(([source, limit]) => [source, wireLimit(limit)])
  return {
    id,
    is_priced: isPriced,
    budget: {
      ...wireLimit(budget),
      dollars_per_month: budget.dollarsPerMonth ?? null,
      per_source: Object.fromEntries(perSource),
    },
  }
}

function wireLimit({ tokensPerDay, dollarsPerDay }: DayLimit) {
  return { tokens_per_day: tokensPerDay ?? null, dollars_per_day: dollarsPerDay ?? null }
}

/**
 * The plan of the account; a self-hosted server charges nothing for it. Members see it, administrators of the server
 * change it.
 */
export function billingRoutes(
  scope: ApiServer,
  { service, live }: { readonly service: Service; readonly live: LiveEvents },
): void {
  scope.get('/app/api/billing', routeFor('member'), async (request): Promise<AnswerOf<'GET /billing'>> => {
    return wireBilling(service, await service.billing.show(viewerOf(request).principal.accountId))
  })

  scope.put(
    '/app/api/billing',
    routeFor('administrator', { body: billingChange }),
    async (request): Promise<AnswerOf<'PUT /billing'>> => {
      const { principal } = viewerOf(request)
      const { accountId } = principal
      const { plan, status } = request.body
      const change = { ...(plan !== undefined && { plan }), ...(status !== undefined && { status }) }
      const changed = await service.billing.set({ account: accountId, ...change, by: actorOf(principal) })
      // It decides whether further keys can be created.
      live.publish({ type: 'keys' }, accountId)
      return wireBilling(service, changed)
    },
  )
}

function wireBilling(service: Service, { plan, status, isBilled, usage }: BillingView): Billing {
  const amounts = (of: (quota: keyof Quotas) => number | null | undefined): Quotas => ({
    items: of('items') ?? null,
    storage_bytes: of('storage_bytes') ?? null,
    uploads_per_month: of('uploads_per_month') ?? null,
    recalls_per_month: of('recalls_per_month') ?? null,
    asks_per_month: of('asks_per_month') ?? null,
  })
  const used = (quota: keyof Quotas) => usage[quota]?.used ?? 0
  return {
    is_billed: isBilled,
    plan,
    status,
    used: {
      items: used('items'),
      storage_bytes: used('storage_bytes'),
      uploads_per_month: used('uploads_per_month'),
      recalls_per_month: used('recalls_per_month'),
      asks_per_month: used('asks_per_month'),
    },
    allowed: amounts((quota) => usage[quota]?.allowed),
    plans: service.billing.plans().map(({ name, title, quotas }) => ({
      name,
      title,
      quotas: amounts((quota) => quotas[quota]),
    })),
  }
}
