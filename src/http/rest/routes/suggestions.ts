import { suggestionResult } from '../../../domain/suggestions.ts'
import type { Service } from '../../../service/service.ts'
import { principalOf } from '../access.ts'
import { nameFence } from '../answer-headers.ts'
import { checkInput } from '../problem.ts'
import { readForm } from '../read-form.ts'
import { suggestionForm } from '../schemas.ts'
import type { ApiServer } from '../server-types.ts'
import { keyProblems, success } from './problem-responses.ts'

/** Extension: what an agent is shown before a prompt. */
export function suggestionRoutes(app: ApiServer, service: Service): void {
  app.post(
    '/v1/memories/suggestions',
    {
      config: { use: 'recall' },
      schema: {
        operationId: 'suggest',
        tags: ['Memories'],
        summary: 'Get passages for a prompt to an agent',
        description:
          'Extension, for hooks of agents. Usually empty: passages are returned only when they probably help.',
        consumes: ['multipart/form-data'],
        body: suggestionForm,
        response: { ...success('Passages, best first, or none.', suggestionResult), ...keyProblems(400, 422) },
      },
    },
    async (request, reply) => {
      const { fields } = await readForm(request, 'text')
      const { text, earlier, seen, session } = checkInput(suggestionForm, fields)
      const principal = principalOf(request)
      nameFence(reply, service.fenceId(principal))
      return service.suggest(principal, { text, earlier, seen, ...(session !== undefined && { session }) })
    },
  )
}
