import { tagResult } from '../../../domain/change-results.ts'
import { fileList, forgetResult } from '../../../domain/results.ts'
import type { Service } from '../../../service/service.ts'
import { guardSource, principalOf } from '../access.ts'
import { attachment, nameFence } from '../answer-headers.ts'
import { originalFile } from '../answer-schemas.ts'
import { checkInput } from '../problem.ts'
import { readForm } from '../read-form.ts'
import { downloadQuery, fileParams, listQuery, tagForm } from '../schemas.ts'
import type { ApiServer } from '../server-types.ts'
import { keyProblems, success } from './problem-responses.ts'

export function filesRoutes(app: ApiServer, service: Service): void {
  listRoute(app, service)
  downloadRoute(app, service)
  deleteRoute(app, service)
  tagRoutes(app, service)
}

function listRoute(app: ApiServer, service: Service): void {
  app.get(
    '/v1/files/list',
    {
      preValidation: guardSource,
      schema: {
        operationId: 'listFiles',
        tags: ['Files'],
        summary: 'List the uploaded files of a source with their status',
        querystring: listQuery,
        response: { ...success('A page of files, newest first.', fileList), ...keyProblems(400, 403, 422) },
      },
    },
    async (request) => {
      const { source_type: sourceType, connector, tag, limit, offset } = request.query
      const query = { sourceType, limit, offset, ...(connector && { connector }), ...(tag && { tag }) }
      return service.list(principalOf(request), query)
    },
  )
}

function downloadRoute(app: ApiServer, service: Service): void {
  app.get(
    '/v1/files/download',
    {
      preValidation: guardSource,
      schema: {
        operationId: 'downloadFile',
        tags: ['Files'],
        summary: 'Download an uploaded file',
        querystring: downloadQuery,
        response: {
          200: {
            description: 'The file as uploaded, with its content type.',
            content: { 'application/octet-stream': { schema: originalFile } },
          },
          ...keyProblems(400, 403, 404, 422),
        },
      },
    },
    async (request, reply) => {
      const { item_id: itemId, source_type: sourceType } = request.query
      const principal = principalOf(request)
      const file = await service.download(principal, { itemId, ...(sourceType && { sourceType }) })
      const body = Buffer.from(file.body.buffer, file.body.byteOffset, file.body.byteLength)
      nameFence(reply, service.fenceId(principal))
      return reply
        .header('content-type', file.contentType)
        .header('content-disposition', attachment(file.fileName))
        .send(body)
    },
  )
}

function deleteRoute(app: ApiServer, service: Service): void {
  app.delete(
    '/v1/files/:source_type/:item_id',
    {
      preValidation: guardSource,
      schema: {
        operationId: 'deleteFile',
        tags: ['Files'],
        summary: 'Delete a file with its memories',
        description: 'Permanent. Once this returns, the file can no longer be recalled.',
        params: fileParams,
        response: { ...success('Deleted.', forgetResult), ...keyProblems(400, 403, 404) },
      },
    },
    async (request) => {
      const { source_type: sourceType, item_id: itemId } = request.params
      return service.forget(principalOf(request), { sourceType, itemId })
    },
  )
}

/** Extension. */
function tagRoutes(app: ApiServer, service: Service): void {
  app.get(
    '/v1/files/:source_type/:item_id/tags',
    {
      preValidation: guardSource,
      schema: {
        operationId: 'fileTags',
        tags: ['Files'],
        summary: 'List the tags of a file',
        description: 'Extension.',
        params: fileParams,
        response: { ...success('All tags of the file.', tagResult), ...keyProblems(400, 403, 404) },
      },
    },
    async (request) => {
      const { source_type: sourceType, item_id: itemId } = request.params
      return service.tags.read(principalOf(request), { sourceType, itemId })
    },
  )

  app.post(
    '/v1/files/:source_type/:item_id/tags',
    {
      preValidation: guardSource,
      schema: {
        operationId: 'tagFile',
        tags: ['Files'],
        summary: 'Add and remove tags of a file',
        description:
          'Extension. Case does not matter; the first spelling is shown. Tags stay when the file is replaced or processed again. A file can have 20.',
        consumes: ['multipart/form-data'],
        params: fileParams,
        body: tagForm,
        response: { ...success('All tags of the file.', tagResult), ...keyProblems(400, 403, 404, 422) },
      },
    },
    async (request) => {
      const { source_type: sourceType, item_id: itemId } = request.params
      const { fields } = await readForm(request, 'add')
      return service.tags.change(principalOf(request), { sourceType, itemId, ...checkInput(tagForm, fields) })
    },
  )
}
