import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SourceType } from '../../domain/source-type.ts'
import type { NearestQuery, ReadShown } from '../engine.ts'
import { sourceCode } from '../search/chunk-columns.ts'
import type { Hit } from '../search/search.ts'
import { BitTable, createHamming, type MeasureHamming } from './bit-table.ts'
import type { Connection } from './connection.ts'

// The nearest rows by sign bits are read and scored with int8 vectors, 1.5 times as many as requested.
const OVERSAMPLING = 1.5

const MOST_BYTES = 256 * 1024 * 1024

interface Loaded {
  table: BitTable
  /** Rows up to this number of `VectorRows` are in the table. */
  reached: number
  loading: Promise<void> | undefined
}

/**
 * Vectors in memory, a copy of `chunk` and `chunk_vector`: loaded on first use, updated by row number, and checked against
 * the tables with every answer. The least recently used accounts are dropped first.
 */
export class VectorIndex {
  readonly #connection: Connection
  readonly #tables = new Map<string, Loaded>()
  readonly #rows = new Map<string, VectorRows>()
  #measureHamming: MeasureHamming | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Best first. Never returns rows that their item no longer shows. */
  async nearest(query: NearestQuery, shown: ReadShown): Promise<Hit[]> {
    if (query.sources.length === 0 || query.limit <= 0) return []
    const rows = this.#rowsOf(query.spaceId)
    if (rows === undefined) return []
    const loaded = await this.#current(rows, query)
    const since = query.since ?? Number.NEGATIVE_INFINITY
    const until = query.until ?? Number.POSITIVE_INFINITY
    const allowed = allowedCodes(query.sources)
    const { within } = query
    // Four times as many each time, because after deleting 100,000 chunks the first try may find only deleted rows.
    for (let wanted = Math.ceil(query.limit * OVERSAMPLING); ; wanted *= 4) {
      // A space that was dropped and built again may have a chunk twice in memory.
      const ids = [...new Set(loaded.table.nearest(query.vector, wanted, { allowed, since, until, within }))]
      const { hits, missing } = scoreRows(query, await rows.read(ids, query, shown), ids)
      if (missing.size > 0) loaded.table.remove(missing)
      // Deleted rows filled the result: search again without them.
      if (missing.size > 0 && hits.length < query.limit) continue
      return hits.sort((a, b) => b.score - a.score || b.chunkId - a.chunkId).slice(0, query.limit)
    }
  }

  /** What is in memory now. */
  stats(): { count: number; bytes: number } {
    const tables = [...this.#tables.values()].map(({ table }) => table)
    return {
      count: tables.reduce((sum, { size }) => sum + size, 0),
      bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
    }
  }

  async #current(rows: VectorRows, { accountKey, spaceId, vector }: NearestQuery): Promise<Loaded> {
    const dimensions = vector.length
    const key = `${accountKey} ${dimensions} ${spaceId}`
    const known = this.#tables.get(key)
    // Replaced items leave rows behind; when those are the majority, reloading is cheaper.
    const worn = known === undefined || known.table.size > 2 * this.#chunkCount(accountKey) + 10_000
    const loaded: Loaded = worn ? { table: this.#newTable(dimensions), reached: 0, loading: undefined } : known
    this.#tables.delete(key)
    this.#tables.set(key, loaded)
    // Read again each time, because rows may be committed while others are loaded.
    while (loaded.reached < rows.newest(accountKey)) {
      loaded.loading ??= followRows(loaded, rows, accountKey).finally(() => {
        loaded.loading = undefined
      })
      await loaded.loading
      this.#dropOldest(key)
    }
    return loaded
  }

  #newTable(dimensions: number): BitTable {
    this.#measureHamming ??= createHamming()
    return new BitTable(dimensions, this.#measureHamming)
  }

  #chunkCount(accountKey: number): number {
    const [row] = this.#connection
      .prepareRows('select chunk_count from account where account_key = ?')
      .all(accountKey) as unknown as [number][]
    return row?.[0] ?? 0
  }

  /** `undefined` when nothing was ever embedded in the space. */
  #rowsOf(spaceId: string): VectorRows | undefined {
    const [row] = this.#connection
      .prepareRows('select space_key, state is not null from space where space_id = ?')
      .all(spaceId) as unknown as [number, number][]
    if (row === undefined) return undefined
    const [spaceKey, isPluggedIn] = row
    const known = this.#rows.get(`${spaceKey} ${isPluggedIn}`)
    const rows = known ?? (isPluggedIn === 1 ? pluggedInRows : builtInRows)(this.#connection, spaceKey)
    this.#rows.set(`${spaceKey} ${isPluggedIn}`, rows)
    return rows
  }

  #dropOldest(current: string): void {
    let bytes = 0
    for (const { table } of this.#tables.values()) bytes += table.bytes
    for (const [key, { table, loading }] of this.#tables) {
      if (bytes <= MOST_BYTES) return
      if (key === current || loading !== undefined) continue
      this.#tables.delete(key)
      bytes -= table.bytes
    }
  }
}

async function followRows(loaded: Loaded, rows: VectorRows, accountKey: number): Promise<void> {
  for await (const reached of rows.follow(loaded.table, accountKey, loaded.reached)) loaded.reached = reached
}

function scoreRows({ vector }: NearestQuery, rows: readonly ScoredRow[], ids: readonly number[]) {
  const hits: Hit[] = []
  const missing = new Set(ids)
  for (const [chunkId, stored] of rows) {
    missing.delete(chunkId)
    hits.push({ chunkId, score: cosine(vector, stored) })
  }
  return { hits, missing }
}

/** `undefined` when nothing is excluded. */
function allowedCodes(sources: 'all' | readonly SourceType[]): Uint8Array | undefined {
  if (sources === 'all') return undefined
  const allowed = new Uint8Array(256)
  for (const source of sources) allowed[sourceCode(source)] = 1
  return allowed
}

function cosine(query: Float32Array, vector: Int8Array): number {
  let sum = 0
  for (let i = 0; i < query.length; i++) sum += query[i]! * vector[i]!
  return sum / 127
}

// Rows read between two turns of the event loop: about 2 ms.
const SLICE_ROWS = 1_000

const SLICE_ITEMS = 250

/** Chunk id and vector, as `VectorIndex` scores them. */
type ScoredRow = readonly [number, Int8Array]

/** Where the vectors of one space are read from. */
interface VectorRows {
  /** Grows with every commit that adds vectors of the account. */
  newest(accountKey: number): number
  /** Adds the rows after this number to the table in slices; yields the number reached after each. */
  follow(table: BitTable, accountKey: number, after: number): AsyncIterable<number>
  /** The rows of these chunks that are visible. */
  read(chunkIds: readonly number[], query: NearestQuery, shown: ReadShown): Promise<ScoredRow[]>
}

/** Vectors of the built-in model, which are stored with the chunks of each item version. */
function builtInRows(connection: Connection, spaceKey: number): VectorRows {
  const itemsAfter = (accountKey: number, commit: number): [number, number | null, number | null][] =>
    connection.prepareRows(ITEMS_AFTER).all(accountKey, commit, SLICE_ITEMS) as never
  return {
    newest(accountKey) {
      const [row] = connection.prepareRows(NEWEST_COMMIT).all(accountKey) as unknown as [number | null][]
      return row?.[0] ?? 0
    },
    async *follow(table, accountKey, after) {
      for (let items = itemsAfter(accountKey, after); ; ) {
        for (const [first, last] of joinRanges(items.map(([, from, to]) => [from, to]))) {
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
    // Ranking reads the same chunks next, and most are in memory already.
    read: async (chunkIds, { spaceId, vector: { length } }, shown) =>
      (await shown(chunkIds))
        .filter((row) => row.spaceId === spaceId && row.vector.length === length)
        .map(({ chunkId, vector }) => [chunkId, vector]),
  }
}

/** Vectors of a plugged-in model, which are separate rows, added when the model responds. */
function pluggedInRows(connection: Connection, spaceKey: number): VectorRows {
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
    async read(chunkIds, { accountKey }) {
      const rows = connection.prepareRows(SHOWN_VECTORS).all(JSON.stringify(chunkIds), spaceKey, accountKey)
      return (rows as unknown as (readonly [number, Uint8Array])[]).map(([id, vector]) => [id, asSigned(vector)])
    },
  }
}

/** Chunk id, source, time and vector. */
type StoredVector = readonly [number, number, number | null, Uint8Array]

/** The same with the row number; without a source when the chunk doesn't exist. */
type NumberedRow = readonly [number, number | null, number | null, Uint8Array, number]

function addRows(table: BitTable, rows: readonly unknown[]): void {
  for (const [id, source, at, vector] of rows as readonly StoredVector[]) {
    table.add(id, source, at ?? Number.NaN, asSigned(vector))
  }
}

function asSigned({ buffer, byteOffset, byteLength }: Uint8Array): Int8Array {
  return new Int8Array(buffer, byteOffset, byteLength)
}

const ITEMS_AFTER = `select commit_number, first_chunk_id, last_chunk_id from item
  where account_key = ? and commit_number > ? order by commit_number limit ?`

const NEWEST_COMMIT = 'select max(commit_number) from item where account_key = ?'

const CHUNK_VECTORS = `select chunk_id, source, at, substr(features, 1, vector_bytes)
  from chunk where chunk_id between ? and ? and space_key = ? and vector_bytes = ?`

const NEWEST_VECTOR = 'select max(vector_key) from chunk_vector where space_key = ? and account_key = ?'

// Includes rows without a chunk, which would be a defect, so that the last number is always reached.
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
export function joinRanges(items: readonly (readonly [number | null, number | null])[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const [first, last] of items) {
    if (first === null || last === null) continue
    const previous = ranges.at(-1)
    if (previous !== undefined && previous[1] + 1 === first) previous[1] = last
    else ranges.push([first, last])
  }
  return ranges
}
