/** Rows deleted from the table keep their place until the next rebuild, under a source code that nothing allows. */
const GONE = 0

/**
 * The vectors of one account and space as sign bits, packed: 16 bytes a row at 128 dimensions, with chunk id, source and
 * time beside them. Finds the rows of smallest Hamming distance by counting; the caller scores them again.
 */
export class BitTable {
  readonly dimensions: number
  readonly #words: number
  #capacity = 1024
  #size = 0
  #gone = 0
  #bits: Uint32Array
  #ids: Float64Array
  #sources: Uint8Array
  #times: Float64Array

  constructor(dimensions: number) {
    this.dimensions = dimensions
    this.#words = Math.ceil(dimensions / 32)
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
   * Ids of about `count` rows nearest by Hamming distance, at least `count` when there are so many.
   *
   * @param allowed by source code; index 0 must be 0
   */
  nearest(query: Float32Array | Int8Array, count: number, allowed: Uint8Array, since: number, until: number): number[] {
    const timed = since !== Number.NEGATIVE_INFINITY || until !== Number.POSITIVE_INFINITY
    const distances = this.#distances(query)
    const histogram = new Uint32Array(this.dimensions + 2)
    for (let row = 0; row < this.#size; row++) {
      const at = this.#times[row]!
      if (allowed[this.#sources[row]!] === 0 || (timed && !(at >= since && at < until))) distances[row] = 0xffff
      else histogram[distances[row]!]!++
    }
    let reach = 0
    for (let total = histogram[0]!; total < count && reach < this.dimensions; ) total += histogram[++reach]!
    const ids: number[] = []
    for (let row = 0; row < this.#size; row++) if (distances[row]! <= reach) ids.push(this.#ids[row]!)
    return ids
  }

  #distances(query: Float32Array | Int8Array): Uint16Array {
    const words = this.#words
    const signs = new Uint32Array(words)
    packSigns(query, signs, 0)
    const distances = new Uint16Array(this.#size)
    const bits = this.#bits
    for (let row = 0, word = 0; row < distances.length; row++) {
      let distance = 0
      for (let w = 0; w < words; w++) distance += countBits(bits[word++]! ^ signs[w]!)
      distances[row] = distance
    }
    return distances
  }

  #grow(): void {
    // A quarter at a time above a million rows, so that growing never doubles the memory of a large account.
    this.#capacity = Math.ceil(this.#capacity * (this.#capacity < 1_000_000 ? 2 : 1.25))
    this.#bits = copyInto(new Uint32Array(this.#capacity * this.#words), this.#bits)
    this.#ids = copyInto(new Float64Array(this.#capacity), this.#ids)
    this.#sources = copyInto(new Uint8Array(this.#capacity), this.#sources)
    this.#times = copyInto(new Float64Array(this.#capacity), this.#times)
  }
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

/** Bits set in 32. Source: Warren, "Hacker's Delight", figure 5-2. */
function countBits(value: number): number {
  let n = value - ((value >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
