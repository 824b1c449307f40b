import { sql } from 'kysely'
import { DOCUMENT_KINDS } from '../../domain/document.ts'
import type { SourceType } from '../../domain/source-type.ts'
import type { ChangeNotifications } from '../change-notifications.ts'
import { itemsInScope, readTags } from '../items/item-reads.ts'
import type { AccountReader, ScopedAccount } from '../store-parts.ts'
import type {
  ConnectorCount,
  Library,
  LibraryChunk,
  LibraryItem,
  LibraryMemory,
  LibraryPage,
  LibraryRef,
  SkipCount,
  StoredItem,
  StoredItemQuery,
} from './library.ts'
import { LIBRARY_COLUMNS, type LibraryTotals, libraryRow, listLibrary, skipsOf } from './list-library.ts'

export function createLibrary(
  account: ScopedAccount,
  { notifications, totals }: { readonly notifications: ChangeNotifications; readonly totals: LibraryTotals },
): Library {
  const { scope, commands } = account
  return {
    list: (query) =>
      account.read((reader) => listLibrary({ ...reader, totals }, query), { rows: [], groups: [], isCapped: false }),
    read: (ref) => account.read((reader) => readLibraryItem(reader, ref), undefined),
    memories: (ref, page) => account.read((reader) => readLibraryMemories(reader, ref, page), []),
    chunks: (ref, page) => account.read((reader) => readLibraryChunks(reader, ref, page), []),
    skipCounts: () => account.read(countSkips, []),
    memoryCounts: () => account.read(countMemories, new Map()),
    connectorCounts: () => account.read(countConnectors, []),
    stored: (query) => account.read((reader) => readStoredItems(reader, query), []),
    async reprocess(refs) {
      // Copies only the stored fields for the writer thread.
      const plain = refs.map(({ itemId, sourceType }) => ({ itemId, sourceType }))
      const queued = await commands.call('reprocessItems', scope, plain)
      if (queued > 0) notifications.wake()
      notifications.itemsChanged(scope.accountId)
      return queued
    },
  }
}

async function countConnectors(reader: AccountReader): Promise<ConnectorCount[]> {
  const rows = await itemsInScope(reader)
    .select(['item.connector', 'item.source_type'])
    .select(({ fn }) => fn.countAll<number>().as('items'))
    .where('item.connector', 'is not', null)
    .groupBy(['item.connector', 'item.source_type'])
    .execute()
  return rows.flatMap(({ connector, source_type: sourceType, items }) =>
    connector === null ? [] : [{ connector, sourceType, items: Number(items) }],
  )
}

async function readLibraryItem(reader: AccountReader, ref: LibraryRef): Promise<LibraryItem | undefined> {
  const row = await selectItem(reader, ref)
    .leftJoin('job', (join) =>
      join.onRef('job.item_key', '=', 'item.item_key').on('job.account_key', '=', reader.accountKey),
    )
    .select(LIBRARY_COLUMNS)
    .select(['item.uploaded_at', 'item.user_name', 'item.kind', 'item.told_from', 'item.told_until'])
    .select(['item.made_by', 'item.refined_by', 'item.agent'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  const tags = await readTags(reader, [row.item_key])
  return {
    ...libraryRow(row, { now: reader.now, tags: tags.get(row.item_key) ?? [] }),
    uploadedAt: new Date(row.uploaded_at),
    userName: row.user_name,
    agent: row.agent ?? undefined,
    kind: DOCUMENT_KINDS.find((kind) => kind === row.kind),
    statedFrom: row.told_from === null ? undefined : new Date(row.told_from),
    statedUntil: row.told_until === null ? undefined : new Date(row.told_until),
    skips: skipsOf(row),
    pipelineVersion: row.made_by ?? undefined,
    refinedBy: row.refined_by ?? undefined,
  }
}

async function readLibraryMemories(
  reader: AccountReader,
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

async function readLibraryChunks(
  reader: AccountReader,
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
    .where('chunk.account_key', '=', reader.accountKey)
    .where(reader.engine.isOfAccount('chunk_text', reader.accountKey))
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
      .map(({ index }) => index),
  }))
}

/** The item of a reference, if the scope may see it. */
function selectItem(reader: AccountReader, { itemId, sourceType }: LibraryRef) {
  return itemsInScope(reader, sourceType).where('item.item_id', '=', itemId)
}

interface ShownRange {
  readonly first: number
  readonly last: number
  /** Most chunks that a memory extends past its first one. */
  readonly span: number
}

/** `undefined`: the item does not exist, or has no memories yet. */
async function shownRange(reader: AccountReader, ref: LibraryRef): Promise<ShownRange | undefined> {
  const row = await selectItem(reader, ref)
    .select(['item.first_chunk_id', 'item.last_chunk_id', 'item.memory_span'])
    .executeTakeFirst()
  if (row === undefined || row.first_chunk_id === null || row.last_chunk_id === null) return undefined
  return { first: row.first_chunk_id, last: row.last_chunk_id, span: row.memory_span }
}

/** Memories that begin in these chunks. */
function memoriesFrom({ db, accountKey }: AccountReader, first: number, last: number) {
  return db
    .selectFrom('memory')
    .where('memory.account_key', '=', accountKey)
    .where('memory.first_chunk_id', '>=', first)
    .where('memory.first_chunk_id', '<=', last)
}

/** Memories that overlap these chunks, with their indexes among all of the item. */
async function placesOfMemories(reader: AccountReader, shown: ShownRange, from: number, to: number) {
  const earliest = Math.max(shown.first, from - shown.span)
  const rows = await memoriesFrom(reader, earliest, to)
    .select(['first_chunk_id', 'last_chunk_id'])
    .orderBy('first_chunk_id')
    .orderBy('memory_index')
    .execute()
  const { before } = await memoriesFrom(reader, shown.first, earliest - 1)
    .select(sql<number>`count(*)`.as('before'))
    .executeTakeFirstOrThrow()
  return rows.map((row, n) => ({ first: row.first_chunk_id, last: row.last_chunk_id, index: Number(before) + n }))
}

async function countSkips(reader: AccountReader): Promise<SkipCount[]> {
  const rows = await itemsInScope(reader)
    .select(['item.source_type', 'item.skips', 'item.refinement_skips'])
    .where((item) => item.or([item('item.skips', 'is not', null), item('item.refinement_skips', 'is not', null)]))
    .execute()
  const counts = new Map<string, SkipCount>()
  for (const row of rows) {
    for (const { reason, count } of skipsOf(row)) {
      const key = `${row.source_type}/${reason}`
      counts.set(key, { sourceType: row.source_type, reason, count: count + (counts.get(key)?.count ?? 0) })
    }
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)
}

async function countMemories(reader: AccountReader): Promise<ReadonlyMap<SourceType, number>> {
  const rows = await itemsInScope(reader)
    .select((item) => ['item.source_type', item.fn.sum<number>('item.memory_count').as('memories')])
    .groupBy('item.source_type')
    .execute()
  return new Map(rows.map(({ source_type, memories }) => [source_type, Number(memories)]))
}

/** In the order of their keys, so that a page costs the same wherever it is. */
async function readStoredItems(
  reader: AccountReader,
  { sourceType, after = 0, limit }: StoredItemQuery,
): Promise<StoredItem[]> {
  const rows = await itemsInScope(reader, sourceType)
    .select(['item.item_key', 'item.item_id', 'item.source_type', 'item.user_name', 'item.file_name'])
    .select(['item.content_type', 'item.size_bytes', 'item.body_hash', 'item.created_at', 'item.uploaded_at'])
    .select(['item.title', 'item.url', 'item.told_from', 'item.told_until', 'item.memory_count', 'item.connector'])
    .where('item.item_key', '>', after)
    .orderBy('item.item_key')
    .limit(limit)
    .execute()
  const tags = await readTags(
    reader,
    rows.map(({ item_key }) => item_key),
  )
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
    connector: row.connector ?? undefined,
    statedFrom: row.told_from === null ? undefined : new Date(row.told_from),
    statedUntil: row.told_until === null ? undefined : new Date(row.told_until),
    memoryCount: row.memory_count,
    tags: tags.get(row.item_key) ?? [],
  }))
}
