import { setImmediate } from 'node:timers/promises'
import { type SqlBool, sql } from 'kysely'
import type { Skip } from '../../domain/document.ts'
import { ITEM_STATUSES, type ItemStatus } from '../../domain/results.ts'
import { scopeAllows } from '../../domain/scope.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { isTagged, itemsInScope, readTags } from '../items/item-reads.ts'
import { itemStatus, type StatusColumns, UPLOAD_TURNS } from '../items/item-rows.ts'
import type { AccountReader } from '../store-parts.ts'
import {
  type LibraryGroup,
  type LibraryListing,
  type LibraryQuery,
  type LibraryRow,
  type LibrarySort,
  MOST_LOOKED_AT,
  MOST_MATCHES,
} from './library.ts'

interface LibraryReader extends AccountReader {
  readonly totals: LibraryTotals
}

/** The last counts of items by source: counting 100,000 takes 10 ms. */
export interface LibraryTotals {
  /** Changes with every commit. */
  version(): Promise<string>
  readonly known: Map<number, { readonly version: string; readonly totals: ReadonlyMap<SourceType, number> }>
}

/** Items that need attention first. */
const STATE_ORDER: readonly ItemStatus[] = ['failed', 'processing', 'queued', 'ready']

/** In the order of the index. */
const NAME = sql<string>`lower(substr(coalesce(item.title, item.file_name), 1, 100))`

/** Number of items searched at a time; other work runs in between. */
const SLICE = 4_000

export async function listLibrary(reader: LibraryReader, query: LibraryQuery): Promise<LibraryListing> {
  const text = foldCase(query.text ?? '').trim()
  if (text !== '' || query.tag !== undefined || query.connector !== undefined) return listMatches(reader, query, text)
  const groups = await countGroups(reader)
  const keys = query.sort === 'state' ? await keysByState(reader, query, groups) : await pageKeys(reader, query)
  return { rows: await readRows(reader, keys), groups, isCapped: false }
}

/* ------------------------------------------------------------------ orders */

/** Group by group, each newest first. */
async function keysByState(
  reader: LibraryReader,
  query: LibraryQuery,
  groups: readonly LibraryGroup[],
): Promise<number[]> {
  const { sources, states, limit } = query
  const keys: number[] = []
  let offset = query.offset
  for (const status of STATE_ORDER) {
    if (states !== undefined && !states.includes(status)) continue
    const counted = groups.filter((group) => group.status === status && sources?.includes(group.sourceType) !== false)
    const size = counted.reduce((sum, { count }) => sum + count, 0)
    if (offset >= size) {
      offset -= size
      continue
    }
    const page = { offset, limit: limit - keys.length }
    keys.push(...(await pageKeys(reader, { ...query, ...page, states: [status], sort: 'newest' })))
    if (keys.length >= limit) break
    offset = 0
  }
  return keys
}

/** Read from an index only, so that later pages are as fast as the first. */
async function pageKeys(reader: LibraryReader, query: LibraryQuery): Promise<number[]> {
  const { sources, states, limit, offset } = query
  let items = selectedKeys(reader)
  if (sources !== undefined) items = items.where('item.source_type', 'in', [...sources])
  const restriction = states === undefined ? undefined : stateRestriction(reader, states)
  if (restriction !== undefined) items = items.where(restriction)
  const rows = await orderedKeys(items, query.sort).limit(limit).offset(offset).execute()
  return rows.map(({ item_key }) => item_key)
}

function orderedKeys(items: ReturnType<typeof selectedKeys>, sort: LibrarySort) {
  switch (sort) {
    case 'oldest':
      return items.orderBy('item.item_key')
    case 'name':
      return items.orderBy(NAME).orderBy('item.item_key')
    case 'name_back':
      return items.orderBy(NAME, 'desc').orderBy('item.item_key', 'desc')
    case 'largest':
      return items.orderBy('item.size_bytes', 'desc').orderBy('item.item_key', 'desc')
    case 'smallest':
      return items.orderBy('item.size_bytes').orderBy('item.item_key')
    default:
      return items.orderBy('item.item_key', 'desc')
  }
}

function selectedKeys(reader: LibraryReader) {
  return itemsInScope(reader).select('item.item_key')
}

/** Few items are not ready, so ready ones are those that are not among the others. */
function stateRestriction({ accountKey, now }: LibraryReader, states: readonly ItemStatus[]) {
  const jobs = sql`select item_key from job where account_key = ${accountKey}`
  const leased = sql`lease_token is not null and ready_at > ${now}`
  const uploads = sql.join([...UPLOAD_TURNS])
  const sets = {
    queued: sql`${jobs} and turn in (${uploads}) and not (${leased})`,
    processing: sql`${jobs} and turn in (${uploads}) and ${leased}`,
    failed: sql`select item_key from item where account_key = ${accountKey} and state = 'failed' and item_key not in (${jobs})`,
  }
  const isReady = states.includes('ready')
  const named = (['queued', 'processing', 'failed'] as const).filter((state) => states.includes(state) !== isReady)
  if (named.length === 0) return isReady ? undefined : sql<SqlBool>`item.item_key < 0`
  const set = sql.join(
    named.map((state) => sets[state]),
    sql` union all `,
  )
  return isReady ? sql<SqlBool>`item.item_key not in (${set})` : sql<SqlBool>`item.item_key in (${set})`
}

/* ----------------------------------------------------------------- numbers */

async function countGroups(reader: LibraryReader): Promise<LibraryGroup[]> {
  const { db, accountKey, scope, now } = reader
  const isHeld = sql<number>`case when lease_token is not null and ready_at > ${now} then 1 else 0 end`
  const waiting = await db
    .selectFrom('job')
    // Not an inner join: SQLite must begin with the jobs, which are few.
    .crossJoin('item')
    .select((row) => ['item.source_type', row.fn.sum<number>(isHeld).as('held'), row.fn.countAll<number>().as('count')])
    .where('job.account_key', '=', accountKey)
    .where('job.turn', 'in', UPLOAD_TURNS)
    .whereRef('item.item_key', '=', 'job.item_key')
    .where('item.account_key', '=', accountKey)
    .groupBy('item.source_type')
    .execute()
  const failed = await itemsInScope(reader)
    .select('item.source_type')
    .select((item) => item.fn.countAll<number>().as('count'))
    .where(sql<boolean>`item.state = 'failed'`)
    .where('item.item_key', 'not in', db.selectFrom('job').select('item_key').where('account_key', '=', accountKey))
    .groupBy('item.source_type')
    .execute()
  const numberOf = (rows: readonly { source_type: SourceType; count: number }[], source: SourceType) =>
    Number(rows.find((row) => row.source_type === source)?.count ?? 0)
  const totals = await totalsBySource(reader)
  return [...totals].flatMap(([sourceType, count]) => {
    if (!scopeAllows(scope, sourceType)) return []
    const processing = Number(waiting.find((row) => row.source_type === sourceType)?.held ?? 0)
    const queued = numberOf(waiting, sourceType) - processing
    const lost = numberOf(failed, sourceType)
    const numbers = { queued, processing, failed: lost, ready: count - queued - processing - lost }
    return ITEM_STATUSES.map((status) => ({ sourceType, status, count: numbers[status] })).filter(
      (group) => group.count > 0,
    )
  })
}

/** Of all sources of the account. */
async function totalsBySource({ db, accountKey, totals: { known, version } }: LibraryReader) {
  const now = await version()
  const last = known.get(accountKey)
  if (last?.version === now) return last.totals
  const rows = await db
    .selectFrom('item')
    .select(['source_type', (item) => item.fn.countAll<number>().as('count')])
    .where('account_key', '=', accountKey)
    .groupBy('source_type')
    .execute()
  const totals = new Map(rows.map(({ source_type, count }) => [source_type, Number(count)]))
  known.set(accountKey, { version: now, totals })
  return totals
}

/* -------------------------------------------------------------------- text */

/** Ignores case, and treats composed and decomposed letters alike. */
function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

async function listMatches(reader: LibraryReader, query: LibraryQuery, text: string): Promise<LibraryListing> {
  const { keys, isCapped } = await matchingKeys(reader, text, query)
  const rows = await readRows(reader, keys)
  const { sources, states, offset, limit } = query
  const asked = rows.filter(
    ({ sourceType, status }) => sources?.includes(sourceType) !== false && states?.includes(status) !== false,
  )
  return { rows: sortedRows(asked, query.sort).slice(offset, offset + limit), groups: groupsOf(rows), isCapped }
}

/** Newest first. */
async function matchingKeys(
  reader: LibraryReader,
  text: string,
  { tag, connector }: LibraryQuery,
): Promise<{ keys: number[]; isCapped: boolean }> {
  const keys: number[] = []
  let before = Number.MAX_SAFE_INTEGER
  for (let lookedAt = 0; lookedAt < MOST_LOOKED_AT; lookedAt += SLICE) {
    const slice = await itemsInScope(reader)
      .$if(tag !== undefined, (items) => items.where(isTagged(reader, tag ?? '')))
      .$if(connector !== undefined, (items) => items.where('item.connector', '=', connector ?? ''))
      .select(['item.item_key', 'item.item_id', 'item.title', 'item.file_name'])
      .where('item.item_key', '<', before)
      .orderBy('item.item_key', 'desc')
      .limit(SLICE)
      .execute()
    for (const { item_key, item_id, title, file_name } of slice) {
      const holds = [title ?? '', file_name, item_id].some((name) => foldCase(name).includes(text))
      if (holds) keys.push(item_key)
      if (keys.length === MOST_MATCHES) return { keys, isCapped: true }
    }
    const last = slice.at(-1)
    if (last === undefined || slice.length < SLICE) return { keys, isCapped: false }
    before = last.item_key
    await setImmediate()
  }
  return { keys, isCapped: true }
}

function sortedRows(rows: readonly LibraryRow[], sort: LibrarySort): LibraryRow[] {
  const named = new Intl.Collator('en', { numeric: true })
  const name = ({ title, fileName }: LibraryRow) => title ?? fileName
  switch (sort) {
    case 'oldest':
      return rows.toReversed()
    case 'name':
      return rows.toSorted((a, b) => named.compare(name(a), name(b)))
    case 'name_back':
      return rows.toSorted((a, b) => named.compare(name(b), name(a)))
    case 'largest':
      return rows.toSorted((a, b) => b.sizeBytes - a.sizeBytes)
    case 'smallest':
      return rows.toSorted((a, b) => a.sizeBytes - b.sizeBytes)
    case 'state':
      return rows.toSorted((a, b) => STATE_ORDER.indexOf(a.status) - STATE_ORDER.indexOf(b.status))
    default:
      return [...rows]
  }
}

function groupsOf(rows: readonly LibraryRow[]): LibraryGroup[] {
  const groups = new Map<string, LibraryGroup>()
  for (const { sourceType, status } of rows) {
    const key = `${sourceType} ${status}`
    groups.set(key, { sourceType, status, count: (groups.get(key)?.count ?? 0) + 1 })
  }
  return [...groups.values()]
}

/* -------------------------------------------------------------------- rows */

/** In the order of the keys. */
async function readRows(reader: LibraryReader, keys: readonly number[]): Promise<LibraryRow[]> {
  if (keys.length === 0) return []
  const rows = await itemsInScope(reader)
    .leftJoin('job', (join) =>
      join.onRef('job.item_key', '=', 'item.item_key').on('job.account_key', '=', reader.accountKey),
    )
    .select(LIBRARY_COLUMNS)
    .where(reader.engine.isOneOf(sql.ref('item.item_key'), keys))
    .execute()
  const byKey = new Map(rows.map((row) => [row.item_key, row]))
  const tags = await readTags(reader, keys)
  return keys.flatMap((key) => {
    const row = byKey.get(key)
    return row === undefined ? [] : [libraryRow(row, { now: reader.now, tags: tags.get(key) ?? [] })]
  })
}

/** The columns for `libraryRow`, of items joined with their jobs. */
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
  'item.connector',
  'job.turn',
  'job.ready_at',
  'job.lease_token',
] as const

interface LibraryColumns extends StatusColumns {
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
  readonly connector: string | null
}

export function libraryRow(
  row: LibraryColumns,
  { now, tags }: { readonly now: number; readonly tags: readonly string[] },
): LibraryRow {
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
    connector: row.connector ?? undefined,
    tags,
  }
}

/** From the pipeline, then from a language model. */
export function skipsOf(row: Pick<LibraryColumns, 'skips' | 'refinement_skips'>): Skip[] {
  return [row.skips, row.refinement_skips].flatMap((skips): Skip[] => (skips === null ? [] : JSON.parse(skips)))
}
