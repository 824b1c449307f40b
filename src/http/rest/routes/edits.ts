import { undoResult } from '../../../domain/change-results.ts'
import type { Service } from '../../../service/service.ts'
import { principalOf } from '../access.ts'
import { editListResult, editParams, editsQuery } from '../schemas.ts'
import type { ApiServer } from '../server-types.ts'
import { keyProblems, success } from './problem-responses.ts'

const tags = ['Memories']

/** Extension: what people changed, in one place. */
export function editRoutes(app: ApiServer, { editList }: Service): void {
  app.get(
    '/v1/memories/edits',
    {
      config: { use: 'recall' },
      schema: {
        tags,
        operationId: 'listEdits',
        summary: 'List corrections, notes, pins and hidden memories',
        description:
          'Extension. Newest first, from the sources that the key can read. The texts of hidden memories are left out.',
        querystring: editsQuery,
        response: { ...success('A page of them.', editListResult), ...keyProblems(400) },
      },
    },
    async (request) => {
      const { kind, limit, offset } = request.query
      return editList.list(principalOf(request), { limit, offset, ...(kind !== undefined && { kind }) })
    },
  )

  app.delete(
    '/v1/memories/edits/:id',
    {
      schema: {
        tags,
        operationId: 'undoEdit',
        summary: 'Undo a correction, a note, a pin or a hidden memory',
        description: 'Extension. Works even if the item no longer has the memory.',
        params: editParams,
        response: { ...success('Undone.', undoResult), ...keyProblems(400, 403, 404) },
      },
    },
    async (request) => editList.undo(principalOf(request), request.params.id),
  )
}
