import { AppError } from '../../domain/errors.ts'
import type { WriteContext } from './engine.ts'

/** Internal key of an account, or `not_found`. Remembered: an account keeps its key for life. */
export async function requireAccountKey(context: WriteContext, accountId: string): Promise<number> {
  const known = context.memo.accountKeys.get(accountId)
  if (known !== undefined) return known
  const row = await context.db
    .selectFrom('account')
    .select('account_key')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('not_found', 'There is no such account')
  context.memo.accountKeys.set(accountId, row.account_key)
  return row.account_key
}
