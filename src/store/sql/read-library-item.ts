import { sql } from 'kysely'
import { DOCUMENT_KINDS } from '../../domain/document.ts'
import type { LibraryChunk, LibraryItem, LibraryMemory, LibraryPage, LibraryRef } from '../library.ts'
import { LIBRARY_COLUMNS, libraryRow, skipsOf } from './library-row.ts'
import { itemsInScope } from './read-items.ts'
import type { LibraryReader } from './read-library.ts'

export async function readLibraryItem(reader: LibraryReader, ref: LibraryRef): Promise<LibraryItem | undefined> {
  const row = await itemOf(reader, ref)
    .leftJoin('job', 'job.item_key', 'item.item_key')
    .select(LIBRARY_COLUMNS)
    .select(['item.uploaded_at', 'item.user_name', 'item.kind', 'item.told_from', 'item.told_until'])
    .select(['item.made_by', 'item.refined_by'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    ...libraryRow(row, reader.now),
    uploadedAt: new Date(row.uploaded_at),
    userName: row.user_name,
    kind: DOCUMENT_KINDS.find((kind) => kind === row.kind),
    toldFrom: row.told_from === null ? undefined : new Date(row.told_from),
    toldUntil: row.told_until === null ? undefined : new Date(row.told_until),
    skips: skipsOf(row),
    pipelineVersion: row.made_by ?? undefined,
    refinedBy: row.refined_by ?? undefined,
  }
}

export async function readLibraryMemories(
  reader: LibraryReader,
  ref: LibraryRef,
  { offset, limit }: LibraryPage,
): Promise<LibraryMemory[]> {
  const shown = await shownRange(reader, ref)
  if (shown === undefined) return []
  const rows = await memoriesFrom(reader, shown.first, shown.last)
    .select(['memory_index', 'content', 'first_chunk_id', 'last_chunk_id', 'at'])
    .orderBy('first_chunk_id')
    .orderBy('memory_index')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => ({
    index: row.memory_index,
    content: JSON.parse(row.content),
    firstChunk: row.first_chunk_id - shown.first,
    lastChunk: row.last_chunk_id - shown.first,
    at: row.at === null ? undefined : new Date(row.at),
  }))
}

export async function readLibraryChunks(
  reader: LibraryReader,
  ref: LibraryRef,
  { offset, limit }: LibraryPage,
): Promise<LibraryChunk[]> {
  const shown = await shownRange(reader, ref)
  if (shown === undefined) return []
  const from = shown.first + offset
  const to = Math.min(shown.last, from + limit - 1)
  const rows = await reader.db
    .selectFrom('chunk')
    .innerJoin('chunk_text', 'chunk_text.chunk_id', 'chunk.chunk_id')
    .select(['chunk.chunk_id', 'chunk.ordinal', 'chunk.kind', 'chunk.at'])
    .select(['chunk_text.text', 'chunk_text.speaker', 'chunk_text.heading'])
    .where('chunk.chunk_id', '>=', from)
    .where('chunk.chunk_id', '<=', to)
    .orderBy('chunk.chunk_id')
    .execute()
  const memories = await placesOfMemories(reader, shown, from, to)
  return rows.map((row) => ({
    ordinal: row.ordinal,
    kind: row.kind === 'turn' ? 'turn' : 'prose',
    text: row.text,
    speaker: row.speaker ?? undefined,
    heading: row.heading ?? undefined,
    at: row.at === null ? undefined : new Date(row.at),
    memories: memories
      .filter((memory) => memory.first <= row.chunk_id && row.chunk_id <= memory.last)
      .map(({ place }) => place),
  }))
}

/** The item of a reference, if the scope may see it. */
function itemOf({ db, accountKey, scope }: LibraryReader, { itemId, sourceType }: LibraryRef) {
  return itemsInScope(db, accountKey, scope, sourceType).where('item.item_id', '=', itemId)
}

interface Shown {
  readonly first: number
  readonly last: number
  /** Most chunks that a memory reaches past its first one. */
  readonly span: number
}

/** `undefined`: the item is absent, or shows nothing so far. */
async function shownRange(reader: LibraryReader, ref: LibraryRef): Promise<Shown | undefined> {
  const row = await itemOf(reader, ref)
    .select(['item.first_chunk_id', 'item.last_chunk_id', 'item.memory_span'])
    .executeTakeFirst()
  if (row === undefined || row.first_chunk_id === null || row.last_chunk_id === null) return undefined
  return { first: row.first_chunk_id, last: row.last_chunk_id, span: row.memory_span }
}

/** Those that begin in these chunks. */
function memoriesFrom({ db, accountKey }: LibraryReader, first: number, last: number) {
  return db
    .selectFrom('memory')
    .where('memory.account_key', '=', accountKey)
    .where('memory.first_chunk_id', '>=', first)
    .where('memory.first_chunk_id', '<=', last)
}

/** Memories that reach into these chunks, with their places among all of the item. */
async function placesOfMemories(reader: LibraryReader, shown: Shown, from: number, to: number) {
  const earliest = Math.max(shown.first, from - shown.span)
  const rows = await memoriesFrom(reader, earliest, to)
    .select(['first_chunk_id', 'last_chunk_id'])
    .orderBy('first_chunk_id')
    .orderBy('memory_index')
    .execute()
  const { before } = await memoriesFrom(reader, shown.first, earliest - 1)
    .select(sql<number>`count(*)`.as('before'))
    .executeTakeFirstOrThrow()
  return rows.map((row, n) => ({ first: row.first_chunk_id, last: row.last_chunk_id, place: Number(before) + n }))
}
