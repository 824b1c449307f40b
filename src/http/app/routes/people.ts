import { AppError } from '../../../domain/errors.ts'
import type { LiveEvents } from '../../../service/live-events.ts'
import { publishPerson } from '../../../service/people.ts'
import { type InvitationView, welcomeAddress } from '../../../service/people-links.ts'
import type { Service } from '../../../service/service.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { type Invitation, newAccount, newInvitation, personChange, personReference } from '../schemas/people.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import { requireRole, routeFor, viewerOf } from '../viewer.ts'

export interface PeopleParts {
  readonly service: Service
  readonly live: LiveEvents
  readonly publicAddress: () => string
}

/** People of the selected account, for its owners and for administrators; accounts, for administrators. */
export function peopleRoutes(scope: ApiServer, parts: PeopleParts): void {
  const { people } = parts.service
  scope.get('/app/api/people', routeFor('manager'), async (request): Promise<AnswerOf<'GET /people'>> => {
    const viewer = viewerOf(request)
    const { accountId } = viewer.principal
    const [members, invitations, own] = await Promise.all([
      people.members(accountId),
      people.links.invitations(accountId),
      viewer.isAdmin ? people.links.invitations(undefined) : [],
    ])
    return {
      people: members.map((member) => ({
        id: member.personId,
        name: member.name,
        login: member.login,
        role: member.role,
        is_admin: member.isAdmin,
        is_you: member.personId === viewer.personId,
        joined_at: member.joinedAt.toISOString(),
        last_seen_at: member.lastSeenAt?.toISOString() ?? null,
      })),
      invitations: [...invitations.map((one) => wire(one, false)), ...own.map((one) => wire(one, true))],
    }
  })
  invitationRoutes(scope, parts)
  memberRoutes(scope, parts)
  accountRoutes(scope, parts)
}

function invitationRoutes(scope: ApiServer, { service, live, publicAddress }: PeopleParts): void {
  const { people, activity } = service
  scope.post(
    '/app/api/people/invitations',
    routeFor('manager', { body: newInvitation }),
    async (request, reply): Promise<AnswerOf<'POST /people/invitations'>> => {
      const { role, login, own_account: own } = request.body
      const { principal, personId: by } = own ? requireRole(request, 'administrator') : viewerOf(request)
      const issued = await people.links.invite({
        by,
        role: own ? 'owner' : role,
        ...(own ? {} : { accountId: principal.accountId }),
        ...(login !== undefined && login.trim() !== '' && { login }),
      })
      activity.noteOf(principal, { kind: 'person_invited', name: login ?? '', role: own ? 'owner' : role })
      live.publish({ type: 'people' }, principal.accountId)
      reply.code(201)
      return { link: welcomeAddress(publicAddress(), issued.token), expires_at: issued.expiresAt.toISOString() }
    },
  )

  scope.delete(
    '/app/api/people/invitations/:id',
    routeFor('manager', { params: personReference }),
    async (request, reply) => {
      const { principal, isAdmin } = viewerOf(request)
      const { id } = request.params
      const own = isAdmin ? await people.links.invitations(undefined) : []
      const theirs = [...(await people.links.invitations(principal.accountId)), ...own]
      if (!theirs.some(({ linkId }) => linkId === id)) throw new AppError('not_found', 'This link has already expired.')
      await people.links.takeBack(id)
      live.publish({ type: 'people' }, principal.accountId)
      return reply.code(204).send()
    },
  )
}

function memberRoutes(scope: ApiServer, { service, live, publicAddress }: PeopleParts): void {
  const { people, activity } = service
  const ofOne = { params: personReference }
  scope.patch('/app/api/people/:id', routeFor('manager', { ...ofOne, body: personChange }), async (request, reply) => {
    const { principal } = viewerOf(request)
    const { accountId } = principal
    const member = await memberOf(service, accountId, request.params.id)
    const { role, is_admin: isAdmin } = request.body
    if (isAdmin !== undefined) {
      requireRole(request, 'administrator')
      await people.setAdmin(member.personId, isAdmin)
      activity.noteOf(principal, { kind: 'person_admin', name: member.name, is_admin: isAdmin })
    }
    if (role !== undefined) {
      await people.setRole({ accountId, personId: member.personId }, role)
      activity.noteOf(principal, { kind: 'person_role', name: member.name, role })
    }
    live.publish({ type: 'people' }, accountId)
    return reply.code(204).send()
  })

  scope.delete('/app/api/people/:id', routeFor('manager', ofOne), async (request, reply) => {
    const { principal, isAdmin } = viewerOf(request)
    const { accountId } = principal
    const member = await memberOf(service, accountId, request.params.id)
    // This may remove them from the server.
    if (member.isAdmin && !isAdmin) throw new AppError('forbidden', 'Only administrators can remove an administrator.')
    const { memberships } = (await people.look(member.personId)) ?? { memberships: [] }
    await people.removeMember({ accountId, personId: member.personId })
    activity.noteOf(principal, { kind: 'person_removed', name: member.name, role: member.role })
    for (const one of memberships) live.publish({ type: 'people' }, one.accountId)
    return reply.code(204).send()
  })

  scope.post(
    '/app/api/people/:id/reset-link',
    routeFor('administrator', ofOne),
    async (request, reply): Promise<AnswerOf<'POST /people/:id/reset-link'>> => {
      const { principal, personId: by } = viewerOf(request)
      const member = await memberOf(service, principal.accountId, request.params.id)
      const issued = await people.links.reset(member.login, by)
      reply.code(201)
      return { link: welcomeAddress(publicAddress(), issued.token), expires_at: issued.expiresAt.toISOString() }
    },
  )
}

function accountRoutes(scope: ApiServer, { service, live }: PeopleParts): void {
  scope.get('/app/api/accounts', routeFor('administrator'), async (): Promise<AnswerOf<'GET /accounts'>> => {
    const [accounts, persons] = await Promise.all([service.accounts.list(), service.people.list()])
    const memberships = persons.flatMap((person) => person.memberships)
    return {
      accounts: accounts.map(({ accountId, name, createdAt }) => ({
        id: accountId,
        name,
        created_at: createdAt,
        people: memberships.filter((membership) => membership.accountId === accountId).length,
      })),
    }
  })

  scope.post(
    '/app/api/accounts',
    routeFor('administrator', { body: newAccount }),
    async (request, reply): Promise<AnswerOf<'POST /accounts'>> => {
      const { personId, principal } = viewerOf(request)
      const { timeZone } = principal
      const made = await service.people.createAccount({ name: request.body.name, ownerId: personId, timeZone })
      await publishPerson({ people: service.people, live }, personId)
      reply.code(201)
      return { id: made.accountId }
    },
  )
}

async function memberOf({ people }: Service, accountId: string, personId: string) {
  const member = (await people.members(accountId)).find((one) => one.personId === personId)
  if (member !== undefined) return member
  throw new AppError('not_found', 'This person is no longer here.')
}

function wire({ linkId, role, login, createdAt, expiresAt }: InvitationView, isOwn: boolean): Invitation {
  return {
    id: linkId,
    role,
    login: login ?? null,
    own_account: isOwn,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  }
}
