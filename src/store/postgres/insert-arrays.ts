import { CompiledQuery } from 'kysely'
import type { InsertedRows } from '../bulk-insert.ts'
import type { Database, Db } from '../schema.ts'
import { PREPARED_MARK } from './connections.ts'

/** Types of the columns that are not `bigint`. */
const TYPES: Readonly<Record<string, string>> = {
  answer: 'text',
  body_terms: 'integer',
  content: 'text',
  features: 'bytea',
  heading: 'text',
  kind: 'text',
  length: 'integer',
  memory_index: 'integer',
  meta_terms: 'integer',
  ordinal: 'integer',
  question: 'text',
  reversed: 'text',
  source: 'smallint',
  source_type: 'text',
  space_key: 'integer',
  speaker: 'text',
  state: 'text',
  term: 'text',
  text: 'text',
  vector: 'bytea',
  vector_bytes: 'integer',
}

/** Inserts any number of rows with one statement, an array for each column, so that the server plans it once. */
export async function insertArrays<Table extends keyof Database & string>(
  db: Db,
  { table, columns, rows, skipsExisting = false }: InsertedRows<Table>,
): Promise<void> {
  if (rows.length === 0) return
  const names = columns.map((column) => `"${column}"`).join()
  const arrays = columns.map((column, index) => `$${index + 1}::${TYPES[column] ?? 'bigint'}[]`).join()
  const end = skipsExisting ? 'on conflict do nothing ' : ''
  const statement = `insert into "${table}" (${names}) select * from unnest(${arrays}) ${end}${PREPARED_MARK}`
  const values = columns.map((_, index) => rows.map((row) => row[index]))
  await db.executeQuery(CompiledQuery.raw(statement, values))
}
