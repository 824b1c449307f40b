import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../../../lib/log.ts'
import { clientNetwork } from '../../../lib/network-address.ts'
import { SERVER } from '../../../service/activity.ts'
import type { LiveEvents } from '../../../service/live-events.ts'
import type { PeopleUseCases } from '../../../service/people.ts'
import type { Service } from '../../../service/service.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import type { Session } from '../schemas/session.ts'
import { type Attempts, createAttempts, FailureNotes } from './attempts.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import type { SessionSettings } from './sessions.ts'

export interface SignInParts extends SessionFacts {
  readonly service: Service
  readonly passwords: Passwords
  readonly attempts: Attempts
  readonly cookieName: string
  readonly live: LiveEvents
  readonly activity: Service['activity']
  /** Records who joined. */
  noteSignIn(personId: string): Promise<void>
  /**
   * Records a failed sign-in in every account of the person. Done later, so that the response takes as long as for an
   * unknown name. `attempts` limits wrong passwords; other failures are recorded once a minute.
   */
  noteFailure(
    person: { readonly personId: string; readonly name: string },
    address: string,
    by?: 'passkey' | 'provider',
  ): void
}

export interface SignInOptions {
  readonly service: Service
  readonly live: LiveEvents
  readonly log: Log
  readonly version: string
  /** Public address of the app. */
  readonly baseUrl: string
  readonly sessions: Omit<SessionSettings, 'baseUrl'>
  /** An OpenID Connect provider for sign-in. */
  readonly oidc?: { readonly title: string } | undefined
}

/** Shared by the routes about people and sign-in. */
export function signInParts(
  server: ApiServer,
  { service, live, log, version, baseUrl, sessions, oidc }: SignInOptions,
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
      setImmediate(() =>
        note().catch((error: unknown) => log.warn({ err: error }, 'a failed sign-in could not be recorded')),
      )
    },
  }
}

export interface SessionFacts {
  readonly people: PeopleUseCases
  readonly version: string
  /** The public address for clients and agents; known once the server listens. */
  readonly publicAddress: () => string
  /** Title of the OpenID Connect provider. */
  readonly oidcTitle: string | undefined
}

/** Whether and who is signed in, with a new CSRF token. */
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

/** The public address of the service: as configured; with a free port, including that port. */
export function publicAddress(server: ApiServer, baseUrl: string): string {
  const bound = server.server.address()
  const url = new URL(baseUrl)
  if (url.port !== '0' || bound === null || typeof bound === 'string') return baseUrl
  url.port = String(bound.port)
  return url.origin
}
