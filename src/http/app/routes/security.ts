import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../domain/errors.ts'
import type { LiveEvents } from '../../../service/live-events.ts'
import { publishPerson } from '../../../service/people.ts'
import type { Service } from '../../../service/service.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import { nameChange, newPasskey, passwordChange, securityReference } from '../schemas/session.ts'
import type { Attempts } from '../sign-in/attempts.ts'
import { addPasskey, registrationOptions } from '../sign-in/passkeys.ts'
import type { Passwords } from '../sign-in/passwords.ts'
import { hashOfSession } from '../sign-in/sessions.ts'
import { routeFor, viewerOf } from '../viewer.ts'

export interface SecurityParts {
  readonly service: Service
  readonly live: LiveEvents
  readonly passwords: Passwords
  readonly attempts: Attempts
}

/** The person's sign-in methods, and their sessions. */
export function securityRoutes(scope: ApiServer, parts: SecurityParts): void {
  const { people } = parts.service
  scope.get('/app/api/security', routeFor('member'), (request) => overview(request, parts.service))

  scope.patch('/app/api/security/person', routeFor('member', { body: nameChange }), async (request, reply) => {
    const { personId } = viewerOf(request)
    await people.rename(personId, request.body)
    await publishPerson({ people, live: parts.live }, personId)
    return reply.code(204).send()
  })
  passwordRoute(scope, parts)
  sessionsRoutes(scope, parts)
  passkeysRoutes(scope, parts)
}

async function overview(request: FastifyRequest, { people }: Service): Promise<AnswerOf<'GET /security'>> {
  const { personId } = viewerOf(request)
  const [passkeys, sessions, passwordHash, own] = await Promise.all([
    people.passkeys.list(personId),
    people.sessions.list(personId),
    people.passwordHash(personId),
    people.sessions.find(hashOfSession(request)),
  ])
  return {
    has_password: passwordHash !== undefined,
    passkeys: passkeys.map(({ credentialId, name, rpId, createdAt, usedAt }) => ({
      id: credentialId,
      name,
      host: rpId,
      created_at: createdAt.toISOString(),
      used_at: usedAt?.toISOString() ?? null,
    })),
    sessions: sessions.map(({ sessionId, device, createdAt, seenAt }) => ({
      id: sessionId,
      device,
      created_at: createdAt.toISOString(),
      seen_at: seenAt.toISOString(),
      is_this: sessionId === own?.sessionId,
    })),
  }
}

function passwordRoute(scope: ApiServer, { service, live, passwords, attempts }: SecurityParts): void {
  scope.put('/app/api/security/password', routeFor('member', { body: passwordChange }), async (request, reply) => {
    const { personId, login, principal } = viewerOf(request)
    const { old_password: old, password } = request.body
    const known = await service.people.passwordHash(personId)
    if (known !== undefined) {
      if (old === undefined) throw new AppError('missing_field', 'old_password is required', { field: 'old_password' })
      const isRight = await attempts.judge(login, request.ip, () => passwords.isRight(old, known))
      if (!isRight) throw new AppError('forbidden', 'The old password is wrong.')
    }
    await service.people.setPassword(personId, await passwords.hash(password, login), hashOfSession(request))
    service.activity.noteOf(principal, { kind: 'password_changed' })
    await publishPerson({ people: service.people, live }, personId)
    return reply.code(204).send()
  })
}

function sessionsRoutes(scope: ApiServer, { service, live }: SecurityParts): void {
  const { sessions } = service.people
  scope.post(
    '/app/api/security/sessions/end-others',
    routeFor('member'),
    async (request): Promise<AnswerOf<'POST /security/sessions/end-others'>> => {
      const { personId, principal } = viewerOf(request)
      const ended = await sessions.endAll(personId, hashOfSession(request))
      service.activity.noteOf(principal, { kind: 'signed_out_everywhere' })
      await publishPerson({ people: service.people, live }, personId)
      return { ended }
    },
  )

  scope.delete(
    '/app/api/security/sessions/:id',
    routeFor('member', { params: securityReference }),
    async (request, reply) => {
      const { personId } = viewerOf(request)
      const ended = await sessions.endOf(personId, request.params.id)
      if (!ended) throw new AppError('not_found', 'This session has already ended.')
      await publishPerson({ people: service.people, live }, personId)
      return reply.code(204).send()
    },
  )
}

function passkeysRoutes(scope: ApiServer, { service }: SecurityParts): void {
  const { people, activity } = service
  scope.post(
    '/app/api/security/passkeys/options',
    routeFor('member'),
    (request): Promise<AnswerOf<'POST /security/passkeys/options'>> =>
      registrationOptions(request, viewerOf(request), people),
  )

  scope.post('/app/api/security/passkeys', routeFor('member', { body: newPasskey }), async (request, reply) => {
    const viewer = viewerOf(request)
    const { name, response } = request.body
    await addPasskey(request, { viewer, name, response }, people)
    activity.noteOf(viewer.principal, { kind: 'passkey_added' })
    return reply.code(204).send()
  })

  scope.delete(
    '/app/api/security/passkeys/:id',
    routeFor('member', { params: securityReference }),
    async (request, reply) => {
      const { personId, principal } = viewerOf(request)
      await people.removePasskey(personId, request.params.id)
      activity.noteOf(principal, { kind: 'passkey_removed' })
      return reply.code(204).send()
    },
  )
}
