import type { Clock } from '../../lib/clock.ts'
import { ACCOUNT_COLUMNS, parseSources, toAccount } from '../accounts/account-rows.ts'
import { type Db, toDate } from '../schema.ts'
import type { WriteCommandRunner } from '../write-commands.ts'
import type { AgentClients, AgentTokens, Authorization, Authorizations } from './authorizations.ts'

export function createAuthorizations(db: Db, commands: WriteCommandRunner, clock: Clock): Authorizations {
  const now = () => clock().getTime()
  return {
    list: (accountId) => listAuthorizations(db, accountId, now()),
    find: (authorizationId) => findAuthorization(db, authorizationId, now()),
    add: (authorization, limit) => {
      const { sources } = authorization
      const copied = sources === 'all' ? sources : [...sources]
      return commands.call('addAuthorization', { ...authorization, sources: copied }, limit)
    },
    end: (authorizationId) => commands.call('endAuthorization', authorizationId),
    ofAccessToken: (hash) => findByAccessToken(db, hash, now()),
    clients: createClients(db, commands),
    tokens: createTokens(db, commands, now),
  }
}

function createClients(db: Db, commands: WriteCommandRunner): AgentClients {
  return {
    async find(clientId) {
      const row = await db
        .selectFrom('oauth_client')
        .select('metadata')
        .where('client_id', '=', clientId)
        .executeTakeFirst()
      return row?.metadata
    },
    add: ({ clientId, metadata }, { most, keepMs }) =>
      commands.call('addAgentClient', { clientId, metadata }, { most, keepMs }),
  }
}

function createTokens(db: Db, commands: WriteCommandRunner, now: () => number): AgentTokens {
  return {
    async find(kind, hash) {
      const row = await db
        .selectFrom('oauth_token')
        .select(['payload', 'consumed_at'])
        .where('hash', '=', hash)
        .where('kind', '=', kind)
        .where('expires_at', '>', now())
        .executeTakeFirst()
      return row && { payload: row.payload, consumedAt: toDate(row.consumed_at) }
    },
    save: ({ kind, hash, authorizationId, payload, expiresAt }, mostRequests) =>
      commands.call('saveAgentToken', { kind, hash, authorizationId, payload, expiresAt }, mostRequests),
    consume: (kind, hash) => commands.call('consumeAgentToken', kind, hash),
    remove: (kind, hash) => commands.call('removeAgentToken', kind, hash),
    removeOf: (kind, authorizationId) => commands.call('removeAgentTokens', kind, authorizationId),
  }
}

/** Those of owners, which have not expired. */
function selectAuthorizations(db: Db, now: number) {
  return db
    .selectFrom('oauth_authorization')
    .innerJoin('account', 'account.account_key', 'oauth_authorization.account_key')
    .innerJoin('person', 'person.person_key', 'oauth_authorization.person_key')
    .innerJoin('membership', (join) =>
      join
        .onRef('membership.account_key', '=', 'oauth_authorization.account_key')
        .onRef('membership.person_key', '=', 'oauth_authorization.person_key'),
    )
    .select([
      'oauth_authorization.authorization_id',
      'oauth_authorization.client_id',
      'oauth_authorization.client_name',
      'oauth_authorization.client_host',
      'oauth_authorization.resource',
      'oauth_authorization.sources',
      'oauth_authorization.access',
      'oauth_authorization.created_at as given_at',
      'oauth_authorization.expires_at',
      'oauth_authorization.last_used_at',
      'person.person_id',
      'person.name as person_name',
    ])
    .select(ACCOUNT_COLUMNS)
    .where('membership.role', '=', 'owner')
    .where('account.deleting_since', 'is', null)
    .where((row) =>
      row.or([row('oauth_authorization.expires_at', 'is', null), row('oauth_authorization.expires_at', '>', now)]),
    )
}

async function listAuthorizations(db: Db, accountId: string, now: number): Promise<Authorization[]> {
  const rows = await selectAuthorizations(db, now)
    .where('account.account_id', '=', accountId)
    .orderBy('oauth_authorization.created_at')
    .orderBy('oauth_authorization.authorization_id')
    .execute()
  return rows.map(toAuthorization)
}

async function findAuthorization(db: Db, authorizationId: string, now: number): Promise<Authorization | undefined> {
  const row = await selectAuthorizations(db, now)
    .where('oauth_authorization.authorization_id', '=', authorizationId)
    .executeTakeFirst()
  return row && toAuthorization(row)
}

async function findByAccessToken(db: Db, hash: Uint8Array, now: number) {
  const row = await selectAuthorizations(db, now)
    .innerJoin('oauth_token', 'oauth_token.authorization_key', 'oauth_authorization.authorization_key')
    .innerJoin('user', 'user.user_id', 'account.user_id')
    .select('user.name as user_name')
    .where('oauth_token.hash', '=', hash)
    .where('oauth_token.kind', '=', 'access')
    .where('oauth_token.expires_at', '>', now)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const user = { userId: row.user_id, name: row.user_name }
  return { authorization: toAuthorization(row), account: toAccount(row), user }
}

function toAuthorization(
  row: Awaited<ReturnType<ReturnType<typeof selectAuthorizations>['executeTakeFirstOrThrow']>>,
): Authorization {
  return {
    authorizationId: row.authorization_id,
    accountId: row.account_id,
    personId: row.person_id,
    personName: row.person_name,
    clientId: row.client_id,
    clientName: row.client_name,
    clientHost: row.client_host ?? undefined,
    resource: row.resource,
    sources: parseSources(row.sources),
    access: row.access,
    createdAt: new Date(row.given_at),
    expiresAt: toDate(row.expires_at),
    lastUsedAt: toDate(row.last_used_at),
  }
}
