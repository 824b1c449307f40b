import { describe, expect, test } from 'vitest'
import { createUploadSlots } from '../../src/api/upload-slots.ts'
import { createAccountLock } from '../../src/service/account-lock.ts'
import { createAskGate } from '../../src/service/ask-gate.ts'

const gate = () => Promise.withResolvers<void>()

describe('questions at a time', () => {
  test('one too many is refused, and the next is let in when one has ended', async () => {
    const asks = createAskGate(2)
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
    const asks = createAskGate(1)
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
  const LARGE = 1_000_000

  test('a large body waits for its turn, a small one does not', async () => {
    const slots = createUploadSlots(1, 10_000)
    const giveBack = await slots.take(LARGE)
    let arrived = false
    const waiting = slots.take(LARGE).then((release) => {
      arrived = true
      return release
    })
    await slots.take(100)
    expect(arrived).toBe(false)
    giveBack()
    ;(await waiting)()
  })

  test('a slot that is given back twice is one slot', async () => {
    const slots = createUploadSlots(1, 1)
    const giveBack = await slots.take(LARGE)
    giveBack()
    giveBack()
    await slots.take(undefined)
    await expect(slots.take(undefined)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 })
  })
})
