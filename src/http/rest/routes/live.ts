import { z } from 'zod'
import type { ApiServer } from '../server-types.ts'
import { problems, success } from './problem-responses.ts'

const live = z.object({ status: z.literal('live') }).meta({ id: 'Liveness', examples: [{ status: 'live' }] })

/** Asks nothing of the store: a process that waits for its database need not be started anew. */
export function liveRoute(app: ApiServer): void {
  app.get(
    '/v1/live',
    {
      schema: {
        operationId: 'live',
        tags: ['Health'],
        summary: 'Whether this process answers',
        description:
          'An extension, for supervisors that start a process anew when it hangs: nothing else is looked at.',
        security: [],
        response: { ...success('It does.', live), ...problems(500, 503) },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return { status: 'live' } as const
    },
  )
}
