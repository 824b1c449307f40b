import { AppError } from '../../domain/errors.ts'
import type { WriteContext } from './engine.ts'

/** Internal key of an account, or `not_found`. Not remembered between calls: another process may have begun to delete it. */
export async function requireAccountKey(context: WriteContext, accountId: string): Promise<number> {
  const key = await findAccountKey(context, accountId)
  if (key === undefined) throw new AppError('not_found', 'There is no such account', { field: 'account' })
  return key
}

/** `undefined` also when it is being deleted. */
export async function findAccountKey({ db }: WriteContext, accountId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('account')
    .select('account_key')
    .where('account_id', '=', accountId)
    .where('deleting_since', 'is', null)
    .executeTakeFirst()
  return row?.account_key
}
