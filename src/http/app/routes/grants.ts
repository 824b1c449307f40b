import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { GrantsService } from '../../../connections/sources-contract.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { routeFor } from '../route-for.ts'
import {
  beginRequest,
  completeRequest,
  deviceRequest,
  type Grants,
  type PendingGrant,
  type RevokeAnswer,
} from '../schemas/grants.ts'
import { viewerOf } from '../viewer.ts'

const ofOne = z.object({ id: z.string() })

/** Access that is granted in a browser. Administrators give it and take it away. */
export function grantsRoutes(scope: ApiServer, desk: GrantsService): void {
  scope.get('/app/api/grants', routeFor('member'), async (request): Promise<Grants> => {
    return desk.grants(viewerOf(request), addressOf(request))
  })

  const begin = routeFor('administrator', { body: beginRequest })
  scope.post('/app/api/grants/begin', begin, async (request): Promise<PendingGrant> => {
    return desk.begin(viewerOf(request), request.body, addressOf(request))
  })

  const device = routeFor('administrator', { body: deviceRequest })
  scope.post('/app/api/grants/device', device, async (request): Promise<PendingGrant> => {
    return desk.beginDevice(viewerOf(request), request.body)
  })

  const complete = routeFor('administrator', { body: completeRequest })
  scope.post('/app/api/grants/complete', complete, async (request): Promise<PendingGrant> => {
    return desk.complete(viewerOf(request), request.body.address)
  })

  const one = routeFor('administrator', { params: ofOne })
  scope.get('/app/api/grants/pending/:id', one, async (request): Promise<PendingGrant> => {
    return desk.pending(viewerOf(request), request.params.id)
  })
  scope.delete('/app/api/grants/pending/:id', one, async (request, reply) => {
    await desk.giveUp(viewerOf(request), request.params.id)
    return reply.code(204).send()
  })
  scope.delete('/app/api/grants/:id', one, async (request): Promise<RevokeAnswer> => {
    return desk.revoke(viewerOf(request), request.params.id)
  })
}

/** Under which the browser sees the app. A proxy that speaks TLS has another host than this machine's own. */
function addressOf({ headers, host }: FastifyRequest): string {
  const { origin } = headers
  return typeof origin === 'string' && URL.canParse(origin) ? origin : `http://${host}`
}
