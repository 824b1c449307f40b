import { AppError } from '../domain/errors.ts'
import type { Download, ListQuery } from '../domain/memory.ts'
import type { FileList, FileRecord, ForgetResult } from '../domain/results.ts'
import { scopeSources } from '../domain/scope.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { ItemRow } from '../store/items/items.ts'
import { ledgerKey } from '../store/ledger/ledger.ts'
import { checkBilling } from './billing.ts'
import { type Principal, requireSource, requireWrite } from './principal.ts'
import type { ServiceContext } from './service-context.ts'
import { checkedItemFilters, checkedItemId } from './upload-checks.ts'

/** Specification 8. */
export const DEFAULT_LIST_LIMIT = 1_000
export const MAX_LIST_LIMIT = 10_000

export async function list(context: ServiceContext, principal: Principal, query: ListQuery): Promise<FileList> {
  await checkBilling(context, principal, 'read')
  const { sourceType, limit = DEFAULT_LIST_LIMIT, offset = 0 } = query
  requireSource(principal.scope, sourceType)
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIST_LIMIT) {
    throw new AppError('invalid', `limit must be a whole number from 1 to ${MAX_LIST_LIMIT}`, { field: 'limit' })
  }
  if (!Number.isSafeInteger(offset) || offset < 0) {
    throw new AppError('invalid', 'offset must be a whole number, 0 or more', { field: 'offset' })
  }
  const listed = { sourceType, limit, offset, ...checkedItemFilters(query) }
  const { items, total } = await context.store.scoped(principal.scope).listItems(listed)
  const known = await context.store.ledger(`account:${principal.accountId}`).findItems(items)
  const files = items.map((item) => fileRecord(item, known.get(ledgerKey(item))?.title ?? item.title))
  return { files, total, limit, offset }
}

function fileRecord(item: ItemRow, title: string | undefined): FileRecord {
  return {
    item_id: item.itemId,
    source_type: item.sourceType,
    file_name: item.fileName,
    ...(title !== undefined && { title }),
    content_type: item.contentType,
    size_bytes: item.sizeBytes,
    status: item.status,
    memory_count: item.memoryCount,
    ...(item.agent !== undefined && { agent: item.agent }),
    ...(item.connector !== undefined && { connector: item.connector }),
    ...(item.tags.length > 0 && { tags: item.tags }),
    created_at: item.createdAt.toISOString(),
    updated_at: item.updatedAt.toISOString(),
    ...(item.error === undefined ? {} : { error: item.error }),
  }
}

/** The original bytes. Without a source type, the newest item with that id among the sources of the key. */
export async function download(
  context: ServiceContext,
  principal: Principal,
  ref: { itemId: string; sourceType?: SourceType },
): Promise<Download> {
  await checkBilling(context, principal, 'read')
  if (ref.sourceType !== undefined) requireSource(principal.scope, ref.sourceType)
  if (scopeSources(principal.scope).length === 0) {
    throw new AppError('forbidden', 'This key has no access to any source. Use another key.')
  }
  const itemId = checkedItemId(ref.itemId)
  const store = context.store.scoped(principal.scope)
  const item = await store.findItem({ itemId, ...(ref.sourceType && { sourceType: ref.sourceType }) })
  if (item === undefined) throw notFound(itemId, ref.sourceType)
  const body = await store.readBody({ itemId, sourceType: item.sourceType })
  if (body === undefined) throw notFound(itemId, ref.sourceType)
  return { body, contentType: item.contentType, fileName: item.fileName }
}

/** Removed from recall when this resolves, even if it was still being processed. */
export async function forget(
  context: ServiceContext,
  principal: Principal,
  ref: { itemId: string; sourceType: SourceType },
): Promise<ForgetResult> {
  await checkBilling(context, principal, 'read')
  requireWrite(principal)
  requireSource(principal.scope, ref.sourceType)
  const itemId = checkedItemId(ref.itemId)
  const { sourceType } = ref
  const deleted = await context.store.scoped(principal.scope).deleteItem({ itemId, sourceType })
  if (deleted === undefined) throw notFound(itemId, sourceType)
  context.log.info(
    { accountId: principal.accountId, keyId: principal.keyId, sourceType, memories: deleted.deletedMemories },
    'item deleted',
  )
  const { deletedMemories: memories } = deleted
  context.activity.noteOf(principal, { kind: 'forget', source: sourceType, item_id: itemId, memories })
  return { status: 'success', item_id: itemId, source_type: sourceType, deleted_memories: deleted.deletedMemories }
}

/** The item is not in the sources of the key. */
export function notFound(itemId: string, sourceType: SourceType | undefined): AppError {
  const where = sourceType === undefined ? 'any source of this key' : `the source ${sourceType}`
  return new AppError('not_found', `Item ${itemId} doesn't exist in ${where}.`, { field: 'item_id' })
}
