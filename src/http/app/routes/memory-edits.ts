import { MEMORY_MARKS, type MemoryMark, type MemoryRef } from '../../../domain/memory.ts'
import type { Service } from '../../../service/service.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { editPage, editReference, editText, type MemoryReference, memoryReference } from '../schemas/memory-edits.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import { routeFor, viewerOf } from '../viewer.ts'

const ONE = { params: memoryReference }

/** Corrects, annotates, pins and hides memories, for everyone who may upload and delete items. */
export function memoryEditRoutes(scope: ApiServer, { edits, editList }: Service): void {
  scope.get(
    '/app/api/edits',
    routeFor('member', { querystring: editPage }),
    (request): Promise<AnswerOf<'GET /edits'>> => {
      return editList.list(viewerOf(request).principal, request.query, true)
    },
  )

  scope.delete(
    '/app/api/edits/:id',
    routeFor('member', { params: editReference }),
    async (request): Promise<AnswerOf<'DELETE /edits/:id'>> => {
      const { undone } = await editList.undo(viewerOf(request).principal, request.params.id)
      return { undone }
    },
  )

  statementRoutes(scope, edits)

  for (const mark of MEMORY_MARKS) {
    const path = `/app/api/memories/:source/:custom_id/${mark}` as const
    scope.put(path, routeFor('member', ONE), async (request, reply) => {
      await edits.mark(viewerOf(request).principal, mark, refOf(request.params))
      return reply.code(204).send()
    })
    scope.delete(
      path,
      routeFor('member', ONE),
      async (request): Promise<AnswerOf<`DELETE /memories/:source/:custom_id/${MemoryMark}`>> => {
        const { undone } = await edits.unmark(viewerOf(request).principal, mark, refOf(request.params))
        return { undone }
      },
    )
  }
}

/** Corrections and notes, which have a text. */
function statementRoutes(scope: ApiServer, edits: Service['edits']): void {
  scope.put(
    '/app/api/memories/:source/:custom_id/correction',
    routeFor('member', { ...ONE, body: editText }),
    async (request): Promise<AnswerOf<'PUT /memories/:source/:custom_id/correction'>> => {
      const edit = { memory: refOf(request.params), text: request.body.text }
      const { item_id, source_type: source } = await edits.correct(viewerOf(request).principal, edit)
      return { item_id, source }
    },
  )

  scope.delete(
    '/app/api/memories/:source/:custom_id/correction',
    routeFor('member', ONE),
    async (request): Promise<AnswerOf<'DELETE /memories/:source/:custom_id/correction'>> => {
      const { undone } = await edits.undoCorrection(viewerOf(request).principal, refOf(request.params))
      return { undone }
    },
  )

  scope.post(
    '/app/api/memories/:source/:custom_id/notes',
    routeFor('member', { ...ONE, body: editText }),
    async (request): Promise<AnswerOf<'POST /memories/:source/:custom_id/notes'>> => {
      const note = { memory: refOf(request.params), text: request.body.text }
      const { item_id, source_type: source } = await edits.note(viewerOf(request).principal, note)
      return { item_id, source }
    },
  )

  scope.delete(
    '/app/api/memories/:source/:custom_id/notes',
    routeFor('member', ONE),
    async (request): Promise<AnswerOf<'DELETE /memories/:source/:custom_id/notes'>> => {
      const { undone } = await edits.undoNote(viewerOf(request).principal, refOf(request.params))
      return { undone }
    },
  )
}

function refOf({ source, custom_id }: MemoryReference): MemoryRef {
  return { customId: custom_id, sourceType: source }
}
