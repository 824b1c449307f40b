import { type Scope, scopeAllows } from '../../domain/scope.ts'
import type { LibraryRef } from '../library.ts'
import { requireAccountKey } from './account-key.ts'
import type { WriteContext } from './engine.ts'
import { isUpload } from './job-lanes.ts'
import { dropRefinement } from './queue-refinements.ts'
import { queueUpload } from './write-items.ts'

/** Queues items again, whatever became of them before. Those that wait or are in work stay where they are. */
export async function reprocessItems(
  context: WriteContext,
  scope: Scope,
  refs: readonly LibraryRef[],
): Promise<number> {
  const accountKey = await requireAccountKey(context, scope.accountId)
  let queued = 0
  for (const { itemId, sourceType } of refs) {
    if (!scopeAllows(scope, sourceType)) continue
    const item = await context.db
      .selectFrom('item')
      .leftJoin('job', 'job.item_key', 'item.item_key')
      .select(['item.item_key', 'item.size_bytes', 'job.turn'])
      .where('item.account_key', '=', accountKey)
      .where('item.item_id', '=', itemId)
      .where('item.source_type', '=', sourceType)
      .executeTakeFirst()
    if (item === undefined || isUpload(item.turn)) continue
    // One of the background waits behind all uploads, and nobody sees that it waits.
    await context.db.deleteFrom('job').where('item_key', '=', item.item_key).execute()
    // Queued again when the new chunks are stored; what was paid for is kept for that.
    await dropRefinement(context, item.item_key, 'keep')
    await queueUpload(context, accountKey, item)
    queued++
  }
  return queued
}
