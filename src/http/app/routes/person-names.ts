import type { Service } from '../../../service/service.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { mergeRequest, personName } from '../schemas/person-names.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import { routeFor, viewerOf } from '../viewer.ts'

const ONE = { params: personName }

/** Merges and splits people, for everyone who may correct memories. */
export function personNameRoutes(scope: ApiServer, { names }: Service): void {
  scope.get('/app/api/person-names', routeFor('member'), async (request): Promise<AnswerOf<'GET /person-names'>> => {
    return names.nameDecisions(viewerOf(request).principal)
  })
  scope.put(
    '/app/api/person-names/:name/merge',
    routeFor('member', { ...ONE, body: mergeRequest }),
    async (request): Promise<AnswerOf<'PUT /person-names/:name/merge'>> =>
      names.mergeNames(viewerOf(request).principal, { name: request.params.name, into: request.body.into }),
  )
  scope.put(
    '/app/api/person-names/:name/split',
    routeFor('member', ONE),
    async (request): Promise<AnswerOf<'PUT /person-names/:name/split'>> =>
      names.splitName(viewerOf(request).principal, request.params.name),
  )
  scope.delete(
    '/app/api/person-names/:name',
    routeFor('member', ONE),
    async (request): Promise<AnswerOf<'DELETE /person-names/:name'>> =>
      names.undoNameDecision(viewerOf(request).principal, request.params.name),
  )
}
