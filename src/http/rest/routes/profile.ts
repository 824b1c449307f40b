import { profile, SUBJECT_KINDS, type SubjectKind, subjectList, subjectPage } from '../../../domain/profile.ts'
import type { Service } from '../../../service/service.ts'
import { principalOf } from '../access.ts'
import { nameFence } from '../answer-headers.ts'
import { subjectListQuery, subjectParams } from '../schemas.ts'
import type { ApiServer } from '../server-types.ts'
import { keyProblems, success } from './problem-responses.ts'

const PLURALS: Readonly<Record<SubjectKind, string>> = { person: 'people', project: 'projects', place: 'places' }
const profileResult = profile.meta({ id: 'Profile' })
const subjectListResult = subjectList.meta({ id: 'SubjectList' })
const subjectPageResult = subjectPage.meta({ id: 'SubjectPage' })

/** Extension: profiles of the owner, people, projects and places. */
export function profileRoutes(app: ApiServer, service: Service): void {
  app.get(
    '/v1/memories/profile',
    {
      config: { use: 'recall' },
      schema: {
        tags: ['Memories'],
        operationId: 'profile',
        summary: 'Get your profile',
        description:
          'Extension. Statements with the memories that contain them, derived from the newest memories that the key can read.',
        response: { ...success('The profile.', profileResult), ...keyProblems(400) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      nameFence(reply, service.fenceId(principal))
      return service.profile.profile(principal)
    },
  )
  for (const kind of SUBJECT_KINDS) subjectRoutes(app, service, kind)
}

function subjectRoutes(app: ApiServer, service: Service, kind: SubjectKind): void {
  const plural = PLURALS[kind]
  const tags = ['Memories']
  app.get(
    `/v1/memories/${plural}`,
    {
      config: { use: 'recall' },
      schema: {
        tags,
        operationId: `list${capitalized(plural)}`,
        summary: `List the ${plural} in your memories`,
        description: 'Extension. Sorted by number of memories, highest first.',
        querystring: subjectListQuery,
        response: { ...success(`The ${plural}.`, subjectListResult), ...keyProblems(400) },
      },
    },
    async (request) => service.profile.subjects(principalOf(request), { kind, ...request.query }),
  )
  app.get(
    `/v1/memories/${plural}/:name`,
    {
      config: { use: 'recall' },
      schema: {
        tags,
        operationId: kind,
        summary: `Get the profile of a ${kind}`,
        description: 'Extension. Statements with the memories that contain them.',
        params: subjectParams,
        response: { ...success('The profile.', subjectPageResult), ...keyProblems(400, 404) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      nameFence(reply, service.fenceId(principal))
      return service.profile.subject(principal, { kind, name: request.params.name })
    },
  )
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
