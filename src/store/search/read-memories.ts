import { sql } from 'kysely'
import { memoryRow } from './memory-row.ts'
import type { MemoryRow } from './search.ts'
import { runInScope, type SearchReader } from './search-reader.ts'
import { type ShownItem, shownItemsOf } from './shown-items.ts'
import { visibleChunks } from './visible-chunks.ts'

/** The memories made from any of these chunks, ordered by item and index, each once. */
export async function readMemories(reader: SearchReader, chunkIds: readonly number[]): Promise<MemoryRow[]> {
  const items = await shownItemsOf(reader, chunkIds)
  const rows = items === undefined ? await readWithItems(reader, chunkIds) : await readOfItems(reader, items)
  const once = new Map(rows.map((row) => [row.memory_key, row]))
  return [...once.values()].sort((a, b) => a.item_key - b.item_key || a.memory_index - b.memory_index).map(memoryRow)
}

function readWithItems(reader: SearchReader, chunkIds: readonly number[]) {
  return runInScope(reader, 'memories', chunkIds, (accountKey, list) =>
    visibleChunks(reader, accountKey)
      .innerJoin('memory', (join) =>
        join
          .on('memory.first_chunk_id', '>=', sql<number>`chunk.chunk_id - item.memory_span`)
          .onRef('memory.first_chunk_id', '<=', 'chunk.chunk_id')
          .onRef('memory.last_chunk_id', '>=', 'chunk.chunk_id')
          .onRef('memory.item_key', '=', 'chunk.item_key')
          .on('memory.account_key', '=', accountKey),
      )
      .select(['memory.memory_key', 'memory.item_key', 'item.item_id', 'item.source_type', 'memory.memory_index'])
      .select(['memory.content', 'memory.first_chunk_id', 'memory.last_chunk_id', 'memory.at', 'item.url'])
      .select(['item.first_chunk_id as shown_from', 'item.file_name', 'item.agent', 'item.connector'])
      .where(reader.engine.isInList(sql.ref('chunk.chunk_id'), list)),
  )
}

/** @param items of the chunks that the scope may see */
async function readOfItems(reader: SearchReader, items: ReadonlyMap<number, ShownItem>) {
  // Chunks of an item have ids of their own, so a memory that begins at one of them is of that item.
  const itemOfFirst = new Map<number, ShownItem>()
  for (const [chunkId, item] of items) {
    const earliest = Math.max(item.range.first, chunkId - item.memory_span)
    for (let first = earliest; first <= chunkId; first++) itemOfFirst.set(first, item)
  }
  const rows = await runInScope(reader, 'memories by first chunk', [...itemOfFirst.keys()], (accountKey, list) =>
    reader.db
      .selectFrom('memory')
      .select(['memory_key', 'item_key', 'memory_index', 'content', 'first_chunk_id', 'last_chunk_id', 'at'])
      .where(reader.engine.isInList(sql.ref('first_chunk_id'), list))
      .where('account_key', '=', accountKey),
  )
  return rows
    .filter(({ first_chunk_id: first, last_chunk_id: last }) => {
      for (let chunkId = first; chunkId <= last; chunkId++) if (items.has(chunkId)) return true
      return false
    })
    .map((row) => {
      const item = itemOfFirst.get(row.first_chunk_id)!
      return { ...item, ...row, shown_from: item.range.first }
    })
}
