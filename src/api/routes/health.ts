import type { Service } from '../../service/service.ts'
import type { ApiServer } from '../server-types.ts'
import { health } from '../wire.ts'
import { problems, success } from './problem-responses.ts'

/** How long one look at the store answers for, so that probes cost nothing. */
const KEEP_MS = 1_000

export function healthRoute(app: ApiServer, service: Service): void {
  let checkedAt = Number.NEGATIVE_INFINITY
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
      if (performance.now() - checkedAt > KEEP_MS) {
        await service.health()
        checkedAt = performance.now()
      }
      return { status: 'healthy', message: 'The recalld platform API is running.' } as const
    },
  )
}
