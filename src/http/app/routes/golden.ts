import type { Service } from '../../../service/service.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { goldenReference, newGoldenQuestion } from '../schemas/golden.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import { routeFor, viewerOf } from '../viewer.ts'

/** Golden questions of the account, from answers that somebody called useful or wrong. */
export function goldenRoutes(scope: ApiServer, { golden }: Service): void {
  scope.post(
    '/app/api/golden',
    routeFor('member', { body: newGoldenQuestion }),
    async (request, reply): Promise<AnswerOf<'POST /golden'>> => {
      const { question, context, items } = request.body
      const number = await golden.add({
        account: viewerOf(request).principal.accountId,
        question,
        ...(context !== undefined && { context }),
        items: items.map(({ source, item_id: itemId }) => ({ sourceType: source, itemId })),
      })
      reply.code(201)
      return { number }
    },
  )

  scope.delete('/app/api/golden/:number', routeFor('member', { params: goldenReference }), async (request, reply) => {
    await golden.remove({ account: viewerOf(request).principal.accountId, number: request.params.number })
    return reply.code(204).send()
  })
}
