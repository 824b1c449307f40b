import type { FastifyRequest } from 'fastify'
import type { ApiServer } from '../api/server-types.ts'
import type { Log } from '../kit/log.ts'
import type { LiveEvents } from '../service/live-events.ts'
import type { Service } from '../service/service.ts'
import { appHeaders } from './content-security.ts'
import { eventsRoute } from './routes/events.ts'
import { staticFiles } from './static-files.ts'
import { requireViewer, type Viewer } from './viewer.ts'

export interface AppDoorOptions {
  readonly service: Service
  readonly live: LiveEvents
  readonly log: Log
  /** Of the built pages. */
  readonly folder: string
  readonly version: string
  /** Address under which people reach it. */
  readonly baseUrl: string
  /** Who looks, by the session; `undefined`: nobody is signed in. */
  readonly identify: (request: FastifyRequest) => Promise<Viewer | undefined>
}

/** `/app`: the pages, and what they call below `/app/api`. No key is accepted here, and no session by `/v1`. */
export function appDoor(server: ApiServer, options: AppDoorOptions): void {
  const { live, folder, identify } = options
  void server.register(async (scope: ApiServer) => {
    scope.decorateRequest('viewer', undefined)
    scope.addHook('onRequest', async (_request, reply) => appHeaders(reply))
    await staticFiles(scope, folder)
    await scope.register(async (api: ApiServer) => {
      api.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store')
        request.viewer = await identify(request)
      })
      await api.register(async (signedIn: ApiServer) => {
        signedIn.addHook('onRequest', requireViewer)
        eventsRoute(signedIn, live)
      })
    })
  })
}
