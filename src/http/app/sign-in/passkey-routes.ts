import type { ApiServer } from '../../rest/server-types.ts'
import { passkeySignIn } from '../schemas/security.ts'
import { authenticationOptions, personOfPasskey } from './passkeys.ts'
import { sessionAnswer } from './session-answer.ts'
import { beginSession } from './sessions.ts'
import type { SignInParts } from './sign-in-routes.ts'

/** Sign-in without a name and a password. */
export function passkeyRoutes(scope: ApiServer, parts: SignInParts): void {
  const { people } = parts
  scope.post('/app/api/sign-in/passkey/options', { schema: { hide: true } }, (request) =>
    authenticationOptions(request),
  )

  scope.post('/app/api/sign-in/passkey', { schema: { hide: true, body: passkeySignIn } }, async (request, reply) => {
    const { response } = request.body
    const personId = await personOfPasskey(request, response, people).catch(async (error: unknown) => {
      await noteRefused(parts, response.id, request.ip)
      throw error
    })
    await beginSession(request, { personId })
    await parts.noteSignIn(personId)
    return sessionAnswer(parts, request, reply)
  })
}

async function noteRefused({ people, noteFailure }: SignInParts, passkeyId: string, address: string): Promise<void> {
  const passkey = await people.passkeys.find(passkeyId)
  const owner = passkey && (await people.look(passkey.personId))?.person
  if (owner !== undefined) noteFailure(owner, address, 'passkey')
}
