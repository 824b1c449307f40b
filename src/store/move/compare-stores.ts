import { sql } from 'kysely'
import type { MovedTable } from './moved-tables.ts'
import type { LastNumbers, Side } from './side.ts'
import { type TableHash, tableHash } from './table-hash.ts'

/** What both sides hold of one table or index. */
export interface Comparison {
  readonly name: string
  readonly source: TableHash
  readonly target: TableHash
  readonly isSame: boolean
}

/** Reads both sides through. @param numbers of the source, as they were when the move began */
export async function compareStores(
  { source, target }: { readonly source: Side; readonly target: Side },
  tables: readonly MovedTable[],
  numbers: LastNumbers,
  onRows: (rows: number) => void,
): Promise<Comparison[]> {
  const compared: Comparison[] = []
  for (const table of tables) {
    const held = await tableHash(source, table, onRows)
    compared.push(comparison(table.name, held, await tableHash(target, table, onRows)))
  }
  const numbered = tables.filter(({ isNumbered }) => isNumbered).map(({ name }) => name)
  const continued = await target.lastNumbers(numbered)
  compared.push(comparison('last numbers', asHash(numbers), asHash(continued)))
  const expected = await expectedInIndexes(target)
  const { chunks, vectors } = await target.indexed()
  compared.push(comparison('index of words', { rows: expected.chunks, hash: '' }, { rows: chunks, hash: '' }))
  if (vectors !== undefined) {
    compared.push(comparison('index of vectors', { rows: expected.vectors, hash: '' }, { rows: vectors, hash: '' }))
  }
  return compared
}

function comparison(name: string, source: TableHash, target: TableHash): Comparison {
  return { name, source, target, isSame: source.rows === target.rows && source.hash === target.hash }
}

function asHash(numbers: LastNumbers): TableHash {
  const entries = Object.entries(numbers).sort(([a], [b]) => (a < b ? -1 : 1))
  return { rows: entries.length, hash: entries.map(([name, last]) => `${name} ${last}`).join(', ') }
}

async function expectedInIndexes({ db }: Side): Promise<{ chunks: number; vectors: number }> {
  const { rows } = await sql<{ chunks: number; own: number; more: number }>`
    select
      (select count(*) from chunk) as chunks,
      (select count(*) from chunk where vector_bytes > 0) as own,
      (select count(*) from chunk_vector where length(vector) > 0
        and exists (select 1 from chunk where chunk.chunk_id = chunk_vector.chunk_id)) as more`.execute(db)
  const { chunks = 0, own = 0, more = 0 } = rows[0] ?? {}
  return { chunks: Number(chunks), vectors: Number(own) + Number(more) }
}
