import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainRowProducts, simdMultiplied } from '../../../src/models/static/row-products.ts'
import type { TokenTable } from '../../../src/models/static/token-table.ts'

const SIZE = 12

function tableOf(rows: Int8Array | Float32Array): TokenTable {
  const ones = new Float32Array(SIZE).fill(1)
  return { size: SIZE, dimensions: rows.length / SIZE, rows, scales: ones, inverseLengths: ones }
}

const id = fc.integer({ min: 0, max: SIZE - 1 })
const table = fc
  .constantFrom(16, 48, 128)
  .chain((dimensions) => fc.int8Array({ minLength: SIZE * dimensions, maxLength: SIZE * dimensions }))
  .map(tableOf)

test('products with SIMD are those without', () => {
  fc.assert(
    fc.property(table, fc.array(id, { maxLength: 40 }), fc.array(id), (some, query, ids) => {
      const ids16 = Uint16Array.from(query)
      const simd = simdMultiplied(some)!.createProducts(ids16)
      const plain = plainRowProducts(some)(ids16)
      for (const one of ids) {
        expect(Array.from(simd.of(one)).slice(0, query.length)).toEqual(Array.from(plain.of(one)))
      }
    }),
  )
})

test('the plain product is the sum of the products of values', () => {
  const values = Float32Array.from({ length: SIZE * 3 }, (_, i) => i)
  const products = plainRowProducts(tableOf(values))(Uint16Array.of(1, 0)).of(2)
  expect(Array.from(products)).toEqual([3 * 6 + 4 * 7 + 5 * 8, 1 * 7 + 2 * 8])
})

test('a question of more tokens than there is room for is matched as well', () => {
  const some = tableOf(new Int8Array(SIZE * 16).fill(2))
  const products = simdMultiplied(some)!.createProducts(new Uint16Array(5_000)).of(1)
  expect(products[4_999]).toBe(16 * 4)
})

test('tables that SIMD cannot read are left to the plain way', () => {
  expect(simdMultiplied(tableOf(new Float32Array(SIZE * 16)))).toBeUndefined()
  expect(simdMultiplied(tableOf(new Int8Array(SIZE * 12)))).toBeUndefined()
})
