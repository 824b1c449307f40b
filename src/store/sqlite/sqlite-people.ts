import type { Kysely } from 'kysely'
import type { Clock } from '../../kit/clock.ts'
import type { Passkeys, People, SignInLinks, WebSessions } from '../people.ts'
import {
  findIdentity,
  findInvitation,
  findLink,
  findLogin,
  findPasskey,
  findPerson,
  findSession,
  hasPeople,
  invitations,
  listPasskeys,
  listPeople,
  listSessions,
  members,
  memberships,
  passwordHash,
} from '../sql/read-people.ts'
import type { Database } from '../sql/schema.ts'
import type { Writer } from './writer.ts'

export function createPeople(db: Kysely<Database>, writer: Writer, clock: Clock): People {
  return {
    anyone: () => hasPeople(db),
    list: () => listPeople(db),
    find: (personId) => findPerson(db, personId),
    findLogin: (login) => findLogin(db, login),
    findIdentity: (identity) => findIdentity(db, identity),
    passwordHash: (personId) => passwordHash(db, personId),
    memberships: (personId) => memberships(db, personId),
    members: (accountId) => members(db, accountId),
    update: (personId, change) => writer.call('updatePerson', personId, change),
    setPassword: (personId, hash, keep) => writer.call('setPassword', personId, hash, keep),
    remove: (personId) => writer.call('removePerson', personId),
    setRole: ({ accountId, personId }, role) => writer.call('setRole', { accountId, personId }, role),
    removeMember: ({ accountId, personId }) => writer.call('removeMember', { accountId, personId }),
    createAccount: (account, ownerId) => writer.call('createOwnedAccount', account, ownerId),
    linkIdentity: (login, { issuer, subject }) => writer.call('linkIdentity', login, { issuer, subject }),
    signEverybodyOut: () => writer.call('signEverybodyOut'),
    links: createLinks(db, writer, clock),
    sessions: createSessions(db, writer, clock),
    passkeys: createPasskeys(db, writer),
  }
}

function createLinks(db: Kysely<Database>, writer: Writer, clock: Clock): SignInLinks {
  const now = () => clock().getTime()
  return {
    add: (link) => writer.call('addLink', { ...link }),
    find: (hash) => findLink(db, hash, now()),
    invitations: (accountId) => invitations(db, accountId, now()),
    findInvitation: (login) => findInvitation(db, login, now()),
    remove: (linkId) => writer.call('removeLink', linkId),
    use: (hash, use) => writer.call('applyLink', hash, { ...use }),
  }
}

function createSessions(db: Kysely<Database>, writer: Writer, clock: Clock): WebSessions {
  const now = () => clock().getTime()
  return {
    find: (hash) => findSession(db, hash, now()),
    add: (session) => writer.call('addSession', { ...session }),
    update: (hash, { data, expiresAt }) => writer.call('updateSession', hash, { data, expiresAt }),
    end: (hash) => writer.call('endSession', hash),
    endOf: (personId, sessionId) => writer.call('endSessionOf', personId, sessionId),
    endAll: (personId, except) => writer.call('endSessions', personId, except),
    list: (personId) => listSessions(db, personId, now()),
  }
}

function createPasskeys(db: Kysely<Database>, writer: Writer): Passkeys {
  return {
    list: (personId) => listPasskeys(db, personId),
    find: (credentialId) => findPasskey(db, credentialId),
    add: (passkey) => writer.call('addPasskey', { ...passkey, transports: [...passkey.transports] }),
    used: (credentialId, counter) => writer.call('usePasskey', credentialId, counter),
    remove: (personId, credentialId) => writer.call('removePasskey', personId, credentialId),
  }
}
