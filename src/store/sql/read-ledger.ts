import { type Kysely, sql } from 'kysely'
import {
  type ConnectionName,
  type ItemPhase,
  ledgerKey as keyOf,
  type LedgerItem,
  type LedgerQuery,
  type LedgerRef,
} from '../ledger.ts'
import type { SqlEngine } from './engine.ts'
import { findConnectionKey, findLedgerKey, findPartitionKey } from './ledger-keys.ts'
import { FAILED, LIVE, UNFINISHED } from './ledger-phases.ts'
import { toDate } from './ledger-time.ts'
import type { Database } from './schema.ts'

/** Rows with what their keys stand for. */
function items(db: Kysely<Database>) {
  return db
    .selectFrom('ledger_item')
    .innerJoin('ledger_partition', 'ledger_partition.partition_key', 'ledger_item.partition_key')
    .innerJoin('ledger_connection', 'ledger_connection.connection_key', 'ledger_item.connection_key')
}

type ItemQuery = ReturnType<typeof items>

async function selectItems(query: ItemQuery): Promise<LedgerItem[]> {
  const rows = await query
    .selectAll('ledger_item')
    .select(['ledger_connection.connector', 'ledger_connection.name', 'ledger_partition.partition_id'])
    .execute()
  return rows.map((row) => ({
    sourceType: row.source_type,
    itemId: row.item_id,
    connector: row.connector,
    name: row.name,
    partitionId: row.partition_id,
    phase: row.phase,
    contentHash: row.content_hash ?? undefined,
    revision: row.revision ?? undefined,
    walk: row.walk,
    attempts: row.attempts,
    nextAttemptAt: toDate(row.next_attempt_at),
    errorCode: row.error_code ?? undefined,
    error: row.error ?? undefined,
    locator: row.locator ?? undefined,
    title: row.title ?? undefined,
    url: row.url ?? undefined,
    toldAt: toDate(row.told_at),
    changedAt: new Date(row.changed_at),
  }))
}

/** By `ledgerKey`; refs that the ledger does not know are left out. One statement for each source type. */
export async function findItems(
  db: Kysely<Database>,
  engine: SqlEngine,
  memoryId: string,
  refs: readonly LedgerRef[],
): Promise<ReadonlyMap<string, LedgerItem>> {
  const found = new Map<string, LedgerItem>()
  const ledgerKey = await findLedgerKey(db, memoryId)
  if (ledgerKey === undefined) return found
  for (const [sourceType, of] of Map.groupBy(refs, (ref) => ref.sourceType)) {
    const ids = of.map(({ itemId }) => itemId)
    const known = items(db)
      .where('ledger_item.ledger_key', '=', ledgerKey)
      .where('ledger_item.source_type', '=', sourceType)
      .where(engine.isOneOf(sql.ref('ledger_item.item_id'), ids))
    for (const item of await selectItems(known)) found.set(keyOf(item), item)
  }
  return found
}

export async function pageItems(
  db: Kysely<Database>,
  memoryId: string,
  connection: ConnectionName,
  query: LedgerQuery,
  { after, limit }: { readonly after?: LedgerRef; readonly limit: number },
): Promise<LedgerItem[]> {
  const connectionKey = await findConnectionKey(db, memoryId, connection)
  if (connectionKey === undefined) return []
  let page = await matching(db, connectionKey, query)
  if (page === undefined) return []
  if (after !== undefined) {
    page = page.where(sql<boolean>`(source_type, item_id) > (${after.sourceType}, ${after.itemId})`)
  }
  return selectItems(page.orderBy('ledger_item.source_type').orderBy('ledger_item.item_id').limit(limit))
}

async function matching(
  db: Kysely<Database>,
  connectionKey: number,
  query: LedgerQuery,
): Promise<ItemQuery | undefined> {
  const ofConnection = items(db).where('ledger_item.connection_key', '=', connectionKey)
  if (query.kind === 'unfinished') return ofConnection.where(UNFINISHED)
  if (query.kind === 'due') return ofConnection.where('ledger_item.next_attempt_at', '<=', query.now.getTime())
  const partitionKey = await findPartitionKey(db, connectionKey, query.partitionId)
  if (partitionKey === undefined) return undefined
  const ofPartition = items(db).where('ledger_item.partition_key', '=', partitionKey).where(LIVE)
  return query.kind === 'partition' ? ofPartition : ofPartition.where('ledger_item.walk', '<', query.walk)
}

export async function countItems(
  db: Kysely<Database>,
  memoryId: string,
  connection: ConnectionName,
): Promise<{ partitionId: string; phase: ItemPhase; count: number }[]> {
  const connectionKey = await findConnectionKey(db, memoryId, connection)
  if (connectionKey === undefined) return []
  const rows = await db
    .selectFrom('ledger_partition')
    .innerJoin('ledger_item', 'ledger_item.partition_key', 'ledger_partition.partition_key')
    .select(['ledger_partition.partition_id', 'ledger_item.phase'])
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('ledger_partition.connection_key', '=', connectionKey)
    .groupBy(['ledger_partition.partition_key', 'ledger_item.phase'])
    .execute()
  return rows.map(({ partition_id, phase, count }) => ({ partitionId: partition_id, phase, count: Number(count) }))
}

export async function failedItems(
  db: Kysely<Database>,
  memoryId: string,
  connection: ConnectionName,
  limit: number,
): Promise<LedgerItem[]> {
  const connectionKey = await findConnectionKey(db, memoryId, connection)
  if (connectionKey === undefined) return []
  return selectItems(
    items(db)
      .where('ledger_item.connection_key', '=', connectionKey)
      .where(FAILED)
      .orderBy('ledger_item.changed_at', 'desc')
      .limit(limit),
  )
}

export async function memorizedBetween(
  db: Kysely<Database>,
  memoryId: string,
  { since, until }: { readonly since: Date; readonly until: Date },
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<LedgerItem[]> {
  const ledgerKey = await findLedgerKey(db, memoryId)
  if (ledgerKey === undefined) return []
  return selectItems(
    items(db)
      .where('ledger_item.ledger_key', '=', ledgerKey)
      .where('ledger_item.content_hash', 'is not', null)
      .where('ledger_item.told_at', '>=', since.getTime())
      .where('ledger_item.told_at', '<', until.getTime())
      .orderBy('ledger_item.told_at')
      .orderBy('ledger_item.source_type')
      .orderBy('ledger_item.item_id')
      .limit(limit)
      .offset(offset),
  )
}
