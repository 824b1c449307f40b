import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packFeatures, unpackFeatures } from '../../../src/store/search/chunk-columns.ts'
import { editDistance } from '../../../src/store/search/vocabulary.ts'
import { BitTable, createHamming, plainHamming } from '../../../src/store/sqlite/bit-table.ts'
import {
  addPostings,
  addUnknown,
  bestScored,
  EMPTY_SCORES,
  raiseKnown,
} from '../../../src/store/sqlite/lexical-candidates.ts'

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 30 }).map((list) => list.sort((a, b) => a - b))
const postings = fc.array(fc.tuple(ids, fc.integer({ min: 1, max: 9 })), { maxLength: 5 })

test('adding postings of several terms gives each chunk the sum of its weights', () => {
  fc.assert(
    fc.property(postings, ids, ids, (lists, known, fresh) => {
      const expected = new Map<number, number>()
      let list = EMPTY_SCORES
      for (const [chunks, weight] of lists) {
        list = addPostings(list, Float64Array.from(chunks), weight)
        for (const id of chunks) expected.set(id, (expected.get(id) ?? 0) + weight)
      }
      raiseKnown(list, Float64Array.from(known), 3)
      for (const id of known) if (expected.has(id)) expected.set(id, expected.get(id)! + 3)
      list = addUnknown(list, Float64Array.from(fresh), 5)
      for (const id of fresh) if (!expected.has(id)) expected.set(id, 5)
      const order = [...expected].sort(([a, x], [b, y]) => y - x || b - a)
      const best = order.slice(0, 7).map(([chunkId, score]) => ({ chunkId, score }))
      expect(bestScored(list, 7)).toEqual(best)
    }),
  )
})

const vectors = (dimensions: number) =>
  fc.array(fc.array(fc.integer({ min: -3, max: 3 }), { minLength: dimensions, maxLength: dimensions }), {
    minLength: 1,
    maxLength: 40,
  })

test.each([4, 12, 64, 2_400])(
  'rows of %i words differ from a pattern in as many bits with SIMD as without',
  (width) => {
    const words = fc.uint32Array({ minLength: width, maxLength: 9 * width }).map((all) => {
      const count = Math.floor(all.length / width)
      return { count, pattern: all.slice(0, width), bits: all.slice(0, count * width) }
    })
    fc.assert(
      fc.property(words, ({ count, pattern, bits }) => {
        const [simd, plain] = [new Uint16Array(count + 1), new Uint16Array(count + 1)]
        createHamming()(bits, pattern, count, simd)
        plainHamming(bits, pattern, count, plain)
        expect(simd).toEqual(plain)
      }),
      { numRuns: 20 },
    )
  },
)

test('bits are counted in every block of rows', () => {
  const bits = Uint32Array.from({ length: 4 * 10_000 }, (_, word) => 2 ** (word % 30) - 1)
  const distances = new Uint16Array(10_000)
  createHamming()(bits, new Uint32Array(4), 10_000, distances)
  const expected = Array.from(distances, (_, row) => [0, 1, 2, 3].reduce((sum, w) => sum + ((row * 4 + w) % 30), 0))
  expect([...distances]).toEqual(expected)
})

const UNFILTERED = { allowed: undefined, since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }

test('the bit table finds only what lies within the ranges', () => {
  const table = new BitTable(4, createHamming())
  for (let id = 1; id <= 50; id++) table.add(id, 1, id, Int8Array.of(1, 1, 1, id % 2 === 0 ? 1 : -1))
  const within = [
    { first: 3, last: 5 },
    { first: 9, last: 9 },
    { first: 48, last: 60 },
  ]
  const found = table.nearest(Int8Array.of(1, 1, 1, 1), 10, { ...UNFILTERED, within })
  expect(found).toEqual([50, 48, 4, 49, 9, 5, 3])
  expect(table.nearest(Int8Array.of(1, 1, 1, 1), 10, { ...UNFILTERED, within: [] })).toEqual([])
})

test.each([4, 70, 128])('the bit table finds the nearest of %i dimensions by sign inside its filters', (dimensions) => {
  const distance = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, i) => sum + (value > 0 === b[i]! > 0 ? 0 : 1), 0)
  const fitOf = (signs: readonly number[], values: readonly number[]) =>
    values.reduce((sum, value, i) => sum + (signs[i]! > 0 ? value : -value), 0)
  fc.assert(
    fc.property(vectors(dimensions), fc.boolean(), fc.integer({ min: 1, max: 5 }), (list, filtered, count) => {
      const table = new BitTable(dimensions, createHamming())
      for (const [row, vector] of list.entries()) {
        table.add(row + 1, 1 + (row % 2), row % 3 === 0 ? Number.NaN : row, Int8Array.from(vector))
      }
      table.remove(new Set([2]))
      const [query] = list
      const visible = [...list.entries()].filter(
        ([row]) => row !== 1 && (!filtered || (row % 2 === 0 && row % 3 !== 0 && row >= 4)),
      )
      const distances = visible.map(([, vector]) => distance(vector, query!)).sort((a, b) => a - b)
      const reach = distances[Math.min(count * 8, distances.length) - 1] ?? -1
      const expected = visible
        .filter(([, vector]) => distance(vector, query!) <= reach)
        .map(([row, vector]) => ({ id: row + 1, fit: fitOf(vector, query!) }))
        .sort((a, b) => b.fit - a.fit || b.id - a.id)
        .slice(0, count)
        .map(({ id }) => id)
      const allowed = Uint8Array.of(0, 1, 0)
      const found = filtered
        ? table.nearest(Int8Array.from(query!), count, { allowed, since: 4, until: Number.POSITIVE_INFINITY })
        : table.nearest(Int8Array.from(query!), count, UNFILTERED)
      expect(found).toEqual(expected)
    }),
  )
})

test('the bit table keeps its rows when it grows', () => {
  const table = new BitTable(32, createHamming())
  for (let row = 1; row <= 3_000; row++) table.add(row, 1, 0, new Int8Array(32).fill(row === 2_999 ? 1 : -1))
  expect(table.nearest(new Int8Array(32).fill(1), 1, UNFILTERED)).toEqual([2_999])
})

test('features come back as they were packed, wherever the blob lies', () => {
  const numbers = (max: number) => fc.array(fc.integer({ min: 0, max }), { maxLength: 20 })
  const vector = fc.array(fc.integer({ min: -127, max: 127 }), { maxLength: 9 })
  fc.assert(
    fc.property(
      vector,
      numbers(0xffffffff),
      numbers(0xffffffff),
      numbers(0xffff),
      fc.nat(3),
      (v, body, meta, tokens, shift) => {
        const chunk = {
          vector: Float32Array.from(v, (value) => value / 127),
          bodyHashes: Uint32Array.from(body),
          metaHashes: Uint32Array.from(meta),
          tokens: Uint16Array.from(tokens),
        }
        const { vectorBytes, features } = packFeatures(chunk)
        const moved = new Uint8Array(features.length + shift).subarray(shift)
        moved.set(features)
        const row = { vector_bytes: vectorBytes, body_terms: body.length, meta_terms: meta.length, features: moved }
        const directed = v.some((value) => value !== 0)
        expect(unpackFeatures(row)).toEqual({ ...chunk, vector: Int8Array.from(directed ? v : []) })
      },
    ),
  )
})

test.each([
  ['smith', 'smith', 0],
  ['smith', 'smyth', 1],
  ['john', 'jhon', 1],
  ['catherine', 'katherin', 2],
  ['kitten', 'sitting', 3],
  ['ca', 'abc', 3],
])('the edit distance of %s and %s is %i', (a, b, distance) => {
  expect(editDistance(a, b, 5)).toBe(distance)
  expect(editDistance(b, a, 5)).toBe(distance)
  if (distance > 0) expect(editDistance(a, b, distance - 1)).toBe(distance)
})
