import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../src/domain/errors.ts'
import { type Attempts, createAttempts } from '../../src/http/app/sign-in/attempts.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { emptySqlite } from '../lib/empty-sqlite.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { storesTogether } from '../lib/stores-together.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { movableClock } from './store-contract.ts'

const clock = movableClock(Date.parse('2026-05-04T12:00:00Z'))
const { log } = recordingLog()
const databases = { sqlite: await storesTogether('sqlite'), postgres: await storesTogether('postgres') }

/** Two processes of one service. */
let processes: readonly [Attempts, Attempts]
let stores: readonly [Store, Store]
const startOn = (engine: keyof typeof databases) => async () => {
  const open = await databases[engine]()
  const start = async () => {
    const store = await open({ log, clock })
    onTestFinished(() => store.close())
    return store
  }
  stores = [await start(), await start()]
  processes = [createAttempts(stores[0].people.failedSignIns), createAttempts(stores[1].people.failedSignIns)]
}

/** `refused`: not looked at, or nobody was told. */
async function guess(
  attempts: Attempts,
  login: string,
  address: string,
  isRight: boolean | (() => Promise<boolean>) = false,
) {
  try {
    return await attempts.judge(login, address, async () => (typeof isRight === 'boolean' ? isRight : isRight()))
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return 'refused'
    throw error
  }
}

/** How many of so many wrong passwords were looked at, of processes in turn. */
async function guesses(times: number, login: (at: number) => string, address: (at: number) => string) {
  let told = 0
  for (let at = 0; at < times; at += 1) {
    const attempts = processes[at % 2 === 0 ? 0 : 1]
    if ((await guess(attempts, login(at), address(at))) !== 'refused') told += 1
  }
  return told
}

const always = (value: string) => () => value

describe.each(['sqlite', 'postgres'] as const)('wrong passwords, on %s', (engine) => {
  beforeEach(startOn(engine))

  test('are counted over all processes, and nobody is locked out by whoever guesses from elsewhere', async () => {
    expect(await guesses(30, always('ada'), always('203.0.113.9'))).toBe(5)
    for (const attempts of processes) expect(await guess(attempts, 'ada', '203.0.113.9', true)).toBe('refused')
    expect(await guess(processes[1], 'ada', '198.51.100.1', true)).toBe(true)
  })

  test('bring waits that double, which all processes keep to the end', async () => {
    await guesses(5, always('ada'), always('203.0.113.9'))
    for (const waitMs of [1_000, 2_000, 4_000]) {
      clock.advance(waitMs - 1)
      for (const attempts of processes) expect(await guess(attempts, 'ada', '203.0.113.9')).toBe('refused')
      clock.advance(1)
      expect(await guesses(2, always('ada'), always('203.0.113.9'))).toBe(1)
    }
    clock.advance(8_000)
    expect(await guess(processes[1], 'ada', '203.0.113.9', true)).toBe(true)
    expect(await guesses(10, always('ada'), always('203.0.113.9'))).toBe(5)
  })

  test('from everywhere bring waits too, but not for who has signed in from where they are', async () => {
    expect(await guess(processes[0], 'ada', '198.51.100.1', true)).toBe(true)
    expect(await guesses(70, always('ada'), (at) => `203.0.113.${at}`)).toBe(50)
    expect(await guess(processes[1], 'Ada', '198.51.100.2', true)).toBe('refused')
    expect(await guess(processes[0], 'Ada', '198.51.100.1', true)).toBe(true)
    clock.advance(30_001)
    expect(await guess(processes[1], 'ada', '198.51.100.2', true)).toBe(true)
  })

  test('of all addresses of one IPv6 network are counted together', async () => {
    expect(await guesses(20, always('ada'), (at) => `2001:db8:1:2::${at.toString(16)}`)).toBe(5)
    const elsewhere = (at: number) => `2001:db8:1:2:ffff::${at.toString(16)}`
    expect(await guesses(30, (at) => `login-${at}`, elsewhere)).toBe(15)
  })

  test('are forgiven by a right one of their login, of its network only in that one', async () => {
    await guesses(16, (at) => `login-${at}`, always('203.0.113.9'))
    await guesses(3, always('ada'), always('203.0.113.9'))
    expect(await guess(processes[1], 'ada', '203.0.113.9', true)).toBe(true)
    expect(await guesses(2, always('ada'), always('203.0.113.9'))).toBe(1)
    expect(await guess(processes[0], 'bob', '203.0.113.9', true)).toBe('refused')
  })

  test('at once in one process are no way around', async () => {
    const many = Array.from({ length: 40 }, () => guess(processes[0], 'ada', '203.0.113.9'))
    const told = (await Promise.all(many)).filter((one) => one === false).length
    // Fewer where one ends before the next is counted: it counts both as looked at and as wrong.
    expect(told).toBeGreaterThan(0)
    expect(told).toBeLessThanOrEqual(5)
  })

  test('in many processes tell of one try at the end of a wait, also when the other one is right', async () => {
    await guesses(5, always('ada'), always('203.0.113.9'))
    clock.advance(1_000)
    const [begun, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()]
    const right = guess(processes[1], 'ada', '203.0.113.9', () => {
      begun.resolve()
      return looked.promise
    })
    await begun.promise
    expect(await guess(processes[0], 'ada', '203.0.113.9')).toBe(false)
    looked.resolve(true)
    expect(await right).toBe('refused')
  })
})

describe.each(['sqlite', 'postgres'] as const)('what is kept of wrong passwords, on %s', (engine) => {
  beforeEach(startOn(engine))

  const one = (at: number) => ({ kind: 'network', hash: Uint8Array.of(at >> 8, at & 255), free: 3, longestMs: 5_000 })

  test('is nothing of what was refused, and nothing when all were right', async () => {
    const failed = stores[1].people.failedSignIns
    expect(await failed.forgive([one(1)], one(1).hash)).toBe(0)
    for (let times = 0; times < 3; times += 1) expect(await failed.count([one(1)])).toBe(0)
    expect(await failed.count([one(1), one(2)])).toBe(1_000)
    expect(await failed.forgive([one(1)], one(1).hash)).toBe(1_000)
    expect(await stores[0].people.failedSignIns.stats([one(1), one(2)])).toEqual([
      { failures: 3, waitMs: 1_000 },
      { failures: 0, waitMs: 0 },
    ])
  })

  test('is forgotten after an hour', async () => {
    const failed = stores[0].people.failedSignIns
    await failed.count([one(1)])
    clock.advance(3_600_001)
    expect(await failed.stats([one(1)])).toEqual([{ failures: 0, waitMs: 0 }])
    await failed.count([one(1)])
    expect(await failed.stats([one(1)])).toEqual([{ failures: 1, waitMs: 0 }])
  })

  test.runIf(engine === 'sqlite')(
    'is of 10 000 networks at most, and that of the oldest is forgotten first',
    async () => {
      const file = emptySqlite(join(temporaryFolder(), 'recalld.db'))
      const store = await openSqliteStore({ file, log, clock })
      onTestFinished(() => store.close())
      const raw = new DatabaseSync(file)
      onTestFinished(() => raw.close())
      const at = clock().getTime()
      raw.exec(`with recursive n(n) as (values (0) union all select n + 1 from n where n < 9999)
      insert into failed_sign_in select cast(n as blob), 'network', 1, 0, ${at} - n from n`)
      await store.people.failedSignIns.count([one(7)])
      const left = raw.prepare('select count(*) as count, min(last_at) as oldest from failed_sign_in').get()
      expect(left).toEqual({ count: 10_000, oldest: at - 9_998 })
    },
  )
})
