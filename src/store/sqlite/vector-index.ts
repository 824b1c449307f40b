import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SourceType } from '../../domain/source-type.ts'
import { sourceCode } from '../sql/source-code.ts'
import type { Hit } from '../store.ts'
import { BitTable } from './bit-table.ts'
import type { Connection } from './connection.ts'

export interface NearestQuery {
  readonly accountKey: number
  readonly spaceId: string
  readonly sources: 'all' | readonly SourceType[]
  readonly vector: Float32Array
  readonly limit: number
  readonly since: number | undefined
  readonly until: number | undefined
}

// The nearest by sign bits are read and scored with int8; half as many more are read as are asked for.
const OVERSAMPLING = 1.5
// Rows read between two turns of the event loop: about 2 ms.
const SLICE_ROWS = 1_000
const SLICE_ITEMS = 250
const MOST_BYTES = 256 * 1024 * 1024

interface Loaded {
  table: BitTable
  /** Commits up to this number are in the table. */
  commit: number
  loading: Promise<void> | undefined
}

/**
 * Vectors in memory, derived from `chunk` and never the only copy: read on first use, followed by commit number, and
 * checked against the table with every answer. Accounts that were not asked for longest are dropped first.
 */
export class VectorIndex {
  readonly #connection: Connection
  readonly #tables = new Map<string, Loaded>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Best first. Rows that are no longer shown by their item are never returned. */
  async nearest(query: NearestQuery): Promise<Hit[]> {
    if (query.sources.length === 0 || query.limit <= 0) return []
    const spaceKey = this.#spaceKey(query.spaceId)
    if (spaceKey === undefined) return []
    const loaded = await this.#current(query.accountKey, spaceKey, query.vector.length)
    const since = query.since ?? Number.NEGATIVE_INFINITY
    const until = query.until ?? Number.POSITIVE_INFINITY
    const allowed = allowedCodes(query.sources)
    // Four times as many each time: after a deletion of 100,000 chunks the first look may find none but dead rows.
    for (let wanted = Math.ceil(query.limit * OVERSAMPLING); ; wanted *= 4) {
      const ids = loaded.table.nearest(query.vector, wanted, allowed, since, until)
      const { hits, missing } = this.#score(query, spaceKey, ids)
      if (missing.size > 0) loaded.table.remove(missing)
      // Deleted rows took places of living ones: look again, now without them.
      if (missing.size > 0 && hits.length < query.limit) continue
      return hits.sort((a, b) => b.score - a.score || b.chunkId - a.chunkId).slice(0, query.limit)
    }
  }

  #score({ accountKey, vector }: NearestQuery, spaceKey: number, ids: readonly number[]) {
    const rows = this.#connection.prepareRows(SCORED_ROWS).all(JSON.stringify(ids), accountKey, spaceKey)
    const hits: Hit[] = []
    const missing = new Set(ids)
    for (const [chunkId, stored] of rows as unknown as [number, Uint8Array][]) {
      missing.delete(chunkId)
      hits.push({ chunkId, score: cosine(vector, stored) })
    }
    return { hits, missing }
  }

  async #current(accountKey: number, spaceKey: number, dimensions: number): Promise<Loaded> {
    const key = `${accountKey} ${spaceKey} ${dimensions}`
    const known = this.#tables.get(key)
    const { chunks } = this.#accountState(accountKey)
    // Replaced items leave rows behind; when those outnumber the living, reading everything again is cheaper.
    const worn = known === undefined || known.table.size > 2 * chunks + 10_000
    const loaded: Loaded = worn ? { table: new BitTable(dimensions), commit: 0, loading: undefined } : known
    this.#tables.delete(key)
    this.#tables.set(key, loaded)
    // Asked again each time: what was committed while others were loaded counts too.
    while (loaded.commit < this.#accountState(accountKey).commit) {
      loaded.loading ??= this.#follow(loaded, accountKey, spaceKey).finally(() => {
        loaded.loading = undefined
      })
      await loaded.loading
      this.#dropOldest(key)
    }
    return loaded
  }

  async #follow(loaded: Loaded, accountKey: number, spaceKey: number): Promise<void> {
    for (;;) {
      const items = this.#itemsAfter(accountKey, loaded.commit)
      for (const [first, last] of joinRanges(items)) {
        for (let from = first; from <= last; from += SLICE_ROWS) {
          this.#load(loaded.table, spaceKey, from, Math.min(last, from + SLICE_ROWS - 1))
          if (last - first + 1 >= SLICE_ROWS) await nextTurn()
        }
      }
      const newest = items.at(-1)
      if (newest === undefined) return
      loaded.commit = newest[0]
      if (items.length < SLICE_ITEMS) return
      await nextTurn()
    }
  }

  #itemsAfter(accountKey: number, commit: number): [number, number | null, number | null][] {
    return this.#connection.prepareRows(ITEMS_AFTER).all(accountKey, commit, SLICE_ITEMS) as never
  }

  #load(table: BitTable, spaceKey: number, from: number, to: number): void {
    const rows = this.#connection.prepareRows(VECTORS).all(from, to, spaceKey, table.dimensions)
    for (const [id, source, at, vector] of rows as unknown as [number, number, number | null, Uint8Array][]) {
      table.add(id, source, at ?? Number.NaN, asSigned(vector))
    }
  }

  #accountState(accountKey: number): { chunks: number; commit: number } {
    const [row] = this.#connection.prepareRows(ACCOUNT_STATE).all(accountKey) as unknown as [number, number | null][]
    return { chunks: row?.[0] ?? 0, commit: row?.[1] ?? 0 }
  }

  #spaceKey(spaceId: string): number | undefined {
    const [row] = this.#connection
      .prepareRows('select space_key from space where space_id = ?')
      .all(spaceId) as unknown as [number][]
    return row?.[0]
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

const ITEMS_AFTER = `select commit_number, first_chunk_id, last_chunk_id from item
  where account_key = ? and commit_number > ? order by commit_number limit ?`

const VECTORS = `select chunk_id, source, at, substr(features, 1, vector_bytes)
  from chunk where chunk_id between ? and ? and space_key = ? and vector_bytes = ?`

const ACCOUNT_STATE = `select chunk_count, (select max(commit_number) from item where item.account_key = account.account_key)
  from account where account_key = ?`

const SCORED_ROWS = `select chunk.chunk_id, substr(chunk.features, 1, chunk.vector_bytes)
  from json_each(?) as asked
  cross join chunk on chunk.chunk_id = asked.value
  cross join item on item.item_key = chunk.item_key
  where chunk.account_key = ? and chunk.space_key = ?
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

/** `undefined`: nothing is excluded. */
function allowedCodes(sources: 'all' | readonly SourceType[]): Uint8Array | undefined {
  if (sources === 'all') return undefined
  const allowed = new Uint8Array(256)
  for (const source of sources) allowed[sourceCode(source)] = 1
  return allowed
}

function asSigned(bytes: Uint8Array): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function cosine(query: Float32Array, stored: Uint8Array): number {
  const vector = asSigned(stored)
  let sum = 0
  for (let i = 0; i < query.length; i++) sum += query[i]! * vector[i]!
  return sum / 127
}
