import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import { memoryOfAccount } from '../accounts/account-rows.ts'
import { toActor } from '../activity/create-activity.ts'
import type { SqlEngine } from '../engine.ts'
import type { Db } from '../schema.ts'
import type { BlobSweeper } from '../sweepers.ts'
import type { WriteCommandRunner } from '../write-commands.ts'
import { ACCOUNT_TABLES, type Belonging } from './account-tables.ts'
import { type DeletionRow, findDeletion, type HeldByAccount } from './deletion-writes.ts'
import type { AccountDeletions, DeletionReceipt, DeletionStep } from './deletions.ts'

interface Parts {
  readonly db: Db
  readonly engine: SqlEngine
  readonly commands: WriteCommandRunner
  readonly blobs: BlobSweeper
}

export function createDeletions(parts: Parts): AccountDeletions {
  const { db, commands } = parts
  const found = async (accountId: string): Promise<DeletionRow> => {
    const row = await findDeletion(db, accountId)
    if (row === undefined) throw new AppError('not_found', `The account ${accountId} is not being deleted.`)
    return row
  }
  return {
    begin: (accountId, by) => commands.call('beginDeletion', accountId, by),
    pending: () => pendingDeletions(db),
    async goOn(accountId) {
      const row = await found(accountId)
      let waits = false
      if (row.items === null) {
        await commands.call('noteHeldByAccount', accountId, await heldByAccount(db, row.account_key))
      } else if (row.ended_at === null) {
        await commands.call('sweepDeletion', accountId)
        waits = (await removeObjects(parts, await found(accountId))) === 'waits'
      } else if (row.remaining === null) {
        await commands.call('noteRemaining', accountId, await provenRows(parts, row))
      }
      return { ...(await deletionStep(db, await found(accountId))), ...(waits && { waits }) }
    },
    receipts: () => deletionReceipts(db),
  }
}

/** Removed last; while the storage is unavailable, everything else is removed. */
async function removeObjects({ db, blobs }: Parts, row: DeletionRow): Promise<'removed' | 'waits' | 'not yet'> {
  return row.ended_at === null && (await itemsLeft(db, row)) === 0 ? blobs.removeOf(row.account_key) : 'not yet'
}

async function provenRows({ db, engine }: Parts, row: DeletionRow): Promise<Record<string, number>> {
  const remaining = await rowsOfAccount(db, engine, row)
  const left = Object.entries(remaining).filter(([, count]) => count > 0)
  if (left.length === 0) return remaining
  const named = left.map(([table, count]) => `${count} in ${table}`).join(', ')
  throw new AppError('internal', `Rows of the account ${row.account_id} are left after its deletion: ${named}.`)
}

async function deletionStep(db: Db, row: DeletionRow): Promise<DeletionStep> {
  const receipt = deletionReceipt(row)
  const items = row.items ?? 0
  if (row.ended_at !== null) return { items, removed: items, ...(receipt && { receipt }) }
  if (row.items === null) return { items: 0, removed: 0 }
  return { items, removed: Math.max(0, items - (await itemsLeft(db, row))) }
}

async function itemsLeft(db: Db, row: DeletionRow): Promise<number> {
  const { left } = await db
    .selectFrom('item')
    .select((item) => item.fn.countAll<number>().as('left'))
    .where('account_key', '=', row.account_key)
    .executeTakeFirstOrThrow()
  return Number(left)
}

/** Rows per read, so that other requests are served in between. */
const SLICE = 20_000

const HASH_BYTES = 32

async function pendingDeletions(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('account_deletion')
    .select('account_id')
    .where('remaining', 'is', null)
    .orderBy('begun_at')
    .orderBy('account_id')
    .execute()
  return rows.map(({ account_id }) => account_id)
}

async function deletionReceipts(db: Db): Promise<DeletionReceipt[]> {
  const rows = await db
    .selectFrom('account_deletion')
    .selectAll()
    .where('remaining', 'is not', null)
    .orderBy('ended_at', 'desc')
    .execute()
  return rows.flatMap((row) => deletionReceipt(row) ?? [])
}

/** `undefined` until the deletion is verified. */
function deletionReceipt(row: DeletionRow): DeletionReceipt | undefined {
  const { items, memories, bytes, bodies_hash: bodiesHash, ended_at: endedAt, remaining } = row
  if (items === null || memories === null || bytes === null || bodiesHash === null) return undefined
  if (endedAt === null || remaining === null) return undefined
  return {
    accountId: row.account_id,
    name: row.name,
    by: toActor(row),
    begunAt: new Date(row.begun_at),
    deletedAt: new Date(endedAt),
    ...{ items, memories, bytes, bodiesHash },
    remaining: JSON.parse(remaining),
  }
}

/** 32 bytes of memory an item. */
async function heldByAccount(db: Db, accountKey: number): Promise<HeldByAccount> {
  const hashes: Buffer[] = []
  let memories = 0
  let bytes = 0
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('item')
      .select(['item_key', 'body_hash', 'memory_count', 'size_bytes'])
      .where('account_key', '=', accountKey)
      .where('item_key', '>', after)
      .orderBy('item_key')
      .limit(SLICE)
      .execute()
    const slice = Buffer.alloc(rows.length * HASH_BYTES)
    for (const [index, row] of rows.entries()) {
      hashes.push(slice.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES))
      slice.write(row.body_hash, index * HASH_BYTES, 'hex')
      memories += row.memory_count
      bytes += row.size_bytes
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < SLICE) break
    after = last.item_key
    await setImmediate()
  }
  const digest = createHash('sha256')
  for (const hash of hashes.sort(Buffer.compare)) digest.update(`${hash.toString('hex')}\n`)
  return { items: hashes.length, memories, bytes, bodiesHash: digest.digest('hex') }
}

/** Rows of an account by table, including the tables of the engine. */
async function rowsOfAccount(
  db: Db,
  engine: SqlEngine,
  account: Pick<DeletionRow, 'account_id' | 'account_key' | 'ledger_key'>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [table, belonging] of Object.entries(ACCOUNT_TABLES)) {
    if (belonging.by === 'nobody') continue
    counts[table] = engine.isDistributed
      ? await countApart(db, table, belonging, account)
      : await countRowsOfAccount(db, table, belonging, account)
    await setImmediate()
  }
  return { ...counts, ...(await engine.rowsOfAccount(db, account.account_key)) }
}

/** The same where items are on several servers: rows of their tables are counted where the account is. */
async function countApart(
  db: Db,
  table: string,
  belonging: Exclude<Belonging, { by: 'nobody' }>,
  account: Pick<DeletionRow, 'account_id' | 'account_key' | 'ledger_key'>,
): Promise<number> {
  const isOfItems = belonging.by === 'account' || table === 'body' || table === 'chunk_text'
  if (isOfItems) return countWhere(db, table, 'account_key', account.account_key)
  if (belonging.by !== 'parent' || belonging.parent !== 'item') {
    return countRowsOfAccount(db, table, belonging, account)
  }
  const { rows: owned } = await sql<{ key: number }>`
    select distinct ${sql.ref(belonging.column)} as key from ${sql.table(table)}`.execute(db)
  const keys = owned.map(({ key }) => key)
  if (keys.length === 0) return 0
  const { rows: held } = await sql<{ key: number }>`
    select item_key as key from item where item_key = any(${keys}::bigint[])`.execute(db)
  return keys.length - held.length
}

async function countRowsOfAccount(
  db: Db,
  table: string,
  belonging: Exclude<Belonging, { by: 'nobody' }>,
  account: Pick<DeletionRow, 'account_id' | 'account_key' | 'ledger_key'>,
): Promise<number> {
  switch (belonging.by) {
    case 'parent':
      return countOrphans(db, table, belonging)
    case 'ledger':
      return account.ledger_key === null ? 0 : countWhere(db, table, 'ledger_key', account.ledger_key)
    case 'memory':
      return countWhere(db, table, 'memory_id', memoryOfAccount(account.account_id))
    case 'account':
      return 'inOrderOf' in belonging
        ? countInSlices(db, table, belonging.inOrderOf, sql`account_key = ${account.account_key}`)
        : countWhere(db, table, 'account_key', account.account_key)
  }
}

async function countWhere(db: Db, table: string, column: string, value: number | string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where ${sql.ref(column)} = ${value}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

function countOrphans(
  db: Db,
  table: string,
  { column, parent }: Extract<Belonging, { by: 'parent' }>,
): Promise<number> {
  const own = sql.ref(`child.${column}`)
  const exists = sql`exists (select 1 from ${sql.table(parent)} as parent where ${sql.ref(`parent.${column}`)} = ${own})`
  return countInSlices(db, table, column, sql`not ${exists}`)
}

/** Several rows may share a value of the column; a slice never splits them. */
async function countInSlices(
  db: Db,
  table: string,
  column: string,
  isCounted: ReturnType<typeof sql>,
): Promise<number> {
  let found = 0
  for (let after = 0; ; ) {
    const end = await sql<{ value: number | null }>`
      select max(value) as value from (
        select ${sql.ref(column)} as value from ${sql.table(table)} where ${sql.ref(column)} > ${after}
        order by ${sql.ref(column)} limit ${SLICE}
      ) as slice`.execute(db)
    const until = end.rows[0]?.value ?? null
    if (until === null) return found
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} as child
      where ${sql.ref(`child.${column}`)} > ${after} and ${sql.ref(`child.${column}`)} <= ${until}
        and ${isCounted}`.execute(db)
    found += Number(rows[0]?.count ?? 0)
    after = Number(until)
    await setImmediate()
  }
}
