import { z } from 'zod'
import { AppError } from '../../../domain/errors.ts'
import type { Readiness } from '../../../service/health.ts'
import type { Service } from '../../../service/service.ts'
import { health } from '../answer-schemas.ts'
import type { ApiServer } from '../server-types.ts'
import { problems, success } from './problem-responses.ts'

/** How long one look at the store answers for, whether it went well or not, so that probes cost nothing. */
const KEEP_MS = 1_000

export function healthRoute(app: ApiServer, service: Pick<Service, 'health' | 'hasDiskSpace'>): void {
  const check = async () => {
    await service.health()
    if (await service.hasDiskSpace()) return
    throw new AppError('unavailable', 'The disk is almost full, and uploads are about to fail: free some space', {
      retryAfterSeconds: 60,
    })
  }
  let last: { at: number; readonly look: Promise<void> } | undefined
  const look = (): Promise<void> => {
    if (last === undefined || performance.now() - last.at > KEEP_MS) {
      // One that takes its time is waited for by all who ask meanwhile.
      const begun = { at: Number.POSITIVE_INFINITY, look: check() }
      const ended = () => {
        begun.at = performance.now()
      }
      begun.look.then(ended, ended)
      last = begun
    }
    return last.look
  }
  app.get(
    '/v1/health',
    {
      schema: {
        operationId: 'health',
        tags: ['Health'],
        summary: 'Whether the service is running',
        security: [],
        response: { ...success('The service is running.', health), ...problems(500, 503) },
      },
    },
    async () => {
      await look()
      return { status: 'healthy', message: 'The recalld platform API is running.' } as const
    },
  )
}

const live = z.object({ status: z.literal('live') }).meta({ id: 'Liveness', examples: [{ status: 'live' }] })

/** Does not query the store: a process that waits for its database need not be restarted. */
export function liveRoute(app: ApiServer): void {
  app.get(
    '/v1/live',
    {
      schema: {
        operationId: 'live',
        tags: ['Health'],
        summary: 'Whether this process answers',
        description: 'An extension, for supervisors that restart a hanging process: nothing else is checked.',
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
