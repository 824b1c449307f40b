import { CompiledQuery, sql } from 'kysely'
import type { Database, Db } from './schema.ts'

// A few fixed sizes keep the number of prepared statements low: 100 rows take one of 64, four of 8 and four of 1.
const BATCHES = [64, 8, 1] as const

/** Statements by the connection whose dialect wrote them. */
const statements = new WeakMap<Db, Map<string, string>>()

/**
 * Inserts many rows in multi-row statements. Each statement is compiled once; later calls only bind values.
 *
 * @param columns of every row, in the order of its values
 */
export async function insertRows<T extends keyof Database & string>(
  db: Db,
  table: T,
  columns: readonly (keyof Database[T] & string)[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  let start = 0
  for (const size of BATCHES) {
    while (rows.length - start >= size) {
      const statement = insertStatement(db, table, columns, size)
      await db.executeQuery(CompiledQuery.raw(statement, rows.slice(start, start + size).flat()))
      start += size
    }
  }
}

function insertStatement(db: Db, table: string, columns: readonly string[], size: number): string {
  const known = statements.get(db) ?? new Map<string, string>()
  statements.set(db, known)
  const key = `${table}(${columns.join()})*${size}`
  const statement = known.get(key) ?? compileInsert(db, table, columns, size)
  known.set(key, statement)
  return statement
}

function compileInsert(db: Db, table: string, columns: readonly string[], size: number): string {
  const row = sql`(${sql.join(columns.map(() => sql.val(null)))})`
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const rows = sql.join(Array.from({ length: size }, () => row))
  return sql`insert into ${sql.table(table)} (${names}) values ${rows}`.compile(db).sql
}
