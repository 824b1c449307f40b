import type { SourceType } from '../../domain/source-type.ts'
import type { MemoryRow } from './search.ts'

/** A row of the table as retrieval uses it. */
export function memoryRow(row: {
  item_key: number
  item_id: string
  source_type: SourceType
  memory_index: number
  content: string
  first_chunk_id: number
  last_chunk_id: number
  /** First chunk of the item; never null where a memory is shown. */
  shown_from: number | null
  at: number | null
  file_name: string
  url: string | null
  agent?: string | null
  connector: string | null
}): MemoryRow {
  return {
    itemKey: row.item_key,
    itemId: row.item_id,
    sourceType: row.source_type,
    index: row.memory_index,
    content: JSON.parse(row.content),
    firstChunkId: row.first_chunk_id,
    lastChunkId: row.last_chunk_id,
    firstOrdinal: row.first_chunk_id - (row.shown_from ?? row.first_chunk_id),
    at: row.at ?? undefined,
    fileName: row.file_name,
    url: row.url ?? undefined,
    ...(row.agent && { agent: row.agent }),
    ...(row.connector && { connector: row.connector }),
  }
}
