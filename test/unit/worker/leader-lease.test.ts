import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { leaderLease } from '../../../src/worker/leader-lease.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'
import { until } from '../../lib/until.ts'

async function open(clock: () => Date) {
  const { log } = recordingLog()
  const store = await openSqliteStore({ file: join(temporaryFolder(), 'recalld.db'), log, clock })
  onTestFinished(() => store.close())
  return store
}

async function openTasks(clock: () => Date) {
  return (await open(clock)).dailyTasks
}

test('one of several processes has the turn, and another one when it gave it back', async () => {
  const tasks = await openTasks(() => new Date('2026-01-01T00:00:00Z'))
  const [one, two] = [1, 2].map(() => leaderLease(tasks, { name: 'refiner', leaseMs: 15 }))
  expect(await one?.isMine()).toBe(true)
  expect(await two?.isMine()).toBe(false)
  await two?.giveBack()
  await two?.keep()
  expect(await one?.isMine()).toBe(true)
  await one?.giveBack()
  await until(async () => (await two?.isMine()) === true)
})

test('the turn of one that died is over with its lease, which one that lives keeps', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const tasks = await openTasks(() => new Date(now))
  const leaseMs = 60_000
  const dead = leaderLease(tasks, { name: 'refiner', leaseMs })
  expect(await dead.isMine()).toBe(true)
  now += leaseMs / 2
  await dead.keep()
  now += leaseMs - 1
  expect(await leaderLease(tasks, { name: 'refiner', leaseMs }).isMine()).toBe(false)
  now += 1
  expect(await leaderLease(tasks, { name: 'refiner', leaseMs }).isMine()).toBe(true)
})

test('a lease that could not be renewed is not believed: it is asked for again', async () => {
  const store = await open(() => new Date('2026-01-01T00:00:00Z'))
  const leaseMs = 30
  const turn = leaderLease(store.dailyTasks, { name: 'refiner', leaseMs })
  expect(await turn.isMine()).toBe(true)
  await sleep(leaseMs)
  await store.close()
  await expect(turn.keep()).rejects.toThrow()
  await expect(turn.isMine()).rejects.toThrow()
})
