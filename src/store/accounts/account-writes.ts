import { sql } from 'kysely'
import type { WriteContext } from '../engine.ts'
import { requireAccountKey } from './account-rows.ts'
import type { BillingStatus, CountedRequests, NewAccount, NewKey, UsageCount } from './accounts.ts'

/** Account, its user, its default key and its full-text index in one commit. */
export async function createAccount(context: WriteContext, account: NewAccount, onlyFirst = false): Promise<boolean> {
  const other = onlyFirst && (await context.db.selectFrom('account').select('account_key').limit(1).executeTakeFirst())
  if (other) return false
  const { account_key } = await context.db
    .insertInto('account')
    .values({
      account_id: account.accountId,
      user_id: account.user.userId,
      name: account.name,
      time_zone: account.timeZone,
      plan: account.plan,
      billing_status: account.billingStatus ?? 'none',
      created_at: context.now,
    })
    .returning('account_key')
    .executeTakeFirstOrThrow()
  const user = { account_key, user_id: account.user.userId, name: account.user.name }
  await context.db.insertInto('user').values(user).execute()
  await insertKey(context, account_key, { ...account.defaultKey, userId: account.user.userId }, true)
  await context.engine.fullText.createAccount(context.db, account_key)
  return true
}

async function insertKey(
  context: WriteContext,
  accountKey: number,
  key: Omit<NewKey, 'accountId'>,
  isDefault: boolean,
): Promise<void> {
  await context.db
    .insertInto('api_key')
    .values({
      account_key: accountKey,
      key_id: key.keyId,
      user_id: key.userId,
      name: key.name,
      sources: key.sources === 'all' ? 'all' : JSON.stringify(key.sources),
      is_default: isDefault ? 1 : 0,
      hash: key.hash,
      created_at: context.now,
    })
    .execute()
}

async function updateBilling(
  context: WriteContext,
  accountId: string,
  billing: { readonly plan: string; readonly status: BillingStatus },
): Promise<void> {
  const accountKey = await requireAccountKey(context, accountId)
  await context.db
    .updateTable('account')
    .set({ plan: billing.plan, billing_status: billing.status })
    .where('account_key', '=', accountKey)
    .execute()
}

/** Absent fields are unchanged. */
async function updateAccount(
  context: WriteContext,
  accountId: string,
  { name, timeZone }: { readonly name?: string; readonly timeZone?: string },
): Promise<void> {
  const accountKey = await requireAccountKey(context, accountId)
  const change = { ...(name !== undefined && { name }), ...(timeZone !== undefined && { time_zone: timeZone }) }
  if (Object.keys(change).length === 0) return
  await context.db.updateTable('account').set(change).where('account_key', '=', accountKey).execute()
}

async function createKey(
  context: WriteContext,
  key: NewKey,
  limit: number,
): Promise<'created' | 'limit_reached' | 'name_taken'> {
  const accountKey = await requireAccountKey(context, key.accountId)
  const keys = await context.db.selectFrom('api_key').select('name').where('account_key', '=', accountKey).execute()
  if (keys.some(({ name }) => name === key.name)) return 'name_taken'
  if (keys.length >= limit) return 'limit_reached'
  await insertKey(context, accountKey, key, false)
  return 'created'
}

async function replaceKeyHash(
  context: WriteContext,
  accountId: string,
  keyId: string,
  hash: Uint8Array,
): Promise<boolean> {
  const accountKey = await requireAccountKey(context, accountId)
  const { numUpdatedRows } = await context.db
    .updateTable('api_key')
    .set({ hash, last_used_at: null })
    .where('account_key', '=', accountKey)
    .where('key_id', '=', keyId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function deleteKey(
  context: WriteContext,
  accountId: string,
  keyId: string,
): Promise<'deleted' | 'absent' | 'default_key'> {
  const accountKey = await requireAccountKey(context, accountId)
  const key = await context.db
    .selectFrom('api_key')
    .select('is_default')
    .where('account_key', '=', accountKey)
    .where('key_id', '=', keyId)
    .executeTakeFirst()
  if (key === undefined) return 'absent'
  if (key.is_default === 1) return 'default_key'
  await context.db.deleteFrom('api_key').where('account_key', '=', accountKey).where('key_id', '=', keyId).execute()
  return 'deleted'
}

/** Also records the use of these keys and authorizations. Skips deleted accounts. */
async function addUsage(context: WriteContext, counts: readonly UsageCount[]): Promise<void> {
  for (const { accountId, keyId, day, metric, count } of counts) {
    const account = await context.db
      .selectFrom('account')
      .select('account_key')
      .where('account_id', '=', accountId)
      .where('deleting_since', 'is', null)
      .executeTakeFirst()
    if (account === undefined) continue
    const { account_key } = account
    await context.db
      .insertInto('usage')
      .values({ account_key, day, metric, key_id: keyId, count })
      .onConflict((conflict) =>
        conflict
          .columns(['account_key', 'day', 'metric', 'key_id'])
          .doUpdateSet({ count: sql<number>`usage.count + excluded.count` }),
      )
      .execute()
    await context.db
      .updateTable('api_key')
      .set({ last_used_at: context.now })
      .where('account_key', '=', account_key)
      .where('key_id', '=', keyId)
      .execute()
    await context.db
      .updateTable('oauth_authorization')
      .set({ last_used_at: context.now })
      .where('account_key', '=', account_key)
      .where('authorization_id', '=', keyId)
      .execute()
  }
}

/** Longer than any window; older counts are removed by the next writer. */
const KEPT_COUNTS_MS = 60_000

async function countRequests(
  { db, now }: WriteContext,
  { hash, count, remainingMs }: CountedRequests,
): Promise<{ count: number; remainingMs: number }> {
  await db
    .deleteFrom('request_count')
    .where('ends_at', '<=', now - KEPT_COUNTS_MS)
    .execute()
  const endsAt = now + remainingMs
  const row = await db
    .insertInto('request_count')
    .values({ hash, count, ends_at: endsAt })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({
        count: sql<number>`case when request_count.ends_at <= ${now} then 0 else request_count.count end + ${count}`,
        ends_at: sql<number>`case when request_count.ends_at <= ${now} then ${endsAt} else request_count.ends_at end`,
      }),
    )
    .returning(['count', 'ends_at'])
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), remainingMs: Number(row.ends_at) - now }
}

export const accountCommands = {
  createAccount,
  updateBilling,
  updateAccount,
  createKey,
  replaceKeyHash,
  deleteKey,
  addUsage,
  countRequests,
}
