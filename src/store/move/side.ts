import { type RawBuilder, sql } from 'kysely'
import { ACCOUNT_TABLES } from '../deletions/account-tables.ts'
import type { SqlEngine } from '../engine.ts'
import type { Database, Db } from '../schema.ts'

/** The last number given out, by the name of a counter or of a table whose rows are numbered; 0 before the first. */
export type LastNumbers = Readonly<Record<string, number>>

/** A database as it is moved from or to: one connection, which nobody else writes through. */
export interface Side {
  readonly db: Db
  readonly engine: SqlEngine
  /** Of a table, in no order. */
  columns(table: string): Promise<readonly string[]>
  hasTable(name: string): Promise<boolean>
  /** All of it is durable when this resolves, or nothing happened. Not for sources. */
  commit(work: () => Promise<void>): Promise<void>
  /** @param tables whose rows have numbers that are not given out twice */
  lastNumbers(tables: readonly string[]): Promise<LastNumbers>
  /** Numbers that are given out from now on are larger than these, and than those of the rows that are there. */
  continueAfter(numbers: LastNumbers): Promise<void>
  /** Makes room for the vectors of a space, inside of a commit: their index waits for `endVectors`. */
  beginVectors(spaceKey: number, dimensions: number): Promise<void>
  /** Inside of a commit, when all vectors have arrived. */
  endVectors(): Promise<void>
  /** Rows of the indexes that belong to chunks; of vectors where they are indexed by the database. */
  indexed(): Promise<{ readonly chunks: number; readonly vectors: number | undefined }>
  close(): Promise<void>
}

/** A table as both engines have it. */
export interface MovedTable {
  readonly name: keyof Database
  /** Those of SQLite; what PostgreSQL has besides follows from them. */
  readonly columns: readonly string[]
  readonly key: readonly string[]
  /** Its numbers are not given out twice. */
  readonly isNumbered: boolean
}

/** Not copied as a table: sequences in PostgreSQL. */
const COUNTERS = 'counter'

/** Every table that holds anything, those that others refer to first. @param db of SQLite */
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

/** Uploads are large. */
const MOST_BODIES = 4

/**
 * The rows of a table in the order of its key, a batch at a time.
 *
 * @param after key of the last row that was read before
 * @param more selected beside the columns
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
