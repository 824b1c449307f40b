import type { z } from 'zod'
import { correctionResult, markResult, noteResult, undoResult } from '../../../domain/change-results.ts'
import { MEMORY_MARKS, type MemoryMark, type MemoryRef } from '../../../domain/memory.ts'
import type { SourceType } from '../../../domain/source-type.ts'
import type { Service } from '../../../service/service.ts'
import { guardSource, principalOf } from '../access.ts'
import { checkInput } from '../problem.ts'
import { readForm } from '../read-form.ts'
import { correctionForm, memoryParams, memoryQuery, noteForm } from '../schemas.ts'
import type { ApiServer } from '../server-types.ts'
import { keyProblems, success } from './problem-responses.ts'

const NAMED = { params: memoryParams, querystring: memoryQuery, tags: ['Memories'] }

/** Extension: corrections, notes, pins and hidden memories. */
export function correctionRoutes(app: ApiServer, service: Service): void {
  correctRoutes(app, service)
  noteRoutes(app, service)
  for (const mark of MEMORY_MARKS) markRoutes(app, service, mark)
}

function memoryOf(request: {
  readonly params: { readonly custom_id: string }
  readonly query: { readonly source_type?: SourceType | undefined }
}): MemoryRef {
  const { source_type: sourceType } = request.query
  return { customId: request.params.custom_id, ...(sourceType !== undefined && { sourceType }) }
}

function correctRoutes(app: ApiServer, service: Service): void {
  app.put(
    '/v1/memories/:custom_id/correction',
    {
      config: { use: 'upload' },
      preValidation: guardSource,
      schema: {
        ...NAMED,
        operationId: 'correctMemory',
        summary: 'Correct a memory',
        description:
          'Extension. Stores a new memory that replaces this one in every answer. It stays when the item is processed again.',
        consumes: ['multipart/form-data'],
        body: correctionForm,
        response: { ...success('Stored.', correctionResult), ...keyProblems(400, 403, 404, 422) },
      },
    },
    async (request) => {
      const { fields } = await readForm(request, 'text')
      const { text } = checkInput(correctionForm, fields)
      return service.edits.correct(principalOf(request), { memory: memoryOf(request), text })
    },
  )

  app.delete(
    '/v1/memories/:custom_id/correction',
    {
      preValidation: guardSource,
      schema: {
        ...NAMED,
        operationId: 'undoCorrection',
        summary: 'Undo the correction of a memory',
        description: 'Extension. Accepts the ID of the corrected memory or of the correction.',
        response: { ...success('Undone.', undoResult), ...keyProblems(400, 403, 404) },
      },
    },
    async (request) => service.edits.undoCorrection(principalOf(request), memoryOf(request)),
  )
}

function noteRoutes(app: ApiServer, service: Service): void {
  app.post(
    '/v1/memories/:custom_id/notes',
    {
      config: { use: 'upload' },
      preValidation: guardSource,
      schema: {
        ...NAMED,
        operationId: 'noteOnMemory',
        summary: 'Add a note to a memory',
        description:
          'Extension. Recall shows the memory with its notes, and finds each note as a memory of its own. The memory stays unchanged.',
        consumes: ['multipart/form-data'],
        body: noteForm,
        response: { ...success('Stored.', noteResult), ...keyProblems(400, 403, 404, 422) },
      },
    },
    async (request) => {
      const { fields } = await readForm(request, 'text')
      const { text } = checkInput(noteForm, fields)
      return service.edits.note(principalOf(request), { memory: memoryOf(request), text })
    },
  )

  app.delete(
    '/v1/memories/:custom_id/notes',
    {
      preValidation: guardSource,
      schema: {
        ...NAMED,
        operationId: 'undoNotes',
        summary: 'Delete the notes on a memory, or one note',
        description: 'Extension. The ID of a memory deletes all its notes, the ID of a note only that one.',
        response: { ...success('Undone.', undoResult), ...keyProblems(400, 403, 404) },
      },
    },
    async (request) => service.edits.undoNote(principalOf(request), memoryOf(request)),
  )
}

interface MarkDocumentation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly done: string
}

const MARKING: Readonly<Record<MemoryMark, Readonly<Record<'set' | 'undo', MarkDocumentation>>>> = {
  pin: {
    set: {
      operationId: 'pinMemory',
      summary: 'Pin a memory so that it ranks higher',
      description: 'Extension. Pinning it again has no effect.',
      done: 'Pinned.',
    },
    undo: { operationId: 'unpinMemory', summary: 'Unpin a memory', description: 'Extension.', done: 'Unpinned.' },
  },
  hide: {
    set: {
      operationId: 'hideMemory',
      summary: 'Hide a memory from every answer',
      description: 'Extension. Its item and its text stay. Hiding it again has no effect.',
      done: 'Hidden.',
    },
    undo: {
      operationId: 'unhideMemory',
      summary: 'Show a hidden memory again',
      description: 'Extension.',
      done: 'Shown again.',
    },
  },
}

function markRoutes(app: ApiServer, service: Service, mark: MemoryMark): void {
  const path = `/v1/memories/:custom_id/${mark}`
  const { set, undo } = MARKING[mark]
  const schema = <Result extends z.ZodType>({ done, ...documentation }: MarkDocumentation, result: Result) => ({
    preValidation: guardSource,
    schema: { ...NAMED, ...documentation, response: { ...success(done, result), ...keyProblems(400, 403, 404) } },
  })
  app.put(path, schema(set, markResult), async (request) =>
    service.edits.mark(principalOf(request), mark, memoryOf(request)),
  )
  app.delete(path, schema(undo, undoResult), async (request) =>
    service.edits.unmark(principalOf(request), mark, memoryOf(request)),
  )
}
