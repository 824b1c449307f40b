import { AppError } from '../../../domain/errors.ts'
import type { Service } from '../../../service/service.ts'
import { health } from '../schemas.ts'
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
