import { describe, expect, test } from 'vitest'
import { mapInOrder } from '../../../src/connector/map-in-order.ts'

describe('mapping in order', () => {
  test('works side by side up to the limit, and gives the results in the order of the elements', async () => {
    const gates = new Map([1, 2, 3, 4, 5].map((element) => [element, Promise.withResolvers<void>()]))
    const begun: number[] = []
    const results = mapInOrder(gates.keys(), 3, async (element) => {
      begun.push(element)
      await gates.get(element)?.promise
      return element * 10
    })
    const first = results.next()
    gates.get(3)?.resolve()
    gates.get(2)?.resolve()
    await new Promise((resolve) => setImmediate(resolve))
    expect(begun).toEqual([1, 2, 3])
    gates.get(1)?.resolve()
    expect((await first).value).toBe(10)
    for (const { resolve } of gates.values()) resolve()
    const others: number[] = []
    for await (const result of results) others.push(result)
    expect(others).toEqual([20, 30, 40, 50])
  })

  test('gives what came before an error, then the error, when what is under way has ended', async () => {
    const ended: number[] = []
    const results = mapInOrder([1, 2, 3, 4, 5, 6], 3, async (element) => {
      if (element === 2) throw new Error('two')
      await new Promise((resolve) => setImmediate(resolve))
      ended.push(element)
      return element
    })
    expect((await results.next()).value).toBe(1)
    await expect(results.next()).rejects.toThrow('two')
    expect(ended).toEqual([1, 3, 4])
    expect((await results.next()).done).toBe(true)
  })

  test('gives what a listing yielded before it broke off', async () => {
    async function* listing() {
      yield 1
      yield 2
      throw new Error('it breaks off')
    }
    const given: number[] = []
    const all = async () => {
      for await (const result of mapInOrder(listing(), 8, async (element) => element)) given.push(result)
    }
    await expect(all()).rejects.toThrow('it breaks off')
    expect(given).toEqual([1, 2])
  })

  test('closes the listing when the caller stops early', async () => {
    let isClosed = false
    async function* listing() {
      try {
        for (let n = 0; ; n++) yield n
      } finally {
        isClosed = true
      }
    }
    for await (const result of mapInOrder(listing(), 2, async (element) => element)) if (result === 3) break
    expect(isClosed).toBe(true)
  })
})
