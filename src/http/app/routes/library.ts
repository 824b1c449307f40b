import type { ItemRef } from '../../../service/library.ts'
import type { Service } from '../../../service/service.ts'
import { attachment } from '../../rest/attachment.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { routeFor } from '../route-for.ts'
import {
  type ForgetReceipt,
  type ItemChunks,
  type ItemFacts,
  type ItemMemories,
  type ItemReference,
  itemPage,
  itemReference,
  itemSelection,
  type LibraryList,
  libraryQuery,
  type QueuedItems,
} from '../schemas/library.ts'
import { viewerOf } from '../viewer.ts'

/** Everything that the account holds: the list, each item with what was made of it, and what can be done with it. */
export function libraryRoutes(scope: ApiServer, service: Service): void {
  listRoutes(scope, service)
  itemRoutes(scope, service)
}

function listRoutes(scope: ApiServer, { library }: Service): void {
  const list = routeFor('member', { querystring: libraryQuery })
  scope.get('/app/api/library', list, async (request): Promise<LibraryList> => {
    const { sources, states, text, ...page } = request.query
    return library.list(viewerOf(request).principal, {
      ...page,
      ...(sources !== undefined && sources.length > 0 && { sources }),
      ...(states !== undefined && states.length > 0 && { states }),
      ...(text !== undefined && { text }),
    })
  })

  const several = routeFor('member', { body: itemSelection })
  scope.post('/app/api/library/reprocess', several, async (request): Promise<QueuedItems> => {
    return library.reprocess(viewerOf(request).principal, request.body.items.map(refOf))
  })

  scope.post('/app/api/library/retry-failed', routeFor('member'), async (request): Promise<QueuedItems> => {
    return library.retryFailed(viewerOf(request).principal)
  })
}

function itemRoutes(scope: ApiServer, service: Service): void {
  const { library } = service
  const one = routeFor('member', { params: itemReference })
  scope.get('/app/api/library/:source/:item_id', one, async (request): Promise<ItemFacts> => {
    return library.read(viewerOf(request).principal, refOf(request.params))
  })

  const paged = routeFor('member', { params: itemReference, querystring: itemPage })
  scope.get('/app/api/library/:source/:item_id/memories', paged, async (request): Promise<ItemMemories> => {
    return library.memories(viewerOf(request).principal, refOf(request.params), request.query)
  })

  scope.get('/app/api/library/:source/:item_id/chunks', paged, async (request): Promise<ItemChunks> => {
    return library.chunks(viewerOf(request).principal, refOf(request.params), request.query)
  })

  scope.get('/app/api/library/:source/:item_id/original', one, async (request, reply) => {
    const file = await service.download(viewerOf(request).principal, refOf(request.params))
    return reply
      .header('content-type', file.contentType)
      .header('content-disposition', attachment(file.fileName))
      .header('x-content-type-options', 'nosniff')
      .send(Buffer.from(file.body.buffer, file.body.byteOffset, file.body.byteLength))
  })

  scope.post('/app/api/library/:source/:item_id/reprocess', one, async (request): Promise<QueuedItems> => {
    return library.reprocess(viewerOf(request).principal, [refOf(request.params)])
  })

  scope.delete('/app/api/library/:source/:item_id', one, async (request): Promise<ForgetReceipt> => {
    return library.forget(viewerOf(request).principal, refOf(request.params))
  })
}

function refOf({ source, item_id }: ItemReference): ItemRef {
  return { sourceType: source, itemId: item_id }
}
