import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type CreateBestSimilarities,
  plainBestSimilarities,
  simdMatchedTable,
} from '../../../src/models/static/best-similarities.ts'
import type { TokenTable } from '../../../src/models/static/token-table.ts'

const SIZE = 12
const THRESHOLD = 0.2

function tableOf(rows: Int8Array | Float32Array, inverseLengths = new Float32Array(SIZE).fill(0.01)): TokenTable {
  const scales = new Float32Array(SIZE).fill(1)
  return { size: SIZE, dimensions: rows.length / SIZE, rows, scales, inverseLengths }
}

const id = fc.integer({ min: 0, max: SIZE - 1 })
const ids = fc.uniqueArray(id).map((some) => Uint16Array.from(some))
const inverseLengths = fc
  .array(fc.float({ min: 0, max: Math.fround(0.05), noNaN: true }), { minLength: SIZE, maxLength: SIZE })
  .map((some) => Float32Array.from(some))
const table = fc
  .tuple(fc.constantFrom(16, 48, 128), inverseLengths)
  .chain(([dimensions, lengths]) =>
    fc.int8Array({ minLength: SIZE * dimensions, maxLength: SIZE * dimensions }).map((rows) => tableOf(rows, lengths)),
  )

function bestOf(createBest: CreateBestSimilarities, query: Uint16Array, passages: readonly Uint16Array[]): number[][] {
  const best = createBest(query)
  return passages.map((passage) => Array.from(best.of(passage)).slice(0, query.length))
}

test('similarities with SIMD are those without, to the last digit', () => {
  fc.assert(
    fc.property(table, fc.array(fc.tuple(ids, fc.array(ids)), { maxLength: 4 }), (some, questions) => {
      const simd = simdMatchedTable(some, THRESHOLD)!.createBest
      const plain = plainBestSimilarities(some, THRESHOLD)
      for (const [query, passages] of questions) {
        expect(bestOf(simd, query, passages)).toEqual(bestOf(plain, query, passages))
      }
    }),
  )
})

test('the similarity of a token to itself is 1, and up to the threshold it is 0', () => {
  const rows = new Float32Array(SIZE * 2)
  rows.set([1, 0, 0.6, 0.8, 0.1, 0.99])
  const createBest = plainBestSimilarities(tableOf(rows, new Float32Array(SIZE).fill(1)), THRESHOLD)
  const [same, similar, other] = bestOf(
    createBest,
    Uint16Array.of(0),
    [[0], [1, 2], [2]].map((some) => Uint16Array.from(some)),
  )
  expect(same![0]).toBeCloseTo(1)
  expect(similar![0]).toBeCloseTo((0.6 - THRESHOLD) / (1 - THRESHOLD))
  expect(other![0]).toBe(0)
})

test.each([
  ['a question of more tokens than there is room for', 5_000],
  ['a question whose similarities have no room at once', 2_040],
])('%s is matched as well', (_, length) => {
  const size = 600
  const rows = Int8Array.from({ length: size * 16 }, (_, i) => (i * 31) % 127)
  const lengths = new Float32Array(size).fill(0.004)
  const some = { size, dimensions: 16, rows, scales: lengths, inverseLengths: lengths }
  const query = Uint16Array.from({ length }, (_, i) => i % size)
  const passages = Array.from({ length: 6 }, (_, p) => Uint16Array.from({ length: 100 }, (_, i) => p * 100 + i))
  const plain = plainBestSimilarities(some, THRESHOLD)
  expect(bestOf(simdMatchedTable(some, THRESHOLD)!.createBest, query, passages)).toEqual(bestOf(plain, query, passages))
})

test('a passage whose similarities have no room at once is matched as well', () => {
  const size = 300
  const rows = Int8Array.from({ length: size * 16 }, (_, i) => (i * 29) % 127)
  const lengths = new Float32Array(size).fill(0.004)
  const some = { size, dimensions: 16, rows, scales: lengths, inverseLengths: lengths }
  const query = new Uint16Array(2_000).fill(3)
  const passage = Uint16Array.from({ length: size }, (_, i) => i)
  const plain = plainBestSimilarities(some, THRESHOLD)
  expect(bestOf(simdMatchedTable(some, THRESHOLD)!.createBest, query, [passage])).toEqual(
    bestOf(plain, query, [passage]),
  )
})

test('tables that SIMD cannot read are left to the plain way', () => {
  expect(simdMatchedTable(tableOf(new Float32Array(SIZE * 16)), THRESHOLD)).toBeUndefined()
  expect(simdMatchedTable(tableOf(new Int8Array(SIZE * 12)), THRESHOLD)).toBeUndefined()
})
