import type { Service } from '../../../service/service.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { anniversaryQuery, daysQuery } from '../schemas/days.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import { routeFor, viewerOf } from '../viewer.ts'

/** What happened on days, over all sources. */
export function daysRoutes(scope: ApiServer, { days }: Service): void {
  scope.get(
    '/app/api/days',
    routeFor('member', { querystring: daysQuery }),
    async (request): Promise<AnswerOf<'GET /days'>> => days.list(viewerOf(request).principal, request.query),
  )
  scope.get(
    '/app/api/days/anniversaries',
    routeFor('member', { querystring: anniversaryQuery }),
    async (request): Promise<AnswerOf<'GET /days/anniversaries'>> =>
      days.anniversaries(viewerOf(request).principal, request.query.day),
  )
}
