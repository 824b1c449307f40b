import { expect, test } from 'vitest'
import { oneAhead } from '../../../src/connector/one-ahead.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

async function* counted(requested: number[], most: number, ended: { is: boolean } = { is: false }) {
  try {
    for (let page = 1; page <= most; page++) {
      requested.push(page)
      yield page
    }
    throw new TypeError('no more pages')
  } finally {
    ended.is = true
  }
}

test('the next element is requested while the caller works on the one before, and no further one', async () => {
  const requested: number[] = []
  const pages = oneAhead(counted(requested, 9))
  expect(await pages.next()).toEqual({ done: false, value: 1 })
  await settled()
  expect(requested).toEqual([1, 2])
  expect(await pages.next()).toEqual({ done: false, value: 2 })
  await settled()
  expect(requested).toEqual([1, 2, 3])
  await pages.return(undefined)
})

test('an error is thrown after the elements before it', async () => {
  const seen: number[] = []
  const all = async () => {
    for await (const page of oneAhead(counted([], 3))) {
      seen.push(page)
      await settled()
    }
  }
  await expect(all()).rejects.toThrow('no more pages')
  expect(seen).toEqual([1, 2, 3])
})

test('the source ends when the caller stops', async () => {
  const ended = { is: false }
  for await (const page of oneAhead(counted([], 9, ended))) if (page === 2) break
  expect(ended.is).toBe(true)
})
