import { type SqlBool, sql } from 'kysely'
import type { SourceType } from '../../domain/source-type.ts'
import { foldTag } from '../../domain/tag.ts'
import type { BlobRef } from '../bodies/bodies.ts'
import { type StoredBody, storedBody } from '../bodies/body-writes.ts'
import { runInScope } from '../search/search-reader.ts'
import type { AccountReader } from '../store-parts.ts'
import { allowedSources, itemStatus, sourceRestriction, UPLOAD_TURNS } from './item-rows.ts'
import type { Holdings, ItemRow, ListedItems } from './items.ts'

/** Items of the scope, joined with their job; the only place that filters items by account and sources. */
export function itemsInScope({ db, accountKey, scope }: AccountReader, source?: SourceType) {
  const items = db.selectFrom('item').where('item.account_key', '=', accountKey)
  const sources = sourceRestriction(scope, source)
  if (sources === 'all') return items
  if (sources.length === 0) return items.where('item.item_key', '<', 0)
  return items.where('item.source_type', 'in', [...sources])
}

type ItemQuery = ReturnType<typeof itemsInScope>

async function selectRows(account: AccountReader, items: ItemQuery): Promise<ItemRow[]> {
  const rows = await items
    .leftJoin('job', (join) =>
      join.onRef('job.item_key', '=', 'item.item_key').on('job.account_key', '=', account.accountKey),
    )
    .select(['item.item_key', 'item.item_id', 'item.source_type', 'item.file_name', 'item.title', 'item.content_type'])
    .select(['item.size_bytes', 'item.state', 'item.memory_count', 'item.created_at', 'item.updated_at', 'item.error'])
    .select(['item.agent', 'item.connector'])
    .select(['job.turn', 'job.ready_at', 'job.lease_token'])
    .execute()
  const tags = await readTags(
    account,
    rows.map(({ item_key }) => item_key),
  )
  return rows.map((row) => ({
    itemId: row.item_id,
    sourceType: row.source_type,
    fileName: row.file_name,
    title: row.title ?? undefined,
    contentType: row.content_type,
    sizeBytes: row.size_bytes,
    status: itemStatus(row, account.now),
    memoryCount: row.memory_count,
    agent: row.agent ?? undefined,
    connector: row.connector ?? undefined,
    tags: tags.get(row.item_key) ?? [],
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    error: row.error ?? undefined,
  }))
}

/** Newest first. */
export async function listItems(
  account: AccountReader,
  query: ListedItems,
): Promise<{ items: ItemRow[]; total: number }> {
  const { connector, tag } = query
  const inScope = itemsInScope(account, query.sourceType)
    .$if(connector !== undefined, (items) => items.where('item.connector', '=', connector ?? ''))
    .$if(tag !== undefined, (items) => items.where(isTagged(account, tag ?? '')))
  const page = inScope.orderBy('item.item_key', 'desc').limit(query.limit).offset(query.offset)
  const items = await selectRows(account, page)
  const { total } = await inScope.select((item) => item.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { items, total: Number(total) }
}

export async function findItem(
  account: AccountReader,
  query: { readonly itemId: string; readonly sourceType?: SourceType },
): Promise<ItemRow | undefined> {
  const found = itemsInScope(account, query.sourceType)
    .where('item.item_id', '=', query.itemId)
    .orderBy('item.updated_at', 'desc')
    .orderBy('item.item_key', 'desc')
    .limit(1)
  const [row] = await selectRows(account, found)
  return row
}

/** By item, in the order of the alphabet. */
export function readTags(
  reader: AccountReader,
  itemKeys: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const { kept, accountKey, scope } = reader
  const key = `tags ${accountKey} ${sourceRestriction(scope)}`
  return kept.each(key, itemKeys, (unknown) => tagsOfItems(reader, unknown))
}

async function tagsOfItems(
  reader: AccountReader,
  itemKeys: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await runInScope(reader, 'tags', itemKeys, (accountKey, list) =>
    itemsInScope({ ...reader, accountKey })
      .innerJoin('item_tag', (join) =>
        join.onRef('item_tag.item_key', '=', 'item.item_key').on('item_tag.account_key', '=', accountKey),
      )
      .select(['item_tag.item_key', 'item_tag.tag'])
      .where(reader.engine.isInList(sql.ref('item_tag.item_key'), list))
      .orderBy('item_tag.folded'),
  )
  const byItem = Map.groupBy(rows, ({ item_key }) => item_key)
  return new Map([...byItem].map(([key, own]) => [key, own.map(({ tag }) => tag)]))
}

/** Whether an item of the account has a tag: a condition for `itemsInScope`. */
export function isTagged({ accountKey }: AccountReader, tag: string) {
  return sql<SqlBool>`item.item_key in (
    select item_key from item_tag where account_key = ${accountKey} and folded = ${foldTag(tag)})`
}

export async function findBody(
  account: AccountReader,
  ref: { readonly itemId: string; readonly sourceType: SourceType },
): Promise<StoredBody | undefined> {
  const { scope } = account
  if (allowedSources(scope, ref.sourceType).length === 0) return undefined
  const row = await itemsInScope(account, ref.sourceType)
    .innerJoin('body', 'body.item_key', 'item.item_key')
    .where(account.engine.isOfAccount('body', account.accountKey))
    .select(['body.bytes', 'body.blob_key', 'item.body_hash', 'item.size_bytes'])
    .where('item.item_id', '=', ref.itemId)
    .executeTakeFirst()
  return row && storedBody(row)
}

/** An item, its hash and the object that holds its bytes, if one does. */
export async function locateBody(
  account: AccountReader,
  ref: { readonly itemId: string; readonly sourceType: SourceType },
): Promise<{ readonly itemKey: number; readonly bodyHash: string; readonly blob: BlobRef | undefined } | undefined> {
  const { scope } = account
  if (allowedSources(scope, ref.sourceType).length === 0) return undefined
  const row = await itemsInScope(account, ref.sourceType)
    .innerJoin('body', 'body.item_key', 'item.item_key')
    .where(account.engine.isOfAccount('body', account.accountKey))
    .select(['item.item_key', 'body.blob_key', 'item.body_hash', 'item.size_bytes'])
    .where('item.item_id', '=', ref.itemId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { item_key: itemKey, blob_key: key, body_hash: bodyHash, size_bytes: bytes } = row
  return { itemKey, bodyHash, blob: key === null ? undefined : { key, sha256: bodyHash, bytes } }
}

/** For the whole account, whatever the sources of the scope, because quotas and limits apply to the account. */
export async function holdings({ db, accountKey }: AccountReader): Promise<Holdings> {
  const row = await db
    .selectFrom('account')
    .select(['item_count', 'byte_count', 'memory_count'])
    .select((account) =>
      account
        .selectFrom('job')
        .select((job) => job.fn.countAll<number>().as('waiting'))
        .where('job.account_key', '=', accountKey)
        // Items processed again in the background stay recallable.
        .where('job.turn', 'in', UPLOAD_TURNS)
        .as('waiting'),
    )
    .select((account) =>
      account
        .selectFrom('item')
        .select((item) => item.fn.countAll<number>().as('failed'))
        .where('item.account_key', '=', accountKey)
        // Same condition as the partial index, so that it is used.
        .where(sql<boolean>`item.state = 'failed'`)
        // A failed item that is queued again counts as waiting.
        .where(
          ({ selectFrom }) =>
            sql<boolean>`item.item_key not in (${selectFrom('job').select('item_key').where('account_key', '=', accountKey)})`,
        )
        .as('failed'),
    )
    .where('account_key', '=', accountKey)
    .executeTakeFirstOrThrow()
  return {
    items: row.item_count,
    bytes: row.byte_count,
    memories: row.memory_count,
    waiting: Number(row.waiting),
    failed: Number(row.failed),
  }
}
