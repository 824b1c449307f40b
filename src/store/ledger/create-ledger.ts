import { sql } from 'kysely'
import type { Clock } from '../../lib/clock.ts'
import type { SqlEngine } from '../engine.ts'
import { type Db, toDate } from '../schema.ts'
import type { WriteCommandRunner } from '../write-commands.ts'
import { toConnection } from './connection-writes.ts'
import {
  type BudgetRow,
  type ConnectionName,
  type ConnectionRow,
  type ItemPhase,
  ledgerKey as keyOf,
  type Ledger,
  type LedgerCommit,
  type LedgerItem,
  type LedgerItemState,
  type LedgerQuery,
  type LedgerRef,
  type LedgerSkips,
  MOST_SKIP_REASONS,
  type PartitionRow,
} from './ledger.ts'
import { FAILED, findConnectionKey, findLedgerKey, findPartitionKey, LIVE, UNFINISHED } from './ledger-rows.ts'

interface LedgerParts {
  readonly db: Db
  readonly engine: SqlEngine
  readonly commands: WriteCommandRunner
  readonly clock: Clock
}

export function createLedger({ db, engine, commands, clock }: LedgerParts, memoryId: string): Ledger {
  return {
    listConnections: () => listConnections(db, memoryId, clock().getTime()),
    beginRun: (connection, run) => commands.call('beginRun', memoryId, plainName(connection), run),
    extendRun: (connection, run) => commands.call('extendRun', memoryId, plainName(connection), run),
    endRun: (connection, holder, end) => commands.call('endRun', memoryId, plainName(connection), holder, end),
    updateConnection: (connection, change) =>
      commands.call('updateConnection', memoryId, plainName(connection), change),
    removeConnection: (connection) => commands.call('removeConnection', memoryId, plainName(connection)),
    listPartitions: (connection) => listPartitions(db, memoryId, connection),
    removePartition: (connection, partitionId) =>
      commands.call('removePartition', memoryId, plainName(connection), partitionId),
    commit: (connection, partitionId, changes) =>
      commands.call('commitItems', memoryId, plainName(connection), partitionId, plainCommit(changes)),
    findItems: (refs) => findItems(db, engine, memoryId, refs),
    pageItems: (connection, query, page) => pageItems(db, memoryId, connection, query, page),
    countItems: (connection) => countItems(db, memoryId, connection),
    skipReasons: (connection) => skipReasons(db, memoryId, connection),
    failedItems: (connection, limit) => failedItems(db, memoryId, connection, limit),
    retryItems: (connection, options) =>
      commands.call('retryItems', memoryId, connection && plainName(connection), options),
    memorizedBetween: (range, page) => memorizedBetween(db, memoryId, range, page),
    dropTombstones: (before) => commands.call('dropTombstones', memoryId, before),
    listBudgets: (provider, account) => listBudgets(db, memoryId, provider, account),
    saveBudget: (provider, account, budget) => commands.call('saveBudget', memoryId, provider, account, budget),
    readFact: (name) => readFact(db, memoryId, name),
    writeFact: (name, value) => commands.call('writeFact', memoryId, name, value),
  }
}

// Copies only the stored fields, because source items have functions, which can't be sent to the writer thread.

function plainName({ connector, name }: ConnectionName): ConnectionName {
  return { connector, name }
}

function plainRef({ sourceType, itemId }: LedgerRef): LedgerRef {
  return { sourceType, itemId }
}

function plainItem(item: LedgerItemState): LedgerItemState {
  const { phase, contentHash, revision, scanNumber, attempts, nextAttemptAt, errorCode, error, locator, title } = item
  const state = { phase, contentHash, revision, scanNumber, attempts, nextAttemptAt, errorCode, error, locator, title }
  return { ...plainRef(item), ...state, url: item.url, statedAt: item.statedAt }
}

function plainCommit({ items, seen, partition }: LedgerCommit): LedgerCommit {
  return {
    items: items?.map(plainItem),
    seen: seen && { refs: seen.refs.map(plainRef), scanNumber: seen.scanNumber },
    partition,
  }
}

/** Sorted by connector and name. @param now milliseconds since the epoch; leases that ended before are omitted */
async function listConnections(db: Db, memoryId: string, now: number): Promise<ConnectionRow[]> {
  const rows = await db
    .selectFrom('ledger_connection')
    .innerJoin('ledger', 'ledger.ledger_key', 'ledger_connection.ledger_key')
    .selectAll('ledger_connection')
    .where('ledger.memory_id', '=', memoryId)
    .orderBy('ledger_connection.connector')
    .orderBy('ledger_connection.name')
    .execute()
  return rows.map((row) => toConnection(row, now))
}

/** Sorted by when they were first found. */
async function listPartitions(db: Db, memoryId: string, connection: ConnectionName): Promise<PartitionRow[]> {
  const connectionKey = await findConnectionKey(db, memoryId, connection)
  if (connectionKey === undefined) return []
  const rows = await db
    .selectFrom('ledger_partition')
    .selectAll()
    .where('connection_key', '=', connectionKey)
    .where('gone', '=', 0)
    .orderBy('partition_key')
    .execute()
  return rows.map((row) => ({
    partitionId: row.partition_id,
    title: row.title,
    cursor: row.cursor ?? undefined,
    cursorAt: toDate(row.cursor_at),
    scanNumber: row.walk,
    scanning: row.walking === 1,
    lastSuccessAt: toDate(row.last_success_at),
    lastInventoryAt: toDate(row.last_inventory_at),
    error: row.error ?? undefined,
    errorAt: toDate(row.error_at),
    remedy: row.remedy ?? undefined,
  }))
}

async function listBudgets(db: Db, memoryId: string, provider: string, account: string): Promise<BudgetRow[]> {
  const rows = await db
    .selectFrom('ledger_budget')
    .innerJoin('ledger', 'ledger.ledger_key', 'ledger_budget.ledger_key')
    .selectAll('ledger_budget')
    .where('ledger.memory_id', '=', memoryId)
    .where('ledger_budget.provider', '=', provider)
    .where('ledger_budget.account', '=', account)
    .orderBy('ledger_budget.api')
    .execute()
  return rows.map((row) => ({
    api: row.api,
    notBefore: toDate(row.not_before),
    intervalMs: row.interval_ms,
    lastRequestAt: toDate(row.last_request_at),
  }))
}

async function readFact(db: Db, memoryId: string, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('ledger_fact')
    .innerJoin('ledger', 'ledger.ledger_key', 'ledger_fact.ledger_key')
    .select('ledger_fact.value')
    .where('ledger.memory_id', '=', memoryId)
    .where('ledger_fact.name', '=', name)
    .executeTakeFirst()
  return row?.value
}

/** Rows with their connection and partition. */
function selectLedgerItems(db: Db) {
  return db
    .selectFrom('ledger_item')
    .innerJoin('ledger_partition', 'ledger_partition.partition_key', 'ledger_item.partition_key')
    .innerJoin('ledger_connection', 'ledger_connection.connection_key', 'ledger_item.connection_key')
}

type LedgerItemQuery = ReturnType<typeof selectLedgerItems>

async function selectItems(query: LedgerItemQuery): Promise<LedgerItem[]> {
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
    scanNumber: row.walk,
    attempts: row.attempts,
    nextAttemptAt: toDate(row.next_attempt_at),
    errorCode: row.error_code ?? undefined,
    error: row.error ?? undefined,
    locator: row.locator ?? undefined,
    title: row.title ?? undefined,
    url: row.url ?? undefined,
    statedAt: toDate(row.told_at),
    changedAt: new Date(row.changed_at),
  }))
}

/** By `ledgerKey`; unknown refs are omitted. One statement per source type. */
async function findItems(
  db: Db,
  engine: SqlEngine,
  memoryId: string,
  refs: readonly LedgerRef[],
): Promise<ReadonlyMap<string, LedgerItem>> {
  const found = new Map<string, LedgerItem>()
  const ledgerKey = await findLedgerKey(db, memoryId)
  if (ledgerKey === undefined) return found
  for (const [sourceType, of] of Map.groupBy(refs, (ref) => ref.sourceType)) {
    const ids = of.map(({ itemId }) => itemId)
    const known = selectLedgerItems(db)
      .where('ledger_item.ledger_key', '=', ledgerKey)
      .where('ledger_item.source_type', '=', sourceType)
      .where(engine.isOneOf(sql.ref('ledger_item.item_id'), ids))
    for (const item of await selectItems(known)) found.set(keyOf(item), item)
  }
  return found
}

async function pageItems(
  db: Db,
  memoryId: string,
  connection: ConnectionName,
  query: LedgerQuery,
  { after, limit }: { readonly after?: LedgerRef; readonly limit: number },
): Promise<LedgerItem[]> {
  const connectionKey = await findConnectionKey(db, memoryId, connection)
  if (connectionKey === undefined) return []
  let page = await matchingItems(db, connectionKey, query)
  if (page === undefined) return []
  if (after !== undefined) {
    page = page.where(sql<boolean>`(source_type, item_id) > (${after.sourceType}, ${after.itemId})`)
  }
  return selectItems(page.orderBy('ledger_item.source_type').orderBy('ledger_item.item_id').limit(limit))
}

async function matchingItems(db: Db, connectionKey: number, query: LedgerQuery): Promise<LedgerItemQuery | undefined> {
  const ofConnection = selectLedgerItems(db).where('ledger_item.connection_key', '=', connectionKey)
  if (query.kind === 'unfinished') return ofConnection.where(UNFINISHED)
  if (query.kind === 'due') return ofConnection.where('ledger_item.next_attempt_at', '<=', query.now.getTime())
  const partitionKey = await findPartitionKey(db, connectionKey, query.partitionId)
  if (partitionKey === undefined) return undefined
  const ofPartition = selectLedgerItems(db).where('ledger_item.partition_key', '=', partitionKey).where(LIVE)
  return query.kind === 'partition' ? ofPartition : ofPartition.where('ledger_item.walk', '<', query.scanNumber)
}

async function countItems(
  db: Db,
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

async function skipReasons(db: Db, memoryId: string, connection: ConnectionName): Promise<LedgerSkips[]> {
  const connectionKey = await findConnectionKey(db, memoryId, connection)
  if (connectionKey === undefined) return []
  const message = sql<string | null>`case when ledger_item.error_code = 'invalid' then ledger_item.error end`
  const rows = await db
    .selectFrom('ledger_item')
    .select(['error_code', message.as('message')])
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('connection_key', '=', connectionKey)
    .where('phase', '=', 'skipped')
    .groupBy(['error_code', message])
    .orderBy('count', 'desc')
    .orderBy('error_code')
    .limit(MOST_SKIP_REASONS)
    .execute()
  return rows.map(({ error_code: code, message, count }) => {
    return { code: code ?? undefined, message: message ?? undefined, count: Number(count) }
  })
}

async function failedItems(db: Db, memoryId: string, connection: ConnectionName, limit: number): Promise<LedgerItem[]> {
  const connectionKey = await findConnectionKey(db, memoryId, connection)
  if (connectionKey === undefined) return []
  return selectItems(
    selectLedgerItems(db)
      .where('ledger_item.connection_key', '=', connectionKey)
      .where(FAILED)
      .orderBy('ledger_item.changed_at', 'desc')
      .limit(limit),
  )
}

async function memorizedBetween(
  db: Db,
  memoryId: string,
  { since, until }: { readonly since: Date; readonly until: Date },
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<LedgerItem[]> {
  const ledgerKey = await findLedgerKey(db, memoryId)
  if (ledgerKey === undefined) return []
  return selectItems(
    selectLedgerItems(db)
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
