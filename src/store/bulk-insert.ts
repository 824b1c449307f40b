import { CompiledQuery, sql } from 'kysely'
import type { Database, Db } from './schema.ts'

// A few fixed sizes keep the number of prepared statements low: 100 rows take one of 64, four of 8 and four of 1.
const BATCHES = [64, 8, 1] as const

/** Statements by the connection whose dialect wrote them. */
const statements = new WeakMap<Db, Map<string, string>>()

export interface InsertedRows<Table extends keyof Database & string> {
  readonly table: Table
  /** Of every row, in the order of its values. */
  readonly columns: readonly (keyof Database[Table] & string)[]
  readonly rows: readonly (readonly unknown[])[]
  /** Skips rows that exist. */
  readonly skipsExisting?: boolean
}

/** Inserts many rows in multi-row statements. Each statement is compiled once; later calls only bind values. */
export async function insertRows<Table extends keyof Database & string>(
  db: Db,
  inserted: InsertedRows<Table>,
): Promise<void> {
  const { rows } = inserted
  let start = 0
  for (const size of BATCHES) {
    while (rows.length - start >= size) {
      const statement = insertStatement(db, inserted, size)
      await db.executeQuery(CompiledQuery.raw(statement, rows.slice(start, start + size).flat()))
      start += size
    }
  }
}

function insertStatement<Table extends keyof Database & string>(
  db: Db,
  inserted: InsertedRows<Table>,
  size: number,
): string {
  const known = statements.get(db) ?? new Map<string, string>()
  statements.set(db, known)
  const { table, columns, skipsExisting = false } = inserted
  const key = `${table}(${columns.join()})*${size}${skipsExisting}`
  const statement = known.get(key) ?? compileInsert(db, inserted, size)
  known.set(key, statement)
  return statement
}

function compileInsert<Table extends keyof Database & string>(
  db: Db,
  { table, columns, skipsExisting }: InsertedRows<Table>,
  size: number,
): string {
  const row = sql`(${sql.join(columns.map(() => sql.val(null)))})`
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const rows = sql.join(Array.from({ length: size }, () => row))
  const end = skipsExisting ? sql` on conflict do nothing` : sql``
  return sql`insert into ${sql.table(table)} (${names}) values ${rows}${end}`.compile(db).sql
}
