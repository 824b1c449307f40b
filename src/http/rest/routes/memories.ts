import type { MemoryFilters } from '../../../domain/memory.ts'
import { askResult, openResult, recallResult, recentResult, uploadResult } from '../../../domain/results.ts'
import { DEFAULT_SOURCE_TYPE } from '../../../domain/source-type.ts'
import type { Service } from '../../../service/service.ts'
import { principalOf, requireSourceOf } from '../access.ts'
import { nameFence } from '../answer-headers.ts'
import { checkInput, InputError } from '../problem.ts'
import { type Form, readForm, type UploadSlots, withUploadSlot } from '../read-form.ts'
import { askForm, memorizeFields, memorizeForm, openQuery, recallForm, recentQuery } from '../schemas.ts'
import type { ApiServer } from '../server-types.ts'
import { keyProblems, success } from './problem-responses.ts'

export function memoriesRoutes(app: ApiServer, service: Service): void {
  recallRoute(app, service)
  askRoute(app, service)
}

function recallRoute(app: ApiServer, service: Service): void {
  app.post(
    '/v1/memories/recall',
    {
      config: { use: 'recall' },
      schema: {
        operationId: 'recall',
        tags: ['Memories'],
        summary: 'Recall memories',
        description:
          'Finds memories by a description in your own words, best first. The list is empty when nothing matches, or while uploads are still being processed.',
        consumes: ['multipart/form-data'],
        body: recallForm,
        response: { ...success('Memories, best first.', recallResult), ...keyProblems(400, 403, 422) },
      },
    },
    async (request, reply) => {
      const { fields } = await readForm(request, 'text')
      requireSourceOf(request, fields.source, 'source')
      const { text, source, limit, as_of: asOf, ...bounds } = checkInput(recallForm, fields)
      const query = {
        text,
        limit,
        ...(source !== undefined && { source }),
        ...filtersOf(bounds),
        ...(asOf !== undefined && { asOf }),
      }
      const principal = principalOf(request)
      nameFence(reply, service.fenceId(principal))
      return service.recall(principal, query, { traceId: request.id })
    },
  )
}

function askRoute(app: ApiServer, service: Service): void {
  app.post(
    '/v1/memories/ask',
    {
      config: { use: 'ask' },
      schema: {
        operationId: 'ask',
        tags: ['Memories'],
        summary: 'Answer a question from your memories',
        consumes: ['multipart/form-data'],
        body: askForm,
        response: { ...success('An answer, or that nothing is known.', askResult), ...keyProblems(400, 422) },
      },
    },
    async (request, reply) => {
      const { fields } = await readForm(request, 'text')
      const { text, citations, as_of: asOf, context, ...bounds } = checkInput(askForm, fields)
      const principal = principalOf(request)
      nameFence(reply, service.fenceId(principal))
      const question = {
        text,
        ...filtersOf(bounds),
        ...(asOf !== undefined && { asOf }),
        ...(context !== undefined && { context }),
      }
      const answer = await service.ask(principal, question, { traceId: request.id })
      // The specification's answer has one field; extensions must be requested.
      return citations === 'true' ? answer : { response: answer.response }
    },
  )
}

/** Without those that are empty: clients send the fields of a form that nobody filled in. */
function filtersOf(
  given: {
    readonly [name in keyof MemoryFilters]?: string | undefined
  },
): { readonly [name in keyof MemoryFilters]: string } {
  const { since, until, person, project, connector, tag } = given
  return {
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(person !== undefined && person !== '' && { person }),
    ...(project !== undefined && project !== '' && { project }),
    ...(connector !== undefined && connector !== '' && { connector }),
    ...(tag !== undefined && tag !== '' && { tag }),
  }
}

/** Extension. */
export function recentRoute(app: ApiServer, service: Service): void {
  app.get(
    '/v1/memories/recent',
    {
      schema: {
        operationId: 'recentMemories',
        tags: ['Memories'],
        summary: 'List recent passages',
        description:
          'Extension. The end of the latest items, alternating between sources so that a large source does not hide the others.',
        querystring: recentQuery,
        response: { ...success('The passages.', recentResult), ...keyProblems(400, 403, 422) },
      },
    },
    async (request, reply) => {
      const { source, limit, ...bounds } = request.query
      requireSourceOf(request, source, 'source')
      const principal = principalOf(request)
      nameFence(reply, service.fenceId(principal))
      return service.recent(principal, { limit, ...(source !== undefined && { source }), ...filtersOf(bounds) })
    },
  )
}

/** Extension. */
export function openRoute(app: ApiServer, service: Service): void {
  app.get(
    '/v1/memories/passages',
    {
      schema: {
        operationId: 'openPassages',
        tags: ['Memories'],
        summary: 'Read the passages around one',
        description: 'Extension. Returns the passages around a handle, in the order of the text.',
        querystring: openQuery,
        response: { ...success('The passages.', openResult), ...keyProblems(400, 404, 422) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      nameFence(reply, service.fenceId(principal))
      return service.open(principal, request.query)
    },
  )
}

export function memorizeRoute(app: ApiServer, service: Service, slots: UploadSlots): void {
  app.post(
    '/v1/memorize',
    {
      config: { use: 'upload' },
      schema: {
        operationId: 'memorize',
        tags: ['Memories'],
        summary: 'Upload a file',
        description:
          'Returns when the file is stored; its memories can be recalled a moment later. Use a stable `item_id` to avoid duplicates.',
        consumes: ['multipart/form-data'],
        body: memorizeForm,
        response: { ...success('Stored; processing begins.', uploadResult), ...keyProblems(400, 403, 409, 422) },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      await service.admitUpload(principal)
      return withUploadSlot(slots, { raw: request.raw, accountId: principal.accountId }, async () => {
        const form = await readForm(request, 'file', { field: 'file', limit: (start) => service.uploadLimit(start) })
        requireSourceOf(request, form.fields.source_type ?? DEFAULT_SOURCE_TYPE, 'source_type')
        const { file, fields } = checkedForm(form)
        return service.memorize(principal, {
          body: file.body,
          fileName: file.fileName,
          contentType: file.contentType,
          userName: fields.user_name,
          sourceType: fields.source_type,
          onConflict: fields.on_conflict,
          priority: fields.priority,
          ...(fields.item_id !== undefined && { itemId: fields.item_id }),
          ...(fields.agent !== undefined && { agent: fields.agent }),
          ...(fields.connector && { connector: fields.connector }),
        })
      })
    },
  )
}

function checkedForm({ file, fields }: Form) {
  if (file === undefined) {
    const message = 'file' in fields ? 'must be sent as a file: give the part a filename' : 'is required'
    const others = memorizeFields.safeParse(fields).success || 'user_name' in fields
    throw new InputError('missing_field', [
      { field: 'file', message },
      ...(others ? [] : [{ field: 'user_name', message: 'is required' }]),
    ])
  }
  const checked = checkInput(memorizeFields, fields)
  if (file.refusal !== undefined) throw file.refusal
  return { file, fields: checked }
}
