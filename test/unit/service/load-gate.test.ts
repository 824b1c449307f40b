import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLoadGate, type LoadGate } from '../../../src/service/load-limits.ts'

/** Enough for whoever has a place to begin. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate()
}

/** A search that ends when it is told to. */
function searchIn(gate: LoadGate, signal?: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const state = { begun: false, end: resolve, done: Promise.resolve() }
  state.done = gate.run(async () => {
    state.begun = true
    await promise
  }, signal)
  state.done.catch(() => undefined)
  return state
}

const refusal = expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 2 })

test('so many searches go on at a time, and the next one begins when one has ended', async () => {
  const gate = createLoadGate(2)
  const [first, second, third] = [searchIn(gate), searchIn(gate), searchIn(gate)]
  await turns()
  expect([first.begun, second.begun, third.begun]).toEqual([true, true, false])
  second.end()
  await second.done
  await turns()
  expect(third.begun).toBe(true)
  first.end()
  third.end()
  await third.done
})

test('a search that fails gives its place to the next one', async () => {
  const gate = createLoadGate(1)
  const failing = gate.run(() => Promise.reject(new Error('no index')))
  const next = searchIn(gate)
  await expect(failing).rejects.toThrow('no index')
  next.end()
  await next.done
})

test('who waits is served in the order of coming', async () => {
  const gate = createLoadGate(1)
  const order: number[] = []
  await Promise.all([1, 2, 3].map((number) => gate.run(async () => void order.push(number))))
  expect(order).toEqual([1, 2, 3])
})

test('who finds no place in time is refused with a time to try again, and leaves no place taken', async () => {
  const gate = createLoadGate(1)
  const long = searchIn(gate)
  await expect(gate.run(async () => 'found')).rejects.toEqual(refusal)
  long.end()
  await long.done
  expect(await gate.run(async () => 'found')).toBe('found')
})

test('once somebody has waited in vain, who comes is refused sooner, and at the door, until there is room again', async () => {
  const gate = createLoadGate(1)
  const long = searchIn(gate)
  gate.admit()
  await expect(gate.run(async () => undefined)).rejects.toEqual(refusal)
  const calm = createLoadGate(1)
  const calmOne = searchIn(calm)
  const order: string[] = []
  const second = gate.run(async () => undefined).catch(() => order.push('in the overload'))
  const inBurst = calm.run(async () => undefined).catch(() => order.push('in a burst elsewhere'))
  expect(() => gate.admit()).toThrow('The server is overloaded')
  await Promise.all([second, inBurst])
  expect(order).toEqual(['in the overload', 'in a burst elsewhere'])
  calmOne.end()
  long.end()
  await long.done
  gate.admit()
  expect(await gate.run(async () => 'found')).toBe('found')
})

test('who gives up while waiting takes no place', async () => {
  const gate = createLoadGate(1)
  const long = searchIn(gate)
  const left = new AbortController()
  const waiting = searchIn(gate, left.signal)
  left.abort(new Error('the client has gone'))
  await expect(waiting.done).rejects.toThrow('the client has gone')
  long.end()
  await long.done
  expect(await gate.run(async () => 'found')).toBe('found')
  expect(waiting.begun).toBe(false)
})

test('what waits for a model holds no place, and comes back before those who wait', async () => {
  const gate = createLoadGate(1)
  const order: string[] = []
  const model = Promise.withResolvers<void>()
  const asking = gate.run(async (releaseWhile) => {
    await releaseWhile(() => model.promise)
    order.push('after the model')
  })
  const other = searchIn(gate)
  const third = gate.run(async () => void order.push('third'))
  await turns()
  expect(other.begun).toBe(true)
  model.resolve()
  await turns()
  expect(order).toEqual([])
  other.end()
  await Promise.all([asking, third])
  expect(order).toEqual(['after the model', 'third'])
})

test('a burst may be given longer', async () => {
  const gate = createLoadGate(1, 1)
  const patient = createLoadGate(1, 60_000)
  const [long, other] = [searchIn(gate), searchIn(patient)]
  await expect(gate.run(async () => 'found')).rejects.toEqual(refusal)
  const waiting = patient.run(async () => 'found')
  other.end()
  expect(await waiting).toBe('found')
  long.end()
  await Promise.all([long.done, other.done])
})
