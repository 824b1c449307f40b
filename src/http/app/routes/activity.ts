import type { Service } from '../../../service/service.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { routeFor } from '../route-for.ts'
import { type ActivityActors, type ActivityPage, activityQuery } from '../schemas/activity.ts'
import { viewerOf } from '../viewer.ts'

/** What happened in the account: for owners and members, who see of others that they asked, not what. */
export function activityRoutes(scope: ApiServer, service: Service): void {
  scope.get(
    '/app/api/activity',
    routeFor('member', { querystring: activityQuery }),
    async (request): Promise<ActivityPage> => {
      const { principal, personId, role } = viewerOf(request)
      const { limit, ...query } = request.query
      // One more tells whether there is a page after this one.
      const rows = await service.activity.page(
        { accountId: principal.accountId, personId, role },
        { ...query, limit: limit + 1 },
      )
      const shown = rows.slice(0, limit)
      return {
        entries: shown.map(({ number, at, actor, entry }) => ({ id: number, at: at.toISOString(), actor, entry })),
        next: rows.length > limit ? (shown.at(-1)?.number ?? null) : null,
      }
    },
  )

  scope.get('/app/api/activity/actors', routeFor('member'), async (request): Promise<ActivityActors> => {
    return { actors: await service.activity.actors(viewerOf(request).principal.accountId) }
  })
}
