import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { SourceType } from '../../domain/source-type.ts'
import { listEdits } from '../edits/create-edits.ts'
import { isTagged, itemsInScope } from '../items/item-reads.ts'
import { sourceRestriction } from '../items/item-rows.ts'
import { listNameDecisions } from '../names/create-names.ts'
import type { AccountReader, ScopedAccount, Searched } from '../store-parts.ts'
import type { ChunkCache } from './chunk-cache.ts'
import { NOTHING_HIDDEN, readHiddenChunks } from './hidden-chunks.ts'
import { memoryRow } from './memory-row.ts'
import { readChunks } from './read-chunks.ts'
import { readMemories } from './read-memories.ts'
import { readPassages } from './read-passages.ts'
import {
  readChunksAt,
  readConnectorChunks,
  readPlaces,
  readRecentMemories,
  readTaggedChunks,
} from './recent-memories.ts'
import type {
  ItemExtent,
  ItemOfExtent,
  MemoryRow,
  OwnedMemoryRow,
  QaRow,
  SearchFilter,
  SearchIndex,
  TimeRange,
} from './search.ts'
import { runInScope, type SearchReader } from './search-reader.ts'
import { visibleChunks } from './visible-chunks.ts'
import { withoutHidden } from './without-hidden.ts'

export interface SearchParts {
  searchOn(accountId: string): Searched
  readonly chunkCache: ChunkCache
}

/**
 * The search side of one scope. A missing account finds nothing.
 * @param searchOn source of candidates and ranking features; results are read from the account's own database, which no
 * longer has deleted items, however far that source lags behind
 */
export function createSearchIndex(account: ScopedAccount, { searchOn, chunkCache: cache }: SearchParts): SearchIndex {
  const searched = () => searchOn(account.scope.accountId)
  const read = <Result, Absent>(run: (reader: SearchReader) => Promise<Result>, absent: Absent) =>
    account.read((reader) => run(searchReader(reader, cache, searched)), absent)
  const bounds = (filter: SearchFilter) => boundsOf(account, filter)
  const edits = () => account.read((reader) => account.editsOf(() => listEdits(reader), reader.kept), [])
  const index: Omit<SearchIndex, 'hidden'> = {
    async termStatistics(terms) {
      const found = await account.read(
        ({ accountKey }) => searched().candidates.termStatistics(accountKey, terms),
        undefined,
      )
      const { chunks, bodyTerms, frequencies } = found ?? { chunks: 0, bodyTerms: 0, frequencies: new Map() }
      return { chunks, averageBodyLength: chunks === 0 ? 0 : bodyTerms / chunks, frequencies }
    },
    lexicalCandidates: ({ terms, limit, ...filter }) =>
      account.read(
        ({ accountKey }) => searched().candidates.lexical({ accountKey, terms, limit, ...bounds(filter) }),
        [],
      ),
    nearest: ({ spaceId, vector, limit, ...filter }) =>
      read((reader) => {
        const { db, candidates } = searched()
        const shown = (ids: readonly number[]) => readChunks({ ...reader, db }, ids, 0, {})
        const { accountKey } = reader
        return candidates.nearest({ accountKey, spaceId, vector, limit, ...bounds(filter) }, shown)
      }, []),
    similarTerms: (term, limit) =>
      account.read(({ accountKey }) => searched().candidates.similarTerms(accountKey, term, limit), []),
    compoundsOf: (term, limit) =>
      account.read(({ accountKey }) => searched().candidates.compoundsOf(accountKey, term, limit), []),
    chunks: async (ids, radius, spaceId, known) =>
      ids.length === 0
        ? []
        : read((reader) => readChunks({ ...reader, db: searched().db }, ids, radius, { spaceId, known }), []),
    passages: async (ids) => (ids.length === 0 ? new Map() : read((reader) => readPassages(reader, ids), new Map())),
    extentOf: (item) => account.read((reader) => readExtent(reader, item), undefined),
    memoriesOf: async (chunkIds) => (chunkIds.length === 0 ? [] : read((reader) => readMemories(reader, chunkIds), [])),
    memoriesIn: (range, limits) => account.read((reader) => readMemoriesIn(reader, range, limits), []),
    timesAround: (range) => account.read((reader) => readTimesAround(reader, range), {}),
    recentMemories: (query) => account.read((reader) => readRecentMemories(reader, query), []),
    places: () => account.read(readPlaces, []),
    chunksAt: async (places) => (places.length === 0 ? [] : account.read((reader) => readChunksAt(reader, places), [])),
    chunksFrom: (connector) =>
      account.read((reader) => readConnectorChunks(reader, connector), { ranges: [], sources: [] }),
    chunksTagged: (tag) => account.read((reader) => readTaggedChunks(reader, tag), { ranges: [], sources: [] }),
    latestMemories: (limit, source) => account.read((reader) => readLatestMemories(reader, { limit, source }), []),
    qasOf: async (chunkIds) => (chunkIds.length === 0 ? [] : read((reader) => readQas(reader, chunkIds), [])),
    edits,
    nameDecisions: () => account.read(listNameDecisions, []),
  }
  return withoutHidden(index, async () =>
    (await account.hidesAny(edits))
      ? read((reader) => readHiddenChunks(account, reader, readMemories), NOTHING_HIDDEN)
      : NOTHING_HIDDEN,
  )
}

function boundsOf({ scope }: ScopedAccount, { source, since, until, within }: SearchFilter) {
  return { sources: sourceRestriction(scope, source), since: since?.getTime(), until: until?.getTime(), within }
}

function searchReader(reader: AccountReader, cache: ChunkCache, searched: () => Searched): SearchReader {
  return { ...reader, cache, inMemory: async () => searched().candidates.chunksInMemory?.(reader.accountKey) }
}

async function readExtent(reader: AccountReader, item: ItemOfExtent): Promise<ItemExtent | undefined> {
  const items =
    'itemKey' in item
      ? itemsInScope(reader).where('item.item_key', '=', item.itemKey)
      : itemsInScope(reader, item.sourceType).where('item.item_id', '=', item.itemId)
  const row = await items
    .select(['item.item_key', 'item.item_id', 'item.source_type', 'item.first_chunk_id', 'item.last_chunk_id'])
    .executeTakeFirst()
  if (row === undefined || row.first_chunk_id === null || row.last_chunk_id === null) return undefined
  return {
    itemKey: row.item_key,
    itemId: row.item_id,
    sourceType: row.source_type,
    firstChunkId: row.first_chunk_id,
    lastChunkId: row.last_chunk_id,
  }
}

/** Further memories of the items are skipped. */
const MOST_MEMORIES = 5_000

async function readMemoriesIn(
  reader: AccountReader,
  { since, until, source, connector, tag }: TimeRange,
  limits: { readonly items: number; readonly perItem: number },
): Promise<MemoryRow[]> {
  const [from, to] = [since.getTime(), until.getTime()]
  const items = itemsInScope(reader, source)
    .select(['item.item_key', 'item.item_id', 'item.source_type', 'item.file_name', 'item.url', 'item.connector'])
    .select(['item.first_chunk_id', 'item.last_chunk_id'])
    .$if(connector !== undefined, (query) => query.where('item.connector', '=', connector ?? ''))
    .$if(tag !== undefined, (query) => query.where(isTagged(reader, tag ?? '')))
    .where('item.told_from', '<', to)
    .where(sql<boolean>`coalesce(item.told_until, item.told_from) >= ${from}`)
    .where('item.first_chunk_id', 'is not', null)
    .orderBy('item.told_from', 'desc')
    .limit(limits.items)
  const rows = await reader.db
    .selectFrom(items.as('item'))
    .innerJoin('memory', (join) =>
      join
        .onRef('memory.first_chunk_id', '>=', 'item.first_chunk_id')
        .onRef('memory.first_chunk_id', '<=', 'item.last_chunk_id')
        .onRef('memory.item_key', '=', 'item.item_key')
        .on('memory.account_key', '=', reader.accountKey),
    )
    .select(['memory.item_key', 'item.item_id', 'item.source_type', 'item.url', 'memory.memory_index'])
    .select(['memory.content', 'memory.first_chunk_id', 'memory.last_chunk_id', 'memory.at'])
    .select(['item.first_chunk_id as shown_from', 'item.file_name', 'item.connector'])
    .where('memory.at', '>=', from)
    .where('memory.at', '<', to)
    .orderBy('memory.at')
    .orderBy('memory.first_chunk_id')
    .limit(MOST_MEMORIES)
    .execute()
  const taken = new Map<number, number>()
  return rows
    .filter(({ item_key }) => {
      const count = (taken.get(item_key) ?? 0) + 1
      taken.set(item_key, count)
      return count <= limits.perItem
    })
    .map(memoryRow)
}

async function readTimesAround(reader: AccountReader, { since, until, source }: TimeRange) {
  const items = itemsInScope(reader, source).where('item.first_chunk_id', 'is not', null)
  const [before, after] = await Promise.all([
    items
      .select('item.told_from')
      .where('item.told_from', '<', since.getTime())
      .orderBy('item.told_from', 'desc')
      .limit(1)
      .executeTakeFirst(),
    items
      .select('item.told_from')
      .where('item.told_from', '>=', until.getTime())
      .orderBy('item.told_from')
      .limit(1)
      .executeTakeFirst(),
  ])
  const dated = (row: { told_from: number | null } | undefined) =>
    row === undefined || row.told_from === null ? undefined : new Date(row.told_from)
  const [earlier, later] = [dated(before), dated(after)]
  return { ...(earlier && { before: earlier }), ...(later && { after: later }) }
}

interface LatestQuery {
  readonly limit: number
  readonly source: SourceType | undefined
}

/** Memories per statement: each blocks the main thread for some milliseconds, and other requests run in between. */
const PAGE = 500

async function readLatestMemories(reader: AccountReader, query: LatestQuery): Promise<OwnedMemoryRow[]> {
  const dated = await memoriesByItem(reader, query, 'is not')
  const limit = query.limit - dated.length
  return limit === 0 ? dated : [...dated, ...(await memoriesByItem(reader, { ...query, limit }, 'is'))]
}

/** @param time whether the items have one: two statements, because only one of them has an index in this order */
async function memoriesByItem(
  reader: AccountReader,
  { limit, source }: LatestQuery,
  time: 'is' | 'is not',
): Promise<OwnedMemoryRow[]> {
  const found: OwnedMemoryRow[] = []
  let last: LastMemory | undefined
  while (found.length < limit) {
    const size = Math.min(PAGE, limit - found.length)
    const rows = await memoryPage(reader, { source, limit: size }, time, last)
    for (const row of rows) found.push({ ...memoryRow(row), userName: row.user_name })
    last = rows.at(-1)
    if (rows.length < size) break
    await setImmediate()
  }
  return found
}

/** Where the next page goes on. */
interface LastMemory {
  readonly told_from: number | null
  readonly item_key: number
  readonly memory_index: number
}

function memoryPage(
  reader: AccountReader,
  { limit, source }: LatestQuery,
  time: 'is' | 'is not',
  last: LastMemory | undefined,
) {
  return itemsInScope(reader, source)
    .innerJoin('memory', (join) =>
      join
        .onRef('memory.first_chunk_id', '>=', 'item.first_chunk_id')
        .onRef('memory.first_chunk_id', '<=', 'item.last_chunk_id')
        .onRef('memory.item_key', '=', 'item.item_key')
        .on('memory.account_key', '=', reader.accountKey),
    )
    .select(['memory.item_key', 'item.item_id', 'item.source_type', 'item.url', 'memory.memory_index'])
    .select(['memory.content', 'memory.first_chunk_id', 'memory.last_chunk_id', 'memory.at'])
    .select(['item.first_chunk_id as shown_from', 'item.file_name', 'item.connector'])
    .select(['item.user_name', 'item.told_from'])
    .where('item.told_from', time, null)
    .$if(last !== undefined, (query) =>
      query.where(({ and, eb, or }) => {
        const { told_from = null, item_key = 0, memory_index = 0 } = last ?? {}
        const later = or([
          eb('item.item_key', '<', item_key),
          and([eb('item.item_key', '=', item_key), eb('memory.memory_index', '>', memory_index)]),
        ])
        if (time === 'is') return later
        // The first condition finds the place in the index.
        return and([eb('item.told_from', '<=', told_from), or([eb('item.told_from', '<', told_from), later])])
      }),
    )
    .$if(time === 'is not', (query) => query.orderBy('item.told_from', 'desc'))
    .orderBy('item.item_key', 'desc')
    .orderBy('memory.memory_index')
    .limit(limit)
    .execute()
}

async function readQas(reader: SearchReader, chunkIds: readonly number[]): Promise<QaRow[]> {
  const rows = await runInScope(reader, 'pairs', chunkIds, (accountKey, list) =>
    visibleChunks(reader, accountKey)
      .innerJoin('qa', (join) => join.onRef('qa.chunk_id', '=', 'chunk.chunk_id').on('qa.account_key', '=', accountKey))
      .select(['item.item_id', 'item.source_type', 'qa.question', 'qa.answer', 'qa.chunk_id'])
      .where(reader.engine.isInList(sql.ref('chunk.chunk_id'), list))
      .orderBy('qa.qa_key'),
  )
  return rows.map((row) => ({
    itemId: row.item_id,
    sourceType: row.source_type,
    question: row.question,
    answer: row.answer,
    chunkId: row.chunk_id,
  }))
}
