import { type RawBuilder, sql } from 'kysely'
import { ACCOUNT_TABLES } from '../deletions/account-tables.ts'
import type { SqlEngine } from '../engine.ts'
import type { Database, Db } from '../schema.ts'

/** The last number used, by counter or by table with numbered rows; 0 before the first. */
export type LastNumbers = Readonly<Record<string, number>>

/** The source or target of a move: one connection that nothing else writes through. */
export interface Side {
  readonly db: Db
  readonly engine: SqlEngine
  /** The columns of a table, unordered. */
  columns(table: string): Promise<readonly string[]>
  hasTable(name: string): Promise<boolean>
  /** Durable when it resolves; rolled back when it rejects. Only for targets. */
  commit(work: () => Promise<void>): Promise<void>
  /** @param tables tables whose row numbers are never reused */
  lastNumbers(tables: readonly string[]): Promise<LastNumbers>
  /** New numbers will be larger than these and than those of existing rows. */
  continueAfter(numbers: LastNumbers): Promise<void>
  /** Index rows of chunks, and of vectors where the database indexes them. */
  indexed(): Promise<{ readonly chunks: number; readonly vectors: number | undefined }>
  close(): Promise<void>
}

/** A table that both engines have. */
export interface MovedTable {
  readonly name: keyof Database
  /** The columns in SQLite; additional ones in PostgreSQL are derived from them. */
  readonly columns: readonly string[]
  readonly key: readonly string[]
  /** Its row numbers are never reused. */
  readonly isNumbered: boolean
}

/** Not copied, because PostgreSQL uses sequences instead. */
const COUNTERS = 'counter'

/** Every table with rows, referenced tables first. @param db the SQLite side */
export async function movedTables(db: Db): Promise<MovedTable[]> {
  const names = Object.keys(ACCOUNT_TABLES).filter((name) => name !== COUNTERS) as (keyof Database)[]
  const ordered: MovedTable[] = []
  const add = async (name: keyof Database) => {
    if (ordered.some((table) => table.name === name)) return
    const parents = await sql<{ parent: keyof Database }>`
      select distinct "table" as parent from pragma_foreign_key_list(${name}) where "table" <> ${name}`.execute(db)
    for (const { parent } of parents.rows) await add(parent)
    ordered.push(await describeTable(db, name))
  }
  for (const name of names) await add(name)
  return ordered
}

async function describeTable(db: Db, name: keyof Database): Promise<MovedTable> {
  const { rows: columns } = await sql<{ name: string; pk: number }>`
    select name, pk from pragma_table_info(${name})`.execute(db)
  const { rows: made } = await sql<{ sql: string }>`
    select sql from sqlite_schema where type = 'table' and name = ${name}`.execute(db)
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  return {
    name,
    columns: columns.map((column) => column.name),
    key: key.map((column) => column.name),
    isNumbered: /\bautoincrement\b/i.test(made[0]?.sql ?? ''),
  }
}

export type Value = string | number | Uint8Array | null

export type Row = Readonly<Record<string, Value>>

const MOST_ROWS = 512

/** Few per batch, because uploads are large. */
const MOST_BODIES = 4

/**
 * Reads the rows of a table in key order, one batch at a time.
 *
 * @param after key of the last row of the previous batch
 * @param more expressions selected in addition to the columns
 */
export async function* readRows(
  db: Db,
  table: MovedTable,
  after: readonly Value[] | undefined,
  more: readonly RawBuilder<unknown>[] = [],
): AsyncGenerator<readonly Row[]> {
  const most = table.name === 'body' ? MOST_BODIES : MOST_ROWS
  const refs = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(`${table.name}.${name}`)))
  const selected = sql.join([refs(table.columns), ...more])
  for (let last = after; ; ) {
    const rest = last === undefined ? sql`` : sql`where (${refs(table.key)}) > (${sql.join([...last])})`
    const { rows } = await sql<Row>`
      select ${selected} from ${sql.table(table.name)} ${rest} order by ${refs(table.key)} limit ${sql.lit(most)}`.execute(
      db,
    )
    const end = rows.at(-1)
    if (end === undefined) return
    yield rows
    if (rows.length < most) return
    last = rowKey(table, end)
  }
}

export function rowKey(table: MovedTable, row: Row): readonly Value[] {
  return table.key.map((name) => row[name] ?? null)
}
