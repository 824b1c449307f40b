import { AppError } from '../../domain/errors.ts'
import type { Priority } from '../../domain/memory.ts'
import { type Scope, scopeAllows } from '../../domain/scope.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { addTotals, memoryOfAccount, requireAccountKey } from '../accounts/account-rows.ts'
import { beginBlob, endBlob, leaveBlob } from '../bodies/body-writes.ts'
import { insertEdit, removeEditsOf } from '../edits/edit-writes.ts'
import type { WriteContext } from '../engine.ts'
import { leaveOut } from '../ledger/ledger-writes.ts'
import type { LibraryRef, ListedItem } from '../library/library.ts'
import { dropRefinement, requeueGivenUp } from '../refinements/refinement-queue.ts'
import { hideRange } from '../search/index-writes.ts'
import { isUpload, itemStatus, uploadTurn } from './item-rows.ts'
import type { NewItem, PutOutcome } from './items.ts'

/** The metadata of an upload, before its bytes are stored. */
type UploadIdentity = Pick<NewItem, 'itemId' | 'sourceType' | 'bodyHash' | 'onConflict'>

/** An upload, with its bytes or with the object that holds them. */
export interface UploadedItem extends NewItem {
  readonly sizeBytes: number
  /** `body` is empty when there is one. */
  readonly blobKey: string | null
}

/** Body, item and job in one commit. */
async function putItem(context: WriteContext, scope: Scope, item: UploadedItem): Promise<PutOutcome> {
  requireSource(scope, item.sourceType)
  const accountKey = await requireAccountKey(context, scope.accountId)
  const existing = await findForUpdate(context, accountKey, item)
  const needless = existing && whyNeedless(context, existing, item)
  if (needless !== undefined) return needless
  if (item.blobKey !== null) await endBlob(context, item.blobKey)
  if (existing === undefined) {
    const itemKey = await insertItem(context, accountKey, item)
    if (item.states !== undefined) {
      const { sourceType, itemId: correctionId, userName: by, states } = item
      await insertEdit(context, accountKey, { ...states, sourceType, correctionId, by })
      await labelAs(context, accountKey, { itemId: states.itemId, sourceType }, itemKey)
    }
    return { outcome: 'created', executionId: item.executionId }
  }
  await replaceItem(context, accountKey, existing, item)
  return { outcome: 'replaced', executionId: item.executionId }
}

/** Copies the connector and the tags of an edited item, so that what they limit shows the correction or note, too. */
async function labelAs({ db }: WriteContext, accountKey: number, edited: LibraryRef, itemKey: number) {
  const labeled = await db
    .selectFrom('item')
    .select(['item_key', 'connector'])
    .where('account_key', '=', accountKey)
    .where('source_type', '=', edited.sourceType)
    .where('item_id', '=', edited.itemId)
    .executeTakeFirst()
  if (labeled === undefined) return
  const { item_key, connector } = labeled
  const isItem = { item_key: itemKey, account_key: accountKey }
  await db
    .updateTable('item')
    .set({ connector })
    .where((row) => row.and(isItem))
    .execute()
  const tags = await db.selectFrom('item_tag').select(['folded', 'tag']).where('item_key', '=', item_key).execute()
  if (tags.length === 0) return
  await db
    .insertInto('item_tag')
    .values(tags.map((tag) => ({ ...tag, item_key: itemKey, account_key: accountKey })))
    .execute()
}

/** Call before writing an upload to an object with this key. Returns the outcome if the bytes are not needed. */
async function announceItem(
  context: WriteContext,
  scope: Scope,
  item: UploadIdentity,
  key: string,
): Promise<PutOutcome | { readonly outcome: 'awaited'; readonly accountKey: number }> {
  requireSource(scope, item.sourceType)
  const accountKey = await requireAccountKey(context, scope.accountId)
  const existing = await findForUpdate(context, accountKey, item)
  const needless = existing && whyNeedless(context, existing, item)
  return needless ?? { outcome: 'awaited', accountKey: await beginBlob(context, scope, key) }
}

function requireSource(scope: Scope, sourceType: SourceType): void {
  if (scopeAllows(scope, sourceType)) return
  throw new AppError('forbidden', `This key has no access to the source ${sourceType}`, { field: 'source_type' })
}

function whyNeedless(context: WriteContext, existing: ExistingItem, item: UploadIdentity): PutOutcome | undefined {
  const status = itemStatus(existing, context.now)
  if (item.onConflict === 'reject') return { outcome: 'conflict', status }
  if (existing.body_hash !== item.bodyHash || status === 'failed') return undefined
  return { outcome: 'unchanged', executionId: existing.execution_id }
}

type ExistingItem = NonNullable<Awaited<ReturnType<typeof findForUpdate>>>

function findForUpdate(
  context: WriteContext,
  accountKey: number,
  ref: { readonly itemId: string; readonly sourceType: SourceType },
) {
  return context.db
    .selectFrom('item')
    .leftJoin('job', (join) => join.onRef('job.item_key', '=', 'item.item_key').on('job.account_key', '=', accountKey))
    .select(['item.item_key', 'item.body_hash', 'item.execution_id', 'item.size_bytes', 'item.state'])
    .select([
      'item.uploaded_at',
      'item.first_chunk_id',
      'item.last_chunk_id',
      'item.memory_count',
      'item.body_term_count',
    ])
    .select(['job.turn', 'job.ready_at', 'job.lease_token'])
    .where('item.account_key', '=', accountKey)
    .where('item.item_id', '=', ref.itemId)
    .where('item.source_type', '=', ref.sourceType)
    .executeTakeFirst()
}

function describedBy(context: WriteContext, item: UploadedItem) {
  return {
    user_id: item.userId,
    user_name: item.userName,
    file_name: item.fileName,
    content_type: item.contentType,
    size_bytes: item.sizeBytes,
    body_hash: item.bodyHash,
    execution_id: item.executionId,
    agent: item.agent ?? null,
    connector: item.connector ?? null,
    uploaded_at: item.came?.uploadedAt.getTime() ?? context.now,
    updated_at: context.now,
  }
}

async function insertItem(context: WriteContext, accountKey: number, item: UploadedItem): Promise<number> {
  const { item_key } = await context.db
    .insertInto('item')
    .values({
      ...describedBy(context, item),
      account_key: accountKey,
      source_type: item.sourceType,
      item_id: item.itemId,
      state: 'new',
      created_at: item.came?.createdAt.getTime() ?? context.now,
    })
    .returning('item_key')
    .executeTakeFirstOrThrow()
  const owner = context.engine.carriesAccount ? { account_key: accountKey } : {}
  await context.db
    .insertInto('body')
    .values({ item_key, bytes: item.body, blob_key: item.blobKey, ...owner })
    .execute()
  await queueUpload(context, accountKey, { item_key, size_bytes: item.sizeBytes, priority: item.priority })
  await addTotals(context, accountKey, { items: 1, bytes: item.sizeBytes })
  return item_key
}

/** The old memories stay searchable until `complete` replaces them; a worker with the old job finds it deleted. */
async function replaceItem(context: WriteContext, accountKey: number, existing: ExistingItem, item: UploadedItem) {
  const { item_key } = existing
  const { db, engine } = context
  await db
    .updateTable('item')
    .set({ ...describedBy(context, item), error: null, error_code: null })
    // These belong to the old bytes; the new ones are unknown until they are processed.
    .set({ told_from: null, told_until: null })
    .where('item_key', '=', item_key)
    .where('account_key', '=', accountKey)
    .execute()
  await leaveBlob(context, accountKey, item_key)
  const body = { bytes: item.body, blob_key: item.blobKey }
  await engine.secureDelete(db, async () => {
    await db
      .updateTable('body')
      .set(body)
      .where('item_key', '=', item_key)
      .where(engine.isOfAccount('body', accountKey))
      .execute()
  })
  await db.deleteFrom('job').where('item_key', '=', item_key).execute()
  // Keep the answers of the language model, so that unchanged passages are not paid for again.
  await dropRefinement(context, item_key)
  await queueUpload(context, accountKey, { item_key, size_bytes: item.sizeBytes, priority: item.priority })
  await addTotals(context, accountKey, { bytes: item.sizeBytes - existing.size_bytes })
}

async function queueUpload(
  context: WriteContext,
  accountKey: number,
  item: { readonly item_key: number; readonly size_bytes: number; readonly priority?: Priority | undefined },
): Promise<void> {
  const job = { turn: uploadTurn(item.size_bytes, item.priority), ready_at: context.now, queued_at: context.now }
  await context.db
    .insertInto('job')
    .values({ account_key: accountKey, item_key: item.item_key, ...job })
    // Queued in the background by another process.
    .onConflict((conflict) =>
      conflict.column('item_key').doUpdateSet({ ...job, attempts: 0, lease_token: null, lease_owner: null }),
    )
    .execute()
}

/** Deletes an item in one commit; the rest of a very large one is hidden at once and swept later. */
async function deleteItem(
  context: WriteContext,
  scope: Scope,
  ref: { readonly itemId: string; readonly sourceType: SourceType },
): Promise<{ deletedMemories: number } | undefined> {
  if (!scopeAllows(scope, ref.sourceType)) return undefined
  const accountKey = await requireAccountKey(context, scope.accountId)
  const existing = await findForUpdate(context, accountKey, ref)
  return existing === undefined ? undefined : removeItem(context, accountKey, existing, ref)
}

/** Deletes an expired item, with the reason for connectors. `undefined`: it is kept. */
async function forgetItem(
  context: WriteContext,
  scope: Scope,
  listed: ListedItem,
  reason: string,
): Promise<{ deletedMemories: number } | undefined> {
  if (!scopeAllows(scope, listed.sourceType)) return undefined
  const accountKey = await requireAccountKey(context, scope.accountId)
  const existing = await findForUpdate(context, accountKey, listed)
  if (existing === undefined || isUpload(existing.turn)) return undefined
  if (existing.body_hash !== listed.bodyHash || existing.uploaded_at !== listed.uploadedAt.getTime()) return undefined
  if (!(await leaveOut(context, memoryOfAccount(scope.accountId), listed, reason))) return undefined
  return removeItem(context, accountKey, existing, listed)
}

async function removeItem(
  context: WriteContext,
  accountKey: number,
  existing: ExistingItem,
  ref: { readonly itemId: string; readonly sourceType: SourceType },
) {
  await removeEditsOf(context, accountKey, ref)
  const chunks = await eraseItem(context, accountKey, existing)
  await addTotals(context, accountKey, {
    items: -1,
    bytes: -existing.size_bytes,
    memories: -existing.memory_count,
    chunks: -chunks,
    bodyTerms: -existing.body_term_count,
  })
  return { deletedMemories: existing.memory_count }
}

/** Returns the number of its chunks. The caller updates the totals of the account. */
export async function eraseItem(
  context: WriteContext,
  accountKey: number,
  item: {
    readonly item_key: number
    readonly first_chunk_id: number | null
    readonly last_chunk_id: number | null
  },
): Promise<number> {
  const chunks = await hideRange(context, accountKey, item)
  await leaveBlob(context, accountKey, item.item_key)
  const { db, engine } = context
  await engine.secureDelete(db, async () => {
    // Delete the item first, so that a process about to queue it waits for its row and finds it deleted.
    for (const table of ['item', 'body'] as const) {
      await db
        .deleteFrom(table)
        .where('item_key', '=', item.item_key)
        .where(engine.isOfAccount(table, accountKey))
        .execute()
    }
    for (const table of ['job', 'refinement', 'refinement_part', 'item_tag'] as const) {
      await db.deleteFrom(table).where('item_key', '=', item.item_key).execute()
    }
  })
  return chunks
}

/** Queues failed items and refinements again, all of the scope or one. Resets their attempts. */
async function requeueFailed(
  context: WriteContext,
  scope: Scope,
  ref: { readonly itemId: string; readonly sourceType: SourceType } | undefined,
): Promise<number> {
  const accountKey = await requireAccountKey(context, scope.accountId)
  let failed = context.db
    .selectFrom('item')
    .select(['item_key', 'size_bytes'])
    .where('account_key', '=', accountKey)
    .where('state', '=', 'failed')
    .where('item_key', 'not in', context.db.selectFrom('job').select('item_key').where('account_key', '=', accountKey))
  if (scope.sources !== 'all') failed = failed.where('source_type', 'in', [...scope.sources])
  if (ref !== undefined) failed = failed.where('item_id', '=', ref.itemId).where('source_type', '=', ref.sourceType)
  const rows = await failed.execute()
  for (const item of rows) await queueUpload(context, accountKey, item)
  return rows.length + (await requeueGivenUp(context, scope, ref))
}

/** Queues items again, whatever their state. Queued and running ones are unchanged. */
async function reprocessItems(context: WriteContext, scope: Scope, refs: readonly LibraryRef[]): Promise<number> {
  const accountKey = await requireAccountKey(context, scope.accountId)
  let queued = 0
  for (const { itemId, sourceType } of refs) {
    if (!scopeAllows(scope, sourceType)) continue
    const item = await context.db
      .selectFrom('item')
      .leftJoin('job', (join) =>
        join.onRef('job.item_key', '=', 'item.item_key').on('job.account_key', '=', accountKey),
      )
      .select(['item.item_key', 'item.size_bytes', 'job.turn'])
      .where('item.account_key', '=', accountKey)
      .where('item.item_id', '=', itemId)
      .where('item.source_type', '=', sourceType)
      .executeTakeFirst()
    if (item === undefined || isUpload(item.turn)) continue
    // Background items wait behind all uploads and keep their state.
    await context.db.deleteFrom('job').where('item_key', '=', item.item_key).execute()
    // Queued again when the new chunks are stored; paid answers are kept until then.
    await dropRefinement(context, item.item_key)
    await queueUpload(context, accountKey, item)
    queued++
  }
  return queued
}

export const itemCommands = { announceItem, putItem, deleteItem, forgetItem, requeueFailed, reprocessItems }
