import { AppError } from '../../domain/errors.ts'
import { type Scope, scopeAllows } from '../../domain/scope.ts'
import type { SourceType } from '../../domain/source-type.ts'
import type { NewItem, PutOutcome } from '../store.ts'
import { requireAccountKey } from './account-key.ts'
import { addTotals } from './account-totals.ts'
import type { WriteContext } from './engine.ts'
import { hideRange } from './hidden-ranges.ts'
import { itemStatus } from './item-status.ts'
import { dropRefinement, requeueGivenUp } from './queue-refinements.ts'

/** Body, item and job in one commit. */
export async function putItem(context: WriteContext, scope: Scope, item: NewItem): Promise<PutOutcome> {
  if (!scopeAllows(scope, item.sourceType)) {
    throw new AppError('forbidden', `This key has no access to the source ${item.sourceType}`, { field: 'source_type' })
  }
  const accountKey = await requireAccountKey(context, scope.accountId)
  const existing = await findForUpdate(context, accountKey, item)
  if (existing === undefined) {
    await insertItem(context, accountKey, item)
    return { outcome: 'created', executionId: item.executionId }
  }
  const status = itemStatus(existing, context.now)
  if (item.onConflict === 'reject') return { outcome: 'conflict', status }
  if (existing.body_hash === item.bodyHash && status !== 'failed') {
    return { outcome: 'unchanged', executionId: existing.execution_id }
  }
  await replaceItem(context, accountKey, existing, item)
  return { outcome: 'replaced', executionId: item.executionId }
}

type ExistingItem = NonNullable<Awaited<ReturnType<typeof findForUpdate>>>

function findForUpdate(
  context: WriteContext,
  accountKey: number,
  ref: { readonly itemId: string; readonly sourceType: SourceType },
) {
  return context.db
    .selectFrom('item')
    .leftJoin('job', 'job.item_key', 'item.item_key')
    .select(['item.item_key', 'item.body_hash', 'item.execution_id', 'item.size_bytes', 'item.state'])
    .select(['item.first_chunk_id', 'item.last_chunk_id', 'item.memory_count', 'item.body_term_count'])
    .select(['job.turn', 'job.ready_at', 'job.lease_token'])
    .where('item.account_key', '=', accountKey)
    .where('item.item_id', '=', ref.itemId)
    .where('item.source_type', '=', ref.sourceType)
    .executeTakeFirst()
}

function describedBy(context: WriteContext, item: NewItem) {
  return {
    user_id: item.userId,
    user_name: item.userName,
    file_name: item.fileName,
    content_type: item.contentType,
    size_bytes: item.body.byteLength,
    body_hash: item.bodyHash,
    execution_id: item.executionId,
    uploaded_at: context.now,
    updated_at: context.now,
  }
}

async function insertItem(context: WriteContext, accountKey: number, item: NewItem): Promise<void> {
  const { item_key } = await context.db
    .insertInto('item')
    .values({
      ...describedBy(context, item),
      account_key: accountKey,
      source_type: item.sourceType,
      item_id: item.itemId,
      state: 'new',
      created_at: context.now,
    })
    .returning('item_key')
    .executeTakeFirstOrThrow()
  await context.db.insertInto('body').values({ item_key, bytes: item.body }).execute()
  await queueUpload(context, accountKey, item_key)
  await addTotals(context, accountKey, { items: 1, bytes: item.body.byteLength })
}

/** The old memories stay searchable until `complete` swaps them; a worker that holds the old job finds it gone. */
async function replaceItem(context: WriteContext, accountKey: number, existing: ExistingItem, item: NewItem) {
  const { item_key } = existing
  const { db, engine } = context
  await db
    .updateTable('item')
    .set({ ...describedBy(context, item), error: null, error_code: null })
    .where('item_key', '=', item_key)
    .execute()
  await engine.erasing(db, async () => {
    await db.updateTable('body').set({ bytes: item.body }).where('item_key', '=', item_key).execute()
  })
  await db.deleteFrom('job').where('item_key', '=', item_key).execute()
  // The answers stay: what the new bytes have in common with the old ones is not paid again.
  await dropRefinement(context, item_key, 'keep')
  await queueUpload(context, accountKey, item_key)
  await addTotals(context, accountKey, { bytes: item.body.byteLength - existing.size_bytes })
}

export async function queueUpload(context: WriteContext, accountKey: number, itemKey: number): Promise<void> {
  await context.db
    .insertInto('job')
    .values({ account_key: accountKey, item_key: itemKey, turn: 0, ready_at: context.now, queued_at: context.now })
    .execute()
}

/** Everything of the item goes in one commit; what is left of a very large one is hidden by it, and swept after. */
export async function deleteItem(
  context: WriteContext,
  scope: Scope,
  ref: { readonly itemId: string; readonly sourceType: SourceType },
): Promise<{ deletedMemories: number } | undefined> {
  if (!scopeAllows(scope, ref.sourceType)) return undefined
  const accountKey = await requireAccountKey(context, scope.accountId)
  const existing = await findForUpdate(context, accountKey, ref)
  if (existing === undefined) return undefined
  const chunks = await hideRange(context, accountKey, existing)
  // Body, job and what a language model answered go with it (`on delete cascade`).
  await context.engine.erasing(context.db, async () => {
    await context.db.deleteFrom('item').where('item_key', '=', existing.item_key).execute()
  })
  await addTotals(context, accountKey, {
    items: -1,
    bytes: -existing.size_bytes,
    memories: -existing.memory_count,
    chunks: -chunks,
    bodyTerms: -existing.body_term_count,
  })
  return { deletedMemories: existing.memory_count }
}

/** Queues failed items and refinements that were given up again, all of the scope or one. Their attempts start anew. */
export async function requeueFailed(
  context: WriteContext,
  scope: Scope,
  ref: { readonly itemId: string; readonly sourceType: SourceType } | undefined,
): Promise<number> {
  const accountKey = await requireAccountKey(context, scope.accountId)
  let failed = context.db
    .selectFrom('item')
    .select('item_key')
    .where('account_key', '=', accountKey)
    .where('state', '=', 'failed')
    .where('item_key', 'not in', context.db.selectFrom('job').select('item_key').where('account_key', '=', accountKey))
  if (scope.sources !== 'all') failed = failed.where('source_type', 'in', [...scope.sources])
  if (ref !== undefined) failed = failed.where('item_id', '=', ref.itemId).where('source_type', '=', ref.sourceType)
  const rows = await failed.execute()
  for (const { item_key } of rows) await queueUpload(context, accountKey, item_key)
  return rows.length + (await requeueGivenUp(context, scope, ref))
}
