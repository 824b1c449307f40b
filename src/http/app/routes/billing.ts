import { actorOf } from '../../../service/activity.ts'
import type { LiveEvents } from '../../../service/live-events.ts'
import type { BillingView, Service } from '../../../service/service.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { routeFor } from '../route-for.ts'
import { type Billing, billingChange, type Quotas } from '../schemas/billing.ts'
import { viewerOf } from '../viewer.ts'

/** The plan of the account; a server of one's own charges nothing for it. Members see it, administrators of the server change it. */
export function billingRoutes(
  scope: ApiServer,
  { service, live }: { readonly service: Service; readonly live: LiveEvents },
): void {
  scope.get('/app/api/billing', routeFor('member'), async (request): Promise<Billing> => {
    return wireBilling(service, await service.billing.show(viewerOf(request).principal.accountId))
  })

  scope.put(
    '/app/api/billing',
    routeFor('administrator', { body: billingChange }),
    async (request): Promise<Billing> => {
      const { principal } = viewerOf(request)
      const { accountId } = principal
      const { plan, status } = request.body
      const change = { ...(plan !== undefined && { plan }), ...(status !== undefined && { status }) }
      const changed = await service.billing.set({ account: accountId, ...change, by: actorOf(principal) })
      // Whether further keys may be made depends on it.
      live.publish({ type: 'keys' }, accountId)
      return wireBilling(service, changed)
    },
  )
}

function wireBilling(service: Service, { plan, status, usage }: BillingView): Billing {
  const amounts = (of: (quota: keyof Quotas) => number | null | undefined): Quotas => ({
    items: of('items') ?? null,
    storage_bytes: of('storage_bytes') ?? null,
    uploads_per_month: of('uploads_per_month') ?? null,
    recalls_per_month: of('recalls_per_month') ?? null,
    asks_per_month: of('asks_per_month') ?? null,
  })
  const used = (quota: keyof Quotas) => usage[quota]?.used ?? 0
  return {
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
