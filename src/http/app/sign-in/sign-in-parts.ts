import { clientNetwork } from '../../../lib/client-network.ts'
import { SERVER } from '../../../service/activity.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import type { AppDoorOptions } from '../app-door.ts'
import { createAttempts } from './attempts.ts'
import { FailureNotes } from './failure-notes.ts'
import { createPasswords } from './passwords.ts'
import { publicAddress } from './public-address.ts'
import type { SignInParts } from './sign-in-routes.ts'

/** What the routes about people and sign-in share. */
export function signInParts(
  server: ApiServer,
  { service, live, log, version, baseUrl, sessions, oidc }: AppDoorOptions,
): SignInParts {
  const { people, activity } = service
  const failures = new FailureNotes()
  return {
    service,
    people,
    activity,
    live,
    version,
    publicAddress: () => publicAddress(server, baseUrl),
    oidcTitle: oidc?.title,
    passwords: createPasswords(),
    attempts: createAttempts(people.failedSignIns),
    cookieName: sessions.cookieName,
    async noteSignIn(personId) {
      const found = await people.look(personId)
      if (found === undefined) return
      const { person, account } = found
      activity.note(account.accountId, { type: 'person', id: personId, name: person.name }, { kind: 'signed_in' })
    },
    noteFailure({ personId, name }, address, by) {
      if (by !== undefined && !failures.take(personId, by)) return
      const note = async () => {
        const memberships = (await people.look(personId))?.memberships ?? []
        const entry = { kind: 'sign_in_failed', name, network: clientNetwork(address), ...(by && { by }) } as const
        for (const { accountId } of memberships) activity.note(accountId, SERVER, entry)
      }
      setImmediate(() => note().catch((error: unknown) => log.warn({ err: error }, 'a failed sign-in was not noted')))
    },
  }
}
