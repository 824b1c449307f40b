import { sql } from 'kysely'
import type { SourceType } from '../../domain/source-type.ts'
import { itemsInScope } from '../items/item-reads.ts'
import { sourceRestriction } from '../items/item-rows.ts'
import type { ChunkRange } from './search.ts'
import { runInScope, type SearchReader } from './search-reader.ts'

/** An item of the scope that has chunks: what results state of it, and where its chunks are. */
export interface ShownItem {
  readonly item_key: number
  readonly item_id: string
  readonly source_type: SourceType
  readonly file_name: string
  readonly title: string | null
  readonly url: string | null
  readonly agent: string | null
  readonly connector: string | null
  /** Most chunks a memory of the item reaches past its first one. */
  readonly memory_span: number
  readonly range: ChunkRange
}

/** By item key; known until the next commit, where the store keeps what it read. */
export function readShownItems(
  reader: SearchReader,
  itemKeys: readonly number[],
): Promise<ReadonlyMap<number, ShownItem>> {
  const { kept, accountKey, scope } = reader
  const key = `items ${accountKey} ${sourceRestriction(scope)}`
  return kept.each(key, itemKeys, (unknown) => readItems(reader, unknown))
}

async function readItems(reader: SearchReader, itemKeys: readonly number[]): Promise<ReadonlyMap<number, ShownItem>> {
  const rows = await runInScope(reader, 'items', itemKeys, (accountKey, list) =>
    itemsInScope({ ...reader, accountKey })
      .select(['item.item_key', 'item.item_id', 'item.source_type', 'item.file_name', 'item.title', 'item.url'])
      .select(['item.agent', 'item.connector', 'item.memory_span', 'item.first_chunk_id', 'item.last_chunk_id'])
      .where(reader.engine.isInList(sql.ref('item.item_key'), list)),
  )
  const items = new Map<number, ShownItem>()
  for (const { first_chunk_id: first, last_chunk_id: last, ...item } of rows) {
    if (first !== null && last !== null) items.set(item.item_key, { ...item, range: { first, last } })
  }
  return items
}

/**
 * The items of those of the chunks that the scope may see, by chunk id. `undefined`: joining the tables takes fewer reads,
 * because a chunk was not read before, or the store keeps nothing.
 */
export async function shownItemsOf(
  reader: SearchReader,
  chunkIds: readonly number[],
): Promise<ReadonlyMap<number, ShownItem> | undefined> {
  if (!reader.kept.isKeeping) return undefined
  const itemKeys = new Map<number, number>()
  const inMemory = await reader.inMemory()
  for (const id of chunkIds) {
    const itemKey = inMemory?.itemKeyOf(id) ?? reader.cache.get(id)?.itemKey
    if (itemKey === undefined) return undefined
    itemKeys.set(id, itemKey)
  }
  const items = await readShownItems(reader, [...new Set(itemKeys.values())])
  const shown = new Map<number, ShownItem>()
  for (const [id, itemKey] of itemKeys) {
    const item = items.get(itemKey)
    if (item !== undefined && id >= item.range.first && id <= item.range.last) shown.set(id, item)
  }
  return shown
}
