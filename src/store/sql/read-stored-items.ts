import type { StoredItem, StoredItemQuery } from '../library.ts'
import { itemsInScope } from './read-items.ts'
import type { LibraryReader } from './read-library.ts'

/** In the order of their keys, so that a page costs the same wherever it is. */
export async function readStoredItems(
  { db, accountKey, scope }: Pick<LibraryReader, 'db' | 'accountKey' | 'scope'>,
  { sourceType, after = 0, limit }: StoredItemQuery,
): Promise<StoredItem[]> {
  const rows = await itemsInScope(db, accountKey, scope, sourceType)
    .select(['item.item_key', 'item.item_id', 'item.source_type', 'item.user_name', 'item.file_name'])
    .select(['item.content_type', 'item.size_bytes', 'item.body_hash', 'item.created_at', 'item.uploaded_at'])
    .select(['item.title', 'item.url', 'item.told_from', 'item.told_until', 'item.memory_count'])
    .where('item.item_key', '>', after)
    .orderBy('item.item_key')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    key: row.item_key,
    itemId: row.item_id,
    sourceType: row.source_type,
    userName: row.user_name,
    fileName: row.file_name,
    contentType: row.content_type,
    sizeBytes: row.size_bytes,
    bodyHash: row.body_hash,
    createdAt: new Date(row.created_at),
    uploadedAt: new Date(row.uploaded_at),
    title: row.title ?? undefined,
    url: row.url ?? undefined,
    toldFrom: row.told_from === null ? undefined : new Date(row.told_from),
    toldUntil: row.told_until === null ? undefined : new Date(row.told_until),
    memoryCount: row.memory_count,
  }))
}
