import { sql } from 'kysely'
import { insertRows } from '../bulk-insert.ts'
import { ACCOUNT_TABLES } from '../deletions/account-tables.ts'
import { type MovedTable, readRows, rowKey, type Side, type Value } from './side.ts'

export interface Move {
  readonly source: Side
  readonly target: Side
  readonly progress: MoveProgress
  /** This many more rows were copied. */
  onRows(rows: number): void
}

/** Copies the missing rows of a table; each batch and its progress are one commit. */
export async function copyTable({ source, target, progress, onRows }: Move, table: MovedTable): Promise<void> {
  const reached = progress.table(table.name)
  if (reached.isDone) return
  const added = await addedColumns(source, target, table)
  const columns = [...table.columns, ...added.map(({ name }) => name)]
  const values = added.map((column) => column.value)
  let after = reached.after
  for await (const rows of readRows(source.db, table, reached.after, values)) {
    const end = rows.at(-1)
    if (end !== undefined) after = rowKey(table, end)
    await target.commit(async () => {
      await insertRows(target.db, {
        table: table.name,
        columns: columns as never[],
        rows: rows.map((row) => columns.map((column) => row[column])),
      })
      await progress.note(table.name, { ...(after && { after }), isDone: false })
    })
    onRows(rows.length)
  }
  await target.commit(() => progress.note(table.name, { ...(after && { after }), isDone: true }))
}

/** The account of rows that SQLite identifies by their number alone. */
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

/** In the target until the move is complete; nothing else opens a database that has it. */
export const PROGRESS_TABLE = 'recalld_move'

interface TableProgress {
  /** Key of the last copied row; absent before the first. */
  readonly after?: readonly Value[]
  readonly isDone: boolean
}

/** Progress of a move, written to the target in the same commits as the rows. */
interface MoveProgress {
  /** @param name name of a table or a step */
  table(name: string): TableProgress
  /** Call it inside a commit of the target. */
  note(name: string, reached: TableProgress): Promise<void>
}

/** @throws Error when no move has begun in the target */
export async function readProgress({ db }: Side): Promise<MoveProgress> {
  const { rows } = await sql<{ name: string; last_key: string; done: number }>`
    select name, last_key, done from recalld_move`.execute(db)
  const byName = new Map(rows.map((row) => [row.name, fromRow(row)]))
  return {
    table: (name) => byName.get(name) ?? { isDone: false },
    async note(name, reached) {
      const last = reached.after === undefined ? 'null' : JSON.stringify(reached.after.map(toJson))
      const done = reached.isDone ? 1 : 0
      await sql`
        insert into recalld_move (name, last_key, done) values (${name}, ${last}, ${done})
        on conflict (name) do update set last_key = excluded.last_key, done = excluded.done`.execute(db)
    },
  }
}

/** Call it inside a commit of the target. */
export async function beginProgress({ db }: Side): Promise<void> {
  await sql`create table recalld_move (name text primary key, last_key text not null, done integer not null)`.execute(
    db,
  )
}

/** Call it inside a commit of the target. */
export async function endProgress({ db }: Side): Promise<void> {
  await sql`drop table recalld_move`.execute(db)
}

function fromRow({ last_key, done }: { last_key: string; done: number }): TableProgress {
  const last = JSON.parse(last_key) as readonly unknown[] | null
  return { ...(last && { after: last.map(fromJson) }), isDone: Number(done) === 1 }
}

function toJson(value: Value): unknown {
  return value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value
}

function fromJson(value: unknown): Value {
  if (typeof value !== 'object' || value === null) return value as Value
  return new Uint8Array(Buffer.from((value as { base64: string }).base64, 'base64'))
}
