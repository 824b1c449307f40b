import { sql } from 'kysely'
import { ACCOUNT_TABLES } from '../sql/account-tables.ts'
import { insertRows } from '../sql/bulk-insert.ts'
import type { MoveProgress } from './move-progress.ts'
import type { MovedTable } from './moved-tables.ts'
import { keyOf, readRows } from './read-rows.ts'
import type { Side } from './side.ts'

export interface Move {
  readonly source: Side
  readonly target: Side
  readonly progress: MoveProgress
  /** So many rows more have arrived. */
  onRows(rows: number): void
}

/** Copies the rows of a table that have not arrived yet; each batch is one commit, with how far it came. */
export async function copyTable({ source, target, progress, onRows }: Move, table: MovedTable): Promise<void> {
  const place = progress.place(table.name)
  if (place.isDone) return
  const added = await addedColumns(source, target, table)
  const columns = [...table.columns, ...added.map(({ name }) => name)]
  const values = added.map((column) => column.value)
  let after = place.after
  for await (const rows of readRows(source.db, table, place.after, values)) {
    const end = rows.at(-1)
    if (end !== undefined) after = keyOf(table, end)
    await target.commit(async () => {
      await insertRows(
        target.db,
        table.name,
        columns as never[],
        rows.map((row) => columns.map((column) => row[column])),
      )
      await progress.note(table.name, { ...(after && { after }), isDone: false })
    })
    onRows(rows.length)
  }
  await target.commit(() => progress.note(table.name, { ...(after && { after }), isDone: true }))
}

/** The account of rows that SQLite reaches by their number alone. */
async function addedColumns(source: Side, target: Side, table: MovedTable) {
  const known = new Set(await source.columns(table.name))
  const missing = (await target.columns(table.name)).filter((name) => !known.has(name))
  return missing.map((name) => {
    const belonging = ACCOUNT_TABLES[table.name]
    if (name !== 'account_key' || belonging.by !== 'parent') {
      throw new Error(`${table.name}.${name} is in one engine only: a migration is missing`)
    }
    const { parent, column } = belonging
    const own = sql`${sql.ref(`${parent}.${column}`)} = ${sql.ref(`${table.name}.${column}`)}`
    const value = sql`(select account_key from ${sql.table(parent)} where ${own}) as account_key`
    return { name, value }
  })
}
