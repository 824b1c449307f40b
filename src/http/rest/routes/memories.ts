import type { Service } from '../../../service/service.ts'
import { principalOf, requireSourceOf } from '../access.ts'
import { checkInput } from '../check-input.ts'
import { nameFence } from '../name-fence.ts'
import { readForm } from '../read-form.ts'
import { askForm, askResult, recallForm, recallResult } from '../schemas.ts'
import type { ApiServer } from '../server-types.ts'
import { keyProblems, success } from './problem-responses.ts'

export function memoriesRoutes(app: ApiServer, service: Service): void {
  app.post(
    '/v1/memories/recall',
    {
      config: { use: 'recall' },
      schema: {
        operationId: 'recall',
        tags: ['Memories'],
        summary: 'Find memories by a description in your own words',
        description: 'Best first. An empty list is a valid answer: nothing fits, or processing has not finished yet.',
        consumes: ['multipart/form-data'],
        body: recallForm,
        response: { ...success('Memories, best first.', recallResult), ...keyProblems(400, 403, 422) },
      },
    },
    async (request, reply) => {
      const { fields } = await readForm(request, 'text')
      requireSourceOf(request, fields.source, 'source')
      const { text, source, limit, since, until } = checkInput(recallForm, fields)
      const query = {
        text,
        limit,
        ...(source !== undefined && { source }),
        ...(since !== undefined && { since }),
        ...(until !== undefined && { until }),
      }
      const principal = principalOf(request)
      nameFence(reply, service.fenceId(principal))
      return service.recall(principal, query, { traceId: request.id })
    },
  )

  app.post(
    '/v1/memories/ask',
    {
      config: { use: 'ask' },
      schema: {
        operationId: 'ask',
        tags: ['Memories'],
        summary: 'Answer a question from the memories that fit best',
        consumes: ['multipart/form-data'],
        body: askForm,
        response: { ...success('An answer, or that nothing is known.', askResult), ...keyProblems(400, 422) },
      },
    },
    async (request, reply) => {
      const { fields } = await readForm(request, 'text')
      const { text, citations } = checkInput(askForm, fields)
      const principal = principalOf(request)
      nameFence(reply, service.fenceId(principal))
      const answer = await service.ask(principal, { text }, { traceId: request.id })
      // The specification gives the answer one field; what goes beyond it has to be asked for.
      return citations === 'true' ? answer : { response: answer.response }
    },
  )
}
