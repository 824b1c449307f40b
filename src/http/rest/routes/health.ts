import { z } from 'zod'
import { AppError } from '../../../domain/errors.ts'
import type { Readiness } from '../../../service/health.ts'
import type { Service } from '../../../service/service.ts'
import { health } from '../answer-schemas.ts'
import type { ApiServer } from '../server-types.ts'
import { problems, success } from './problem-responses.ts'

/** How long a check of the store is reused, so that probes cost nothing. */
const KEEP_MS = 1_000

export function healthRoute(app: ApiServer, service: Pick<Service, 'health' | 'hasDiskSpace'>): void {
  const check = async () => {
    await service.health()
    if (await service.hasDiskSpace()) return
    throw new AppError('unavailable', 'The disk is almost full, so uploads will soon fail. Free some space.', {
      retryAfterSeconds: 60,
    })
  }
  let last: { at: number; readonly look: Promise<void> } | undefined
  const look = (): Promise<void> => {
    if (last === undefined || performance.now() - last.at > KEEP_MS) {
      // Concurrent callers share a check in progress.
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
        summary: 'Check whether the service is running',
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
        summary: 'Check whether this process responds',
        description: 'Extension, for supervisors that restart a hanging process. Checks nothing else.',
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

const checks = z.record(z.string(), z.string()).meta({ description: '`ok` or the problem, by name of the check.' })

const ready = z
  .object({ status: z.enum(['ready', 'unready']), checks, detail: z.string().optional() })
  .meta({ id: 'Readiness', examples: [{ status: 'ready', checks: { store: 'ok', queue: 'ok', worker: 'ok' } }] })

/** Without a key, because probes have none; returns only names of checks and plain sentences. */
export function readyRoute(app: ApiServer, readiness: Readiness): void {
  app.get(
    '/v1/ready',
    {
      schema: {
        operationId: 'ready',
        tags: ['Health'],
        summary: 'Check whether this process is ready',
        description:
          'Extension, for load balancers and orchestrators. Ready means that the store can be read and written, the queue has room, and the roles of the process are running. `checks` lists each check, with 200 and 503 alike.',
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
