import type { Log } from '../../../lib/log.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { routeFor } from '../viewer.ts'

export interface WarmUp {
  /** Prepares the worker of this process for a text, if it has one. */
  readonly warmUp: () => Promise<void>
}

/** Called when a person begins to write a correction or a note, so that it is processed without waiting for a thread. */
export function warmUpRoute(scope: ApiServer, { warmUp, log }: WarmUp & { readonly log: Log }): void {
  scope.post('/app/api/warm-up', routeFor('member', {}), async (_request, reply) => {
    warmUp().catch((error) => log.error({ err: error }, 'the worker could not be warmed up'))
    return reply.code(204).send()
  })
}
