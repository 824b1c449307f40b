import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createReadiness } from '../../../src/service/readiness.ts'

test('many who ask at once are answered by one look', async () => {
  let looks = 0
  const store = async () => {
    looks += 1
    await delay(5)
    return undefined
  }
  const readiness = createReadiness({ store }, { keepMs: 60_000 })
  await Promise.all(Array.from({ length: 200 }, () => readiness.check()))
  await readiness.check()
  expect(looks).toBe(1)
})

test('an answer is good for a moment only', async () => {
  let problem: string | undefined = 'it is away'
  const readiness = createReadiness({ store: () => problem }, { keepMs: 0 })
  expect(await readiness.check()).toEqual(new Map([['store', 'it is away']]))
  problem = undefined
  await delay(2)
  expect(await readiness.check()).toEqual(new Map([['store', undefined]]))
})

test('a check that hangs has not passed, and holds up no other', async () => {
  const never = () => new Promise<undefined>(() => undefined)
  const readiness = createReadiness({ store: never, worker: () => undefined }, { limitMs: 20 })
  const found = await readiness.check()
  expect(found.get('store')).toBe('store did not answer within 0.02 seconds')
  expect(found.get('worker')).toBeUndefined()
})

test('a check that fails tells nobody outside why', async () => {
  const readiness = createReadiness({
    store: () => Promise.reject(new Error('connect postgres://recalld:secret@db failed')),
  })
  expect([...(await readiness.check()).values()]).toEqual(['store cannot be checked; the log says more'])
})
