import { loginKey } from '../../domain/identifiers.ts'
import { requireAccountKey } from '../accounts/account-rows.ts'
import { createAccount } from '../accounts/account-writes.ts'
import type { WriteContext } from '../engine.ts'
import type { Db } from '../schema.ts'
import type {
  CountedFailures,
  FailureStats,
  LinkOutcome,
  LinkUse,
  NewLink,
  NewPasskey,
  NewWebSession,
} from './people.ts'
import { insertMembership, insertPerson, isLoginTaken, personKeyOf, replacePassword } from './person-writes.ts'

async function addLink(
  context: WriteContext,
  link: NewLink,
  mostInvitations: number | undefined,
): Promise<'added' | 'refused' | 'limit_reached'> {
  const { db, now } = context
  await db.deleteFrom('sign_in_link').where('expires_at', '<=', now).execute()
  if (link.purpose === 'first') {
    const admin = db.selectFrom('person').select('person_key').where('is_admin', '=', 1).limit(1)
    if ((await admin.executeTakeFirst()) !== undefined) return 'refused'
    await db.deleteFrom('sign_in_link').where('purpose', '=', 'first').execute()
  }
  const personKey = link.personId === undefined ? null : await personKeyOf(context, link.personId)
  const issuerKey = link.issuerId === undefined ? null : await personKeyOf(context, link.issuerId)
  if (personKey === undefined || issuerKey === undefined) return 'refused'
  if (personKey !== null) await db.deleteFrom('sign_in_link').where('person_key', '=', personKey).execute()
  const accountKey = link.accountId === undefined ? null : await requireAccountKey(context, link.accountId)
  if (link.purpose === 'invitation' && mostInvitations !== undefined) {
    if ((await countInvitations(context, accountKey)) >= mostInvitations) return 'limit_reached'
  }
  await db
    .insertInto('sign_in_link')
    .values({
      hash: link.hash,
      link_id: link.linkId,
      purpose: link.purpose,
      account_key: accountKey,
      role: link.role ?? null,
      login_key: link.login === undefined ? null : loginKey(link.login),
      person_key: personKey,
      issuer_key: issuerKey,
      created_at: now,
      expires_at: link.expiresAt.getTime(),
    })
    .execute()
  return 'added'
}

/** @param accountKey null: invitations to a new account */
async function countInvitations({ db }: WriteContext, accountKey: number | null): Promise<number> {
  const { count } = await db
    .selectFrom('sign_in_link')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('purpose', '=', 'invitation')
    .where('account_key', accountKey === null ? 'is' : '=', accountKey)
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function removeLink({ db }: WriteContext, linkId: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('sign_in_link').where('link_id', '=', linkId).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

async function applyLink(context: WriteContext, hash: Uint8Array, use: LinkUse): Promise<LinkOutcome> {
  const { db, now } = context
  const link = await db
    .selectFrom('sign_in_link')
    .leftJoin('account', 'account.account_key', 'sign_in_link.account_key')
    .leftJoin('person', 'person.person_key', 'sign_in_link.person_key')
    .leftJoin('person as issuer', 'issuer.person_key', 'sign_in_link.issuer_key')
    .select(['purpose', 'sign_in_link.account_key', 'role', 'account_id', 'sign_in_link.person_key'])
    .select(['person.person_id', 'sign_in_link.login_key', 'issuer_key', 'issuer.is_admin as by_admin'])
    .where('sign_in_link.hash', '=', hash)
    .where('sign_in_link.expires_at', '>', now)
    .executeTakeFirst()
  if (link === undefined || (link.purpose === 'reset') !== (use.type === 'new_password')) return { outcome: 'over' }
  if (use.type === 'new_person' && (await isLoginTaken(context, use.person.login))) return { outcome: 'login_taken' }
  if (link.purpose === 'first' && use.type !== 'new_person') return { outcome: 'over' }
  await db.deleteFrom('sign_in_link').where('hash', '=', hash).execute()
  if (use.type === 'new_password') {
    if (link.person_key === null || link.person_id === null) return { outcome: 'over' }
    await replacePassword(context, link.person_key, use.passwordHash)
    return { outcome: 'used', personId: link.person_id, accountId: undefined }
  }
  const personId = use.type === 'join' ? use.personId : use.person.personId
  const personKey =
    use.type === 'join'
      ? await personKeyOf(context, use.personId)
      : await insertPerson(context, use.person, {
          isAdmin: link.purpose === 'first',
          loginIsGiven: link.purpose === 'first' || use.person.identity !== undefined,
        })
  if (personKey === undefined) return { outcome: 'over' }
  if (link.login_key !== null && (link.issuer_key === null || link.by_admin === 1)) {
    await noteGivenLogin(context, personKey, link.login_key)
  }
  const accountId = link.account_id ?? use.account?.accountId
  if (accountId === undefined) throw new Error('A link without an account needs one to be made')
  if (link.account_id === null && use.account !== undefined) await createAccount(context, use.account)
  const accountKey = link.account_key ?? (await requireAccountKey(context, accountId))
  await insertMembership(context, { accountKey, personKey, role: link.role ?? 'owner' })
  return { outcome: 'used', personId, accountId }
}

/** A person invited by the command line or an administrator under that name may sign in with it. */
async function noteGivenLogin({ db }: WriteContext, personKey: number, invited: string): Promise<void> {
  await db
    .updateTable('person')
    .set({ login_is_given: 1 })
    .where('person_key', '=', personKey)
    .where('login_key', '=', invited)
    .execute()
}

async function addSession(context: WriteContext, session: NewWebSession): Promise<void> {
  const { db, now } = context
  await db.deleteFrom('web_session').where('expires_at', '<=', now).execute()
  const person = db.selectFrom('person').select('person_key').where('person_id', '=', session.personId)
  const { passwordHash } = session
  const proven = passwordHash === undefined ? person : person.where('password_hash', '=', passwordHash)
  const personKey = (await proven.executeTakeFirst())?.person_key
  if (personKey === undefined) return
  await db
    .insertInto('web_session')
    .values({
      hash: session.hash,
      session_id: session.sessionId,
      person_key: personKey,
      data: session.data,
      device: session.device,
      created_at: now,
      seen_at: now,
      expires_at: session.expiresAt.getTime(),
    })
    .execute()
}

async function updateSession(
  { db, now }: WriteContext,
  hash: Uint8Array,
  { data, expiresAt }: { data: string; expiresAt: Date },
): Promise<void> {
  await db
    .updateTable('web_session')
    .set({ data, seen_at: now, expires_at: expiresAt.getTime() })
    .where('hash', '=', hash)
    .execute()
}

async function endSession({ db }: WriteContext, hash: Uint8Array): Promise<void> {
  await db.deleteFrom('web_session').where('hash', '=', hash).execute()
}

async function signEverybodyOut({ db }: WriteContext): Promise<void> {
  await db.deleteFrom('web_session').execute()
  await db.deleteFrom('sign_in_link').execute()
}

async function endSessionOf(context: WriteContext, personId: string, sessionId: string): Promise<boolean> {
  const personKey = await personKeyOf(context, personId)
  if (personKey === undefined) return false
  const { numDeletedRows } = await context.db
    .deleteFrom('web_session')
    .where('person_key', '=', personKey)
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

async function endSessions(context: WriteContext, personId: string, except: Uint8Array | undefined): Promise<number> {
  const personKey = await personKeyOf(context, personId)
  if (personKey === undefined) return 0
  const all = context.db.deleteFrom('web_session').where('person_key', '=', personKey)
  const chosen = except === undefined ? all : all.where('hash', '<>', except)
  return Number((await chosen.executeTakeFirstOrThrow()).numDeletedRows)
}

async function addPasskey(
  context: WriteContext,
  passkey: NewPasskey,
  limit: number,
): Promise<'added' | 'known' | 'limit_reached'> {
  const { db, now } = context
  const personKey = await personKeyOf(context, passkey.personId)
  if (personKey === undefined) return 'known'
  const { count } = await db
    .selectFrom('passkey')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('person_key', '=', personKey)
    .executeTakeFirstOrThrow()
  if (Number(count) >= limit) return 'limit_reached'
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('passkey')
    .values({
      credential_id: passkey.credentialId,
      person_key: personKey,
      name: passkey.name,
      public_key: passkey.publicKey,
      rp_id: passkey.rpId,
      counter: passkey.counter,
      transports: JSON.stringify(passkey.transports),
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 0n ? 'known' : 'added'
}

async function usePasskey({ db, now }: WriteContext, credentialId: string, counter: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkey')
    .set({ counter, used_at: now })
    .where('credential_id', '=', credentialId)
    // Devices without a counter always send 0.
    .where('counter', counter === 0 ? '=' : '<', counter)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function removePasskey(context: WriteContext, personId: string, credentialId: string): Promise<boolean> {
  const personKey = await personKeyOf(context, personId)
  if (personKey === undefined) return false
  const { numDeletedRows } = await context.db
    .deleteFrom('passkey')
    .where('person_key', '=', personKey)
    .where('credential_id', '=', credentialId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

const FIRST_WAIT_MS = 1_000

const FORGOTTEN_AFTER_MS = 3_600_000

/** Maximum per kind; the oldest attempts are deleted first. */
const MOST_FAILURES = 10_000

/** Deleted per commit. */
const MOST_FORGOTTEN = 100

const NO_FAILURES: FailureStats = { failures: 0, waitMs: 0 }

async function countFailedSignIn(context: WriteContext, counted: readonly CountedFailures[]): Promise<number> {
  const { db, now } = context
  const stats = await readFailureStats(db, counted, now)
  const waitMs = longestWait(stats)
  if (waitMs > 0) return waitMs
  for (const [at, { hash, kind, free, longestMs }] of counted.entries()) {
    const failures = (stats[at]?.failures ?? 0) + 1
    const over = failures - free
    const notBefore = over < 0 ? now : now + Math.min(longestMs, FIRST_WAIT_MS * 2 ** over)
    const row = { failures, not_before: notBefore, last_at: now }
    await db
      .insertInto('failed_sign_in')
      .values({ hash, kind, ...row })
      .onConflict((conflict) => conflict.column('hash').doUpdateSet(row))
      .execute()
    await forgetOldest(context, kind)
  }
  return 0
}

async function forgiveFailedSignIns(
  { db, now }: WriteContext,
  counted: readonly CountedFailures[],
  forgotten: Uint8Array,
): Promise<number> {
  const waitMs = longestWait(await readFailureStats(db, counted, now))
  if (waitMs === 0) await db.deleteFrom('failed_sign_in').where('hash', '=', forgotten).execute()
  return waitMs
}

export async function readFailureStats(
  db: Db,
  counted: readonly CountedFailures[],
  now: number,
): Promise<FailureStats[]> {
  const hashes = counted.map(({ hash }) => hash)
  const found = await db.selectFrom('failed_sign_in').selectAll().where('hash', 'in', hashes).execute()
  const rows = new Map(found.map((row) => [hexOf(row.hash), row]))
  return counted.map(({ hash, longestMs }) => {
    const row = rows.get(hexOf(hash))
    if (row === undefined || now - row.last_at > FORGOTTEN_AFTER_MS) return NO_FAILURES
    // A longer wait is from before the clock was set back.
    return { failures: row.failures, waitMs: Math.min(longestMs, Math.max(0, row.not_before - now)) }
  })
}

async function forgetOldest({ db, now }: WriteContext, kind: string): Promise<void> {
  await db
    .deleteFrom('failed_sign_in')
    .where('kind', '=', kind)
    .where('last_at', '<', now - FORGOTTEN_AFTER_MS)
    .execute()
  const oldest = db
    .selectFrom('failed_sign_in')
    .select('hash')
    .where('kind', '=', kind)
    .orderBy('last_at', 'desc')
    .limit(MOST_FORGOTTEN)
    .offset(MOST_FAILURES)
  await db.deleteFrom('failed_sign_in').where('hash', 'in', oldest).execute()
}

function longestWait(stats: readonly FailureStats[]): number {
  return Math.max(0, ...stats.map(({ waitMs }) => waitMs))
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

export const signInCommands = {
  addLink,
  removeLink,
  applyLink,
  addSession,
  updateSession,
  endSession,
  endSessionOf,
  endSessions,
  signEverybodyOut,
  addPasskey,
  usePasskey,
  removePasskey,
  countFailedSignIn,
  forgiveFailedSignIns,
}
