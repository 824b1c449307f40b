import { type Selectable, sql } from 'kysely'
import type { WriteContext } from '../engine.ts'
import { type Database, toDate, toTime } from '../schema.ts'
import type {
  AskedRun,
  BudgetRow,
  ConnectionChange,
  ConnectionName,
  ConnectionRow,
  RunEnd,
  RunReason,
} from './ledger.ts'
import { findConnectionKey, requireConnectionKey, requireLedgerKey } from './ledger-rows.ts'

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

/** No provider requires a longer pause; a longer one is from before the clock was set back. */
const LONGEST_HOLD_MS = 24 * 60 * 60_000

interface Lease {
  readonly holder: string
  readonly leaseMs: number
}

async function beginRun(
  context: WriteContext,
  memoryId: string,
  connection: ConnectionName,
  { holder, leaseMs, because }: Lease & { readonly because?: RunReason },
): Promise<{ outcome: 'begun'; row: ConnectionRow } | { outcome: 'running'; since: Date } | { outcome: 'taken' }> {
  const { db, now } = context
  const key = await requireConnectionKey(context, await requireLedgerKey(context, memoryId), connection)
  const row = await db
    .selectFrom('ledger_connection')
    .selectAll()
    .where('connection_key', '=', key)
    .executeTakeFirstOrThrow()
  // Also for the same holder, because a process can start a connection by schedule and by hand.
  // A lease much longer than possible is from before the clock was set back. It may seem slightly longer to a process that asked
  // first and waited for the lock while another process got the lease.
  if (row.lease_until !== null && row.lease_until > now && row.lease_until <= now + 2 * leaseMs) {
    return { outcome: 'running', since: new Date(row.last_started_at ?? now) }
  }
  if (because === 'asked' ? row.asked === null : because !== undefined && row.next_run_at !== because.dueAt.getTime()) {
    return { outcome: 'taken' }
  }
  const begun = {
    ...{ lease_holder: holder, lease_until: now + leaseMs, last_started_at: now },
    // If the run is interrupted, the connection is due at once.
    ...(because === 'asked' && { asked: null, next_run_at: now }),
  }
  await db.updateTable('ledger_connection').set(begun).where('connection_key', '=', key).execute()
  return { outcome: 'begun', row: toConnection({ ...row, ...begun }, now) }
}

/** Also extends an expired lease that nobody else has taken. */
async function extendRun(
  context: WriteContext,
  memoryId: string,
  connection: ConnectionName,
  { holder, leaseMs }: Lease,
): Promise<boolean> {
  const key = await findConnectionKey(context.db, memoryId, connection)
  if (key === undefined) return false
  const { numUpdatedRows } = await context.db
    .updateTable('ledger_connection')
    .set({ lease_until: context.now + leaseMs })
    .where('connection_key', '=', key)
    .where('lease_holder', '=', holder)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function endRun(
  context: WriteContext,
  memoryId: string,
  connection: ConnectionName,
  holder: string,
  end: RunEnd,
): Promise<void> {
  const key = await findConnectionKey(context.db, memoryId, connection)
  if (key === undefined) return
  await context.db
    .updateTable('ledger_connection')
    .set({
      outcome: end.outcome,
      problem: end.problem ?? null,
      remedy: end.remedy ?? null,
      report: end.report,
      // Without a new time, a future time of the schedule is kept and a past one is cleared.
      next_run_at:
        end.nextRunAt?.getTime() ?? sql<number | null>`case when next_run_at > ${context.now} then next_run_at end`,
      last_ended_at: context.now,
      lease_holder: null,
      lease_until: null,
    })
    .$if(end.outcome === 'ok', (update) => update.set({ last_success_at: context.now }))
    .where('connection_key', '=', key)
    .where('lease_holder', '=', holder)
    .execute()
}

async function updateConnection(
  context: WriteContext,
  memoryId: string,
  connection: ConnectionName,
  { account, accountTitle, selection, warnings, expiresAt, nextRunAt, asked, since }: ConnectionChange,
): Promise<void> {
  const key = await requireConnectionKey(context, await requireLedgerKey(context, memoryId), connection)
  // `undefined` columns are omitted from a statement.
  const changed = {
    account,
    account_title: accountTitle,
    selection,
    warnings,
    expires_at: toTime(expiresAt),
    next_run_at: toTime(nextRunAt),
    // A shorter pause never replaces a longer one.
    asked: asked === 'changes' ? sql<AskedRun>`coalesce(asked, 'changes')` : asked,
  }
  if (Object.values(changed).every((value) => value === undefined)) return
  await context.db
    .updateTable('ledger_connection')
    .set(changed)
    .where('connection_key', '=', key)
    .$if(since !== undefined, (update) =>
      update
        .where('last_started_at', 'is not distinct from', since?.lastStartedAt?.getTime() ?? null)
        .where('next_run_at', 'is not distinct from', since?.nextRunAt?.getTime() ?? null),
    )
    .execute()
}

async function removeConnection(context: WriteContext, memoryId: string, connection: ConnectionName) {
  const { db } = context
  const key = await findConnectionKey(db, memoryId, connection)
  if (key === undefined) return
  const partitions = db.selectFrom('ledger_partition').select('partition_key').where('connection_key', '=', key)
  await db.deleteFrom('ledger_item').where('partition_key', 'in', partitions).execute()
  await db.deleteFrom('ledger_partition').where('connection_key', '=', key).execute()
  await db.deleteFrom('ledger_connection').where('connection_key', '=', key).execute()
}

/** Several processes share an account, so the longest required pause counts. */
async function saveBudget(
  context: WriteContext,
  memoryId: string,
  provider: string,
  account: string,
  { api, notBefore, intervalMs, lastRequestAt }: BudgetRow,
): Promise<void> {
  const budget = {
    not_before: toTime(notBefore) ?? null,
    interval_ms: intervalMs,
    last_request_at: toTime(lastRequestAt) ?? null,
  }
  await context.db
    .insertInto('ledger_budget')
    .values({ ledger_key: await requireLedgerKey(context, memoryId), provider, account, api, ...budget })
    .onConflict((conflict) =>
      conflict.columns(['ledger_key', 'provider', 'account', 'api']).doUpdateSet({
        interval_ms: intervalMs,
        not_before: later('not_before', context.now + LONGEST_HOLD_MS),
        last_request_at: later('last_request_at', context.now),
      }),
    )
    .execute()
}

/** The stored time, if it is later and plausible. */
function later(column: 'not_before' | 'last_request_at', latest: number) {
  const [stored, given] = [sql.ref(`ledger_budget.${column}`), sql.ref(`excluded.${column}`)]
  return sql<
    number | null
  >`case when ${stored} > coalesce(${given}, 0) and ${stored} <= ${latest} then ${stored} else ${given} end`
}

async function writeFact(context: WriteContext, memoryId: string, name: string, value: string): Promise<void> {
  await context.db
    .insertInto('ledger_fact')
    .values({ ledger_key: await requireLedgerKey(context, memoryId), name, value })
    .onConflict((conflict) => conflict.columns(['ledger_key', 'name']).doUpdateSet({ value }))
    .execute()
}

export const connectionCommands = {
  beginRun,
  extendRun,
  endRun,
  updateConnection,
  removeConnection,
  saveBudget,
  writeFact,
}
