import { createHash, randomUUID } from 'node:crypto'
import type { SessionStore } from '@fastify/session'
import type { Session } from 'fastify'
import { z } from 'zod'
import type { Clock } from '../../../lib/clock.ts'
import type { PeopleUseCases } from '../../../service/people-contract.ts'

/** A session ends so long after it was used last. */
export const SESSION_MS = 30 * 24 * 3_600_000
/** Of those who have not signed in: as long as a page may stand open before it is used. */
const NOBODY_MS = 4 * 3_600_000
const MOST_NOBODIES = 5_000

const challenge = z.object({ value: z.string(), rpId: z.string(), origin: z.string(), until: z.number() })
const kept = z.object({
  /** The account that is looked at. */
  accountId: z.string().optional(),
  /** Secret against forged requests; the name is that of its plugin. */
  _csrf: z.string().optional(),
  /** What a passkey was asked to sign last. */
  challenge: challenge.optional(),
})

declare module 'fastify' {
  interface Session extends z.infer<typeof kept> {
    /** Who is signed in. */
    personId?: string
    /** Of the browser, in words. */
    device?: string
    /** Of the password that it begins with. */
    passwordHash?: string
    /** When the row was written last, in milliseconds. */
    seenAt?: number
  }
}

/** As sessions lie in the store. */
export function sessionHash(sessionId: string): Uint8Array {
  return createHash('sha256').update(sessionId, 'utf8').digest()
}

/**
 * Sessions of people lie in the store. Whoever has not signed in has one in memory, of which only so many are kept: a
 * visitor writes nothing to the disk.
 */
export function createSessionStore(sessions: PeopleUseCases['sessions'], clock: Clock): SessionStore {
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
    // Only what was in memory begins a row: a session that was ended meanwhile does not come back.
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
