import type { SourceType } from '../../src/domain/source-type.ts'
import type { ChunkRange, Hit } from '../../src/store/search/search.ts'

/** What an engine is given of a chunk: what it filters by, and what it finds it by. */
export interface OutsideChunk {
  readonly chunkId: number
  /** `sourceCode` of the item's source type. */
  readonly source: number
  /** Milliseconds since the epoch. */
  readonly at: number | null
  readonly bodyTerms: number
  /** Hashes, as the tables have them. */
  readonly terms: ReadonlySet<string>
  readonly vectors: ReadonlyMap<string, readonly number[]>
}

export interface OutsideFilter {
  readonly accountKey: number
  readonly sources: 'all' | ReadonlySet<number>
  readonly since: number | undefined
  readonly until: number | undefined
  readonly within?: readonly ChunkRange[] | undefined
  readonly limit: number
}

interface Held {
  /** Commits up to this number are here. */
  reached: number
  /** Last chunk by first chunk. */
  readonly ranges: Map<number, number>
  readonly chunks: Map<number, OutsideChunk>
}

/**
 * Stands for a search engine beside the database: keeps what it was given, knows nothing else, and forgets nothing when who
 * feeds it ends. Each call takes effect once it was answered, and does no harm a second time.
 */
export class OutsideEngine {
  readonly #accounts = new Map<number, Held>()
  /** Calls until one finds it gone. */
  callsLeft = Number.POSITIVE_INFINITY

  reached(accountKey: number): number {
    return this.#held(accountKey).reached
  }

  ranges(accountKey: number): ChunkRange[] {
    return [...this.#held(accountKey).ranges].map(([first, last]) => ({ first, last }))
  }

  async add(accountKey: number, { first, last }: ChunkRange, chunks: readonly OutsideChunk[]): Promise<void> {
    this.#count()
    const held = this.#held(accountKey)
    held.ranges.set(first, last)
    for (const chunk of chunks) held.chunks.set(chunk.chunkId, chunk)
  }

  async acknowledge(accountKey: number, commit: number): Promise<void> {
    this.#count()
    const held = this.#held(accountKey)
    held.reached = Math.max(held.reached, commit)
  }

  async remove(accountKey: number, { first, last }: ChunkRange): Promise<void> {
    this.#count()
    const held = this.#held(accountKey)
    for (let chunkId = first; chunkId <= last; chunkId++) held.chunks.delete(chunkId)
    held.ranges.delete(first)
  }

  counts(accountKey: number, terms: readonly string[]) {
    const chunks = [...this.#held(accountKey).chunks.values()]
    return {
      chunks: chunks.length,
      bodyTerms: chunks.reduce((sum, { bodyTerms }) => sum + bodyTerms, 0),
      frequencies: terms.map((term) => chunks.filter((chunk) => chunk.terms.has(term)).length),
    }
  }

  lexical(filter: OutsideFilter, weights: ReadonlyMap<string, number>): Hit[] {
    const score = ({ terms }: OutsideChunk) =>
      [...weights].reduce((sum, [term, weight]) => sum + (terms.has(term) ? weight : 0), 0)
    return this.#best(filter, (chunk) => score(chunk) || undefined)
  }

  nearest(filter: OutsideFilter, spaceId: string, asked: Float32Array): Hit[] {
    return this.#best(filter, ({ vectors }) => {
      const vector = vectors.get(spaceId)
      return vector && cosine(asked, vector)
    })
  }

  /** Filters apply before the limit. */
  #best(
    { accountKey, sources, since, until, within, limit }: OutsideFilter,
    score: (chunk: OutsideChunk) => number | undefined,
  ) {
    const hits: Hit[] = []
    for (const chunk of this.#held(accountKey).chunks.values()) {
      const { chunkId, source, at } = chunk
      if (sources !== 'all' && !sources.has(source)) continue
      if (since !== undefined && (at === null || at < since)) continue
      if (until !== undefined && (at === null || at >= until)) continue
      if (within !== undefined && !within.some(({ first, last }) => first <= chunkId && chunkId <= last)) continue
      const scored = score(chunk)
      if (scored !== undefined) hits.push({ chunkId, score: scored })
    }
    return hits.sort((a, b) => b.score - a.score || b.chunkId - a.chunkId).slice(0, limit)
  }

  #held(accountKey: number): Held {
    const held = this.#accounts.get(accountKey) ?? { reached: 0, ranges: new Map(), chunks: new Map() }
    this.#accounts.set(accountKey, held)
    return held
  }

  #count(): void {
    if (this.callsLeft-- <= 0) throw new Error('The engine is gone')
  }
}

export function sourcesOf(
  sources: 'all' | readonly SourceType[],
  code: (source: SourceType) => number,
): OutsideFilter['sources'] {
  return sources === 'all' ? 'all' : new Set(sources.map(code))
}

function cosine(a: Float32Array, b: readonly number[]): number {
  const dot = (x: ArrayLike<number>, y: ArrayLike<number>) =>
    Array.from(x).reduce((sum, n, i) => sum + n * (y[i] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}
