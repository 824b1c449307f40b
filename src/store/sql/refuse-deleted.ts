import type { Kysely } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import { accountOf } from './read-deletions.ts'
import type { Database } from './schema.ts'

/** @throws AppError `not_found` when the account of this memory was deleted, or is being deleted */
export async function refuseDeleted(db: Kysely<Database>, memoryId: string): Promise<void> {
  const accountId = accountOf(memoryId)
  if (accountId === undefined) return
  const deletion = await db
    .selectFrom('account_deletion')
    .select('begun_at')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (deletion !== undefined) throw new AppError('not_found', 'This account was deleted', { field: 'account' })
}
