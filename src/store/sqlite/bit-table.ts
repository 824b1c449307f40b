import { isWithin } from '../../lib/id-ranges.ts'
import { loadSimd, type Simd } from '../../lib/simd.ts'
import type { ChunkRange } from '../search/search.ts'

/** Source code of deleted rows, which no filter allows; they remain in the table until the next rebuild. */
const GONE = 0

/** Distance of a row that is excluded; no model has so many dimensions. */
const EXCLUDED = 0x3fff

// The best 400 by Hamming distance contain 76 % of the true nearest 50; the best 75 of them by fit still 66 % (decision
// 0003).
const OVERSAMPLING = 8

const ALL_BUT_GONE = new Uint8Array(256).fill(1, GONE + 1)

export interface RowFilter {
  /** By source code, with 0 at index 0; `undefined`: every source. */
  readonly allowed: Uint8Array | undefined
  readonly since: number
  readonly until: number
  /** Ascending; `undefined`: everywhere. */
  readonly within?: readonly ChunkRange[] | undefined
}

/**
 * The vectors of one account and space as sign bits, packed: 16 bytes per row at 128 dimensions, with chunk id, source
 * and time. Finds the rows with the smallest Hamming distance; the caller scores them again.
 */
export class BitTable {
  readonly dimensions: number
  readonly #measureHamming: MeasureHamming
  readonly #words: number
  #capacity = 1024
  #size = 0
  #gone = 0
  #bits: Uint32Array
  #ids: Float64Array
  #sources: Uint8Array
  #times: Float64Array
  #distances = new Uint16Array(0)

  constructor(dimensions: number, measureHamming: MeasureHamming) {
    this.dimensions = dimensions
    this.#measureHamming = measureHamming
    this.#words = Math.ceil(dimensions / 32 / VECTOR_WORDS) * VECTOR_WORDS
    this.#bits = new Uint32Array(this.#capacity * this.#words)
    this.#ids = new Float64Array(this.#capacity)
    this.#sources = new Uint8Array(this.#capacity)
    this.#times = new Float64Array(this.#capacity)
  }

  get size(): number {
    return this.#size
  }

  /** Rows known to be deleted. */
  get gone(): number {
    return this.#gone
  }

  get bytes(): number {
    return this.#capacity * (this.#words * 4 + 8 + 1 + 8)
  }

  /** @param at milliseconds since the epoch; NaN when the chunk has no time */
  add(chunkId: number, source: number, at: number, vector: Int8Array): void {
    if (this.#size === this.#capacity) this.#grow()
    const row = this.#size++
    this.#ids[row] = chunkId
    this.#sources[row] = source
    this.#times[row] = at
    packSigns(vector, this.#bits, row * this.#words)
  }

  /** These chunks are no longer in the table. */
  remove(chunkIds: ReadonlySet<number>): void {
    for (let row = 0; row < this.#size; row++) {
      if (this.#sources[row] !== GONE && chunkIds.has(this.#ids[row]!)) {
        this.#sources[row] = GONE
        this.#gone++
      }
    }
  }

  /**
   * Ids of the `count` rows nearest by the signs of their vectors, nearest first: the nearest `8 x count` by Hamming
   * distance, sorted by how well their signs fit the query's values.
   */
  nearest(query: Float32Array | Int8Array, count: number, { allowed, since, until, within }: RowFilter): number[] {
    const distances = this.#measure(query)
    if (within !== undefined) this.#excludeOutside(distances, within)
    if (this.#gone > 0 || allowed !== undefined) this.#excludeSources(distances, allowed ?? ALL_BUT_GONE)
    if (since !== Number.NEGATIVE_INFINITY || until !== Number.POSITIVE_INFINITY) {
      this.#excludeTimes(distances, since, until)
    }
    const size = this.#size
    const histogram = new Uint32Array(EXCLUDED + 1)
    for (let row = 0; row < size; row++) histogram[distances[row]!]!++
    let reach = 0
    let total = histogram[0]!
    while (total < count * OVERSAMPLING && reach < this.dimensions) total += histogram[++reach]!
    const near = new Uint32Array(total)
    for (let row = 0, found = 0; found < total; row++) if (distances[row]! <= reach) near[found++] = row
    return this.#bestFitting(query, near, count)
  }

  /** Sums the query's values with the signs of each row, a byte of signs at a time from tables made for the query. */
  #bestFitting(query: Float32Array | Int8Array, near: Uint32Array, count: number): number[] {
    const sums = signedSums(query)
    const bytes = new Uint8Array(this.#bits.buffer)
    const width = this.#words * Uint32Array.BYTES_PER_ELEMENT
    const fits = new Float64Array(near.length)
    for (let n = 0; n < near.length; n++) {
      const start = near[n]! * width
      let fit = 0
      for (let i = 0; i < width; i++) fit += sums[i * 256 + bytes[start + i]!]!
      fits[n] = fit
    }
    // A typed array is sorted by value in native code, which finds the worst fit that is wanted.
    const least = near.length > count ? fits.toSorted()[near.length - count]! : Number.NEGATIVE_INFINITY
    const best: number[] = []
    for (let n = 0; n < near.length; n++) if (fits[n]! >= least) best.push(n)
    best.sort((a, b) => fits[b]! - fits[a]! || b - a)
    return best.slice(0, count).map((n) => this.#ids[near[n]!]!)
  }

  /** Hamming distance of every row, in a buffer that the next query reuses. */
  #measure(query: Float32Array | Int8Array): Uint16Array {
    if (this.#distances.length < this.#size) this.#distances = new Uint16Array(this.#capacity)
    const signs = new Uint32Array(this.#words)
    packSigns(query, signs, 0)
    this.#measureHamming(this.#bits, signs, this.#size, this.#distances)
    return this.#distances
  }

  #excludeSources(distances: Uint16Array, allowed: Uint8Array): void {
    const sources = this.#sources
    for (let row = 0; row < this.#size; row++) if (allowed[sources[row]!] === 0) distances[row] = EXCLUDED
  }

  /** A row without a time (NaN) is in no range. */
  #excludeTimes(distances: Uint16Array, since: number, until: number): void {
    const times = this.#times
    for (let row = 0; row < this.#size; row++) {
      if (!(times[row]! >= since && times[row]! < until)) distances[row] = EXCLUDED
    }
  }

  #excludeOutside(distances: Uint16Array, within: readonly ChunkRange[]): void {
    for (let row = 0; row < this.#size; row++) if (!isWithin(this.#ids[row]!, within)) distances[row] = EXCLUDED
  }

  #grow(): void {
    // By a quarter above a million rows, so that growing never doubles the memory of a large account.
    this.#capacity = Math.ceil(this.#capacity * (this.#capacity < 1_000_000 ? 2 : 1.25))
    this.#bits = copyInto(new Uint32Array(this.#capacity * this.#words), this.#bits)
    this.#ids = copyInto(new Float64Array(this.#capacity), this.#ids)
    this.#sources = copyInto(new Uint8Array(this.#capacity), this.#sources)
    this.#times = copyInto(new Float64Array(this.#capacity), this.#times)
  }
}

/**
 * For each byte of signs and each of its 256 values, the sum of the query's values there, negative where a bit is 0.
 */
function signedSums(query: Float32Array | Int8Array): Float32Array {
  const sums = new Float32Array(Math.ceil(query.length / 128) * 16 * 256)
  for (let i = 0; i < query.length; i++) {
    const start = (i >>> 3) * 256
    const bit = 1 << (i & 7)
    for (let byte = 0; byte < 256; byte++) sums[start + byte]! += (byte & bit) === 0 ? -query[i]! : query[i]!
  }
  return sums
}

function copyInto<T extends { set(from: T): void }>(target: T, from: T): T {
  target.set(from)
  return target
}

function packSigns(vector: Float32Array | Int8Array, into: Uint32Array, start: number): void {
  for (let i = 0; i < vector.length; i++) {
    if (vector[i]! > 0) into[start + (i >>> 5)]! |= 1 << (i & 31)
  }
}

/**
 * Counts differing bits between a pattern and each of `count` consecutive rows of `pattern.length` words in `bits`, and
 * writes them to `distances`.
 */
export type MeasureHamming = (bits: Uint32Array, pattern: Uint32Array, count: number, distances: Uint16Array) => void

/** Rows are padded with zeros to whole vectors of 128 bits. */
const VECTOR_WORDS = 4

/** Fits the processor cache. All tables share it, because each WebAssembly memory reserves gigabytes of address space. */
const BLOCK_BYTES = 64 * 1024

const PATTERN_BYTES = 8 * 1024

/** With SIMD where available, in a third of the time. */
export function createHamming(): MeasureHamming {
  const blockAt = PATTERN_BYTES
  const simd = loadSimd(blockAt + 2 * BLOCK_BYTES)
  return simd === undefined ? plainHamming : simdHamming(simd, blockAt)
}

function simdHamming({ memory, hammingDistances }: Simd, blockAt: number): MeasureHamming {
  const outAt = blockAt + BLOCK_BYTES
  const words = new Uint32Array(memory)
  const out = new Uint16Array(memory, outAt)
  return (bits, pattern, count, distances) => {
    const rowBytes = pattern.byteLength
    if (rowBytes > PATTERN_BYTES) return plainHamming(bits, pattern, count, distances)
    words.set(pattern)
    const rows = Math.floor(BLOCK_BYTES / rowBytes)
    for (let start = 0; start < count; start += rows) {
      const some = Math.min(rows, count - start)
      words.set(bits.subarray(start * pattern.length, (start + some) * pattern.length), blockAt / 4)
      hammingDistances(blockAt, blockAt + some * rowBytes, 0, rowBytes, outAt)
      distances.set(out.subarray(0, some), start)
    }
  }
}

/** Exported for its test. */
export const plainHamming: MeasureHamming = (bits, pattern, count, distances) => {
  for (let row = 0, word = 0; row < count; row++) {
    let distance = 0
    for (let w = 0; w < pattern.length; w++) distance += countBits(bits[word++]! ^ pattern[w]!)
    distances[row] = distance
  }
}

/** Bits set in 32. Source: Warren, "Hacker's Delight", figure 5-2. */
function countBits(value: number): number {
  let n = value - ((value >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
