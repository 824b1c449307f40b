import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BitTable } from './bit-table.ts'
import type { Connection } from './connection.ts'

// Rows read between two turns of the event loop: about 2 ms.
const SLICE_ROWS = 1_000
const SLICE_ITEMS = 250

/** Chunk id and vector, as `VectorIndex` scores them. */
export type ScoredRow = readonly [number, Uint8Array]

/** Where the vectors of one space are read from. */
export interface VectorRows {
  /** Grows with every commit that adds vectors of the account. */
  newest(accountKey: number): number
  /** Adds what came after this number to the table, in slices; after each it tells the number reached. */
  follow(table: BitTable, accountKey: number, after: number): AsyncIterable<number>
  /** Those of these chunks that their items show. */
  read(chunkIds: readonly number[], accountKey: number): ScoredRow[]
}

/** Vectors of the built-in model: they lie with their chunks, and come and go with the versions of items. */
export function builtInRows(connection: Connection, spaceKey: number): VectorRows {
  const itemsAfter = (accountKey: number, commit: number): [number, number | null, number | null][] =>
    connection.prepareRows(ITEMS_AFTER).all(accountKey, commit, SLICE_ITEMS) as never
  return {
    newest(accountKey) {
      const [row] = connection.prepareRows(NEWEST_COMMIT).all(accountKey) as unknown as [number | null][]
      return row?.[0] ?? 0
    },
    async *follow(table, accountKey, after) {
      for (let items = itemsAfter(accountKey, after); ; ) {
        for (const [first, last] of joinRanges(items)) {
          for (let from = first; from <= last; from += SLICE_ROWS) {
            const to = Math.min(last, from + SLICE_ROWS - 1)
            addRows(table, connection.prepareRows(CHUNK_VECTORS).all(from, to, spaceKey, table.dimensions))
            if (last - first + 1 >= SLICE_ROWS) await nextTurn()
          }
        }
        const newest = items.at(-1)
        if (newest === undefined) return
        yield newest[0]
        if (items.length < SLICE_ITEMS) return
        await nextTurn()
        items = itemsAfter(accountKey, newest[0])
      }
    },
    read: (chunkIds, accountKey) =>
      connection.prepareRows(SHOWN_CHUNKS).all(JSON.stringify(chunkIds), accountKey, spaceKey) as never,
  }
}

/** Vectors of a plugged-in model: rows of their own, which come whenever the model has answered. */
export function pluggedInRows(connection: Connection, spaceKey: number): VectorRows {
  return {
    newest(accountKey) {
      const [row] = connection.prepareRows(NEWEST_VECTOR).all(spaceKey, accountKey) as unknown as [number | null][]
      return row?.[0] ?? 0
    },
    async *follow(table, accountKey, after) {
      for (let reached = after; ; ) {
        const found = connection.prepareRows(VECTORS_AFTER).all(spaceKey, accountKey, reached, SLICE_ROWS)
        const rows = found as unknown as readonly NumberedRow[]
        addRows(
          table,
          rows.filter(([, source, , vector]) => source !== null && vector.length === table.dimensions),
        )
        const last = rows.at(-1)
        if (last === undefined) return
        reached = last[4]
        yield reached
        if (rows.length < SLICE_ROWS) return
        await nextTurn()
      }
    },
    read: (chunkIds, accountKey) =>
      connection.prepareRows(SHOWN_VECTORS).all(JSON.stringify(chunkIds), spaceKey, accountKey) as never,
  }
}

/** Chunk id, source, time and vector. */
type VectorRow = readonly [number, number, number | null, Uint8Array]
/** The same with the number of the row; without a source when the chunk is not there. */
type NumberedRow = readonly [number, number | null, number | null, Uint8Array, number]

function addRows(table: BitTable, rows: readonly unknown[]): void {
  for (const [id, source, at, vector] of rows as readonly VectorRow[]) {
    table.add(id, source, at ?? Number.NaN, new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength))
  }
}

const ITEMS_AFTER = `select commit_number, first_chunk_id, last_chunk_id from item
  where account_key = ? and commit_number > ? order by commit_number limit ?`

const NEWEST_COMMIT = 'select max(commit_number) from item where account_key = ?'

const CHUNK_VECTORS = `select chunk_id, source, at, substr(features, 1, vector_bytes)
  from chunk where chunk_id between ? and ? and space_key = ? and vector_bytes = ?`

const SHOWN_CHUNKS = `select chunk.chunk_id, substr(chunk.features, 1, chunk.vector_bytes)
  from json_each(?) as asked
  cross join chunk on chunk.chunk_id = asked.value
  cross join item on item.item_key = chunk.item_key
  where chunk.account_key = ? and chunk.space_key = ?
    and chunk.chunk_id between item.first_chunk_id and item.last_chunk_id`

const NEWEST_VECTOR = 'select max(vector_key) from chunk_vector where space_key = ? and account_key = ?'

// A row without a chunk would be a defect; it is passed, so that the number of the last row is reached in any case.
const VECTORS_AFTER = `select chunk_vector.chunk_id, chunk.source, chunk.at, chunk_vector.vector, vector_key
  from chunk_vector left join chunk on chunk.chunk_id = chunk_vector.chunk_id
  where chunk_vector.space_key = ? and chunk_vector.account_key = ? and vector_key > ?
  order by vector_key limit ?`

const SHOWN_VECTORS = `select chunk.chunk_id, chunk_vector.vector
  from json_each(?) as asked
  cross join chunk_vector on chunk_vector.chunk_id = asked.value and chunk_vector.space_key = ?
  cross join chunk on chunk.chunk_id = chunk_vector.chunk_id
  cross join item on item.item_key = chunk.item_key
  where chunk.account_key = ?
    and chunk.chunk_id between item.first_chunk_id and item.last_chunk_id`

/** Adjoining ranges read as one. */
function joinRanges(items: readonly (readonly [number, number | null, number | null])[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const [, first, last] of items) {
    if (first === null || last === null) continue
    const previous = ranges.at(-1)
    if (previous !== undefined && previous[1] + 1 === first) previous[1] = last
    else ranges.push([first, last])
  }
  return ranges
}
