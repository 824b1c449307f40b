import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../domain/errors.ts'
import { publishPerson } from '../../../service/people.ts'
import type { LinkResult } from '../../../service/people-links.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import { accountSwitch, type LinkUse, linkCheck, linkUse, passwordSignIn } from '../schemas/session.ts'
import { viewerOf } from '../viewer.ts'
import { passkeyRoutes } from './passkeys.ts'
import { beginSession, endSession } from './sessions.ts'
import { type SignInParts, sessionAnswer } from './sign-in-parts.ts'

/** Routes for visitors who are not signed in, and for the session itself. */
export function signInRoutes(scope: ApiServer, parts: SignInParts): void {
  sessionRoutes(scope, parts)
  passwordRoute(scope, parts)
  linkRoutes(scope, parts)
  passkeyRoutes(scope, parts)
}

function sessionRoutes(scope: ApiServer, parts: SignInParts): void {
  scope.get('/app/api/session', { schema: { hide: true } }, (request, reply) => sessionAnswer(parts, request, reply))

  scope.delete('/app/api/session', { schema: { hide: true } }, async (request, reply) => {
    const { viewer } = request
    await endSession(request, reply, parts.cookieName)
    if (viewer !== undefined) {
      parts.activity.noteOf(viewer.principal, { kind: 'signed_out' })
      await publishPerson(parts, viewer.personId)
    }
    return reply.code(204).send()
  })

  const change = { schema: { hide: true, body: accountSwitch }, onRequest: requireSignIn } as const
  scope.put('/app/api/session/account', change, async (request, reply) => {
    const { personId } = viewerOf(request)
    const { account_id: accountId } = request.body
    const found = await parts.people.look(personId, accountId)
    if (found?.account.accountId !== accountId) throw new AppError('not_found', "You aren't a member of this account.")
    request.session.accountId = accountId
    await request.session.save()
    return sessionAnswer(parts, request, reply)
  })
}

function passwordRoute(scope: ApiServer, parts: SignInParts): void {
  const { people, passwords, attempts } = parts
  scope.post('/app/api/sign-in/password', { schema: { hide: true, body: passwordSignIn } }, async (request, reply) => {
    const { login, password } = request.body
    const person = await people.findLogin(login)
    const hash = person && (await people.passwordHash(person.personId))
    const isRight = await attempts.judge(login, request.ip, () => passwords.isRight(password, hash))
    if (!isRight || person === undefined) {
      if (person !== undefined) parts.noteFailure(person, request.ip)
      throw new AppError('unauthenticated', 'Incorrect email, username or password.')
    }
    await beginSession(request, { personId: person.personId, passwordHash: hash })
    await parts.noteSignIn(person.personId)
    return sessionAnswer(parts, request, reply)
  })
}

function linkRoutes(scope: ApiServer, parts: SignInParts): void {
  const { people } = parts
  scope.post(
    '/app/api/sign-in/link/check',
    { schema: { hide: true, body: linkCheck } },
    async (request): Promise<AnswerOf<'POST /sign-in/link/check'>> => {
      const { purpose, accountName, role, login, expiresAt } = await people.links.read(request.body.token)
      return {
        purpose,
        account_name: accountName ?? null,
        role: role ?? null,
        login: login ?? null,
        expires_at: expiresAt.toISOString(),
      }
    },
  )

  scope.post('/app/api/sign-in/link', { schema: { hide: true, body: linkUse } }, async (request, reply) => {
    const used = await useLink(parts, request.body, request.viewer?.personId)
    await beginSession(request, used)
    await noteUse(parts, used)
    return sessionAnswer(parts, request, reply)
  })
}

/** Records who joined an account, or that a password was changed. */
async function noteUse({ people, activity, live }: SignInParts, { personId, accountId }: LinkResult): Promise<void> {
  const found = await people.look(personId, accountId)
  if (found === undefined) return
  const { person, role, account } = found
  const actor = { type: 'person', id: personId, name: person.name } as const
  const joined = { kind: 'person_joined', name: person.name, role } as const
  activity.note(account.accountId, actor, accountId === undefined ? { kind: 'password_changed' } : joined)
  await publishPerson({ people, live }, personId)
}

async function useLink({ people, passwords }: SignInParts, use: LinkUse, viewerId: string | undefined) {
  const { token, name, login, password } = use
  const link = await people.links.read(token)
  if (link.purpose === 'reset') {
    return people.links.newPassword(token, await passwords.hash(requiredField(password, 'password'), link.login ?? ''))
  }
  const asThemselves = link.purpose === 'invitation' && password === undefined
  if (asThemselves && viewerId !== undefined) return people.links.join(token, viewerId)
  const person = { name: requiredField(name, 'name'), login: requiredField(login, 'login') }
  const passwordHash = await passwords.hash(requiredField(password, 'password'), person.login)
  return people.links.signUp(token, { ...person, passwordHash })
}

function requiredField(value: string | undefined, field: string): string {
  if (value !== undefined) return value
  throw new AppError('missing_field', `${field} is required`, { field })
}

/** A hook that runs before the body is validated. */
async function requireSignIn(request: FastifyRequest): Promise<void> {
  viewerOf(request)
}
