import { createHash, randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import csrf from '@fastify/csrf-protection'
import type { SessionStore } from '@fastify/session'
import session from '@fastify/session'
import type { FastifyReply, FastifyRequest, Session } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../../domain/errors.ts'
import { type Clock, systemClock } from '../../../lib/clock.ts'
import { clientNetwork } from '../../../lib/network-address.ts'
import type { PeopleUseCases } from '../../../service/people.ts'
import type { Viewer } from '../../../service/principal.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { APP_KEY_ID, viewerOf } from '../viewer.ts'

export interface SessionSettings {
  /** Signs cookies; at least 32 characters. */
  readonly secret: string
  /** Different for each home: services on one machine share cookies. */
  readonly cookieName: string
  readonly baseUrl: string
}

/** How often the last use of a session is stored. */
const SEEN_EVERY_MS = 60_000
const REQUESTS_PER_MINUTE = 1_200

/** Everything between a request below /app/api and its route: session, rate limit, CSRF protection. */
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

/** A session expires a fixed time after its last use. */
async function staySignedIn({ session }: FastifyRequest, now: number): Promise<void> {
  if (now - (session.seenAt ?? now) < SEEN_EVERY_MS) return
  session.touch()
  await session.save()
}

/**
 * Starts a session under a new id, because somebody else may know the old one.
 * @param person.passwordHash of the checked password: if it was changed meanwhile, no session starts
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

/**
 * Whether work started in a session may continue: it has not ended, and the person is still a member of the account.
 */
export async function isStillSignedIn(request: FastifyRequest, people: PeopleUseCases): Promise<boolean> {
  const { personId, principal } = viewerOf(request)
  const [session, found] = await Promise.all([
    people.sessions.find(hashOfSession(request)),
    people.look(personId, principal.accountId),
  ])
  return session !== undefined && found?.account.accountId === principal.accountId
}

/** The stored form of the session. */
export function hashOfSession({ session }: FastifyRequest): Uint8Array {
  return sessionHash(session.sessionId)
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** The browser in words, from its user agent: `Firefox on Linux`. */
function deviceName(userAgent: string | undefined): string {
  const named = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const browser = named(BROWSERS) ?? 'A program'
  const system = named(SYSTEMS)
  return system === undefined ? browser : `${browser} on ${system}`
}

const READS = new Set(['GET', 'HEAD'])

function isChange({ method }: FastifyRequest): boolean {
  return !READS.has(method)
}

/**
 * A hook: no page of another site may change anything here. Browsers state where a request comes from; without a
 * statement, it is not from a page.
 */
function sameOrigin(baseUrl: string) {
  const own = new URL(baseUrl).origin
  return async (request: FastifyRequest): Promise<void> => {
    if (!isChange(request)) return
    const { origin, host } = request.headers
    const site = request.headers['sec-fetch-site']
    const isOwn = origin === undefined || origin === own || (URL.canParse(origin) && new URL(origin).host === host)
    const isSame = site === undefined || site === 'same-origin' || site === 'none'
    if (!isOwn || !isSame) {
      throw new AppError('forbidden', 'This request comes from another site. Open the app at its own address.')
    }
  }
}

/** A session ends this long after its last use. */
const SESSION_MS = 30 * 24 * 3_600_000
/** For visitors who have not signed in: as long as a page may stay open before it is used. */
const NOBODY_MS = 4 * 3_600_000
const MOST_NOBODIES = 5_000

const challenge = z.object({ value: z.string(), rpId: z.string(), origin: z.string(), until: z.number() })
const kept = z.object({
  /** The selected account. */
  accountId: z.string().optional(),
  /** CSRF secret; the name is that of its plugin. */
  _csrf: z.string().optional(),
  /** The challenge that a passkey was last asked to sign. */
  challenge: challenge.optional(),
})

declare module 'fastify' {
  interface Session extends z.infer<typeof kept> {
    /** The signed-in person. */
    personId?: string
    /** The browser, in words. */
    device?: string
    /** Of the password with which it started. */
    passwordHash?: string
    /** When the row was last stored, in milliseconds. */
    seenAt?: number
  }
}

/** The stored form of sessions. */
function sessionHash(sessionId: string): Uint8Array {
  return createHash('sha256').update(sessionId, 'utf8').digest()
}

/**
 * Sessions of people are stored. Visitors who have not signed in have one in memory, of a limited number, so that they
 * write nothing to disk.
 */
function createSessionStore(sessions: PeopleUseCases['sessions'], clock: Clock): SessionStore {
  const nobodies = new Map<string, { readonly data: string; readonly until: number }>()
  const now = () => clock().getTime()
  const drop = () => {
    for (const [id, { until }] of nobodies) {
      if (nobodies.size <= MOST_NOBODIES && until > now()) break
      nobodies.delete(id)
    }
  }
  const find = async (id: string): Promise<Partial<Session> | undefined> => {
    const nobody = nobodies.get(id)
    if (nobody !== undefined) return nobody.until > now() ? kept.parse(JSON.parse(nobody.data)) : undefined
    const row = await sessions.find(sessionHash(id))
    if (row === undefined) return undefined
    const { personId, device, seenAt } = row
    return { ...kept.parse(JSON.parse(row.data)), personId, device, seenAt: seenAt.getTime() }
  }
  const save = async (id: string, session: Session): Promise<void> => {
    const data = JSON.stringify(kept.parse(session))
    const expiresAt = new Date(now() + SESSION_MS)
    if (session.personId === undefined) {
      nobodies.delete(id)
      nobodies.set(id, { data, until: now() + NOBODY_MS })
      return drop()
    }
    // Only a session that was in memory is added as a row: an ended session does not come back.
    if (!nobodies.delete(id)) return sessions.update(sessionHash(id), { data, expiresAt })
    const { personId, device = '', passwordHash } = session
    const row = { hash: sessionHash(id), sessionId: randomUUID(), personId, data, device, expiresAt }
    return sessions.add({ ...row, ...(passwordHash !== undefined && { passwordHash }) })
  }
  return {
    get: (id, done) => {
      find(id).then(
        (session) => done(null, session === undefined ? null : { ...session, cookie: { originalMaxAge: SESSION_MS } }),
        (error: unknown) => done(error),
      )
    },
    set: (id, session, done) => {
      save(id, session).then(() => done(), done)
    },
    destroy: (id, done) => {
      if (nobodies.delete(id)) return done()
      sessions.end(sessionHash(id)).then(() => done(), done)
    },
  }
}
