import { briefingResult, suggestionResult } from '../../../domain/suggestions.ts'
import type { Service } from '../../../service/service.ts'
import { principalOf } from '../access.ts'
import { nameFence } from '../answer-headers.ts'
import { checkInput } from '../problem.ts'
import { readForm } from '../read-form.ts'
import { briefingForm, suggestionForm } from '../schemas.ts'
import type { ApiServer } from '../server-types.ts'
import { keyProblems, success } from './problem-responses.ts'

/** Extensions: what an agent is shown at session start and before a prompt. */
export function suggestionRoutes(app: ApiServer, service: Service): void {
  app.post(
    '/v1/memories/suggestions',
    {
      config: { use: 'recall' },
      schema: {
        operationId: 'suggest',
        tags: ['Memories'],
        summary: 'Get passages for a prompt to an agent',
        description: 'Extension, for agent hooks. Usually empty: passages are returned only if they probably help.',
        consumes: ['multipart/form-data'],
        body: suggestionForm,
        response: { ...success('Passages, best first, or none.', suggestionResult), ...keyProblems(400, 422) },
      },
    },
    async (request, reply) => {
      const { fields } = await readForm(request, 'text')
      const { text, earlier, seen, session, host } = checkInput(suggestionForm, fields)
      const principal = principalOf(request)
      nameFence(reply, service.fenceId(principal))
      const named = { ...(session !== undefined && { session }), ...(host !== undefined && { host }) }
      return service.suggest(principal, { text, earlier, seen, ...named })
    },
  )
  app.post(
    '/v1/memories/briefing',
    {
      config: { use: 'recall' },
      schema: {
        operationId: 'brief',
        tags: ['Memories'],
        summary: 'Get a briefing for an agent session',
        description:
          'Extension, for agent hooks. The end of the last session in this project, recent decisions, open promises and preferences; empty for an unknown project.',
        consumes: ['multipart/form-data'],
        body: briefingForm,
        response: { ...success('Statements, or none.', briefingResult), ...keyProblems(400, 422) },
      },
    },
    async (request, reply) => {
      const { fields } = await readForm(request, 'folders')
      const { folders, repository, session, host } = checkInput(briefingForm, fields)
      const principal = principalOf(request)
      nameFence(reply, service.fenceId(principal))
      return service.brief(principal, {
        folders,
        ...(repository !== undefined && { repository }),
        ...(session !== undefined && { session }),
        ...(host !== undefined && { host }),
      })
    },
  )
}
