import { sql } from 'kysely'
import type { SourceType } from '../../domain/source-type.ts'
import { sourceRestriction } from '../items/item-rows.ts'
import type { AccountReader } from '../store-parts.ts'
import { unpackFeatures } from './chunk-columns.ts'
import type { ChunksInMemory } from './chunks-in-memory.ts'
import type { ChunkRange, ChunkRow } from './search.ts'
import { runInScope, type SearchReader } from './search-reader.ts'
import { readShownItems } from './shown-items.ts'
import { visibleChunks } from './visible-chunks.ts'

interface Around {
  /** Of the vectors; that of the built-in model, stored with the chunks, when absent. */
  readonly spaceId?: string | undefined
  /** Not read or returned again. */
  readonly known?: readonly ChunkRow[] | undefined
}

/** These chunks and up to `radius` positions around each within its item, ordered by id. */
export async function readChunks(
  reader: SearchReader,
  ids: readonly number[],
  radius: number,
  around: Around,
): Promise<ChunkRow[]> {
  const { spaceId } = around
  const inMemory = await reader.inMemory()
  const chunks =
    (inMemory && chunksAround(inMemory, sourceRestriction(reader.scope), ids, { ...around, radius })) ??
    (await readAround(reader, ids, radius, around))
  const isOther = spaceId !== undefined && chunks.some((chunk) => chunk.spaceId !== spaceId)
  return isOther ? inSpace(reader, chunks, spaceId) : chunks
}

/** `undefined`: one of them is missing. */
function chunksAround(
  inMemory: ChunksInMemory,
  sources: 'all' | readonly SourceType[],
  ids: readonly number[],
  { radius, spaceId, known = [] }: Around & { readonly radius: number },
): ChunkRow[] | undefined {
  const wanted = new Set<number>()
  for (const id of ids) {
    const item = inMemory.itemOf(id)
    if (item === undefined || !(sources === 'all' || sources.includes(item.sourceType))) continue
    const last = Math.min(item.last, id + radius)
    for (let near = Math.max(item.first, id - radius); near <= last; near++) wanted.add(near)
  }
  for (const { chunkId } of known) wanted.delete(chunkId)
  const chunks: ChunkRow[] = []
  for (const id of wanted) {
    const row = inMemory.row(id, spaceId)
    if (row === undefined) return undefined
    chunks.push(row)
  }
  return chunks.sort((a, b) => a.chunkId - b.chunkId)
}

async function readAround(
  reader: SearchReader,
  ids: readonly number[],
  radius: number,
  around: Around,
): Promise<ChunkRow[]> {
  const { spaceId, known = [] } = around
  const found = await readShown(reader, ids, around)
  const given = new Set(known.map(({ chunkId }) => chunkId))
  const wanted = new Set<number>()
  for (const { row, range } of found.values()) {
    const last = Math.min(range.last, row.chunkId + radius)
    for (let id = Math.max(range.first, row.chunkId - radius); id <= last; id++) if (!given.has(id)) wanted.add(id)
  }
  const chunks: ChunkRow[] = []
  const unread: number[] = []
  for (const id of wanted) {
    const row = found.get(id)?.row ?? reader.cache.get(id)
    if (row === undefined) unread.push(id)
    else chunks.push(row)
  }
  for (const { row } of await readRows(reader, unread, spaceId)) chunks.push(row)
  return chunks.sort((a, b) => a.chunkId - b.chunkId)
}

/** A chunk, and the chunks that its item shows. */
interface ShownChunk {
  readonly row: ChunkRow
  readonly range: ChunkRange
}

/** Those of the chunks that their items show, by id. */
async function readShown(
  reader: SearchReader,
  ids: readonly number[],
  { spaceId, known = [] }: Around,
): Promise<Map<number, ShownChunk>> {
  const held = new Map(known.map((row) => [row.chunkId, row]))
  const kept: ChunkRow[] = []
  const unread: number[] = []
  for (const id of new Set(ids)) {
    const row = held.get(id) ?? reader.cache.get(id)
    if (row === undefined) unread.push(id)
    else kept.push(row)
  }
  const [items, read] = await Promise.all([
    readShownItems(reader, [...new Set(kept.map(({ itemKey }) => itemKey))]),
    readRows(reader, unread, spaceId),
  ])
  const shown = new Map(read.map((chunk) => [chunk.row.chunkId, chunk]))
  for (const row of kept) {
    const range = items.get(row.itemKey)?.range
    if (range !== undefined && row.chunkId >= range.first && row.chunkId <= range.last) {
      shown.set(row.chunkId, { row, range })
    }
  }
  return shown
}

async function readRows(
  reader: SearchReader,
  ids: readonly number[],
  spaceId: string | undefined,
): Promise<ShownChunk[]> {
  if (ids.length === 0) return []
  const rows = await runInScope(reader, 'chunks', ids, (accountKey, list) =>
    visibleChunks(reader, accountKey)
      .innerJoin('space', 'space.space_key', 'chunk.space_key')
      .select(['chunk.chunk_id', 'chunk.item_key', 'item.item_id', 'item.source_type', 'chunk.ordinal', 'chunk.kind'])
      .select(['chunk.at', 'chunk.body_terms', 'chunk.meta_terms', 'chunk.vector_bytes', 'chunk.features'])
      .select(['space.space_id', 'item.first_chunk_id', 'item.last_chunk_id'])
      .where(reader.engine.isInList(sql.ref('chunk.chunk_id'), list)),
  )
  return rows.map((row) => {
    const chunk: ChunkRow = {
      chunkId: row.chunk_id,
      itemKey: row.item_key,
      itemId: row.item_id,
      sourceType: row.source_type,
      ordinal: row.ordinal,
      // Uses the literals: strings from the database are equal but not identical, and scoring compares thousands.
      kind: row.kind === 'turn' ? 'turn' : 'prose',
      at: row.at ?? undefined,
      ...unpackFeatures(row),
      // Uses the caller's object where it is equal, for the same reason.
      spaceId: row.space_id === spaceId ? spaceId : row.space_id,
    }
    reader.cache.add(chunk)
    // Visible chunks are in a range.
    return { row: chunk, range: { first: row.first_chunk_id!, last: row.last_chunk_id! } }
  })
}

/** The same for chunks without a configured model's vector. A query of its own, which most homes never need. */
async function inSpace(
  { db, engine, accountKey }: AccountReader,
  chunks: ChunkRow[],
  spaceId: string,
): Promise<ChunkRow[]> {
  const space = await db
    .selectFrom('space')
    .select('space_key')
    .where('space_id', '=', spaceId)
    .where('state', 'is not', null)
    .executeTakeFirst()
  if (space === undefined) return chunks
  const ids = chunks.map(({ chunkId }) => chunkId)
  const rows = await db
    .selectFrom('chunk_vector')
    .select(['chunk_id', 'vector'])
    .where(engine.isOneOf(sql.ref('chunk_id'), ids))
    .where('account_key', '=', accountKey)
    .where('space_key', '=', space.space_key)
    .execute()
  const vectors = new Map(
    rows.map(({ chunk_id, vector }) => [chunk_id, new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength)]),
  )
  return chunks.map((chunk) => ({
    ...chunk,
    spaceId,
    vector: vectors.get(chunk.chunkId) ?? NO_VECTOR,
  }))
}

const NO_VECTOR = new Int8Array(0)
