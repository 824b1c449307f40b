import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PeopleUseCases } from '../../../service/people-contract.ts'
import type { Session } from '../schemas/session.ts'

export interface SessionFacts {
  readonly people: PeopleUseCases
  readonly version: string
  /** Where clients and agents reach the service; known once it listens. */
  readonly publicAddress: () => string
  /** Title of the provider of OpenID Connect. */
  readonly oidcTitle: string | undefined
}

/** Whether somebody is signed in and who, with a new token against forged requests. */
export async function sessionAnswer(
  { people, version, publicAddress, oidcTitle }: SessionFacts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Session> {
  const csrf_token = reply.generateCsrf()
  if (request.session.isModified()) await request.session.save()
  const { personId, accountId } = request.session
  const found = personId === undefined ? undefined : await people.look(personId, accountId)
  const options = { first_run: found === undefined && !(await people.anyone()), oidc: oidcTitle ?? null }
  if (found === undefined) return { signed_in: false, csrf_token, version, options }
  const { person, account, role, memberships } = found
  return {
    signed_in: true,
    csrf_token,
    version,
    base_url: publicAddress(),
    person: { id: person.personId, name: person.name, login: person.login, is_admin: person.isAdmin },
    account: { id: account.accountId, name: account.name, role, time_zone: account.timeZone },
    accounts: memberships.map((one) => ({ id: one.accountId, name: one.accountName, role: one.role })),
    options,
  }
}
