import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { SourcesService } from '../../../connections/sources-contract.ts'
import { AppError } from '../../../domain/errors.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { importPiece, importRequest } from '../schemas/imports.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import { routeFor, viewerOf } from '../viewer.ts'

const ofOne = z.object({ id: z.string() })

/** Uploads of exports (decision 107), for those who may change sources. The bytes go to the disk as they arrive. */
export function importRoutes(scope: ApiServer, service: SourcesService): void {
  const begin = routeFor('administrator', { body: importRequest })
  scope.post('/app/api/imports', begin, async (request, reply): Promise<AnswerOf<'POST /imports'>> => {
    const begun = await service.beginImport(viewerOf(request), request.body)
    reply.code(201)
    return begun
  })

  const one = routeFor('administrator', { params: ofOne })
  scope.delete('/app/api/imports/:id', one, async (request, reply) => {
    await service.dropImport(viewerOf(request), request.params.id)
    return reply.code(204).send()
  })

  const complete = routeFor('administrator', { params: ofOne, body: importRequest })
  scope.post(
    '/app/api/imports/:id/complete',
    complete,
    async (request): Promise<AnswerOf<'POST /imports/:id/complete'>> => {
      return service.completeImport(viewerOf(request), request.params.id, request.body)
    },
  )

  void scope.register(async (pieces: ApiServer) => {
    pieces.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
    const piece = routeFor('administrator', { params: ofOne, querystring: importPiece })
    pieces.put('/app/api/imports/:id', piece, async (request, reply) => {
      const body = request.body as Readable | undefined
      if (body === undefined) throw new AppError('invalid', 'The piece of the file is missing.')
      await service.appendImport(viewerOf(request), request.params.id, { at: request.query.at, body })
      return reply.code(204).send()
    })
  })
}
