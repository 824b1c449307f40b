import { expect, test } from 'vitest'
import { createReadiness } from '../../../src/service/health.ts'
import { until } from '../../lib/until.ts'

test('many who ask at once are answered by one look', async () => {
  let looks = 0
  const { promise: found, resolve: find } = Promise.withResolvers<undefined>()
  const store = () => {
    looks += 1
    return found
  }
  const readiness = createReadiness({ store }, { keepMs: 60_000, limitMs: 60_000 })
  const asked = Array.from({ length: 200 }, () => readiness.check())
  find(undefined)
  await Promise.all(asked)
  await readiness.check()
  expect(looks).toBe(1)
})

test('an answer is good for a moment only', async () => {
  let problem: string | undefined = 'it is away'
  const readiness = createReadiness({ store: () => problem }, { keepMs: 0 })
  expect(await readiness.check()).toEqual(new Map([['store', 'it is away']]))
  problem = undefined
  await until(async () => (await readiness.check()).get('store') === undefined)
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
  expect([...(await readiness.check()).values()]).toEqual(["store can't be checked; see the log"])
})
