import { sql } from 'kysely'
import { isTagged, itemsInScope } from '../items/item-reads.ts'
import type { AccountReader } from '../store-parts.ts'
import { memoryRow } from './memory-row.ts'
import type { ChunkRange, ItemChunks, RecentMemoriesQuery, RecentMemoryRow } from './search.ts'

/** Latest item first, and of each its last memories in their order. */
export async function readRecentMemories(
  reader: AccountReader,
  query: RecentMemoriesQuery,
): Promise<RecentMemoryRow[]> {
  const rows = [...(await lastMemories(reader, query, true)), ...(await lastMemories(reader, query, false))]
  const latest = [...new Set(rows.toSorted((a, b) => b.latest - a.latest || b.itemKey - a.itemKey).map(itemKeyOf))]
  const kept = new Map(latest.slice(0, query.items).map((itemKey, rank) => [itemKey, rank]))
  return rows
    .filter(({ itemKey }) => kept.has(itemKey))
    .sort((a, b) => kept.get(a.itemKey)! - kept.get(b.itemKey)! || a.index - b.index)
}

const itemKeyOf = ({ itemKey }: RecentMemoryRow) => itemKey

function latestItems(
  reader: AccountReader,
  { source, connector, tag, since, until, places, items: most }: RecentMemoriesQuery,
  isDated: boolean,
) {
  const from = since?.getTime() ?? 0
  const to = until.getTime()
  return itemsInScope(reader, source)
    .select(['item.item_key', 'item.item_id', 'item.source_type', 'item.url', 'item.title', 'item.place', 'item.agent'])
    .select(['item.connector', 'item.file_name'])
    .select(['item.first_chunk_id', 'item.last_chunk_id'])
    .where('item.first_chunk_id', 'is not', null)
    .$if(connector !== undefined, (query) => query.where('item.connector', '=', connector ?? ''))
    .$if(tag !== undefined, (query) => query.where(isTagged(reader, tag ?? '')))
    .$if(places !== undefined, (query) => query.where('item.place', 'in', places ?? []))
    .$if(isDated, (query) =>
      query
        .select(sql<number>`coalesce(item.told_until, item.told_from)`.as('latest'))
        .where('item.told_from', '<', to)
        .where(sql<boolean>`coalesce(item.told_until, item.told_from) >= ${from}`)
        .orderBy('item.told_from', 'desc'),
    )
    .$if(!isDated, (query) =>
      query
        .select('item.uploaded_at as latest')
        .where('item.told_from', 'is', null)
        .where('item.uploaded_at', '<', to)
        .where('item.uploaded_at', '>=', from),
    )
    .orderBy('item.item_key', 'desc')
    .limit(most)
}

/** @param isDated items with a time of their own, or the others: two statements, because each has an index of its own */
async function lastMemories(
  reader: AccountReader,
  query: RecentMemoriesQuery,
  isDated: boolean,
): Promise<RecentMemoryRow[]> {
  const { since, perItem } = query
  const [from, to] = [since?.getTime() ?? 0, query.until.getTime()]
  const items = latestItems(reader, query, isDated)
  const numbered = reader.db
    .selectFrom(items.as('item'))
    .innerJoin('memory', (join) =>
      join
        .onRef('memory.first_chunk_id', '>=', 'item.first_chunk_id')
        .onRef('memory.first_chunk_id', '<=', 'item.last_chunk_id')
        .onRef('memory.item_key', '=', 'item.item_key')
        .on('memory.account_key', '=', reader.accountKey),
    )
    .select([
      'memory.item_key',
      'item.item_id',
      'item.source_type',
      'item.url',
      'item.title',
      'item.place',
      'item.agent',
      'item.connector',
      'item.file_name',
    ])
    .select(['item.latest', 'item.first_chunk_id as shown_from', 'memory.memory_index'])
    .select(['memory.content', 'memory.first_chunk_id', 'memory.last_chunk_id', 'memory.at'])
    .select(
      sql<number>`row_number() over (partition by memory.item_key order by memory.memory_index desc)`.as('from_end'),
    )
    .where((memory) => memory.or([memory('memory.at', 'is', null), memory('memory.at', '<', to)]))
    .$if(isDated && since !== undefined, (selected) =>
      selected.where((memory) => memory.or([memory('memory.at', 'is', null), memory('memory.at', '>=', from)])),
    )
  const rows = await reader.db.selectFrom(numbered.as('memory')).selectAll().where('from_end', '<=', perItem).execute()
  return rows.map((row) => ({
    ...memoryRow(row),
    title: row.title ?? undefined,
    place: row.place ?? undefined,
    latest: Number(row.latest ?? 0),
  }))
}

/** Further places are left out. */
const MOST_PLACES = 10_000

/** Seeks from place to place, because an account has few of them and many items. */
export async function readPlaces({ db, accountKey }: AccountReader): Promise<string[]> {
  const { rows } = await sql<{ place: string }>`
    with recursive found (place) as (
      select min(place) from item where account_key = ${accountKey} and place is not null
      union all
      select (select min(place) from item where account_key = ${accountKey} and place > found.place)
      from found where found.place is not null
    )
    select place from found where place is not null limit ${MOST_PLACES}`.execute(db)
  return rows.map(({ place }) => place)
}

/** Of a project with more, the newest. */
const MOST_ITEMS = 5_000

export async function readChunksAt(reader: AccountReader, places: readonly string[]): Promise<ChunkRange[]> {
  const rows = await itemsInScope(reader)
    .select(['item.first_chunk_id', 'item.last_chunk_id'])
    .where('item.place', 'in', places)
    .where('item.first_chunk_id', 'is not', null)
    .orderBy('item.item_key', 'desc')
    .limit(MOST_ITEMS)
    .execute()
  return rows
    .flatMap(({ first_chunk_id: first, last_chunk_id: last }) =>
      first === null || last === null ? [] : [{ first, last }],
    )
    .sort((a, b) => a.first - b.first)
}

export function readConnectorChunks(reader: AccountReader, connector: string): Promise<ItemChunks> {
  return chunksOf(itemsInScope(reader).where('item.connector', '=', connector))
}

export function readTaggedChunks(reader: AccountReader, tag: string): Promise<ItemChunks> {
  return chunksOf(itemsInScope(reader).where(isTagged(reader, tag)))
}

/** Chunks of items that follow each other are one range: a first sync stores thousands in a row. */
async function chunksOf(items: ReturnType<typeof itemsInScope>): Promise<ItemChunks> {
  const rows = await items
    .select(['item.first_chunk_id as first', 'item.last_chunk_id as last', 'item.source_type'])
    .where('item.first_chunk_id', 'is not', null)
    .orderBy('item.first_chunk_id')
    .execute()
  const ranges: { first: number; last: number }[] = []
  for (const { first, last } of rows) {
    if (first === null || last === null) continue
    const previous = ranges.at(-1)
    if (previous?.last === first - 1) previous.last = last
    else ranges.push({ first, last })
  }
  return { ranges, sources: [...new Set(rows.map(({ source_type }) => source_type))] }
}
