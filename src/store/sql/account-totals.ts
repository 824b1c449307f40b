import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import type { WriteContext } from './engine.ts'

/**
 * Changes the account's totals by these differences.
 *
 * @throws AppError `not_found` when it is being deleted: what another process remembered of it is no longer true
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
  if (numUpdatedRows === 0n) throw new AppError('not_found', 'There is no such account', { field: 'account' })
}
