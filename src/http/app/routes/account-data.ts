import type { SettingsService } from '../../../administration/settings-contract.ts'
import { AppError } from '../../../domain/errors.ts'
import { actorOf } from '../../../service/activity.ts'
import { deletionReceiptWire } from '../../../service/deletion-receipt-wire.ts'
import type { LiveEvents } from '../../../service/live-events.ts'
import type { Service } from '../../../service/service.ts'
import { attachment } from '../../rest/attachment.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { publishPerson } from '../publish-person.ts'
import { routeFor } from '../route-for.ts'
import { accountDeletion, type DeletedAccount, type DeletionBegun } from '../schemas/settings.ts'
import { viewerOf } from '../viewer.ts'

interface Parts {
  readonly service: Service
  readonly live: LiveEvents
  readonly settingsService: Pick<SettingsService, 'isHomeAccount'>
}

/** Before a person, or a proxy, gives up. */
const ANSWER_MS = 20_000

/** All of an account for its owners: to take away, and to delete. */
export function accountDataRoutes(scope: ApiServer, { service, live, settingsService }: Parts): void {
  const exporting = new Set<string>()
  // A link elsewhere can have it begun, for the person whose it is: the cookie of the session does not come with it.
  scope.get('/app/api/account/export', { exposeHeadRoute: false, ...routeFor('owner') }, async (request, reply) => {
    const { principal } = viewerOf(request)
    const { accountId } = principal
    if (exporting.has(accountId)) {
      throw new AppError('conflict', 'This account is being downloaded already; try again when that is done.')
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
    async (request, reply): Promise<DeletedAccount | DeletionBegun> => {
      const { principal, accountName } = viewerOf(request)
      const { accountId } = principal
      if (request.body.name !== accountName) {
        throw new AppError('invalid', `Type the name of the account as it is written: ${accountName}.`, {
          field: 'name',
        })
      }
      if (await settingsService.isHomeAccount(accountId)) {
        throw new AppError(
          'conflict',
          'This is the account that commands, connectors and agents on the machine of recalld use. Whoever manages that machine deletes it by "recalld accounts delete --force".',
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
      return deletionReceiptWire(receipt)
    },
  )
}
