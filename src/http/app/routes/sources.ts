import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { GrantsService, SourcesService } from '../../../connections/sources-contract.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { beginRequest, completeRequest, deviceRequest } from '../schemas/grants.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import {
  changeRequest,
  connectRequest,
  previewRequest,
  removeQuery,
  retryRequest,
  syncRequest,
} from '../schemas/sources.ts'
import { routeFor, viewerOf } from '../viewer.ts'

const ofOne = z.object({ connector: z.string(), name: z.string() })
const ofConnector = z.object({ id: z.string() })

/** The sources of this server: members of the account they sync into see them, administrators change them. */
export function sourcesRoutes(scope: ApiServer, service: SourcesService): void {
  viewRoutes(scope, service)
  changeRoutes(scope, service)
}

function viewRoutes(scope: ApiServer, service: SourcesService): void {
  scope.get('/app/api/sources', routeFor('member'), async (request): Promise<AnswerOf<'GET /sources'>> => {
    return service.sources(viewerOf(request))
  })

  scope.get(
    '/app/api/sources/attention',
    routeFor('member'),
    async (request): Promise<AnswerOf<'GET /sources/attention'>> => {
      return service.attention(viewerOf(request))
    },
  )

  const one = routeFor('member', { params: ofOne })
  scope.get(
    '/app/api/sources/:connector/:name',
    one,
    async (request): Promise<AnswerOf<'GET /sources/:connector/:name'>> => {
      return service.connection(viewerOf(request), request.params)
    },
  )

  const connector = routeFor('member', { params: ofConnector })
  scope.get(
    '/app/api/connectors/:id/fields',
    connector,
    async (request): Promise<AnswerOf<'GET /connectors/:id/fields'>> => {
      return service.fields(viewerOf(request), request.params.id)
    },
  )
}

function changeRoutes(scope: ApiServer, service: SourcesService): void {
  const connect = routeFor('administrator', { body: connectRequest })
  scope.post('/app/api/sources', connect, async (request, reply): Promise<AnswerOf<'POST /sources'>> => {
    const answer = await service.connect(viewerOf(request), request.body, whileWaited(reply))
    reply.code(201)
    return answer
  })

  scope.post('/app/api/sources/check', connect, async (request, reply): Promise<AnswerOf<'POST /sources/check'>> => {
    return service.check(viewerOf(request), request.body, whileWaited(reply))
  })

  const change = routeFor('administrator', { params: ofOne, body: changeRequest })
  scope.patch(
    '/app/api/sources/:connector/:name',
    change,
    async (request, reply): Promise<AnswerOf<'PATCH /sources/:connector/:name'>> => {
      return service.change(viewerOf(request), request.params, request.body, whileWaited(reply))
    },
  )

  const remove = routeFor('administrator', { params: ofOne, querystring: removeQuery })
  scope.delete(
    '/app/api/sources/:connector/:name',
    remove,
    async (request): Promise<AnswerOf<'DELETE /sources/:connector/:name'>> => {
      return service.remove(viewerOf(request), request.params, request.query)
    },
  )
  previewRoutes(scope, service)
  choiceRoutes(scope, service)
  runRoutes(scope, service)
  alertRoutes(scope, service)
}

function alertRoutes(scope: ApiServer, service: SourcesService): void {
  scope.get('/app/api/alerts', routeFor('administrator'), (): Promise<AnswerOf<'GET /alerts'>> => service.alerts())

  scope.post(
    '/app/api/alerts/test',
    routeFor('administrator'),
    (): Promise<AnswerOf<'POST /alerts/test'>> => service.testAlerts(),
  )
}

function previewRoutes(scope: ApiServer, service: SourcesService): void {
  const preview = routeFor('administrator', { params: ofOne, body: previewRequest })
  scope.post(
    '/app/api/sources/:connector/:name/preview',
    preview,
    async (request, reply): Promise<AnswerOf<'POST /sources/:connector/:name/preview'>> => {
      return service.preview(viewerOf(request), request.params, request.body, whileWaited(reply))
    },
  )

  const previewNew = routeFor('administrator', { params: ofConnector, body: previewRequest })
  scope.post(
    '/app/api/connectors/:id/preview',
    previewNew,
    async (request, reply): Promise<AnswerOf<'POST /connectors/:id/preview'>> => {
      return service.previewNew(viewerOf(request), request.params.id, request.body, whileWaited(reply))
    },
  )
}

function choiceRoutes(scope: ApiServer, service: SourcesService): void {
  const choices = routeFor('administrator', { params: ofOne, body: previewRequest })
  scope.post(
    '/app/api/sources/:connector/:name/choices',
    choices,
    async (request, reply): Promise<AnswerOf<'POST /sources/:connector/:name/choices'>> => {
      return service.choices(viewerOf(request), request.params, request.body, whileWaited(reply))
    },
  )

  const choicesNew = routeFor('administrator', { params: ofConnector, body: previewRequest })
  scope.post(
    '/app/api/connectors/:id/choices',
    choicesNew,
    async (request, reply): Promise<AnswerOf<'POST /connectors/:id/choices'>> => {
      return service.choicesNew(viewerOf(request), request.params.id, request.body, whileWaited(reply))
    },
  )
}

function runRoutes(scope: ApiServer, service: SourcesService): void {
  const sync = routeFor('administrator', { params: ofOne, body: syncRequest })
  scope.post('/app/api/sources/:connector/:name/sync', sync, async (request, reply) => {
    await service.sync(viewerOf(request), request.params, request.body)
    return reply.code(202).send()
  })

  const stop = routeFor('administrator', { params: ofOne })
  scope.post('/app/api/sources/:connector/:name/stop', stop, async (request, reply) => {
    await service.stop(viewerOf(request), request.params)
    return reply.code(204).send()
  })

  const retry = routeFor('administrator', { params: ofOne, body: retryRequest })
  scope.post(
    '/app/api/sources/:connector/:name/retry',
    retry,
    async (request): Promise<AnswerOf<'POST /sources/:connector/:name/retry'>> => {
      return { retried: await service.retry(viewerOf(request), request.params, request.body) }
    },
  )
}

/** Aborted when the client disconnects. */
function whileWaited(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return gone.signal
}

const ofGrant = z.object({ id: z.string() })

/** Grants by browser. Administrators add and remove them. */
export function grantsRoutes(scope: ApiServer, service: GrantsService): void {
  scope.get('/app/api/grants', routeFor('member'), async (request): Promise<AnswerOf<'GET /grants'>> => {
    return service.grants(viewerOf(request), addressOf(request))
  })

  const begin = routeFor('administrator', { body: beginRequest })
  scope.post('/app/api/grants/begin', begin, async (request): Promise<AnswerOf<'POST /grants/begin'>> => {
    return service.begin(viewerOf(request), request.body, addressOf(request))
  })

  const device = routeFor('administrator', { body: deviceRequest })
  scope.post('/app/api/grants/device', device, async (request): Promise<AnswerOf<'POST /grants/device'>> => {
    return service.beginDevice(viewerOf(request), request.body)
  })

  const complete = routeFor('administrator', { body: completeRequest })
  scope.post('/app/api/grants/complete', complete, async (request): Promise<AnswerOf<'POST /grants/complete'>> => {
    return service.complete(viewerOf(request), request.body.address)
  })

  const one = routeFor('administrator', { params: ofGrant })
  scope.get('/app/api/grants/pending/:id', one, async (request): Promise<AnswerOf<'GET /grants/pending/:id'>> => {
    return service.pending(viewerOf(request), request.params.id)
  })
  scope.delete('/app/api/grants/pending/:id', one, async (request, reply) => {
    await service.giveUp(viewerOf(request), request.params.id)
    return reply.code(204).send()
  })
  scope.delete('/app/api/grants/:id', one, async (request): Promise<AnswerOf<'DELETE /grants/:id'>> => {
    return service.revoke(viewerOf(request), request.params.id)
  })
}

/** The address at which the browser sees the app. A TLS proxy has another host than this machine. */
function addressOf({ headers, host }: FastifyRequest): string {
  const { origin } = headers
  return typeof origin === 'string' && URL.canParse(origin) ? origin : `http://${host}`
}
