import { sql } from 'kysely'
import { refuseDeleted } from '../accounts/account-rows.ts'
import type { WriteContext } from '../engine.ts'
import type { Db } from '../schema.ts'
import type { ConnectionName } from './ledger.ts'

// Not cached between calls, because another process can remove a connection and its partitions.

/** Internal key of the ledger of a memory; `undefined` until something is written to it. */
export async function findLedgerKey(db: Db, memoryId: string): Promise<number | undefined> {
  const row = await db.selectFrom('ledger').select('ledger_key').where('memory_id', '=', memoryId).executeTakeFirst()
  return row?.ledger_key
}

/**
 * Internal key of the ledger of a memory; creates it if needed.
 *
 * @throws AppError `not_found` when the account of this memory was deleted or is being deleted, so that a run in another
 *   process doesn't recreate it
 */
export async function requireLedgerKey({ db }: WriteContext, memoryId: string): Promise<number> {
  await refuseDeleted(db, memoryId)
  const known = await findLedgerKey(db, memoryId)
  if (known !== undefined) return known
  const row = await db
    .insertInto('ledger')
    .values({ memory_id: memoryId })
    .returning('ledger_key')
    .executeTakeFirstOrThrow()
  return row.ledger_key
}

export async function findConnectionKey(
  db: Db,
  memoryId: string,
  connection: ConnectionName,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('ledger_connection')
    .innerJoin('ledger', 'ledger.ledger_key', 'ledger_connection.ledger_key')
    .select('ledger_connection.connection_key')
    .where('ledger.memory_id', '=', memoryId)
    .where('ledger_connection.connector', '=', connection.connector)
    .where('ledger_connection.name', '=', connection.name)
    .executeTakeFirst()
  return row?.connection_key
}

export async function requireConnectionKey(
  context: WriteContext,
  ledgerKey: number,
  { connector, name }: ConnectionName,
): Promise<number> {
  const known = await context.db
    .selectFrom('ledger_connection')
    .select('connection_key')
    .where('ledger_key', '=', ledgerKey)
    .where('connector', '=', connector)
    .where('name', '=', name)
    .executeTakeFirst()
  if (known !== undefined) return known.connection_key
  const row = await context.db
    .insertInto('ledger_connection')
    .values({ ledger_key: ledgerKey, connector, name })
    .returning('connection_key')
    .executeTakeFirstOrThrow()
  return row.connection_key
}

/** Also finds a removed partition that still has tombstones. */
export async function findPartitionKey(
  db: Db,
  connectionKey: number,
  partitionId: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('ledger_partition')
    .select('partition_key')
    .where('connection_key', '=', connectionKey)
    .where('partition_id', '=', partitionId)
    .executeTakeFirst()
  return row?.partition_key
}

// Literal, because the partial indexes of the migration aren't used for conditions with bound values.

/** A call was in flight. */
export const UNFINISHED = sql<boolean>`phase in ('memorizing', 'deleting', 'removing')`

/** Not a tombstone. */
export const LIVE = sql<boolean>`phase not in ('removed', 'forgotten')`

/** Retried later, or only by a person. */
export const FAILED = sql<boolean>`phase in ('failed', 'skipped')`

export const REMOVED = sql<boolean>`phase = 'removed'`
