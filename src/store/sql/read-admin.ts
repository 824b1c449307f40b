import type { Kysely } from 'kysely'
import { isSourceType, type SourceType } from '../../domain/source-type.ts'
import type { AccountRow, KeyRow, UsageCount, UserRow } from '../store.ts'
import type { Database } from './schema.ts'

const ACCOUNT = [
  'account.account_id',
  'account.name',
  'account.time_zone',
  'account.plan',
  'account.billing_status',
  'account.created_at',
  'account.user_id',
] as const

const KEY = [
  'api_key.key_id',
  'api_key.name as key_name',
  'api_key.sources',
  'api_key.is_default',
  'api_key.hash',
  'api_key.created_at as key_created_at',
  'api_key.last_used_at',
] as const

function accounts(db: Kysely<Database>) {
  return db.selectFrom('account').select(ACCOUNT).where('deleting_since', 'is', null)
}

export async function listAccounts(db: Kysely<Database>): Promise<AccountRow[]> {
  const rows = await accounts(db).orderBy('account_key').execute()
  return rows.map(toAccount)
}

export async function findAccount(db: Kysely<Database>, accountId: string): Promise<AccountRow | undefined> {
  const row = await accounts(db).where('account_id', '=', accountId).executeTakeFirst()
  return row && toAccount(row)
}

function keys(db: Kysely<Database>) {
  return db
    .selectFrom('api_key')
    .innerJoin('account', 'account.account_key', 'api_key.account_key')
    .select(KEY)
    .select(ACCOUNT)
}

/** Oldest first, so the default key leads. */
export async function listKeys(db: Kysely<Database>, accountId: string): Promise<KeyRow[]> {
  const rows = await keys(db)
    .where('account.account_id', '=', accountId)
    .orderBy('api_key.created_at')
    .orderBy('api_key.is_default', 'desc')
    .orderBy('api_key.key_id')
    .execute()
  return rows.map(toKey)
}

export async function findKey(
  db: Kysely<Database>,
  hash: Uint8Array,
): Promise<{ key: KeyRow; account: AccountRow; user: UserRow } | undefined> {
  const row = await keys(db)
    .innerJoin('user', 'user.user_id', 'api_key.user_id')
    .select('user.name as user_name')
    .select('user.user_id as key_user_id')
    .where('api_key.hash', '=', hash)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { key: toKey(row), account: toAccount(row), user: { userId: row.key_user_id, name: row.user_name } }
}

export async function usage(
  db: Kysely<Database>,
  accountId: string,
  fromDay: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('usage')
    .innerJoin('account', 'account.account_key', 'usage.account_key')
    .select('usage.metric')
    .select((row) => row.fn.sum<number>('usage.count').as('total'))
    .where('account.account_id', '=', accountId)
    .where('usage.day', '>=', fromDay)
    .groupBy('usage.metric')
    .execute()
  return new Map(rows.map((row) => [row.metric, Number(row.total)]))
}

export async function usageByDay(
  db: Kysely<Database>,
  accountId: string,
  fromDay: string,
): Promise<readonly UsageCount[]> {
  const rows = await db
    .selectFrom('usage')
    .innerJoin('account', 'account.account_key', 'usage.account_key')
    .select(['usage.day', 'usage.metric', 'usage.key_id', 'usage.count'])
    .where('account.account_id', '=', accountId)
    .where('usage.day', '>=', fromDay)
    .where('usage.count', '!=', 0)
    .orderBy('usage.day')
    .orderBy('usage.metric')
    .orderBy('usage.key_id')
    .execute()
  return rows.map(({ day, metric, key_id, count }) => ({ accountId, keyId: key_id, day, metric, count }))
}

function toAccount(row: Awaited<ReturnType<ReturnType<typeof accounts>['executeTakeFirstOrThrow']>>): AccountRow {
  return {
    accountId: row.account_id,
    name: row.name,
    timeZone: row.time_zone,
    plan: row.plan,
    billingStatus: row.billing_status,
    createdAt: new Date(row.created_at),
    userId: row.user_id,
  }
}

function toKey(row: Awaited<ReturnType<ReturnType<typeof keys>['executeTakeFirstOrThrow']>>): KeyRow {
  return {
    keyId: row.key_id,
    accountId: row.account_id,
    name: row.key_name,
    sources: parseSources(row.sources),
    isDefault: row.is_default === 1,
    hash: new Uint8Array(row.hash),
    createdAt: new Date(row.key_created_at),
    lastUsedAt: row.last_used_at === null ? undefined : new Date(row.last_used_at),
  }
}

/** A source type this version does not know gives no access, so that going back a version never widens a key. */
function parseSources(sources: string): 'all' | readonly SourceType[] {
  if (sources === 'all') return 'all'
  const names: unknown = JSON.parse(sources)
  if (!Array.isArray(names)) throw new Error('The sources of a key are not a list')
  return names.filter((name) => typeof name === 'string' && isSourceType(name))
}
