import { Readable } from 'node:stream'
import type { ItemRef } from '../../../service/library.ts'
import type { Service } from '../../../service/service.ts'
import { attachment } from '../../rest/answer-headers.ts'
import { checkInput, InputError } from '../../rest/problem.ts'
import { createUploadSlots, readForm, withUploadSlot } from '../../rest/read-form.ts'
import { memorizeFields } from '../../rest/schemas.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import {
  chunkPage,
  type ItemReference,
  itemExport,
  itemPage,
  itemReference,
  itemSelection,
  libraryQuery,
  tagSelection,
} from '../schemas/library.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import { routeFor, viewerOf } from '../viewer.ts'

/** The items of the account: the list, each item with its memories, and actions on it. */
export function libraryRoutes(scope: ApiServer, service: Service): void {
  listRoutes(scope, service)
  itemRoutes(scope, service)
}

function listRoutes(scope: ApiServer, { library, tags }: Service): void {
  const list = routeFor('member', { querystring: libraryQuery })
  scope.get('/app/api/library', list, async (request): Promise<AnswerOf<'GET /library'>> => {
    const { sources, states, text, tag, connector, ...page } = request.query
    return library.list(viewerOf(request).principal, {
      ...page,
      ...(sources !== undefined && sources.length > 0 && { sources }),
      ...(states !== undefined && states.length > 0 && { states }),
      ...(text !== undefined && { text }),
      ...(tag !== undefined && tag !== '' && { tag }),
      ...(connector !== undefined && connector !== '' && { connector }),
    })
  })

  const several = routeFor('member', { body: itemSelection })
  scope.post('/app/api/library/reprocess', several, async (request): Promise<AnswerOf<'POST /library/reprocess'>> => {
    return library.reprocess(viewerOf(request).principal, request.body.items.map(refOf))
  })

  scope.post('/app/api/library/forget', several, async (request): Promise<AnswerOf<'POST /library/forget'>> => {
    return library.forgetAll(viewerOf(request).principal, request.body.items.map(refOf))
  })

  scope.get('/app/api/library/tags', routeFor('member'), async (request): Promise<AnswerOf<'GET /library/tags'>> => {
    return { tags: await tags.list(viewerOf(request).principal) }
  })

  const brought = routeFor('member')
  scope.get('/app/api/library/connectors', brought, async (request): Promise<AnswerOf<'GET /library/connectors'>> => {
    return { connectors: await library.connectors(viewerOf(request).principal) }
  })

  const tagged = routeFor('member', { body: tagSelection })
  scope.post('/app/api/library/tags', tagged, async (request): Promise<AnswerOf<'POST /library/tags'>> => {
    const { items, ...change } = request.body
    return { changed: await tags.changeAll(viewerOf(request).principal, items.map(refOf), change) }
  })

  scope.post('/app/api/library/export', routeFor('member', { body: itemExport }), async (request, reply) => {
    const { items, format } = request.body
    const texts = await library.export(viewerOf(request).principal, items.map(refOf), format)
    const [type, ending] = format === 'jsonl' ? ['application/jsonl', 'jsonl'] : ['text/markdown', 'md']
    return reply
      .header('content-type', `${type}; charset=utf-8`)
      .header('content-disposition', attachment(`recalld-items.${ending}`))
      .header('x-content-type-options', 'nosniff')
      .send(Readable.from(texts))
  })

  scope.post(
    '/app/api/library/retry-failed',
    routeFor('member'),
    async (request): Promise<AnswerOf<'POST /library/retry-failed'>> => {
      return library.retryFailed(viewerOf(request).principal)
    },
  )
}

function itemRoutes(scope: ApiServer, service: Service): void {
  const { library } = service
  const one = routeFor('member', { params: itemReference })
  scope.get(
    '/app/api/library/:source/:item_id',
    one,
    async (request): Promise<AnswerOf<'GET /library/:source/:item_id'>> => {
      return library.read(viewerOf(request).principal, refOf(request.params))
    },
  )

  const paged = routeFor('member', { params: itemReference, querystring: itemPage })
  scope.get(
    '/app/api/library/:source/:item_id/memories',
    paged,
    async (request): Promise<AnswerOf<'GET /library/:source/:item_id/memories'>> => {
      return library.memories(viewerOf(request).principal, refOf(request.params), request.query)
    },
  )

  const chunks = routeFor('member', { params: itemReference, querystring: chunkPage })
  scope.get(
    '/app/api/library/:source/:item_id/chunks',
    chunks,
    async (request): Promise<AnswerOf<'GET /library/:source/:item_id/chunks'>> => {
      const { terms, ...page } = request.query
      return library.chunks(viewerOf(request).principal, refOf(request.params), page, terms)
    },
  )

  scope.get('/app/api/library/:source/:item_id/original', one, async (request, reply) => {
    const file = await service.download(viewerOf(request).principal, refOf(request.params))
    return reply
      .header('content-type', file.contentType)
      .header('content-disposition', attachment(file.fileName))
      .header('x-content-type-options', 'nosniff')
      .send(Buffer.from(file.body.buffer, file.body.byteOffset, file.body.byteLength))
  })

  scope.post(
    '/app/api/library/:source/:item_id/reprocess',
    one,
    async (request): Promise<AnswerOf<'POST /library/:source/:item_id/reprocess'>> => {
      return library.reprocess(viewerOf(request).principal, [refOf(request.params)])
    },
  )

  scope.delete(
    '/app/api/library/:source/:item_id',
    one,
    async (request): Promise<AnswerOf<'DELETE /library/:source/:item_id'>> => {
      return library.forget(viewerOf(request).principal, refOf(request.params))
    },
  )
}

function refOf({ source, item_id }: ItemReference): ItemRef {
  return { sourceType: source, itemId: item_id }
}

/** Large files of browsers in memory at a time, in addition to those of `/v1`: pages send three at once. */
const SLOTS = 6
const SLOT_WAIT_MS = 20_000

const uploadFields = memorizeFields.omit({ user_name: true })

/** `POST /app/api/library/upload`: one file, with the checks and limits of `/v1/memorize`, narrated by the viewer. */
export function libraryUploadRoute(scope: ApiServer, service: Service): void {
  const slots = createUploadSlots(SLOTS, SLOT_WAIT_MS)
  scope.post(
    '/app/api/library/upload',
    routeFor('member'),
    async (request, reply): Promise<AnswerOf<'POST /library/upload'>> => {
      const { principal, name } = viewerOf(request)
      await service.admitUpload(principal)
      await service.checkBilling(principal, 'upload')
      return withUploadSlot(slots, { raw: request.raw, accountId: principal.accountId }, async () => {
        const form = await readForm(request, 'file', { field: 'file', limit: (start) => service.uploadLimit(start) })
        const { file } = form
        if (file === undefined) throw new InputError('missing_field', [{ field: 'file', message: 'is required' }])
        const fields = checkInput(uploadFields, form.fields)
        if (file.refusal !== undefined) throw file.refusal
        const { item_id } = await service.memorize(principal, {
          body: file.body,
          fileName: file.fileName,
          contentType: file.contentType,
          userName: name,
          sourceType: fields.source_type,
          onConflict: fields.on_conflict,
          ...(fields.item_id !== undefined && { itemId: fields.item_id }),
        })
        reply.code(201)
        return { item_id, source: fields.source_type }
      })
    },
  )
}
