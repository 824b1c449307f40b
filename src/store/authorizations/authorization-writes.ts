import { findAccountKey } from '../accounts/account-rows.ts'
import type { WriteContext } from '../engine.ts'
import { personKeyOf } from '../people/person-writes.ts'
import type { Db } from '../schema.ts'
import type { AgentTokenKind, ClientLimits, NewAgentToken, NewAuthorization } from './authorizations.ts'

async function addAuthorization(
  context: WriteContext,
  authorization: NewAuthorization,
  limit: number,
): Promise<'added' | 'not_owner' | 'limit_reached'> {
  const { db, now } = context
  const accountKey = await findAccountKey(context, authorization.accountId)
  const personKey = await personKeyOf(context, authorization.personId)
  if (accountKey === undefined || personKey === undefined) return 'not_owner'
  const owner = await db
    .selectFrom('membership')
    .select('role')
    .where('account_key', '=', accountKey)
    .where('person_key', '=', personKey)
    .where('role', '=', 'owner')
    .executeTakeFirst()
  if (owner === undefined) return 'not_owner'
  await db.deleteFrom('oauth_authorization').where('expires_at', '<=', now).execute()
  const { count } = await db
    .selectFrom('oauth_authorization')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('account_key', '=', accountKey)
    .executeTakeFirstOrThrow()
  if (Number(count) >= limit) return 'limit_reached'
  const { authorizationId, clientId, clientName, clientHost, resource, sources, access, expiresAt } = authorization
  await db
    .insertInto('oauth_authorization')
    .values({
      ...{ authorization_id: authorizationId, account_key: accountKey, person_key: personKey, client_id: clientId },
      ...{ client_name: clientName, client_host: clientHost ?? null, resource, access, created_at: now },
      sources: sources === 'all' ? 'all' : JSON.stringify(sources),
      expires_at: expiresAt?.getTime() ?? null,
      last_used_at: null,
    })
    .execute()
  await db.updateTable('oauth_client').set({ used_at: now }).where('client_id', '=', clientId).execute()
  return 'added'
}

async function endAuthorization({ db }: WriteContext, authorizationId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('oauth_authorization')
    .where('authorization_id', '=', authorizationId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

async function addAgentClient(
  { db, now }: WriteContext,
  { clientId, metadata }: { readonly clientId: string; readonly metadata: string },
  { most, keepMs }: ClientLimits,
): Promise<void> {
  const connected = db.selectFrom('oauth_authorization').select('client_id')
  await db
    .deleteFrom('oauth_client')
    .where('used_at', '<=', now - keepMs)
    .where('client_id', 'not in', connected)
    .execute()
  const excess = await db
    .selectFrom('oauth_client')
    .select('client_id')
    .where('client_id', 'not in', connected)
    .orderBy('used_at', 'desc')
    .orderBy('client_id')
    .limit(most)
    .offset(Math.max(0, most - 1))
    .execute()
  for (const { client_id } of excess) await db.deleteFrom('oauth_client').where('client_id', '=', client_id).execute()
  await db
    .insertInto('oauth_client')
    .values({ client_id: clientId, metadata, registered_at: now, used_at: now })
    .execute()
}

async function saveAgentToken(
  { db, now }: WriteContext,
  { kind, hash, authorizationId, payload, expiresAt }: NewAgentToken,
  mostRequests: number,
): Promise<boolean> {
  await db.deleteFrom('oauth_token').where('kind', '=', kind).where('expires_at', '<=', now).execute()
  const authorizationKey = authorizationId === undefined ? null : await findAuthorizationKey(db, authorizationId)
  if (authorizationKey === undefined) return false
  if (authorizationKey === null) await dropOldRequests(db, hash, mostRequests)
  const changed = { payload, expires_at: expiresAt.getTime() }
  await db
    .insertInto('oauth_token')
    .values({ hash, kind, authorization_key: authorizationKey, consumed_at: null, ...changed })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet(changed))
    .execute()
  return true
}

async function findAuthorizationKey(db: Db, authorizationId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('oauth_authorization')
    .select('authorization_key')
    .where('authorization_id', '=', authorizationId)
    .executeTakeFirst()
  return row?.authorization_key
}

/** Leaves room for the one with this hash. */
async function dropOldRequests(db: Db, hash: Uint8Array, most: number): Promise<void> {
  const excess = await db
    .selectFrom('oauth_token')
    .select('hash')
    .where('kind', '=', 'request')
    .where('hash', '<>', hash)
    .orderBy('expires_at', 'desc')
    .limit(most)
    .offset(Math.max(0, most - 1))
    .execute()
  for (const row of excess) await db.deleteFrom('oauth_token').where('hash', '=', row.hash).execute()
}

async function consumeAgentToken({ db, now }: WriteContext, kind: AgentTokenKind, hash: Uint8Array): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_token')
    .set({ consumed_at: now })
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .where('consumed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function removeAgentToken({ db }: WriteContext, kind: AgentTokenKind, hash: Uint8Array): Promise<void> {
  await db.deleteFrom('oauth_token').where('hash', '=', hash).where('kind', '=', kind).execute()
}

async function removeAgentTokens({ db }: WriteContext, kind: AgentTokenKind, authorizationId: string): Promise<void> {
  const authorizationKey = await findAuthorizationKey(db, authorizationId)
  if (authorizationKey === undefined) return
  await db
    .deleteFrom('oauth_token')
    .where('authorization_key', '=', authorizationKey)
    .where('kind', '=', kind)
    .execute()
}

export const authorizationCommands = {
  addAuthorization,
  endAuthorization,
  addAgentClient,
  saveAgentToken,
  consumeAgentToken,
  removeAgentToken,
  removeAgentTokens,
}
