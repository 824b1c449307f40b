import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../sql/schema.ts'
import type { MovedTable } from './moved-tables.ts'

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
  db: Kysely<Database>,
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
    last = keyOf(table, end)
  }
}

export function keyOf(table: MovedTable, row: Row): readonly Value[] {
  return table.key.map((name) => row[name] ?? null)
}
