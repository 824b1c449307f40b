import { createHash } from 'node:crypto'
import type { MovedTable } from './moved-tables.ts'
import { type Row, readRows, type Value } from './read-rows.ts'
import type { Side } from './side.ts'

export interface TableHash {
  readonly rows: number
  /** Hexadecimal, 256 bits. */
  readonly hash: string
}

const MODULUS = 1n << 256n

/**
 * What a table holds, whatever the engine and the order of its rows: the sum of the SHA-256 of every row. Zero characters
 * count as the one that PostgreSQL has in their place.
 */
export async function tableHash({ db }: Side, table: MovedTable, onRows: (rows: number) => void): Promise<TableHash> {
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
    const bytes = bytesOf(value)
    hash.update(`${column} ${typeOf(value)} ${bytes.length}:`).update(bytes)
  }
  return BigInt(`0x${hash.digest('hex')}`)
}

function typeOf(value: Value): string {
  if (value === null) return 'null'
  return value instanceof Uint8Array ? 'bytes' : typeof value
}

function bytesOf(value: Value): Uint8Array {
  if (value instanceof Uint8Array) return value
  return Buffer.from(value === null ? '' : String(value).replaceAll('\0', '\u{FFFD}'))
}
