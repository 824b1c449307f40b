import { expect, test } from 'vitest'
import { ReadCache } from '../../../src/store/read-cache.ts'

function database() {
  const now = { state: 1, value: 'old', reads: 0 }
  const read = async () => {
    now.reads++
    return now.value
  }
  const commit = (value: string) => {
    now.state++
    now.value = value
  }
  return { now, read, commit, kept: new ReadCache(() => now.state) }
}

test('what was read is kept until something is committed', async () => {
  const { now, read, commit, kept } = database()
  expect([await kept.of('a', read), await kept.of('a', read)]).toEqual(['old', 'old'])
  expect(now.reads).toBe(1)
  commit('new')
  expect(await kept.of('a', read)).toBe('new')
})

test('what was read before a commit that another read has seen is not kept', async () => {
  const { read, commit, kept } = database()
  const slow = Promise.withResolvers<string>()
  const first = kept.of('a', () => slow.promise)
  commit('new')
  await kept.of('b', read)
  slow.resolve('old')
  await first
  expect(await kept.of('a', read)).toBe('new')
})

test('of several numbers, only those that are not known are read', async () => {
  const { commit, kept } = database()
  const asked: (readonly number[])[] = []
  const read = async (numbers: readonly number[]) => {
    asked.push(numbers)
    return new Map(numbers.filter((number) => number !== 2).map((number) => [number, `value ${number}`]))
  }
  await kept.each('a', [1, 2], read)
  expect([...(await kept.each('a', [1, 2, 3], read))]).toEqual([
    [1, 'value 1'],
    [3, 'value 3'],
  ])
  expect(asked).toEqual([[1, 2], [3]])
  commit('new')
  await kept.each('a', [1], read)
  expect(asked.at(-1)).toEqual([1])
})

test('what another call still waits with is not lost when too many numbers are kept', async () => {
  const { kept } = database()
  const many = Array.from({ length: 10_001 }, (_, number) => number)
  const read = async (numbers: readonly number[]) => new Map(numbers.map((number) => [number, 'value']))
  await kept.each('a', many, read)
  const slow = Promise.withResolvers<ReadonlyMap<number, string>>()
  const waiting = kept.each('a', [0, 10_001], () => slow.promise)
  await kept.each('a', [10_002], read)
  slow.resolve(new Map([[10_001, 'value']]))
  expect((await waiting).size).toBe(2)
  const asked: number[] = []
  await kept.each('a', [0], async (numbers) => {
    asked.push(...numbers)
    return read(numbers)
  })
  expect(asked).toEqual([0])
})

test('without a state nothing is kept', async () => {
  const { now, read } = database()
  const kept = new ReadCache(undefined)
  await kept.of('a', read)
  await kept.of('a', read)
  expect(now.reads).toBe(2)
})
