import type { SourceType } from '../../domain/source-type.ts'
import type { NearestQuery } from '../sql/candidates.ts'
import { sourceCode } from '../sql/source-code.ts'
import type { Hit } from '../store.ts'
import { BitTable } from './bit-table.ts'
import type { Connection } from './connection.ts'
import { createHamming, type MeasureHamming } from './hamming-distances.ts'
import { builtInRows, pluggedInRows, type ScoredRow, type VectorRows } from './vector-rows.ts'

// The nearest by sign bits are read and scored with int8; half as many more are read as are asked for.
const OVERSAMPLING = 1.5
const MOST_BYTES = 256 * 1024 * 1024

interface Loaded {
  table: BitTable
  /** What came up to this number of `VectorRows` is in the table. */
  reached: number
  loading: Promise<void> | undefined
}

/**
 * Vectors in memory, derived from `chunk` and `chunk_vector` and never the only copy: read on first use, followed by
 * number, and checked against the tables with every answer. Accounts that were not asked for longest are dropped first.
 */
export class VectorIndex {
  readonly #connection: Connection
  readonly #tables = new Map<string, Loaded>()
  readonly #rows = new Map<string, VectorRows>()
  #measureHamming: MeasureHamming | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Best first. Rows that are no longer shown by their item are never returned. */
  async nearest(query: NearestQuery): Promise<Hit[]> {
    if (query.sources.length === 0 || query.limit <= 0) return []
    const rows = this.#rowsOf(query.spaceId)
    if (rows === undefined) return []
    const loaded = await this.#current(rows, query)
    const since = query.since ?? Number.NEGATIVE_INFINITY
    const until = query.until ?? Number.POSITIVE_INFINITY
    const allowed = allowedCodes(query.sources)
    // Four times as many each time: after a deletion of 100,000 chunks the first look may find none but dead rows.
    for (let wanted = Math.ceil(query.limit * OVERSAMPLING); ; wanted *= 4) {
      // A space that was dropped and built again may have a chunk twice in memory.
      const ids = [...new Set(loaded.table.nearest(query.vector, wanted, allowed, since, until))]
      const { hits, missing } = score(query, rows.read(ids, query.accountKey), ids)
      if (missing.size > 0) loaded.table.remove(missing)
      // Deleted rows took places of living ones: look again, now without them.
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
    // Replaced items leave rows behind; when those outnumber the living, reading everything again is cheaper.
    const worn = known === undefined || known.table.size > 2 * this.#chunkCount(accountKey) + 10_000
    const loaded: Loaded = worn ? { table: this.#newTable(dimensions), reached: 0, loading: undefined } : known
    this.#tables.delete(key)
    this.#tables.set(key, loaded)
    // Asked again each time: what was committed while others were loaded counts too.
    while (loaded.reached < rows.newest(accountKey)) {
      loaded.loading ??= follow(loaded, rows, accountKey).finally(() => {
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

  /** `undefined`: nothing was ever embedded in the space. */
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

async function follow(loaded: Loaded, rows: VectorRows, accountKey: number): Promise<void> {
  for await (const reached of rows.follow(loaded.table, accountKey, loaded.reached)) loaded.reached = reached
}

function score({ vector }: NearestQuery, rows: readonly ScoredRow[], ids: readonly number[]) {
  const hits: Hit[] = []
  const missing = new Set(ids)
  for (const [chunkId, stored] of rows) {
    missing.delete(chunkId)
    hits.push({ chunkId, score: cosine(vector, stored) })
  }
  return { hits, missing }
}

/** `undefined`: nothing is excluded. */
function allowedCodes(sources: 'all' | readonly SourceType[]): Uint8Array | undefined {
  if (sources === 'all') return undefined
  const allowed = new Uint8Array(256)
  for (const source of sources) allowed[sourceCode(source)] = 1
  return allowed
}

function cosine(query: Float32Array, stored: Uint8Array): number {
  const vector = new Int8Array(stored.buffer, stored.byteOffset, stored.byteLength)
  let sum = 0
  for (let i = 0; i < query.length; i++) sum += query[i]! * vector[i]!
  return sum / 127
}
