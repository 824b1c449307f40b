import type { Kysely, Selectable } from 'kysely'
import type { BudgetRow, ConnectionName, ConnectionRow, PartitionRow } from '../ledger.ts'
import { findConnectionKey } from './ledger-keys.ts'
import { toDate } from './ledger-time.ts'
import type { Database } from './schema.ts'

/** By connector and name. @param now milliseconds since the epoch: a lease that ended before is none */
export async function listConnections(db: Kysely<Database>, memoryId: string, now: number): Promise<ConnectionRow[]> {
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

export function toConnection(row: Selectable<Database['ledger_connection']>, now: number): ConnectionRow {
  const { lease_holder: holder, lease_until: until } = row
  return {
    connector: row.connector,
    name: row.name,
    account: row.account ?? undefined,
    accountTitle: row.account_title ?? undefined,
    selection: row.selection ?? undefined,
    outcome: row.outcome ?? undefined,
    problem: row.problem ?? undefined,
    remedy: row.remedy ?? undefined,
    warnings: row.warnings ?? undefined,
    expiresAt: toDate(row.expires_at),
    lastStartedAt: toDate(row.last_started_at),
    lastEndedAt: toDate(row.last_ended_at),
    lastSuccessAt: toDate(row.last_success_at),
    nextRunAt: toDate(row.next_run_at),
    asked: row.asked ?? undefined,
    report: row.report ?? undefined,
    running: holder === null || until === null || until <= now ? undefined : { holder, until: new Date(until) },
  }
}

/** In the order in which they were first met. */
export async function listPartitions(
  db: Kysely<Database>,
  memoryId: string,
  connection: ConnectionName,
): Promise<PartitionRow[]> {
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
    walk: row.walk,
    walking: row.walking === 1,
    lastSuccessAt: toDate(row.last_success_at),
    lastInventoryAt: toDate(row.last_inventory_at),
    error: row.error ?? undefined,
    errorAt: toDate(row.error_at),
    remedy: row.remedy ?? undefined,
  }))
}

export async function listBudgets(
  db: Kysely<Database>,
  memoryId: string,
  provider: string,
  account: string,
): Promise<BudgetRow[]> {
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

export async function readFact(db: Kysely<Database>, memoryId: string, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('ledger_fact')
    .innerJoin('ledger', 'ledger.ledger_key', 'ledger_fact.ledger_key')
    .select('ledger_fact.value')
    .where('ledger.memory_id', '=', memoryId)
    .where('ledger_fact.name', '=', name)
    .executeTakeFirst()
  return row?.value
}
