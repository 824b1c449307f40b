import type { DayLimit, PaidModel, Service, UsageByDay } from '../../../service/service.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { routeFor } from '../route-for.ts'
import { type UsageReport, usageQuery } from '../schemas/usage.ts'
import { APP_KEY_ID, viewerOf } from '../viewer.ts'

/** What was done and what language models have cost, by day. */
export function usageRoute(scope: ApiServer, service: Service): void {
  const route = routeFor('member', { querystring: usageQuery })
  scope.get('/app/api/usage', route, async (request): Promise<UsageReport> => {
    const { accountId } = viewerOf(request).principal
    const { days, counts, spending } = await service.usage.byDay({ account: accountId, days: request.query.days })
    const names = new Map((await service.keys.list(accountId)).map(({ id, name }) => [id, name]))
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

function wireSpending({ days, timeZone, uses, model }: UsageByDay['spending']): UsageReport['spending'] {
  return {
    days: [...days],
    time_zone: timeZone,
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
  return { id, is_priced: isPriced, budget: { ...wireLimit(budget), per_source: Object.fromEntries(perSource) } }
}

function wireLimit({ tokensPerDay, dollarsPerDay }: DayLimit) {
  return { tokens_per_day: tokensPerDay ?? null, dollars_per_day: dollarsPerDay ?? null }
}
