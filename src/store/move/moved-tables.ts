import { type Kysely, sql } from 'kysely'
import { ACCOUNT_TABLES } from '../sql/account-tables.ts'
import type { Database } from '../sql/schema.ts'

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
export const COUNTERS = 'counter'

/** Every table that holds anything, those that others refer to first. @param db of SQLite */
export async function movedTables(db: Kysely<Database>): Promise<MovedTable[]> {
  const names = Object.keys(ACCOUNT_TABLES).filter((name) => name !== COUNTERS) as (keyof Database)[]
  const ordered: MovedTable[] = []
  const add = async (name: keyof Database) => {
    if (ordered.some((table) => table.name === name)) return
    const parents = await sql<{ parent: keyof Database }>`
      select distinct "table" as parent from pragma_foreign_key_list(${name}) where "table" <> ${name}`.execute(db)
    for (const { parent } of parents.rows) await add(parent)
    ordered.push(await describe(db, name))
  }
  for (const name of names) await add(name)
  return ordered
}

async function describe(db: Kysely<Database>, name: keyof Database): Promise<MovedTable> {
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
