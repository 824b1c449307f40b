import { type Selectable, sql } from 'kysely'
import type { ActivityActor } from '../../domain/activity.ts'
import { memoryOfAccount } from '../accounts/account-rows.ts'
import type { WriteContext } from '../engine.ts'
import { eraseItem } from '../items/item-writes.ts'
import { findLedgerKey } from '../ledger/ledger-rows.ts'
import type { Database, Db } from '../schema.ts'
import { MOST_CHUNKS_IN_ONE_COMMIT, sweepHidden } from '../search/index-writes.ts'

export type DeletionRow = Selectable<Database['account_deletion']>

/** The contents of an account, counted from its items. */
export interface HeldByAccount {
  readonly items: number
  readonly memories: number
  readonly bytes: number
  readonly bodiesHash: string
}

export async function findDeletion(db: Db, accountId: string): Promise<DeletionRow | undefined> {
  return db.selectFrom('account_deletion').selectAll().where('account_id', '=', accountId).executeTakeFirst()
}

/** Rows per commit, so that other writers wait at most 100 ms. */
const MOST_ITEMS = 100

const MOST_BYTES = 16 * 1024 * 1024

const MOST_ROWS = 2_000

async function beginDeletion(
  context: WriteContext,
  accountId: string,
  by: ActivityActor,
): Promise<'begun' | 'absent' | 'last_admin'> {
  const { db, now } = context
  const account = await db
    .selectFrom('account')
    .select(['account_key', 'name', 'deleting_since'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (account === undefined) return 'absent'
  if (account.deleting_since !== null) return 'begun'
  const accountKey = account.account_key
  if (await leavesNoAdmin(db, accountKey)) return 'last_admin'
  await db
    .insertInto('account_deletion')
    .values({
      account_id: accountId,
      account_key: accountKey,
      ledger_key: (await findLedgerKey(db, memoryOfAccount(accountId))) ?? null,
      name: account.name,
      actor_type: by.type,
      actor_id: 'id' in by ? by.id : '',
      actor_name: 'name' in by ? (by.name ?? null) : null,
      begun_at: now,
    })
    .execute()
  await db.updateTable('account').set({ deleting_since: now }).where('account_key', '=', accountKey).execute()
  await closeDoors(context, accountId, accountKey)
  return 'begun'
}

/** Deletes people without another account; an administrator of the server must remain. */
async function leavesNoAdmin(db: Db, accountKey: number): Promise<boolean> {
  const staying = await db
    .selectFrom('membership')
    .innerJoin('person', 'person.person_key', 'membership.person_key')
    .select('person.is_admin')
    .where('membership.account_key', '<>', accountKey)
    .distinct()
    .execute()
  return staying.length > 0 && staying.every(({ is_admin }) => is_admin === 0)
}

/** Deletes keys, authorizations, people, sessions, links and jobs, so that no worker continues with items of the account. */
async function closeDoors(context: WriteContext, accountId: string, accountKey: number): Promise<void> {
  const { db, engine } = context
  await engine.secureDelete(db, async () => {
    await db.deleteFrom('api_key').where('account_key', '=', accountKey).execute()
    await db.deleteFrom('sign_in_link').where('account_key', '=', accountKey).execute()
    await db.deleteFrom('oauth_authorization').where('account_key', '=', accountKey).execute()
    const members = await db
      .selectFrom('membership')
      .select('person_key')
      .where('account_key', '=', accountKey)
      .execute()
    await db.deleteFrom('membership').where('account_key', '=', accountKey).execute()
    for (const { person_key } of members) await leaveAccount(db, person_key, accountId)
    await db.deleteFrom('job').where('account_key', '=', accountKey).execute()
    await db.deleteFrom('refinement').where('account_key', '=', accountKey).execute()
    await db.deleteFrom('access_grant').where('memory_id', '=', memoryOfAccount(accountId)).execute()
    await db.deleteFrom('consent').where('memory_id', '=', memoryOfAccount(accountId)).execute()
  })
}

async function leaveAccount(db: Db, personKey: number, accountId: string): Promise<void> {
  const other = await db
    .selectFrom('membership')
    .select('account_key')
    .where('person_key', '=', personKey)
    .limit(1)
    .executeTakeFirst()
  if (other === undefined) {
    await db.deleteFrom('person').where('person_key', '=', personKey).execute()
    return
  }
  await db.deleteFrom('sign_in_link').where('issuer_key', '=', personKey).execute()
  const sessions = await db
    .selectFrom('web_session')
    .select(['hash', 'data'])
    .where('person_key', '=', personKey)
    .execute()
  for (const { hash, data } of sessions) {
    if (JSON.parse(data).accountId === accountId) await db.deleteFrom('web_session').where('hash', '=', hash).execute()
  }
}

/** Counts only once, before the first item is removed. */
async function noteHeldByAccount(
  { db }: WriteContext,
  accountId: string,
  { items, memories, bytes, bodiesHash }: HeldByAccount,
): Promise<void> {
  await db
    .updateTable('account_deletion')
    .set({ items, memories, bytes, bodies_hash: bodiesHash })
    .where('account_id', '=', accountId)
    .where('bodies_hash', 'is', null)
    .execute()
}

/** Removes a batch of the account's rows; with the last batch the account itself. */
async function sweepDeletion(context: WriteContext, accountId: string): Promise<void> {
  const { db, engine, now } = context
  const deletion = await findDeletion(db, accountId)
  if (deletion === undefined || deletion.bodies_hash === null || deletion.ended_at !== null) return
  const { account_key: accountKey } = deletion
  if (await sweepItems(context, accountKey)) return
  if (await sweepHiddenOf(context, accountKey)) return
  if (await hasObjects(db, accountKey)) return
  let isEmpty = false
  await engine.secureDelete(db, async () => {
    isEmpty = !(await sweepRows(db, deletion))
    if (!isEmpty) return
    await closeDoors(context, accountId, accountKey)
    await engine.fullText.dropAccount(db, accountKey)
    await db.deleteFrom('user').where('account_key', '=', accountKey).execute()
    await db.deleteFrom('account').where('account_key', '=', accountKey).execute()
  })
  if (!isEmpty) return
  await db.updateTable('account_deletion').set({ ended_at: now }).where('account_id', '=', accountId).execute()
}

/** Whether there were any. */
async function sweepItems(context: WriteContext, accountKey: number): Promise<boolean> {
  const items = await context.db
    .selectFrom('item')
    .select(['item_key', 'first_chunk_id', 'last_chunk_id', 'size_bytes'])
    .where('account_key', '=', accountKey)
    .orderBy('item_key')
    .limit(MOST_ITEMS)
    .execute()
  let chunks = 0
  let bytes = 0
  for (const item of items) {
    if (chunks >= MOST_CHUNKS_IN_ONE_COMMIT || bytes >= MOST_BYTES) break
    chunks += await eraseItem(context, accountKey, item)
    bytes += item.size_bytes
  }
  return items.length > 0
}

/** Whether the storage may still have objects of the account, which a commit does not remove. */
async function hasObjects(db: Db, accountKey: number): Promise<boolean> {
  for (const table of ['blob_garbage', 'blob_write'] as const) {
    const row = await db
      .selectFrom(table)
      .select('key')
      .where('account_key', '=', accountKey)
      .limit(1)
      .executeTakeFirst()
    if (row !== undefined) return true
  }
  return false
}

async function sweepHiddenOf(context: WriteContext, accountKey: number): Promise<boolean> {
  const hidden = await context.db
    .selectFrom('hidden_range')
    .select('first_chunk_id')
    .where('account_key', '=', accountKey)
    .limit(1)
    .executeTakeFirst()
  if (hidden === undefined) return false
  await sweepHidden(context)
  return true
}

/** Tables with many rows per account, and the column that identifies them. */
const BATCHED = {
  vocabulary: ['length', 'term'],
  activity: ['number'],
  usage: ['day', 'metric', 'key_id'],
  golden_question: ['golden_key'],
  golden_run: ['run_key'],
  memory_edit: ['edit_key'],
  name_decision: ['name_key'],
  refinement_spend: ['day', 'source_type', 'model'],
  refinement_pause: ['source_type'],
} as const

/** Whether there were any. */
async function sweepRows(db: Db, deletion: DeletionRow): Promise<boolean> {
  const { account_key: accountKey, ledger_key: ledgerKey } = deletion
  for (const [table, columns] of Object.entries(BATCHED)) {
    if (await removeBatch(db, table, columns, { column: 'account_key', value: accountKey })) return true
  }
  if (ledgerKey === null) return false
  const ofLedger = { column: 'ledger_key', value: ledgerKey }
  if (await removeBatch(db, 'ledger_item', ['source_type', 'item_id'], ofLedger)) return true
  const connections = db.selectFrom('ledger_connection').select('connection_key').where('ledger_key', '=', ledgerKey)
  await db.deleteFrom('ledger_partition').where('connection_key', 'in', connections).execute()
  await db.deleteFrom('ledger_connection').where('ledger_key', '=', ledgerKey).execute()
  await db.deleteFrom('ledger_budget').where('ledger_key', '=', ledgerKey).execute()
  await db.deleteFrom('ledger_fact').where('ledger_key', '=', ledgerKey).execute()
  await db.deleteFrom('ledger').where('ledger_key', '=', ledgerKey).execute()
  return false
}

/** Whether there were any. */
async function removeBatch(
  db: Db,
  table: string,
  columns: readonly string[],
  owner: { readonly column: string; readonly value: number },
): Promise<boolean> {
  const key = sql.join(columns.map((column) => sql.ref(column)))
  const own = sql`${sql.ref(owner.column)} = ${owner.value}`
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ${own} and (${key}) in (
      select ${key} from ${sql.table(table)} where ${own} limit ${MOST_ROWS}
    )`.execute(db)
  return Number(numAffectedRows ?? 0) > 0
}

async function noteRemaining(
  { db }: WriteContext,
  accountId: string,
  remaining: Readonly<Record<string, number>>,
): Promise<void> {
  await db
    .updateTable('account_deletion')
    .set({ remaining: JSON.stringify(remaining) })
    .where('account_id', '=', accountId)
    .execute()
}

export const deletionCommands = { beginDeletion, noteHeldByAccount, sweepDeletion, noteRemaining }
