import type { Service } from '../../../service/service.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import { subjectKind, subjectListQuery, subjectReference } from '../schemas/subjects.ts'
import { routeFor, viewerOf } from '../viewer.ts'

/** The profile of the owner, and the people, projects and places in the memory. */
export function subjectsRoutes(scope: ApiServer, { profile }: Service): void {
  scope.get('/app/api/profile', routeFor('member'), async (request): Promise<AnswerOf<'GET /profile'>> => {
    return profile.profile(viewerOf(request).principal)
  })
  const list = routeFor('member', { params: subjectKind, querystring: subjectListQuery })
  scope.get('/app/api/subjects/:kind', list, async (request): Promise<AnswerOf<'GET /subjects/:kind'>> => {
    return profile.subjects(viewerOf(request).principal, { ...request.params, ...request.query })
  })
  scope.get(
    '/app/api/subjects/:kind/:name',
    routeFor('member', { params: subjectReference }),
    async (request): Promise<AnswerOf<'GET /subjects/:kind/:name'>> =>
      profile.subject(viewerOf(request).principal, request.params),
  )
}
