import { z } from 'zod'
import type { Readiness } from '../../../service/readiness.ts'
import type { ApiServer } from '../server-types.ts'
import { problems, success } from './problem-responses.ts'

const checks = z.record(z.string(), z.string()).meta({ description: '`ok`, or what is wrong, by name of the check.' })

const ready = z
  .object({ status: z.enum(['ready', 'unready']), checks, detail: z.string().optional() })
  .meta({ id: 'Readiness', examples: [{ status: 'ready', checks: { store: 'ok', queue: 'ok', worker: 'ok' } }] })

/** Without a key, as probes have none; it tells names of checks and plain sentences, no more. */
export function readyRoute(app: ApiServer, readiness: Readiness): void {
  app.get(
    '/v1/ready',
    {
      schema: {
        operationId: 'ready',
        tags: ['Health'],
        summary: 'Whether this process can do its part now',
        description:
          'An extension, for load balancers and orchestrators: the store can be read and written, the queue has room, and what the process is to run is running. An answer of 503 names what fails in `checks`, as one of 200 does.',
        security: [],
        response: { ...success('It can.', ready), ...problems(500, 503) },
      },
    },
    async (_request, reply) => {
      const found = await readiness.check()
      const told = Object.fromEntries([...found].map(([name, problem]) => [name, problem ?? 'ok']))
      const failing = [...found.values()].filter((problem) => problem !== undefined)
      reply.header('cache-control', 'no-store')
      if (failing.length === 0) return { status: 'ready' as const, checks: told }
      const detail = `Not ready: ${failing.join('; ')}.`
      return reply
        .code(503)
        .header('retry-after', 5)
        .send({ status: 'unready' as const, detail, checks: told })
    },
  )
}
