import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { DeletionReceipt } from '../deletions.ts'
import { ACCOUNT_TABLES, type Belonging } from './account-tables.ts'
import type { SqlEngine } from './engine.ts'
import { toActor } from './read-activity.ts'
import type { Database } from './schema.ts'

export type DeletionRow = Selectable<Database['account_deletion']>

/** What an account held, counted from its items. */
export interface HeldByAccount {
  readonly items: number
  readonly memories: number
  readonly bytes: number
  readonly bodiesHash: string
}

/** Read at once; others are served in between. */
const SLICE = 20_000
const HASH_BYTES = 32
const MEMORY_OF_ACCOUNT = 'account:'

export async function findDeletion(db: Kysely<Database>, accountId: string): Promise<DeletionRow | undefined> {
  return db.selectFrom('account_deletion').selectAll().where('account_id', '=', accountId).executeTakeFirst()
}

export async function pendingDeletions(db: Kysely<Database>): Promise<string[]> {
  const rows = await db
    .selectFrom('account_deletion')
    .select('account_id')
    .where('remaining', 'is', null)
    .orderBy('begun_at')
    .orderBy('account_id')
    .execute()
  return rows.map(({ account_id }) => account_id)
}

export async function deletionReceipts(db: Kysely<Database>): Promise<DeletionReceipt[]> {
  const rows = await db
    .selectFrom('account_deletion')
    .selectAll()
    .where('remaining', 'is not', null)
    .orderBy('ended_at', 'desc')
    .execute()
  return rows.flatMap((row) => deletionReceipt(row) ?? [])
}

/** `undefined` until it is proven. */
export function deletionReceipt(row: DeletionRow): DeletionReceipt | undefined {
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
export async function heldByAccount(db: Kysely<Database>, accountKey: number): Promise<HeldByAccount> {
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
    for (const [place, row] of rows.entries()) {
      hashes.push(slice.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES))
      slice.write(row.body_hash, place * HASH_BYTES, 'hex')
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

/** Rows of an account by table, and in tables of the engine's own; of all tables that hold any of accounts. */
export async function rowsOfAccount(
  db: Kysely<Database>,
  engine: SqlEngine,
  account: Pick<DeletionRow, 'account_id' | 'account_key' | 'ledger_key'>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [table, belonging] of Object.entries(ACCOUNT_TABLES)) {
    if (belonging.by === 'nobody') continue
    counts[table] = await countRows(db, table, belonging, account)
    await setImmediate()
  }
  return { ...counts, ...(await engine.rowsOfAccount(db, account.account_key)) }
}

async function countRows(
  db: Kysely<Database>,
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
      return countWhere(db, table, 'memory_id', memoryOf(account.account_id))
    case 'account':
      return 'inOrderOf' in belonging
        ? countInSlices(db, table, belonging.inOrderOf, sql`account_key = ${account.account_key}`)
        : countWhere(db, table, 'account_key', account.account_key)
  }
}

/** As ledgers and grants name the memory of an account of this store. */
export function memoryOf(accountId: string): string {
  return MEMORY_OF_ACCOUNT + accountId
}

/** The other way round; `undefined` for a memory elsewhere. */
export function accountOf(memoryId: string): string | undefined {
  return memoryId.startsWith(MEMORY_OF_ACCOUNT) ? memoryId.slice(MEMORY_OF_ACCOUNT.length) : undefined
}

async function countWhere(
  db: Kysely<Database>,
  table: string,
  column: string,
  value: number | string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where ${sql.ref(column)} = ${value}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

function countOrphans(
  db: Kysely<Database>,
  table: string,
  { column, parent }: Extract<Belonging, { by: 'parent' }>,
): Promise<number> {
  const own = sql.ref(`child.${column}`)
  const exists = sql`exists (select 1 from ${sql.table(parent)} as parent where ${sql.ref(`parent.${column}`)} = ${own})`
  return countInSlices(db, table, column, sql`not ${exists}`)
}

/** Values of the column may be the same in several rows; no slice ends between them. */
async function countInSlices(
  db: Kysely<Database>,
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
