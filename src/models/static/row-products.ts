import { loadSimd } from '../../lib/simd.ts'
import type { TokenTable } from './token-table.ts'

/** Inner products of the bare rows of a table, without scales. */
export interface RowProducts {
  /** Products of the query's rows with row `id`, in the query's order; overwritten by the next call. */
  of(id: number): ArrayLike<number>
}

/** @param query rows of a question */
export type CreateRowProducts = (query: Uint16Array) => RowProducts

export interface MultipliedTable {
  /** The same table; its rows may have moved, so the original can be freed. */
  readonly table: TokenTable
  readonly createProducts: CreateRowProducts
}

/** Space for addresses and results, for more tokens than a question of 1,000 characters has. */
const MOST_QUERY = 2_048

/** Uses SIMD where available. */
export function multiplied(table: TokenTable): MultipliedTable {
  return simdMultiplied(table) ?? { table, createProducts: plainRowProducts(table) }
}

/** Four times as fast as the scalar version; `undefined` where SIMD is not available. Exported for its test. */
export function simdMultiplied(given: TokenTable): MultipliedTable | undefined {
  const { rows, size, dimensions } = given
  if (!(rows instanceof Int8Array) || dimensions % 16 !== 0) return undefined
  const tableAt = 2 * MOST_QUERY * Int32Array.BYTES_PER_ELEMENT
  const simd = loadSimd(tableAt + size * dimensions)
  if (simd === undefined) return undefined
  const moved = new Int8Array(simd.memory, tableAt, size * dimensions)
  moved.set(rows.subarray(0, moved.length))
  const table = { ...given, rows: moved }
  const plain = plainRowProducts(table)
  const queryAt = MOST_QUERY * Int32Array.BYTES_PER_ELEMENT
  const products = new Int32Array(simd.memory, 0, MOST_QUERY)
  const addresses = new Int32Array(simd.memory, queryAt, MOST_QUERY)
  const createProducts: CreateRowProducts = (query) => {
    if (query.length === 0 || query.length > MOST_QUERY) return plain(query)
    for (let q = 0; q < query.length; q++) addresses[q] = tableAt + query[q]! * dimensions
    const queryEnd = queryAt + query.length * Int32Array.BYTES_PER_ELEMENT
    return {
      of(id) {
        simd.innerProducts(tableAt + id * dimensions, dimensions, queryAt, queryEnd, 0)
        return products
      },
    }
  }
  return { table, createProducts }
}

/** The scalar version, for any table and machine. Exported for its test. */
export function plainRowProducts({ rows, dimensions }: TokenTable): CreateRowProducts {
  return (query) => {
    const products = new Float64Array(query.length)
    return {
      of(id) {
        for (let q = 0; q < query.length; q++) products[q] = product(rows, query[q]! * dimensions, id, dimensions)
        return products
      },
    }
  }
}

/** Four independent sums are twice as fast as one (measured on Node 24). */
function product(rows: TokenTable['rows'], start: number, id: number, dimensions: number): number {
  const other = id * dimensions - start
  let sum0 = 0
  let sum1 = 0
  let sum2 = 0
  let sum3 = 0
  const end = start + dimensions
  let i = start
  for (; i + 3 < end; i += 4) {
    sum0 += rows[i]! * rows[other + i]!
    sum1 += rows[i + 1]! * rows[other + i + 1]!
    sum2 += rows[i + 2]! * rows[other + i + 2]!
    sum3 += rows[i + 3]! * rows[other + i + 3]!
  }
  for (; i < end; i++) sum0 += rows[i]! * rows[other + i]!
  return sum0 + sum1 + sum2 + sum3
}
