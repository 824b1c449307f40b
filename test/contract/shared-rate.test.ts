import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { RateCounts, type RequestCounts } from '../../src/http/rest/rate-limit.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { storesTogether } from '../lib/stores-together.ts'
import { until } from '../lib/until.ts'
import { movableClock } from './store-contract.ts'

const MINUTE = 60_000
const LIMIT = 100
/** What a process may have let through and not told of. */
const PORTION = LIMIT / 20

const databases = { sqlite: await storesTogether('sqlite'), postgres: await storesTogether('postgres') }

/** Processes that answer requests, on one clock. */
function processesOn(counts: readonly RequestCounts[]) {
  const clock = movableClock(Date.parse('2026-05-04T12:00:00Z'))
  const { log, lines } = recordingLog()
  const now = () => clock().getTime()
  const told: Promise<unknown>[] = []
  const processes = counts.map((one) => {
    const countRequests: RequestCounts['countRequests'] = (counted) => {
      const answer = one.countRequests(counted)
      told.push(answer.catch(() => undefined))
      return answer
    }
    return new RateCounts({ countRequests }, log, now)
  })
  /** Answered at once, whatever the database does. */
  const ask = (at: number, key = 'account a') => {
    let answer: { current: number; ttl: number } | undefined
    processes[at]?.incr(key, (_, result) => (answer = result), MINUTE, LIMIT)
    if (answer === undefined) throw new Error('not answered at once')
    return { isAllowed: answer.current <= LIMIT, ttl: answer.ttl }
  }
  return {
    clock,
    lines,
    told,
    ask,
    /** Requests of an account to all in turn; how many were let through. */
    async askAll(times: number) {
      let allowed = 0
      for (let at = 0; at < times; at += 1) {
        if (ask(at % processes.length).isAllowed) allowed += 1
        await Promise.all(told)
        await setImmediate()
      }
      return allowed
    },
  }
}

describe.each(['sqlite', 'postgres'] as const)('the rate of an account, by three processes on %s', (engine) => {
  async function three() {
    const open = await databases[engine]()
    const clock = movableClock(Date.parse('2026-05-04T12:00:00Z'))
    const { log } = recordingLog()
    const stores = await Promise.all([open({ log, clock }), open({ log, clock }), open({ log, clock })])
    for (const store of stores) onTestFinished(() => store.close())
    const group = processesOn(stores.map(({ admin }) => admin))
    const pass = (ms: number) => {
      clock.advance(ms)
      group.clock.advance(ms)
    }
    return { ...group, pass }
  }

  test('is one, but for a twentieth in each, and begins anew for all at once', async () => {
    const { askAll, ask, pass } = await three()
    const allowed = await askAll(5 * LIMIT)
    expect(allowed).toBeGreaterThanOrEqual(LIMIT)
    expect(allowed).toBeLessThanOrEqual(LIMIT + 3 * (PORTION - 1))
    pass(20_000)
    expect([0, 1, 2].map((at) => ask(at))).toEqual(Array.from({ length: 3 }, () => ({ isAllowed: false, ttl: 40_000 })))
    pass(40_000)
    expect(await askAll(5 * LIMIT)).toBeGreaterThanOrEqual(LIMIT)
  })

  test('costs no write below a twentieth of the limit, and one for each twentieth', async () => {
    const { ask, told } = await three()
    for (let times = 1; times < PORTION; times += 1) ask(0)
    expect(told).toHaveLength(0)
    ask(0)
    await Promise.all(told)
    for (let times = 0; times < 4 * PORTION; times += 1) {
      ask(0)
      await Promise.all(told)
    }
    expect(told).toHaveLength(5)
  })

  test('of one who begins late ends when it ends for the others', async () => {
    const { ask, told, pass } = await three()
    for (let times = 0; times < PORTION; times += 1) ask(0)
    await Promise.all(told)
    pass(45_000)
    for (let times = 0; times < PORTION; times += 1) ask(1)
    await Promise.all(told)
    expect(ask(1).ttl).toBe(15_000)
  })
})

test('while the database does not answer, each process counts for itself and nobody waits', async () => {
  const never: RequestCounts = { countRequests: () => new Promise(() => undefined) }
  const { ask } = processesOn([never])
  const answers = Array.from({ length: 2 * LIMIT }, () => ask(0).isAllowed)
  expect(answers.filter(Boolean)).toHaveLength(LIMIT)
})

test('a database that is away is told later, with what was counted meanwhile', async () => {
  let isAway = true
  const told: number[] = []
  const counts: RequestCounts = {
    async countRequests({ count, remainingMs }) {
      if (isAway) throw new Error('away')
      told.push(count)
      return { count, remainingMs }
    },
  }
  const { ask, clock, lines } = processesOn([counts])
  for (let times = 0; times < 3 * PORTION; times += 1) ask(0)
  await until(async () => lines.length === 1)
  isAway = false
  ask(0)
  expect(told).toEqual([])
  clock.advance(1_000)
  ask(0)
  expect(told).toEqual([3 * PORTION + 2])
})

test('addresses without a key are counted by each process alone', async () => {
  const { ask, told } = processesOn([{ countRequests: () => Promise.reject(new Error('told')) }])
  const answers = Array.from({ length: 2 * LIMIT }, () => ask(0, 'address 203.0.113.9').isAllowed)
  expect(answers.filter(Boolean)).toHaveLength(LIMIT)
  expect(told).toHaveLength(0)
})
