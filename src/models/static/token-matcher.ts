import type { TokenMatcher } from '../model.ts'
import type { CreateRowProducts, RowProducts } from './row-products.ts'
import type { TokenTable } from './token-table.ts'

export interface TokenMatcherOptions {
  readonly table: TokenTable
  /** The tokenizer of the same table. */
  readonly createProducts: CreateRowProducts
  readonly encodeText: (text: string) => readonly number[]
  /** Similarities up to this value count as zero. */
  readonly threshold: number
  /** Tokens that carry no meaning: punctuation, function words. */
  readonly ignoredIds: ReadonlySet<number>
}

/**
 * Soft matching over a static table. The similarity of a query token and a passage token is computed once for a query,
 * however many passages hold the token.
 */
export function createTokenMatcher(options: TokenMatcherOptions): TokenMatcher {
  const { table, createProducts, encodeText, threshold, ignoredIds } = options
  // Slot of each vocabulary token among the similarities of the running query, valid when its stamp is the query's.
  const slots = new Int32Array(table.size)
  const stamps = new Uint32Array(table.size)
  let stamp = 0

  return {
    encode(text) {
      const ids = new Set(encodeText(text))
      return Uint16Array.from([...ids].filter((id) => !ignoredIds.has(id)))
    },
    match(query, weights, passages) {
      stamp = (stamp + 1) >>> 0
      const similarities = createSimilarities(table, query, createProducts(query), threshold)
      const scores = new Float32Array(passages.length)
      const best = new Float32Array(query.length)
      for (const [p, passage] of passages.entries()) {
        best.fill(0)
        for (let i = 0; i < passage.length; i++) {
          const id = passage[i]!
          if (stamps[id] !== stamp) {
            stamps[id] = stamp
            slots[id] = similarities.add(id)
          }
          similarities.raise(best, slots[id]!)
        }
        let score = 0
        for (let q = 0; q < best.length; q++) score += weights[q]! * best[q]!
        scores[p] = score
      }
      return scores
    },
  }
}

interface Similarities {
  /** Computes the similarities of a passage token to all query tokens; its slot, or -1 when it is similar to none. */
  add(id: number): number
  /** Raises each query token's best similarity to that of the slot. */
  raise(best: Float32Array, slot: number): void
}

function createSimilarities(
  { inverseLengths }: TokenTable,
  query: Uint16Array,
  products: RowProducts,
  threshold: number,
): Similarities {
  const width = query.length
  const queryLengths = Float64Array.from(query, (id) => inverseLengths[id]! / (1 - threshold))
  const floor = threshold / (1 - threshold)
  let values = new Float32Array(width * 1024)
  let used = 0
  return {
    add(id) {
      if ((used + 1) * width > values.length) values = grown(values)
      const product = products.of(id)
      const length = inverseLengths[id]!
      const start = used * width
      let isSimilar = false
      for (let q = 0; q < width; q++) {
        const above = product[q]! * length * queryLengths[q]! - floor
        values[start + q] = above > 0 ? above : 0
        if (above > 0) isSimilar = true
      }
      return isSimilar ? used++ : -1
    },
    raise(best, slot) {
      if (slot < 0) return
      const start = slot * width
      for (let q = 0; q < width; q++) if (values[start + q]! > best[q]!) best[q] = values[start + q]!
    },
  }
}

function grown(values: Float32Array): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(Math.max(values.length * 2, 1))
  larger.set(values)
  return larger
}
