import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { ApiServer } from '../../api/server-types.ts'
import type { SourcesDesk } from '../sources-desk.ts'
import { requireAdmin, viewerOf } from '../viewer.ts'
import {
  type ConnectAnswer,
  type Connection,
  type ConnectionDetail,
  changeRequest,
  connectRequest,
  type FieldList,
  type Preview,
  previewRequest,
  type RemoveAnswer,
  type RetryAnswer,
  removeQuery,
  retryRequest,
  type Sources,
  syncRequest,
} from '../wire/sources.ts'

const ofOne = z.object({ connector: z.string(), name: z.string() })
const ofConnector = z.object({ id: z.string() })

/** The sources of this server: whoever looks at the memory that they fill sees them, administrators change them. */
export function sourcesRoutes(scope: ApiServer, desk: SourcesDesk): void {
  scope.get('/app/api/sources', { schema: { hide: true } }, async (request): Promise<Sources> => {
    return desk.sources(viewerOf(request))
  })

  const one = { schema: { hide: true, params: ofOne } } as const
  scope.get('/app/api/sources/:connector/:name', one, async (request): Promise<ConnectionDetail> => {
    return desk.connection(viewerOf(request), request.params)
  })

  const connector = { schema: { hide: true, params: ofConnector } } as const
  scope.get('/app/api/connectors/:id/fields', connector, async (request): Promise<FieldList> => {
    return desk.fields(viewerOf(request), request.params.id)
  })

  const connect = { schema: { hide: true, body: connectRequest } } as const
  scope.post('/app/api/sources', connect, async (request, reply): Promise<ConnectAnswer> => {
    const answer = await desk.connect(requireAdmin(request), request.body, whileWaited(reply))
    reply.code(201)
    return answer
  })

  const change = { schema: { hide: true, params: ofOne, body: changeRequest } } as const
  scope.patch('/app/api/sources/:connector/:name', change, async (request, reply): Promise<Connection> => {
    return desk.change(requireAdmin(request), request.params, request.body, whileWaited(reply))
  })

  const remove = { schema: { hide: true, params: ofOne, querystring: removeQuery } } as const
  scope.delete('/app/api/sources/:connector/:name', remove, async (request): Promise<RemoveAnswer> => {
    return desk.remove(requireAdmin(request), request.params, request.query)
  })
  previewRoutes(scope, desk)
  runRoutes(scope, desk)
}

function previewRoutes(scope: ApiServer, desk: SourcesDesk): void {
  const preview = { schema: { hide: true, params: ofOne, body: previewRequest } } as const
  scope.post('/app/api/sources/:connector/:name/preview', preview, async (request, reply): Promise<Preview> => {
    return desk.preview(requireAdmin(request), request.params, request.body, whileWaited(reply))
  })

  const previewNew = { schema: { hide: true, params: ofConnector, body: previewRequest } } as const
  scope.post('/app/api/connectors/:id/preview', previewNew, async (request, reply): Promise<Preview> => {
    return desk.previewNew(requireAdmin(request), request.params.id, request.body, whileWaited(reply))
  })
}

function runRoutes(scope: ApiServer, desk: SourcesDesk): void {
  const sync = { schema: { hide: true, params: ofOne, body: syncRequest } } as const
  scope.post('/app/api/sources/:connector/:name/sync', sync, async (request, reply) => {
    await desk.sync(requireAdmin(request), request.params, request.body)
    return reply.code(202).send()
  })

  const stop = { schema: { hide: true, params: ofOne } } as const
  scope.post('/app/api/sources/:connector/:name/stop', stop, async (request, reply) => {
    await desk.stop(requireAdmin(request), request.params)
    return reply.code(204).send()
  })

  const retry = { schema: { hide: true, params: ofOne, body: retryRequest } } as const
  scope.post('/app/api/sources/:connector/:name/retry', retry, async (request): Promise<RetryAnswer> => {
    return { retried: await desk.retry(requireAdmin(request), request.params, request.body) }
  })
}

/** Aborted when whoever asked has gone away. */
function whileWaited(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return gone.signal
}
