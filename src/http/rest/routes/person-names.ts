import { undoResult } from '../../../domain/change-results.ts'
import { nameDecisionList, nameDecisionResult } from '../../../domain/name-decision.ts'
import type { Service } from '../../../service/service.ts'
import { principalOf } from '../access.ts'
import { mergeQuery, nameParams } from '../schemas.ts'
import type { ApiServer } from '../server-types.ts'
import { keyProblems, success } from './problem-responses.ts'

const listResult = nameDecisionList.meta({ id: 'NameDecisionList' })
const decisionResult = nameDecisionResult.meta({ id: 'NameDecisionResult' })
const tags = ['Memories']

/** Extension: names of people that the owner merges and splits. */
export function personNameRoutes(app: ApiServer, { names }: Service): void {
  app.get(
    '/v1/memories/name-decisions',
    {
      config: { use: 'recall' },
      schema: {
        tags,
        operationId: 'listNameDecisions',
        summary: 'List merged and split names of people',
        description: 'Extension. A key for some sources sees names that occur in them.',
        response: { ...success('The decisions.', listResult), ...keyProblems(400) },
      },
    },
    async (request) => names.nameDecisions(principalOf(request)),
  )
  app.put(
    '/v1/memories/people/:name/merge',
    {
      schema: {
        tags,
        operationId: 'mergePeople',
        summary: 'Merge a person into another one',
        description:
          'Extension. Both names become one person. Needs a key for all sources. Replaces an earlier decision about this name.',
        params: nameParams,
        querystring: mergeQuery,
        response: { ...success('Merged.', decisionResult), ...keyProblems(400, 403, 404, 409) },
      },
    },
    async (request) => names.mergeNames(principalOf(request), { name: request.params.name, into: request.query.into }),
  )
  app.put(
    '/v1/memories/people/:name/split',
    {
      schema: {
        tags,
        operationId: 'splitPerson',
        summary: 'Make a name a separate person',
        description: 'Extension. Needs a key for all sources. Replaces an earlier decision about this name.',
        params: nameParams,
        response: { ...success('Split.', decisionResult), ...keyProblems(400, 403, 404) },
      },
    },
    async (request) => names.splitName(principalOf(request), request.params.name),
  )
  app.delete(
    '/v1/memories/people/:name/decision',
    {
      schema: {
        tags,
        operationId: 'undoNameDecision',
        summary: 'Undo the decision about a name',
        description: 'Extension. Needs a key for all sources.',
        params: nameParams,
        response: { ...success('Undone.', undoResult), ...keyProblems(400, 403) },
      },
    },
    async (request) => names.undoNameDecision(principalOf(request), request.params.name),
  )
}
