import { type Selectable, sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import { isSourceType, type SourceType } from '../../domain/source-type.ts'
import type { SqlEngine, WriteContext } from '../engine.ts'
import type { Database, Db } from '../schema.ts'
import type { AccountRow } from './accounts.ts'

export const ACCOUNT_COLUMNS = [
  'account.account_id',
  'account.name',
  'account.time_zone',
  'account.plan',
  'account.billing_status',
  'account.created_at',
  'account.user_id',
] as const

type AccountColumn = 'account_id' | 'name' | 'time_zone' | 'plan' | 'billing_status' | 'created_at' | 'user_id'

export function toAccount(row: Pick<Selectable<Database['account']>, AccountColumn>): AccountRow {
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

/** Unknown source types give no access, so that a downgrade never widens what was given. */
export function parseSources(sources: string): 'all' | readonly SourceType[] {
  if (sources === 'all') return 'all'
  const names: unknown = JSON.parse(sources)
  if (!Array.isArray(names)) throw new Error('The stored sources are not a list')
  return names.filter((name) => typeof name === 'string' && isSourceType(name))
}

/** Internal key of an account, or `not_found`. Not cached between calls, because another process may be deleting it. */
export async function requireAccountKey(context: WriteContext, accountId: string): Promise<number> {
  const key = await findAccountKey(context, accountId)
  if (key === undefined) throw new AppError('not_found', "This account doesn't exist.", { field: 'account' })
  return key
}

/** Also `undefined` while the account is being deleted. */
export async function findAccountKey({ db }: WriteContext, accountId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('account')
    .select('account_key')
    .where('account_id', '=', accountId)
    .where('deleting_since', 'is', null)
    .executeTakeFirst()
  return row?.account_key
}

/**
 * Adds these differences to the totals of the account.
 *
 * @throws AppError `not_found` when it is being deleted, so that cached data of another process is not used
 */
export async function addTotals(
  context: WriteContext,
  accountKey: number,
  change: { items?: number; bytes?: number; memories?: number; chunks?: number; bodyTerms?: number },
): Promise<void> {
  const { numUpdatedRows } = await context.db
    .updateTable('account')
    .set({
      item_count: sql<number>`item_count + ${change.items ?? 0}`,
      byte_count: sql<number>`byte_count + ${change.bytes ?? 0}`,
      memory_count: sql<number>`memory_count + ${change.memories ?? 0}`,
      chunk_count: sql<number>`chunk_count + ${change.chunks ?? 0}`,
      body_term_count: sql<number>`body_term_count + ${change.bodyTerms ?? 0}`,
    })
    .where('account_key', '=', accountKey)
    .where('deleting_since', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new AppError('not_found', "This account doesn't exist.", { field: 'account' })
}

/** Keys of the accounts whose items can be read now. */
export async function reachableAccounts(db: Db, engine: SqlEngine): Promise<number[]> {
  const accounts = await db
    .selectFrom('account')
    .select('account_key')
    .where(engine.isReachable(sql.ref('account.account_key')))
    .orderBy('account_key')
    .execute()
  return accounts.map(({ account_key }) => account_key)
}

const MEMORY_OF_ACCOUNT = 'account:'

/** The memory id of an account of this store in ledgers and grants. */
export function memoryOfAccount(accountId: string): string {
  return MEMORY_OF_ACCOUNT + accountId
}

/** The account of a memory id; `undefined` for a memory on another server. */
function accountOfMemory(memoryId: string): string | undefined {
  return memoryId.startsWith(MEMORY_OF_ACCOUNT) ? memoryId.slice(MEMORY_OF_ACCOUNT.length) : undefined
}

/** @throws AppError `not_found` when the account of this memory was deleted, or is being deleted */
export async function refuseDeleted(db: Db, memoryId: string): Promise<void> {
  const accountId = accountOfMemory(memoryId)
  if (accountId === undefined) return
  const deletion = await db
    .selectFrom('account_deletion')
    .select('begun_at')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (deletion !== undefined) throw new AppError('not_found', 'This account was deleted', { field: 'account' })
}
