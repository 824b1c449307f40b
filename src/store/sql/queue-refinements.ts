import { sql } from 'kysely'
import type { Scope } from '../../domain/scope.ts'
import { requireAccountKey } from './account-key.ts'
import type { WriteContext } from './engine.ts'
import type { ChunkOwner } from './index-writer.ts'
import { sourceRestriction } from './source-code.ts'

/** Queues refinements of items that are ready and neither wait for one nor for the pipeline. */
export async function queueRefinements(context: WriteContext, scope: Scope, keys: readonly number[]): Promise<number> {
  const accountKey = await requireAccountKey(context, scope.accountId)
  const sources = sourceRestriction(scope)
  let queued = 0
  for (const key of keys) {
    const item = await context.db
      .selectFrom('item')
      .leftJoin('job', 'job.item_key', 'item.item_key')
      .leftJoin('refinement', 'refinement.item_key', 'item.item_key')
      .select(['item.source_type', 'job.job_id', 'refinement.state'])
      .where('item.item_key', '=', key)
      .where('item.account_key', '=', accountKey)
      .where('item.state', '=', 'ready')
      .where('item.first_chunk_id', 'is not', null)
      .executeTakeFirst()
    if (item === undefined || item.job_id !== null || item.state === 'waiting') continue
    if (sources !== 'all' && !sources.includes(item.source_type)) continue
    await queueRefinement(context, { accountKey, itemKey: key, sourceType: item.source_type })
    queued++
  }
  return queued
}

/** As new: a claim on an earlier one is void from now on. */
export async function queueRefinement(
  context: WriteContext,
  { accountKey, itemKey, sourceType }: ChunkOwner,
): Promise<void> {
  await context.db.deleteFrom('refinement').where('item_key', '=', itemKey).execute()
  await context.db
    .insertInto('refinement')
    .values({
      account_key: accountKey,
      item_key: itemKey,
      source_type: sourceType,
      state: 'waiting',
      ready_at: context.now,
      queued_at: context.now,
    })
    .execute()
}

/** Takes the work away; the answers stay for when there is some again, unless they are not `wanted` either. */
export async function dropRefinement(
  context: WriteContext,
  itemKey: number,
  answers: 'keep' | 'forget',
): Promise<void> {
  await context.db.deleteFrom('refinement').where('item_key', '=', itemKey).execute()
  if (answers === 'keep') return
  await context.engine.secureDelete(context.db, async () => {
    await context.db.deleteFrom('refinement_part').where('item_key', '=', itemKey).execute()
  })
}

/** Queues again what was given up, all of the scope or one item. Returns how many. */
export async function requeueGivenUp(
  context: WriteContext,
  scope: Scope,
  ref: { readonly itemId: string; readonly sourceType: string } | undefined,
): Promise<number> {
  const accountKey = await requireAccountKey(context, scope.accountId)
  const sources = sourceRestriction(scope)
  if (sources.length === 0) return 0
  let rows = context.db
    .updateTable('refinement')
    .set({ state: 'waiting', attempts: 0, failures: 0, ready_at: context.now, queued_at: context.now })
    .where('state', '=', 'given_up')
    .where('account_key', '=', accountKey)
  if (sources !== 'all') rows = rows.where('source_type', 'in', [...sources])
  if (ref !== undefined) {
    const { itemId, sourceType } = ref
    rows = rows.where('item_key', 'in', (query) =>
      query
        .selectFrom('item')
        .select('item.item_key')
        .where('item.account_key', '=', accountKey)
        .where('item.item_id', '=', itemId)
        .where(sql<string>`item.source_type`, '=', sourceType),
    )
  }
  return Number((await rows.executeTakeFirst()).numUpdatedRows)
}
