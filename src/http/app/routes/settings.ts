import type { SettingsService } from '../../../administration/settings-contract.ts'
import { actorOf } from '../../../service/activity.ts'
import type { LiveEvents } from '../../../service/live-events.ts'
import type { Service } from '../../../service/service.ts'
import { attachment } from '../../rest/attachment.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { routeFor } from '../route-for.ts'
import {
  accountChange,
  type BackupReady,
  backupReference,
  type ModelsOverview,
  type ModelTrials,
  type ServerOverview,
} from '../schemas/settings.ts'
import { viewerOf } from '../viewer.ts'

interface Parts {
  readonly service: Service
  readonly live: LiveEvents
  readonly settingsService: SettingsService
}

/** The account for its owners; models, limits and backups of the server, which administrators manage. */
export function settingsRoutes(scope: ApiServer, { service, live, settingsService: desk }: Parts): void {
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
    async (request): Promise<ModelsOverview> => desk.models(viewerOf(request)),
  )

  scope.post('/app/api/models/test', routeFor('administrator'), (): Promise<ModelTrials> => desk.testModels())

  scope.get(
    '/app/api/server',
    routeFor('member'),
    async (request): Promise<ServerOverview> => desk.server(viewerOf(request)),
  )

  backupRoutes(scope, service, desk)
}

/** In two steps: a link or a form elsewhere can have a download begun, but not a copy made. */
function backupRoutes(scope: ApiServer, service: Service, desk: SettingsService): void {
  scope.post('/app/api/backup', routeFor('administrator'), async (request): Promise<BackupReady> => {
    const { personId, principal } = viewerOf(request)
    const { token, fileName, bytes } = await desk.makeBackup(personId)
    service.activity.noteOf(principal, { kind: 'backup' })
    return { path: `/backup/${token}`, file_name: fileName, bytes }
  })

  scope.get(
    '/app/api/backup/:token',
    { exposeHeadRoute: false, ...routeFor('administrator', { params: backupReference }) },
    async (request, reply) => {
      const { personId } = viewerOf(request)
      const { fileName, bytes, stream } = await desk.openBackup({ personId, token: request.params.token })
      return reply
        .header('content-type', 'application/vnd.sqlite3')
        .header('content-disposition', attachment(fileName))
        .header('content-length', bytes)
        .header('x-content-type-options', 'nosniff')
        .send(stream)
    },
  )
}
