import type { Kysely } from 'kysely'
import type { Clock } from '../../lib/clock.ts'
import type { Passkeys, People, SignInLinks, WebSessions } from '../people.ts'
import { createFailedSignIns } from './failed-sign-ins.ts'
import type { IntentRunner } from './intent-runner.ts'
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
} from './read-people.ts'
import type { Database } from './schema.ts'

export function createPeople(db: Kysely<Database>, intents: IntentRunner, clock: Clock): People {
  return {
    anyone: () => hasPeople(db),
    list: () => listPeople(db),
    find: (personId) => findPerson(db, personId),
    findLogin: (login) => findLogin(db, login),
    findIdentity: (identity) => findIdentity(db, identity),
    passwordHash: (personId) => passwordHash(db, personId),
    memberships: (personId) => memberships(db, personId),
    members: (accountId) => members(db, accountId),
    update: (personId, change) => intents.call('updatePerson', personId, change),
    setPassword: (personId, hash, keep) => intents.call('setPassword', personId, hash, keep),
    remove: (personId) => intents.call('removePerson', personId),
    setRole: ({ accountId, personId }, role) => intents.call('setRole', { accountId, personId }, role),
    removeMember: ({ accountId, personId }) => intents.call('removeMember', { accountId, personId }),
    createAccount: (account, ownerId) => intents.call('createOwnedAccount', account, ownerId),
    linkIdentity: (login, { issuer, subject }) => intents.call('linkIdentity', login, { issuer, subject }),
    signEverybodyOut: () => intents.call('signEverybodyOut'),
    links: createLinks(db, intents, clock),
    sessions: createSessions(db, intents, clock),
    passkeys: createPasskeys(db, intents),
    failedSignIns: createFailedSignIns(db, intents, () => clock().getTime()),
  }
}

function createLinks(db: Kysely<Database>, intents: IntentRunner, clock: Clock): SignInLinks {
  const now = () => clock().getTime()
  return {
    add: (link, mostInvitations) => intents.call('addLink', { ...link }, mostInvitations),
    find: (hash) => findLink(db, hash, now()),
    invitations: (accountId) => invitations(db, accountId, now()),
    findInvitation: (login) => findInvitation(db, login, now()),
    remove: (linkId) => intents.call('removeLink', linkId),
    use: (hash, use) => intents.call('applyLink', hash, { ...use }),
  }
}

function createSessions(db: Kysely<Database>, intents: IntentRunner, clock: Clock): WebSessions {
  const now = () => clock().getTime()
  return {
    find: (hash) => findSession(db, hash, now()),
    add: (session) => intents.call('addSession', { ...session }),
    update: (hash, { data, expiresAt }) => intents.call('updateSession', hash, { data, expiresAt }),
    end: (hash) => intents.call('endSession', hash),
    endOf: (personId, sessionId) => intents.call('endSessionOf', personId, sessionId),
    endAll: (personId, except) => intents.call('endSessions', personId, except),
    list: (personId) => listSessions(db, personId, now()),
  }
}

function createPasskeys(db: Kysely<Database>, intents: IntentRunner): Passkeys {
  return {
    list: (personId) => listPasskeys(db, personId),
    find: (credentialId) => findPasskey(db, credentialId),
    add: (passkey, limit) => intents.call('addPasskey', { ...passkey, transports: [...passkey.transports] }, limit),
    used: (credentialId, counter) => intents.call('usePasskey', credentialId, counter),
    remove: (personId, credentialId) => intents.call('removePasskey', personId, credentialId),
  }
}
