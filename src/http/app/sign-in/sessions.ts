import cookie from '@fastify/cookie'
import csrf from '@fastify/csrf-protection'
import session from '@fastify/session'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientNetwork } from '../../../lib/client-network.ts'
import { type Clock, systemClock } from '../../../lib/clock.ts'
import type { PeopleUseCases } from '../../../service/people-contract.ts'
import type { Viewer } from '../../../service/viewer.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { APP_KEY_ID, viewerOf } from '../viewer.ts'
import { deviceName } from './device-name.ts'
import { isChange, sameOrigin } from './same-origin.ts'
import { createSessionStore, SESSION_MS, sessionHash } from './session-store.ts'

export interface SessionSettings {
  /** Signs cookies; at least 32 characters. */
  readonly secret: string
  /** Of its own for each home: two services on one machine share one jar of cookies. */
  readonly cookieName: string
  readonly baseUrl: string
}

/** How often it is written down that a session is used. */
const SEEN_EVERY_MS = 60_000
const REQUESTS_PER_MINUTE = 1_200

/** Everything that stands between a request below /app/api and its route: session, rate, forged requests. */
export async function sessionHooks(
  scope: ApiServer,
  people: PeopleUseCases,
  settings: SessionSettings,
  clock: Clock = systemClock,
): Promise<void> {
  const secure = settings.baseUrl.startsWith('https:')
  await scope.register(cookie)
  await scope.register(session, {
    secret: settings.secret,
    cookieName: settings.cookieName,
    cookie: { path: '/app', httpOnly: true, sameSite: 'strict', secure, maxAge: SESSION_MS },
    store: createSessionStore(people.sessions, clock),
    rolling: false,
    saveUninitialized: false,
  })
  await scope.register(csrf, {
    sessionPlugin: '@fastify/session',
    getToken: (request) => String(request.headers['x-csrf-token'] ?? ''),
  })
  scope.addHook('onRequest', async (request) => {
    request.viewer = await viewerOfSession(request, people)
    if (request.viewer !== undefined) await staySignedIn(request, clock().getTime())
  })
  const limit = scope.rateLimit({
    max: REQUESTS_PER_MINUTE,
    keyGenerator: ({ viewer, ip }) =>
      viewer === undefined ? `address ${clientNetwork(ip)}` : `person ${viewer.personId}`,
  })
  scope.addHook('onRequest', limit)
  scope.addHook('onRequest', sameOrigin(settings.baseUrl))
  scope.addHook('onRequest', (request, reply, done) => {
    if (isChange(request)) scope.csrfProtection(request, reply, done)
    else done()
  })
}

async function viewerOfSession({ session }: FastifyRequest, people: PeopleUseCases): Promise<Viewer | undefined> {
  if (session.personId === undefined) return undefined
  const found = await people.look(session.personId, session.accountId)
  if (found === undefined) return undefined
  const { person, role, account } = found
  const { accountId, timeZone, plan, billingStatus, userId } = account
  return {
    personId: person.personId,
    name: person.name,
    login: person.login,
    isAdmin: person.isAdmin,
    role,
    accountName: account.name,
    principal: {
      scope: { accountId, sources: 'all' },
      accountId,
      userId,
      keyId: APP_KEY_ID,
      person: { id: person.personId, name: person.name },
      timeZone,
      plan,
      billingStatus,
    },
  }
}

/** The time of a session runs from its last use. */
async function staySignedIn({ session }: FastifyRequest, now: number): Promise<void> {
  if (now - (session.seenAt ?? now) < SEEN_EVERY_MS) return
  session.touch()
  await session.save()
}

/**
 * A session under a new id: one that somebody else may know is worth nothing.
 *
 * @param person.passwordHash of the password that was right: if it was changed meanwhile, no session begins
 */
export async function beginSession(
  request: FastifyRequest,
  person: { personId: string; accountId?: string | undefined; passwordHash?: string | undefined },
): Promise<void> {
  await request.session.regenerate()
  const { session } = request
  session.personId = person.personId
  if (person.accountId !== undefined) session.accountId = person.accountId
  if (person.passwordHash !== undefined) session.passwordHash = person.passwordHash
  session.device = deviceName(request.headers['user-agent'])
  await session.save()
}

export async function endSession(request: FastifyRequest, reply: FastifyReply, cookieName: string): Promise<void> {
  await request.session.destroy()
  reply.clearCookie(cookieName, { path: '/app' })
}

/** Whether what was begun under a session may go on: it has not ended, and the person still belongs to the account. */
export async function isStillSignedIn(request: FastifyRequest, people: PeopleUseCases): Promise<boolean> {
  const { personId, principal } = viewerOf(request)
  const [session, found] = await Promise.all([
    people.sessions.find(hashOfSession(request)),
    people.look(personId, principal.accountId),
  ])
  return session !== undefined && found?.account.accountId === principal.accountId
}

/** As the session lies in the store. */
export function hashOfSession({ session }: FastifyRequest): Uint8Array {
  return sessionHash(session.sessionId)
}
