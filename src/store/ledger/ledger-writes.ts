import { sql } from 'kysely'
import type { WriteContext } from '../engine.ts'
import { type Db, toTime } from '../schema.ts'
import type { ConnectionName, LedgerCommit, LedgerItemState, LedgerRef, PartitionChange } from './ledger.ts'
import {
  findConnectionKey,
  findLedgerKey,
  findPartitionKey,
  LIVE,
  REMOVED,
  requireConnectionKey,
  requireLedgerKey,
  UNFINISHED,
} from './ledger-rows.ts'

interface ItemKeys {
  readonly ledgerKey: number
  readonly connectionKey: number
  readonly partitionKey: number
}

/** Items of another connection or partition move to this one. */
async function commitItems(
  context: WriteContext,
  memoryId: string,
  connection: ConnectionName,
  partitionId: string,
  { items = [], seen, partition = {} }: LedgerCommit,
): Promise<void> {
  const ledgerKey = await requireLedgerKey(context, memoryId)
  const connectionKey = await requireConnectionKey(context, ledgerKey, connection)
  const partitionKey = await savePartition(context, connectionKey, partitionId, partition)
  for (const item of items) await saveItem(context, { ledgerKey, connectionKey, partitionKey }, item)
  if (seen !== undefined) await markSeen(context, partitionKey, seen)
}

/** A removed partition is listed again and starts over. @returns its internal key */
async function savePartition(
  { db }: WriteContext,
  connectionKey: number,
  partitionId: string,
  change: PartitionChange,
): Promise<number> {
  // `undefined` columns are omitted from a statement.
  const changed = {
    title: change.title,
    cursor: change.cursor,
    cursor_at: toTime(change.cursorAt),
    walk: change.scanNumber,
    walking: toFlag(change.scanning),
    last_success_at: toTime(change.lastSuccessAt),
    last_inventory_at: toTime(change.lastInventoryAt),
    error: change.error,
    error_at: toTime(change.errorAt),
    remedy: change.remedy,
  }
  const { partition_key } = await db
    .insertInto('ledger_partition')
    .values({
      ...changed,
      connection_key: connectionKey,
      partition_id: partitionId,
      title: change.title ?? partitionId,
    })
    .onConflict((conflict) => conflict.columns(['connection_key', 'partition_id']).doUpdateSet({ ...changed, gone: 0 }))
    .returning('partition_key')
    .executeTakeFirstOrThrow()
  return partition_key
}

function toFlag(value: boolean | undefined): 0 | 1 | undefined {
  return value === undefined ? undefined : value ? 1 : 0
}

/** Scan numbers (`walk`) count per partition: an item from another partition takes the given number. */
async function saveItem({ db, now }: WriteContext, keys: ItemKeys, item: LedgerItemState): Promise<void> {
  await sql`
    insert into ledger_item (
      ledger_key, source_type, item_id, connection_key, partition_key, phase, content_hash, revision, walk, attempts,
      next_attempt_at, error_code, error, locator, title, url, told_at, changed_at
    ) values (
      ${keys.ledgerKey}, ${item.sourceType}, ${item.itemId}, ${keys.connectionKey}, ${keys.partitionKey}, ${item.phase},
      ${item.contentHash ?? null}, ${item.revision ?? null}, ${item.scanNumber}, ${item.attempts ?? 0},
      ${item.nextAttemptAt?.getTime() ?? null}, ${item.errorCode ?? null}, ${item.error ?? null},
      ${item.locator ?? null}, ${item.title ?? null}, ${item.url ?? null}, ${item.statedAt?.getTime() ?? null}, ${now}
    )
    on conflict (ledger_key, source_type, item_id) do update set
      connection_key = excluded.connection_key, phase = excluded.phase, content_hash = excluded.content_hash,
      revision = excluded.revision, attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at,
      error_code = excluded.error_code, error = excluded.error, locator = excluded.locator, title = excluded.title,
      url = excluded.url, told_at = excluded.told_at, changed_at = excluded.changed_at,
      partition_key = excluded.partition_key,
      walk = case
        when ledger_item.partition_key = excluded.partition_key and ledger_item.walk > excluded.walk
        then ledger_item.walk else excluded.walk
      end`.execute(db)
}

async function markSeen(
  { db, engine }: WriteContext,
  partitionKey: number,
  { refs, scanNumber }: { readonly refs: readonly LedgerRef[]; readonly scanNumber: number },
): Promise<void> {
  for (const [sourceType, of] of Map.groupBy(refs, (ref) => ref.sourceType)) {
    const ids = of.map(({ itemId }) => itemId)
    await db
      .updateTable('ledger_item')
      .set({ walk: scanNumber })
      .where('partition_key', '=', partitionKey)
      .where('source_type', '=', sourceType)
      .where(engine.isOneOf(sql.ref('item_id'), ids))
      .where('walk', '<', scanNumber)
      .execute()
  }
}

/** While it has tombstones, its row is kept without its state and not listed. */
async function removePartition(
  { db }: WriteContext,
  memoryId: string,
  connection: ConnectionName,
  partitionId: string,
): Promise<void> {
  const connectionKey = await findConnectionKey(db, memoryId, connection)
  if (connectionKey === undefined) return
  const key = await findPartitionKey(db, connectionKey, partitionId)
  if (key === undefined) return
  const items = db.selectFrom('ledger_item').select('item_id').where('partition_key', '=', key).limit(1)
  if ((await items.where(LIVE).executeTakeFirst()) !== undefined) return
  if ((await items.executeTakeFirst()) === undefined) {
    await db.deleteFrom('ledger_partition').where('partition_key', '=', key).execute()
    return
  }
  await db
    .updateTable('ledger_partition')
    .set({ gone: 1, cursor: null, cursor_at: null, walk: 0, walking: 0, last_success_at: null })
    .set({ last_inventory_at: null, error: null, error_at: null, remedy: null })
    .where('partition_key', '=', key)
    .execute()
  // If the partition comes back, its full scans are numbered from the beginning.
  await db.updateTable('ledger_item').set({ walk: 0 }).where('partition_key', '=', key).execute()
}

async function retryItems(
  { db, now }: WriteContext,
  memoryId: string,
  connection: ConnectionName | undefined,
  { forgotten = false }: { readonly forgotten?: boolean } = {},
): Promise<number> {
  const ledgerKey = await findLedgerKey(db, memoryId)
  if (ledgerKey === undefined) return 0
  let connections = connectionKeys(db, ledgerKey)
  if (connection !== undefined) {
    connections = connections.where('connector', '=', connection.connector).where('name', '=', connection.name)
  }
  const partitions = db
    .selectFrom('ledger_partition')
    .select('partition_key')
    .where('connection_key', 'in', connections)
  const { numUpdatedRows } = await db
    .updateTable('ledger_item')
    .set({ phase: 'failed', attempts: 0, next_attempt_at: now })
    .where('partition_key', 'in', partitions)
    .where('phase', 'in', forgotten ? ['failed', 'skipped', 'forgotten'] : ['failed', 'skipped'])
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Records in an existing row why the item is skipped; tombstones are kept. `false` while it is memorized or removed. */
export async function leaveOut(
  { db, now }: WriteContext,
  memoryId: string,
  { sourceType, itemId }: LedgerRef,
  reason: string,
): Promise<boolean> {
  const ledgerKey = await findLedgerKey(db, memoryId)
  if (ledgerKey === undefined) return true
  const rows = db
    .selectFrom('ledger_item')
    .select('item_id')
    .where('ledger_key', '=', ledgerKey)
    .where('source_type', '=', sourceType)
    .where('item_id', '=', itemId)
  if ((await rows.where(UNFINISHED).executeTakeFirst()) !== undefined) return false
  await db
    .updateTable('ledger_item')
    .set({ phase: 'skipped', content_hash: null, attempts: 0, next_attempt_at: null, changed_at: now })
    .set({ error_code: 'not_found', error: reason })
    .where('ledger_key', '=', ledgerKey)
    .where('source_type', '=', sourceType)
    .where('item_id', '=', itemId)
    .where(LIVE)
    .execute()
  return true
}

/** With the last tombstone of a removed partition, its row goes too. */
async function dropTombstones({ db }: WriteContext, memoryId: string, before: Date): Promise<number> {
  const ledgerKey = await findLedgerKey(db, memoryId)
  if (ledgerKey === undefined) return 0
  const { numDeletedRows } = await db
    .deleteFrom('ledger_item')
    .where('ledger_key', '=', ledgerKey)
    .where(REMOVED)
    .where('changed_at', '<', before.getTime())
    .executeTakeFirstOrThrow()
  await db
    .deleteFrom('ledger_partition')
    .where('connection_key', 'in', connectionKeys(db, ledgerKey))
    .where('gone', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ledger_item')
            .select('ledger_item.item_id')
            .whereRef('ledger_item.partition_key', '=', 'ledger_partition.partition_key'),
        ),
      ),
    )
    .execute()
  return Number(numDeletedRows)
}

function connectionKeys(db: Db, ledgerKey: number) {
  return db.selectFrom('ledger_connection').select('connection_key').where('ledger_key', '=', ledgerKey)
}

export const ledgerCommands = { commitItems, removePartition, retryItems, dropTombstones }
