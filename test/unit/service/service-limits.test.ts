import { describe, expect, test } from 'vitest'
import { createUploadSlots } from '../../../src/http/rest/read-form.ts'
import { createAskLimit } from '../../../src/service/load-limits.ts'
import { createAccountLock } from '../../../src/service/memorize.ts'

const gate = () => Promise.withResolvers<void>()

describe('questions at a time', () => {
  test('one too many is refused, and the next is let in when one has ended', async () => {
    const asks = createAskLimit(2)
    const open = gate()
    const running = [asks.run('a', () => open.promise), asks.run('a', () => open.promise)]
    await expect(asks.run('a', async () => 1)).rejects.toMatchObject({
      code: 'rate_limited',
      message: 'RATE_LIMIT_EXCEEDED',
    })
    expect(await asks.run('b', async () => 2)).toBe(2)
    open.resolve()
    await Promise.all(running)
    expect(await asks.run('a', async () => 3)).toBe(3)
  })

  test('a question that fails gives its place back', async () => {
    const asks = createAskLimit(1)
    await expect(asks.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await asks.run('a', async () => 1)).toBe(1)
  })
})

describe('work of one account', () => {
  test('runs one after another, also after a failure, beside that of others', async () => {
    const lock = createAccountLock()
    const order: string[] = []
    const open = gate()
    const first = lock.run('a', async () => {
      await open.promise
      order.push('first')
      throw new Error('failed')
    })
    const second = lock.run('a', async () => order.push('second'))
    await lock.run('b', async () => order.push('other'))
    open.resolve()
    await expect(first).rejects.toThrow('failed')
    await second
    expect(order).toEqual(['other', 'first', 'second'])
  })
})

describe('slots for uploads', () => {
  const large = (accountId: string) => ({ accountId, bytes: 1_000_000 })

  test('a large body waits for its turn, a small one does not', async () => {
    const slots = createUploadSlots(1, 10_000)
    const giveBack = await slots.take(large('a'))
    let arrived = false
    const waiting = slots.take(large('a')).then((release) => {
      arrived = true
      return release
    })
    await slots.take({ accountId: 'a', bytes: 100 })
    expect(arrived).toBe(false)
    giveBack()
    ;(await waiting)()
  })

  test('a slot that is given back twice is one slot', async () => {
    const slots = createUploadSlots(1, 1)
    const unknown = { accountId: 'a', bytes: undefined }
    const giveBack = await slots.take(large('a'))
    giveBack()
    giveBack()
    await slots.take(unknown)
    await expect(slots.take(unknown)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 })
  })

  test('an account that wants all leaves slots for others', async () => {
    const slots = createUploadSlots(16, 1)
    const taken = await Promise.allSettled(Array.from({ length: 20 }, () => slots.take(large('greedy'))))
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(8)
    for (const account of ['b', 'c', 'd']) await slots.take(large(account))
  })

  test('accounts that wait are served in turn, however many uploads each has waiting', async () => {
    const slots = createUploadSlots(1, 10_000)
    let giveBack = await slots.take(large('a'))
    const order: string[] = []
    const waiting = ['a', 'a', 'a', 'b', 'b', 'c'].map(async (account) => {
      const release = await slots.take(large(account))
      order.push(account)
      giveBack = release
    })
    for (const _ of waiting) {
      giveBack()
      await new Promise(setImmediate)
    }
    await Promise.all(waiting)
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a'])
  })

  test('a client that goes away while it waits takes no slot', async () => {
    const slots = createUploadSlots(1, 10_000)
    const giveBack = await slots.take(large('a'))
    const gone = new AbortController()
    const waiting = slots.take(large('b'), gone.signal)
    gone.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    giveBack()
    await slots.take(large('c'))
  })
})
