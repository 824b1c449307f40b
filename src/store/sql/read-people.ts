import type { Kysely, Selectable } from 'kysely'
import { z } from 'zod'
import { loginKey } from '../../domain/login-key.ts'
import type { Member, Membership, OutsideIdentity, Passkey, Person, SignInLink, WebSession } from '../people.ts'
import type { Database } from './schema.ts'

const PERSON = ['person.person_id', 'person.name', 'person.login', 'person.is_admin', 'person.created_at'] as const
const TRANSPORTS = z.array(z.string())

function people(db: Kysely<Database>) {
  return db.selectFrom('person').select(PERSON)
}

export async function hasPeople(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('person').select('person_key').limit(1).executeTakeFirst()) !== undefined
}

export async function listPeople(db: Kysely<Database>): Promise<Person[]> {
  return (await people(db).orderBy('person_key').execute()).map(toPerson)
}

export async function findPerson(db: Kysely<Database>, personId: string): Promise<Person | undefined> {
  const row = await people(db).where('person_id', '=', personId).executeTakeFirst()
  return row && toPerson(row)
}

export async function findLogin(db: Kysely<Database>, login: string): Promise<Person | undefined> {
  const row = await people(db).where('login_key', '=', loginKey(login)).executeTakeFirst()
  return row && toPerson(row)
}

export async function findIdentity(
  db: Kysely<Database>,
  { issuer, subject }: OutsideIdentity,
): Promise<Person | undefined> {
  const row = await people(db)
    .innerJoin('outside_identity', 'outside_identity.person_key', 'person.person_key')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row && toPerson(row)
}

export async function passwordHash(db: Kysely<Database>, personId: string): Promise<string | undefined> {
  const row = await db.selectFrom('person').select('password_hash').where('person_id', '=', personId).executeTakeFirst()
  return row?.password_hash ?? undefined
}

export async function memberships(db: Kysely<Database>, personId: string): Promise<Membership[]> {
  const rows = await db
    .selectFrom('membership')
    .innerJoin('person', 'person.person_key', 'membership.person_key')
    .innerJoin('account', 'account.account_key', 'membership.account_key')
    .select(['account.account_id', 'account.name', 'membership.role'])
    .where('person.person_id', '=', personId)
    .orderBy('membership.created_at')
    .orderBy('account.account_key')
    .execute()
  return rows.map(({ account_id, name, role }) => ({ accountId: account_id, accountName: name, role }))
}

export async function members(db: Kysely<Database>, accountId: string): Promise<Member[]> {
  const rows = await people(db)
    .innerJoin('membership', 'membership.person_key', 'person.person_key')
    .innerJoin('account', 'account.account_key', 'membership.account_key')
    .select(['membership.role', 'membership.created_at as joined_at'])
    .select((row) =>
      row
        .selectFrom('web_session')
        .select((session) => session.fn.max('web_session.seen_at').as('seen_at'))
        .whereRef('web_session.person_key', '=', 'person.person_key')
        .as('seen_at'),
    )
    .where('account.account_id', '=', accountId)
    .orderBy('membership.created_at')
    .orderBy('person.person_key')
    .execute()
  return rows.map((row) => ({
    ...toPerson(row),
    role: row.role,
    joinedAt: new Date(row.joined_at),
    lastSeenAt: toDate(row.seen_at),
  }))
}

function links(db: Kysely<Database>, now: number) {
  return db
    .selectFrom('sign_in_link')
    .leftJoin('account', 'account.account_key', 'sign_in_link.account_key')
    .leftJoin('person', 'person.person_key', 'sign_in_link.person_key')
    .select([
      'sign_in_link.hash',
      'sign_in_link.link_id',
      'sign_in_link.purpose',
      'sign_in_link.role',
      'sign_in_link.login_key',
      'sign_in_link.created_at',
      'sign_in_link.expires_at',
      'account.account_id',
      'account.name as account_name',
      'person.person_id',
    ])
    .where('sign_in_link.expires_at', '>', now)
}

export async function findLink(db: Kysely<Database>, hash: Uint8Array, now: number): Promise<SignInLink | undefined> {
  const row = await links(db, now).where('sign_in_link.hash', '=', hash).executeTakeFirst()
  return row && toLink(row)
}

export async function invitations(
  db: Kysely<Database>,
  accountId: string | undefined,
  now: number,
): Promise<SignInLink[]> {
  const all = links(db, now).where('sign_in_link.purpose', '=', 'invitation')
  const wanted =
    accountId === undefined
      ? all.where('sign_in_link.account_key', 'is', null)
      : all.where('account.account_id', '=', accountId)
  const rows = await wanted.orderBy('sign_in_link.created_at').orderBy('sign_in_link.link_id').execute()
  return rows.map(toLink)
}

export async function findInvitation(db: Kysely<Database>, login: string, now: number) {
  const row = await links(db, now)
    .where('sign_in_link.purpose', '=', 'invitation')
    .where('sign_in_link.login_key', '=', loginKey(login))
    .orderBy('sign_in_link.created_at', 'desc')
    .executeTakeFirst()
  return row && { ...toLink(row), hash: new Uint8Array(row.hash) }
}

function sessions(db: Kysely<Database>, now: number) {
  return db
    .selectFrom('web_session')
    .innerJoin('person', 'person.person_key', 'web_session.person_key')
    .selectAll('web_session')
    .select('person.person_id')
    .where('web_session.expires_at', '>', now)
}

export async function findSession(
  db: Kysely<Database>,
  hash: Uint8Array,
  now: number,
): Promise<WebSession | undefined> {
  const row = await sessions(db, now).where('web_session.hash', '=', hash).executeTakeFirst()
  return row && toSession(row)
}

export async function listSessions(db: Kysely<Database>, personId: string, now: number): Promise<WebSession[]> {
  const rows = await sessions(db, now)
    .where('person.person_id', '=', personId)
    .orderBy('web_session.seen_at', 'desc')
    .orderBy('web_session.session_id')
    .execute()
  return rows.map(toSession)
}

function passkeys(db: Kysely<Database>) {
  return db
    .selectFrom('passkey')
    .innerJoin('person', 'person.person_key', 'passkey.person_key')
    .selectAll('passkey')
    .select('person.person_id')
}

export async function listPasskeys(db: Kysely<Database>, personId: string): Promise<Passkey[]> {
  const rows = await passkeys(db)
    .where('person.person_id', '=', personId)
    .orderBy('passkey.created_at')
    .orderBy('passkey.credential_id')
    .execute()
  return rows.map(toPasskey)
}

export async function findPasskey(db: Kysely<Database>, credentialId: string): Promise<Passkey | undefined> {
  const row = await passkeys(db).where('passkey.credential_id', '=', credentialId).executeTakeFirst()
  return row && toPasskey(row)
}

function toPerson(
  row: Pick<Selectable<Database['person']>, 'person_id' | 'name' | 'login' | 'is_admin' | 'created_at'>,
) {
  return {
    personId: row.person_id,
    name: row.name,
    login: row.login,
    isAdmin: row.is_admin === 1,
    createdAt: new Date(row.created_at),
  }
}

function toLink(row: NonNullable<Awaited<ReturnType<ReturnType<typeof links>['executeTakeFirst']>>>): SignInLink {
  return {
    linkId: row.link_id,
    purpose: row.purpose,
    accountId: row.account_id ?? undefined,
    accountName: row.account_name ?? undefined,
    role: row.role ?? undefined,
    login: row.login_key ?? undefined,
    personId: row.person_id ?? undefined,
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
  }
}

function toSession(row: Selectable<Database['web_session']> & { readonly person_id: string }): WebSession {
  return {
    sessionId: row.session_id,
    personId: row.person_id,
    data: row.data,
    device: row.device,
    createdAt: new Date(row.created_at),
    seenAt: new Date(row.seen_at),
    expiresAt: new Date(row.expires_at),
  }
}

function toPasskey(row: Selectable<Database['passkey']> & { readonly person_id: string }): Passkey {
  return {
    credentialId: row.credential_id,
    personId: row.person_id,
    name: row.name,
    publicKey: new Uint8Array(row.public_key),
    rpId: row.rp_id,
    counter: row.counter,
    transports: TRANSPORTS.parse(JSON.parse(row.transports)),
    createdAt: new Date(row.created_at),
    usedAt: toDate(row.used_at),
  }
}

function toDate(ms: number | null): Date | undefined {
  return ms === null ? undefined : new Date(ms)
}
