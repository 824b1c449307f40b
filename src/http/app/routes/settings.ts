import type { FastifyRequest } from 'fastify'
import type { SettingsService } from '../../../administration/settings-contract.ts'
import { AppError } from '../../../domain/errors.ts'
import { deletionReceiptJson } from '../../../service/account-deletion.ts'
import { actorOf } from '../../../service/activity.ts'
import type { LiveEvents } from '../../../service/live-events.ts'
import { publishPerson } from '../../../service/people.ts'
import type { Service } from '../../../service/service.ts'
import { attachment } from '../../rest/answer-headers.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import {
  accountChange,
  accountDeletion,
  backupReference,
  embeddingModelChoice,
  languageModelChoice,
  localModelChoice,
  rerankerChoice,
} from '../schemas/settings.ts'
import { routeFor, viewerOf } from '../viewer.ts'

interface Parts {
  readonly service: Service
  readonly live: LiveEvents
  readonly settingsService: SettingsService
}

/** The account for its owners; models, limits and backups of the server, which administrators manage. */
export function settingsRoutes(scope: ApiServer, { service, live, settingsService }: Parts): void {
  scope.patch('/app/api/account', routeFor('owner', { body: accountChange }), async (request, reply) => {
    const { principal } = viewerOf(request)
    const { name, time_zone: timeZone } = request.body
    const change = { ...(name !== undefined && { name }), ...(timeZone !== undefined && { timeZone }) }
    await service.accounts.update({ account: principal.accountId, ...change, by: actorOf(principal) })
    live.publish({ type: 'people' }, principal.accountId)
    return reply.code(204).send()
  })

  scope.get(
    '/app/api/models',
    routeFor('member'),
    async (request): Promise<AnswerOf<'GET /models'>> => settingsService.models(viewerOf(request)),
  )

  scope.post(
    '/app/api/models/test',
    routeFor('administrator'),
    (): Promise<AnswerOf<'POST /models/test'>> => settingsService.testModels(),
  )

  languageModelRoutes(scope, service, settingsService)
  embeddingModelRoutes(scope, service, settingsService)
  rerankerRoutes(scope, service, settingsService)

  scope.post('/app/api/models/local', routeFor('administrator', { body: localModelChoice }), async (request, reply) => {
    settingsService.addLocalModel(request.body.name)
    return reply.code(202).send()
  })

  scope.delete(
    '/app/api/models/local/:name',
    routeFor('administrator', { params: localModelChoice }),
    async (request, reply) => {
      await settingsService.removeLocalModel(request.params.name)
      return reply.code(204).send()
    },
  )

  scope.delete(
    '/app/api/models/local/:name/offer',
    routeFor('administrator', { params: localModelChoice }),
    (request, reply) => {
      settingsService.declineLocalModel(request.params.name)
      return reply.code(204).send()
    },
  )

  scope.get(
    '/app/api/server',
    routeFor('member'),
    async (request): Promise<AnswerOf<'GET /server'>> => settingsService.server(viewerOf(request)),
  )

  backupRoutes(scope, service, settingsService)
}

function languageModelRoutes(scope: ApiServer, service: Service, settingsService: SettingsService): void {
  scope.put(
    '/app/api/models/language',
    routeFor('administrator', { body: languageModelChoice }),
    async (request): Promise<AnswerOf<'PUT /models/language'>> => {
      const trial = await settingsService.chooseLanguageModel(request.body)
      if (trial.problem === null) noteChange(service, request, 'language_model')
      return trial
    },
  )

  scope.delete('/app/api/models/language', routeFor('administrator'), async (request, reply) => {
    await settingsService.removeLanguageModel()
    noteChange(service, request, 'language_model')
    return reply.code(204).send()
  })
}

function embeddingModelRoutes(scope: ApiServer, service: Service, settingsService: SettingsService): void {
  const choice = routeFor('administrator', { body: embeddingModelChoice })
  scope.post('/app/api/models/embedding/test', choice, (request): Promise<AnswerOf<'POST /models/embedding/test'>> => {
    return settingsService.testEmbeddingModel(request.body)
  })

  scope.put(
    '/app/api/models/embedding',
    routeFor('administrator', { body: embeddingModelChoice }),
    async (request): Promise<AnswerOf<'PUT /models/embedding'>> => {
      const result = await settingsService.chooseEmbeddingModel(request.body)
      if (result.trial.problem === null) noteChange(service, request, 'embedding_model')
      return result
    },
  )

  scope.get(
    '/app/api/models/embedding/vectors',
    routeFor('administrator'),
    (): Promise<AnswerOf<'GET /models/embedding/vectors'>> => settingsService.embeddedVectors(),
  )

  scope.delete('/app/api/models/embedding', routeFor('administrator'), async (request, reply) => {
    await settingsService.removeEmbeddingModel()
    noteChange(service, request, 'embedding_model')
    return reply.code(204).send()
  })
}

function rerankerRoutes(scope: ApiServer, service: Service, settingsService: SettingsService): void {
  scope.put(
    '/app/api/models/reranker',
    routeFor('administrator', { body: rerankerChoice }),
    async (request): Promise<AnswerOf<'PUT /models/reranker'>> => {
      const tested = await settingsService.chooseReranker(request.body)
      if (tested.trial?.problem == null) noteChange(service, request, 'reranker')
      return tested
    },
  )
}

type ChangedModel = 'language_model' | 'embedding_model' | 'reranker'

function noteChange({ activity }: Service, request: FastifyRequest, what: ChangedModel): void {
  activity.noteOf(viewerOf(request).principal, { kind: 'settings', what })
}

/** In two steps: a link or form on another site can start a download, but not create a copy. */
function backupRoutes(scope: ApiServer, service: Service, settingsService: SettingsService): void {
  scope.post('/app/api/backup', routeFor('administrator'), async (request): Promise<AnswerOf<'POST /backup'>> => {
    const { personId, principal } = viewerOf(request)
    const { token, fileName, bytes } = await settingsService.makeBackup(personId)
    service.activity.noteOf(principal, { kind: 'backup' })
    return { path: `/backup/${token}`, file_name: fileName, bytes }
  })

  scope.get(
    '/app/api/backup/:token',
    { exposeHeadRoute: false, ...routeFor('administrator', { params: backupReference }) },
    async (request, reply) => {
      const { personId } = viewerOf(request)
      const { fileName, bytes, stream } = await settingsService.openBackup({ personId, token: request.params.token })
      return reply
        .header('content-type', 'application/vnd.sqlite3')
        .header('content-disposition', attachment(fileName))
        .header('content-length', bytes)
        .header('x-content-type-options', 'nosniff')
        .send(stream)
    },
  )
}

interface AccountDataParts {
  readonly service: Service
  readonly live: LiveEvents
  readonly settingsService: Pick<SettingsService, 'isHomeAccount'>
}

/** Earlier than people or proxies give up. */
const ANSWER_MS = 20_000

/** The data of an account, for its owners: exporting and deleting it. */
export function accountDataRoutes(scope: ApiServer, { service, live, settingsService }: AccountDataParts): void {
  const exporting = new Set<string>()
  // A link on another site cannot start it: the session cookie is not sent with it.
  scope.get('/app/api/account/export', { exposeHeadRoute: false, ...routeFor('owner') }, async (request, reply) => {
    const { principal } = viewerOf(request)
    const { accountId } = principal
    if (exporting.has(accountId)) {
      throw new AppError(
        'conflict',
        'An export of this account is already being downloaded. Try again when it is done.',
      )
    }
    exporting.add(accountId)
    try {
      const { fileName, stream } = await service.archives.export({ account: accountId, by: actorOf(principal) })
      stream.once('close', () => exporting.delete(accountId))
      return reply
        .header('content-type', 'application/gzip')
        .header('content-disposition', attachment(fileName))
        .header('x-content-type-options', 'nosniff')
        .send(stream)
    } catch (error) {
      exporting.delete(accountId)
      throw error
    }
  })

  scope.delete(
    '/app/api/account',
    routeFor('owner', { body: accountDeletion }),
    async (request, reply): Promise<AnswerOf<'DELETE /account'>> => {
      const { principal, accountName } = viewerOf(request)
      const { accountId } = principal
      if (request.body.name !== accountName) {
        throw new AppError('invalid', `Type the name of the account exactly: ${accountName}.`, {
          field: 'name',
        })
      }
      if (await settingsService.isHomeAccount(accountId)) {
        throw new AppError(
          'conflict',
          "The command line, sources and agents on the server's machine use this account. Only an administrator of that machine can delete it.",
        )
      }
      const members = await service.people.members(accountId)
      const asked = { account: accountId, by: actorOf(principal) }
      const receipt = await service.deletions.start(asked, AbortSignal.timeout(ANSWER_MS))
      live.publish({ type: 'people' }, accountId)
      for (const { personId } of members) await publishPerson({ people: service.people, live }, personId)
      if (receipt === undefined) {
        reply.code(202)
        return { account_id: accountId, name: accountName, state: 'begun' }
      }
      return deletionReceiptJson(receipt)
    },
  )
}
