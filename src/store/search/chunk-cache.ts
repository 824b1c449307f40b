import type { ChunkRow } from './search.ts'

/** Each of two generations: about 17,000 chunks of 600 characters. */
const GENERATION_BYTES = 24 * 1024 * 1024
/** What a row takes besides its features: an object, four views and their buffer. */
const ROW_BYTES = 700
/** Unused rows are dropped after once or twice this time. */
const KEPT_MS = 10 * 60_000

/**
 * Ranking features of recently read chunks. Chunks never change and their ids are never reused, but an item may no
 * longer show a chunk, which callers must check.
 */
export class ChunkCache {
  #recent = new Map<number, ChunkRow>()
  #older = new Map<number, ChunkRow>()
  #bytes = 0
  #timer: NodeJS.Timeout | undefined

  get(chunkId: number): ChunkRow | undefined {
    const recent = this.#recent.get(chunkId)
    if (recent !== undefined) return recent
    const older = this.#older.get(chunkId)
    if (older !== undefined) this.add(older)
    return older
  }

  add(row: ChunkRow): void {
    if (this.#bytes >= GENERATION_BYTES) this.#age()
    this.#recent.set(row.chunkId, row)
    this.#bytes += ROW_BYTES + row.tokens.buffer.byteLength
    this.#timer ??= setTimeout(() => this.#age(), KEPT_MS).unref()
  }

  #age(): void {
    clearTimeout(this.#timer)
    this.#older = this.#recent
    this.#recent = new Map()
    this.#bytes = 0
    this.#timer = this.#older.size === 0 ? undefined : setTimeout(() => this.#age(), KEPT_MS).unref()
  }
}
