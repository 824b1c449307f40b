import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import { beginProgress, copyTable, endProgress, type Move, PROGRESS_TABLE, readProgress } from './copy-table.ts'
import { indexChunks } from './index-chunks.ts'
import { type LastNumbers, type MovedTable, movedTables, type Row, readRows, type Side, type Value } from './side.ts'

type MoveStep = 'copying' | 'indexing' | 'comparing'

export interface MoveRequest {
  readonly source: Side
  readonly target: Side
  /** Compares without copying. */
  readonly verifyOnly?: boolean
  /** Only moves write the target, so it is complete when it has rows and no move is in progress. */
  readonly isDraft?: boolean
  /** @param rows rows that the step will process */
  onStep?(step: MoveStep, rows: number): void
  onRows?(rows: number): void
}

interface MoveReport {
  readonly tables: readonly Comparison[]
  /** Chunks whose terms differ, because an older version indexed them. */
  readonly otherTerms: number
}

/**
 * Moves everything in a database into one of the other engine, or continues an unfinished move. Compares both, and opens the
 * target for use only if they are the same. The source is unchanged.
 *
 * @throws AppError `conflict` when the target has other data; it is unchanged then
 */
export async function moveStore(request: MoveRequest): Promise<MoveReport> {
  const { source, target, verifyOnly = false, isDraft = false, onStep, onRows = () => undefined } = request
  const file = source.engine.carriesAccount ? target : source
  const tables = await movedTables(file.db)
  const numbered = tables.filter(({ isNumbered }) => isNumbered).map(({ name }) => name)
  const numbers = await source.lastNumbers(numbered)
  const counts = await countRows(source, tables)
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  let otherTerms = 0
  const copies = !verifyOnly && (await begins(target, tables, isDraft))
  if (copies) {
    const move: Move = { source, target, progress: await readProgress(target), onRows }
    onStep?.('copying', all)
    for (const table of tables) await copyTable(move, table)
    await target.commit(() => target.continueAfter(numbers))
    onStep?.('indexing', counts.get('chunk') ?? 0)
    const chunk = tables.find(({ name }) => name === 'chunk')
    if (chunk !== undefined) ({ otherTerms } = await indexChunks(move, chunk))
  }
  onStep?.('comparing', 2 * all)
  const compared = await compareStores({ source, target }, tables, numbers, onRows)
  if (copies && compared.every(({ isSame }) => isSame)) await target.commit(() => endProgress(target))
  return { tables: compared, otherTerms }
}

/** Created by opening a database, even an empty one. */
const IDENTITY = 'database_identity'

/** Whether there is something to copy. */
async function begins(target: Side, tables: readonly MovedTable[], isDraft: boolean): Promise<boolean> {
  if (await target.hasTable(PROGRESS_TABLE)) return true
  const counts = await countRows(target, tables)
  const [held] = [...counts].find(([name, count]) => count > 0 && name !== IDENTITY) ?? []
  if (held === undefined) {
    await target.commit(async () => {
      // The identity of the source is copied.
      await target.db.deleteFrom(IDENTITY).execute()
      await beginProgress(target)
    })
    return true
  }
  if (isDraft) return false
  throw new AppError(
    'conflict',
    `The target is not empty (it has rows of ${held}). Choose an empty target. Nothing was changed.`,
  )
}

async function countRows({ db }: Side, tables: readonly MovedTable[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db)
    counts.set(name, Number(rows[0]?.count ?? 0))
  }
  return counts
}

/** The contents of one table or index on both sides. */
interface Comparison {
  readonly name: string
  readonly source: TableHash
  readonly target: TableHash
  readonly isSame: boolean
}

/** Reads all of both sides. @param numbers last numbers of the source when the move began */
async function compareStores(
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
  compared.push(comparison('last numbers', numbersHash(numbers), numbersHash(continued)))
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

function numbersHash(numbers: LastNumbers): TableHash {
  const entries = Object.entries(numbers).sort(([a], [b]) => (a < b ? -1 : 1))
  return { rows: entries.length, hash: entries.map(([name, last]) => `${name} ${last}`).join(', ') }
}

async function expectedInIndexes({ db }: Side): Promise<{ chunks: number; vectors: number }> {
  const { rows } = await sql<{ chunks: number; own: number; more: number }>`
    select
      (select count(*) from chunk) as chunks,
      (select count(*) from chunk where vector_bytes > 0) as own,
      (select count(*) from chunk_vector where length(vector) > 0
        and exists (
          select 1 from chunk where chunk.chunk_id = chunk_vector.chunk_id and chunk.account_key = chunk_vector.account_key
        )) as more`.execute(db)
  const { chunks = 0, own = 0, more = 0 } = rows[0] ?? {}
  return { chunks: Number(chunks), vectors: Number(own) + Number(more) }
}

interface TableHash {
  readonly rows: number
  /** Hexadecimal, 256 bits. */
  readonly hash: string
}

const MODULUS = 1n << 256n

/**
 * Hashes the contents of a table independent of the engine and the row order: the sum of the SHA-256 of all rows. A zero
 * character counts as the replacement that PostgreSQL stores.
 */
async function tableHash({ db }: Side, table: MovedTable, onRows: (rows: number) => void): Promise<TableHash> {
  const columns = [...table.columns].sort()
  let sum = 0n
  let count = 0
  for await (const rows of readRows(db, table, undefined)) {
    for (const row of rows) sum = (sum + rowHash(columns, row)) % MODULUS
    count += rows.length
    onRows(rows.length)
  }
  return { rows: count, hash: sum.toString(16).padStart(64, '0') }
}

function rowHash(columns: readonly string[], row: Row): bigint {
  const hash = createHash('sha256')
  for (const column of columns) {
    const value = row[column] ?? null
    const bytes = valueBytes(value)
    hash.update(`${column} ${valueType(value)} ${bytes.length}:`).update(bytes)
  }
  return BigInt(`0x${hash.digest('hex')}`)
}

function valueType(value: Value): string {
  if (value === null) return 'null'
  return value instanceof Uint8Array ? 'bytes' : typeof value
}

function valueBytes(value: Value): Uint8Array {
  if (value instanceof Uint8Array) return value
  return Buffer.from(value === null ? '' : String(value).replaceAll('\0', '\u{FFFD}'))
}
