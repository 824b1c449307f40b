import type { Skip } from '../../domain/document.ts'
import type { SourceType } from '../../domain/source-type.ts'
import type { LibraryRow } from '../library.ts'
import { itemStatus, type StatusColumns } from './item-status.ts'

/** What `libraryRow` needs, of items joined with their jobs. */
export const LIBRARY_COLUMNS = [
  'item.item_key',
  'item.item_id',
  'item.source_type',
  'item.title',
  'item.file_name',
  'item.content_type',
  'item.size_bytes',
  'item.state',
  'item.error',
  'item.memory_count',
  'item.first_chunk_id',
  'item.last_chunk_id',
  'item.skips',
  'item.refinement_skips',
  'item.created_at',
  'item.updated_at',
  'item.url',
  'job.turn',
  'job.ready_at',
  'job.lease_token',
] as const

export interface LibraryColumns extends StatusColumns {
  readonly item_id: string
  readonly source_type: SourceType
  readonly title: string | null
  readonly file_name: string
  readonly content_type: string
  readonly size_bytes: number
  readonly error: string | null
  readonly memory_count: number
  readonly first_chunk_id: number | null
  readonly last_chunk_id: number | null
  readonly skips: string | null
  readonly refinement_skips: string | null
  readonly created_at: number
  readonly updated_at: number
  readonly url: string | null
}

export function libraryRow(row: LibraryColumns, now: number): LibraryRow {
  const { first_chunk_id: first, last_chunk_id: last } = row
  return {
    itemId: row.item_id,
    sourceType: row.source_type,
    title: row.title ?? undefined,
    fileName: row.file_name,
    contentType: row.content_type,
    sizeBytes: row.size_bytes,
    status: itemStatus(row, now),
    error: row.error ?? undefined,
    memoryCount: row.memory_count,
    chunkCount: first === null || last === null ? 0 : last - first + 1,
    skipCount: skipsOf(row).reduce((sum, { count }) => sum + count, 0),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    url: row.url ?? undefined,
  }
}

/** Of the pipeline, then of a language model. */
export function skipsOf(row: Pick<LibraryColumns, 'skips' | 'refinement_skips'>): Skip[] {
  return [row.skips, row.refinement_skips].flatMap((skips): Skip[] => (skips === null ? [] : JSON.parse(skips)))
}
