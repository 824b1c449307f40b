import type { Kysely } from 'kysely'
import type { ConnectionName } from '../ledger.ts'
import type { WriteContext } from './engine.ts'
import type { Database } from './schema.ts'

// Not remembered between calls, as accounts are: a connection and its partitions can be removed by another process.

/** Internal key of the ledger of a memory; `undefined` while nothing was written to it. */
export async function findLedgerKey(db: Kysely<Database>, memoryId: string): Promise<number | undefined> {
  const row = await db.selectFrom('ledger').select('ledger_key').where('memory_id', '=', memoryId).executeTakeFirst()
  return row?.ledger_key
}

export async function requireLedgerKey({ db }: WriteContext, memoryId: string): Promise<number> {
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
  db: Kysely<Database>,
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
  memoryId: string,
  { connector, name }: ConnectionName,
): Promise<number> {
  const known = await findConnectionKey(context.db, memoryId, { connector, name })
  if (known !== undefined) return known
  const row = await context.db
    .insertInto('ledger_connection')
    .values({ ledger_key: await requireLedgerKey(context, memoryId), connector, name })
    .returning('connection_key')
    .executeTakeFirstOrThrow()
  return row.connection_key
}

/** Also of a partition that was removed and still names its tombstones. */
export async function findPartitionKey(
  db: Kysely<Database>,
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
