import type { Selectable } from 'kysely'
import { z } from 'zod'
import { loginKey } from '../../domain/identifiers.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Database, type Db, toDate } from '../schema.ts'
import type { WriteCommandRunner } from '../write-commands.ts'
import type {
  CountedFailures,
  FailedSignIns,
  Member,
  Membership,
  OutsideIdentity,
  Passkey,
  Passkeys,
  People,
  Person,
  SignInLink,
  SignInLinks,
  WebSession,
  WebSessions,
} from './people.ts'
import { readFailureStats } from './sign-in-writes.ts'

export function createPeople(db: Db, commands: WriteCommandRunner, clock: Clock): People {
  return {
    anyone: () => hasPeople(db),
    list: () => listPeople(db),
    find: (personId) => findPerson(db, personId),
    findLogin: (login) => findLogin(db, login),
    findIdentity: (identity) => findIdentity(db, identity),
    passwordHash: (personId) => passwordHash(db, personId),
    memberships: (personId) => memberships(db, personId),
    members: (accountId) => members(db, accountId),
    update: (personId, change) => commands.call('updatePerson', personId, change),
    setPassword: (personId, hash, keep) => commands.call('setPassword', personId, hash, keep),
    remove: (personId) => commands.call('removePerson', personId),
    setRole: ({ accountId, personId }, role) => commands.call('setRole', { accountId, personId }, role),
    removeMember: ({ accountId, personId }) => commands.call('removeMember', { accountId, personId }),
    createAccount: (account, ownerId) => commands.call('createOwnedAccount', account, ownerId),
    linkIdentity: (login, { issuer, subject }) => commands.call('linkIdentity', login, { issuer, subject }),
    signEverybodyOut: () => commands.call('signEverybodyOut'),
    links: createLinks(db, commands, clock),
    sessions: createSessions(db, commands, clock),
    passkeys: createPasskeys(db, commands),
    failedSignIns: createFailedSignIns(db, commands, () => clock().getTime()),
  }
}

function createLinks(db: Db, commands: WriteCommandRunner, clock: Clock): SignInLinks {
  const now = () => clock().getTime()
  return {
    add: (link, mostInvitations) => commands.call('addLink', { ...link }, mostInvitations),
    find: (hash) => findLink(db, hash, now()),
    invitations: (accountId) => invitations(db, accountId, now()),
    findInvitation: (login) => findInvitation(db, login, now()),
    remove: (linkId) => commands.call('removeLink', linkId),
    use: (hash, use) => commands.call('applyLink', hash, { ...use }),
  }
}

function createSessions(db: Db, commands: WriteCommandRunner, clock: Clock): WebSessions {
  const now = () => clock().getTime()
  return {
    find: (hash) => findSession(db, hash, now()),
    add: (session) => commands.call('addSession', { ...session }),
    update: (hash, { data, expiresAt }) => commands.call('updateSession', hash, { data, expiresAt }),
    end: (hash) => commands.call('endSession', hash),
    endOf: (personId, sessionId) => commands.call('endSessionOf', personId, sessionId),
    endAll: (personId, except) => commands.call('endSessions', personId, except),
    list: (personId) => listSessions(db, personId, now()),
  }
}

function createPasskeys(db: Db, commands: WriteCommandRunner): Passkeys {
  return {
    list: (personId) => listPasskeys(db, personId),
    find: (credentialId) => findPasskey(db, credentialId),
    add: (passkey, limit) => commands.call('addPasskey', { ...passkey, transports: [...passkey.transports] }, limit),
    used: (credentialId, counter) => commands.call('usePasskey', credentialId, counter),
    remove: (personId, credentialId) => commands.call('removePasskey', personId, credentialId),
  }
}

function createFailedSignIns(db: Db, commands: WriteCommandRunner, now: () => number): FailedSignIns {
  return {
    stats: (counted) => readFailureStats(db, counted, now()),
    count: (counted) => commands.call('countFailedSignIn', counted.map(plainFailures)),
    forgive: (counted, forgotten) => commands.call('forgiveFailedSignIns', counted.map(plainFailures), forgotten),
  }
}

/** Without the name that was tried. */
function plainFailures({ kind, hash, free, longestMs }: CountedFailures): CountedFailures {
  return { kind, hash, free, longestMs }
}

const PERSON_COLUMNS = [
  'person.person_id',
  'person.name',
  'person.login',
  'person.is_admin',
  'person.created_at',
] as const

const TRANSPORTS = z.array(z.string())

function selectPeople(db: Db) {
  return db.selectFrom('person').select(PERSON_COLUMNS)
}

async function hasPeople(db: Db): Promise<boolean> {
  return (await db.selectFrom('person').select('person_key').limit(1).executeTakeFirst()) !== undefined
}

async function listPeople(db: Db): Promise<Person[]> {
  return (await selectPeople(db).orderBy('person_key').execute()).map(toPerson)
}

async function findPerson(db: Db, personId: string): Promise<Person | undefined> {
  const row = await selectPeople(db).where('person_id', '=', personId).executeTakeFirst()
  return row && toPerson(row)
}

async function findLogin(db: Db, login: string): Promise<Person | undefined> {
  const row = await selectPeople(db).where('login_key', '=', loginKey(login)).executeTakeFirst()
  return row && toPerson(row)
}

async function findIdentity(db: Db, { issuer, subject }: OutsideIdentity): Promise<Person | undefined> {
  const row = await selectPeople(db)
    .innerJoin('outside_identity', 'outside_identity.person_key', 'person.person_key')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row && toPerson(row)
}

async function passwordHash(db: Db, personId: string): Promise<string | undefined> {
  const row = await db.selectFrom('person').select('password_hash').where('person_id', '=', personId).executeTakeFirst()
  return row?.password_hash ?? undefined
}

async function memberships(db: Db, personId: string): Promise<Membership[]> {
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

async function members(db: Db, accountId: string): Promise<Member[]> {
  const rows = await selectPeople(db)
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

function selectLinks(db: Db, now: number) {
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

async function findLink(db: Db, hash: Uint8Array, now: number): Promise<SignInLink | undefined> {
  const row = await selectLinks(db, now).where('sign_in_link.hash', '=', hash).executeTakeFirst()
  return row && toLink(row)
}

async function invitations(db: Db, accountId: string | undefined, now: number): Promise<SignInLink[]> {
  const all = selectLinks(db, now).where('sign_in_link.purpose', '=', 'invitation')
  const wanted =
    accountId === undefined
      ? all.where('sign_in_link.account_key', 'is', null)
      : all.where('account.account_id', '=', accountId)
  const rows = await wanted.orderBy('sign_in_link.created_at').orderBy('sign_in_link.link_id').execute()
  return rows.map(toLink)
}

async function findInvitation(db: Db, login: string, now: number) {
  const row = await selectLinks(db, now)
    .where('sign_in_link.purpose', '=', 'invitation')
    .where('sign_in_link.login_key', '=', loginKey(login))
    .orderBy('sign_in_link.created_at', 'desc')
    .executeTakeFirst()
  return row && { ...toLink(row), hash: new Uint8Array(row.hash) }
}

function selectSessions(db: Db, now: number) {
  return db
    .selectFrom('web_session')
    .innerJoin('person', 'person.person_key', 'web_session.person_key')
    .selectAll('web_session')
    .select('person.person_id')
    .where('web_session.expires_at', '>', now)
}

async function findSession(db: Db, hash: Uint8Array, now: number): Promise<WebSession | undefined> {
  const row = await selectSessions(db, now).where('web_session.hash', '=', hash).executeTakeFirst()
  return row && toSession(row)
}

async function listSessions(db: Db, personId: string, now: number): Promise<WebSession[]> {
  const rows = await selectSessions(db, now)
    .where('person.person_id', '=', personId)
    .orderBy('web_session.seen_at', 'desc')
    .orderBy('web_session.session_id')
    .execute()
  return rows.map(toSession)
}

function selectPasskeys(db: Db) {
  return db
    .selectFrom('passkey')
    .innerJoin('person', 'person.person_key', 'passkey.person_key')
    .selectAll('passkey')
    .select('person.person_id')
}

async function listPasskeys(db: Db, personId: string): Promise<Passkey[]> {
  const rows = await selectPasskeys(db)
    .where('person.person_id', '=', personId)
    .orderBy('passkey.created_at')
    .orderBy('passkey.credential_id')
    .execute()
  return rows.map(toPasskey)
}

async function findPasskey(db: Db, credentialId: string): Promise<Passkey | undefined> {
  const row = await selectPasskeys(db).where('passkey.credential_id', '=', credentialId).executeTakeFirst()
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

function toLink(row: NonNullable<Awaited<ReturnType<ReturnType<typeof selectLinks>['executeTakeFirst']>>>): SignInLink {
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
