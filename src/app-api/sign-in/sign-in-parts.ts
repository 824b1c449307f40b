import type { ApiServer } from '../../api/server-types.ts'
import { systemClock } from '../../kit/clock.ts'
import type { AppDoorOptions } from '../app-door.ts'
import { createAttempts } from './attempts.ts'
import { createPasswords } from './passwords.ts'
import { publicAddress } from './public-address.ts'
import type { SignInParts } from './sign-in-routes.ts'

/** What the routes about people and sign-in share. */
export function signInParts(
  server: ApiServer,
  { service, live, version, baseUrl, sessions, oidc }: AppDoorOptions,
): SignInParts {
  const { people, activity } = service
  return {
    service,
    people,
    activity,
    live,
    version,
    publicAddress: () => publicAddress(server, baseUrl),
    oidcTitle: oidc?.title,
    passwords: createPasswords(),
    attempts: createAttempts(systemClock),
    cookieName: sessions.cookieName,
    async noteSignIn(personId) {
      const found = await people.look(personId)
      if (found === undefined) return
      const { person, account } = found
      activity.note(account.accountId, { type: 'person', id: personId, name: person.name }, { kind: 'signed_in' })
    },
  }
}
