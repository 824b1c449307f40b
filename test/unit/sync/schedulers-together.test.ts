import { describe, expect, test } from 'vitest'
import { deleteAccount } from '../../contract/store-deletion-contract.ts'
import { sampleAccount } from '../../contract/store-samples.ts'
import {
  DAY,
  dueAt,
  MINUTE,
  NOON,
  QUARTER,
  quarters,
  rowOf,
  SECOND,
  schedulerFixtures,
} from '../../lib/scheduler-fixture.ts'
import { until } from '../../lib/until.ts'

const openFixture = schedulerFixtures()
/** Runs that are left are ended by nobody. */
const NOBODY = 'nobody of this kind'
const A = { connector: 'made_up', name: 'a' }

/** Two schedulers of processes that know nothing of each other. */
async function two(names: readonly string[], options?: { endAtOnce?: boolean }) {
  const here = await openFixture(names, options)
  const [one, other] = [0, 0.5].map((random) => {
    return here.open({ former: NOBODY, random: () => random })
  })
  if (one === undefined || other === undefined) throw new Error('two schedulers')
  await one.start()
  await other.start()
  /** Waits for the end of so many runs, and until it is known when the next one is due. */
  const ended = async (count: number) => {
    await until(async () => {
      const row = await rowOf(here.ledger)
      const isPlanned = (row?.nextRunAt?.getTime() ?? 0) > here.time.clock().getTime()
      return here.runs.length >= count && row?.running === undefined && isPlanned
    })
    expect(here.runs).toHaveLength(count)
  }
  /** Waits for so many runs. Time goes on meanwhile: a scheduler that was slow to read the ledger looks again. */
  const begun = (count: number) =>
    until(async () => {
      if (here.runs.length < count) await here.time.pass(30 * SECOND)
      return here.runs.length >= count
    })
  return { ...here, one, other, ended, begun }
}

describe('of two schedulers over one ledger', () => {
  test('one runs what is due, once for each time of the schedule', async () => {
    const { time, ended } = await two(['a'])
    await time.pass(MINUTE)
    await ended(1)
    for (let quarter = 1; quarter <= 4; quarter++) {
      await time.pass(QUARTER)
      await ended(quarter + 1)
    }
    await time.pass(2 * MINUTE)
    await ended(5)
  })

  test('the other one goes on when the first is stopped in the middle of a run, at once', async () => {
    const { time, runs, one, other } = await two(['a'], { endAtOnce: false })
    await time.pass(MINUTE)
    await until(async () => runs.length === 1)
    const running = [one, other].find((scheduler) => scheduler.runState(A) === 'running')
    await running?.stop()
    expect(runs[0]?.signal.aborted).toBe(true)
    await time.pass(30 * SECOND)
    await until(async () => runs.length === 2)
    expect(Date.parse(runs[1]?.at ?? '') - Date.parse(NOON)).toBeLessThanOrEqual(2 * MINUTE)
  })

  test('none runs what a process elsewhere runs, nor anew once that has ended', async () => {
    const { time, ledger, runs, ended, begun } = await two(['a'])
    await time.pass(MINUTE)
    await ended(1)
    const lease = { holder: 'sync 4711', leaseMs: 60 * MINUTE }
    await time.pass(13 * MINUTE)
    expect(await ledger.beginRun(A, lease)).toMatchObject({ outcome: 'begun' })
    await time.pass(5 * MINUTE)
    expect(runs).toHaveLength(1)
    await ledger.endRun(A, lease.holder, { outcome: 'ok', report: '{}' })
    await time.pass(MINUTE)
    expect(runs).toHaveLength(1)
    await time.pass(9 * MINUTE)
    await begun(2)
  })

  test('one takes over what was killed in the middle, when the lease of it is over', async () => {
    const { time, ledger, runs, ended, begun } = await two(['a'])
    await time.pass(MINUTE)
    await ended(1)
    const row = await rowOf(ledger)
    if (row?.nextRunAt === undefined) throw new Error('not planned')
    const killed = { holder: 'scheduler of a killed process', leaseMs: 20 * MINUTE }
    await ledger.beginRun(A, { ...killed, because: { dueAt: row.nextRunAt } })
    await time.pass(19 * MINUTE)
    expect(runs).toHaveLength(1)
    await time.pass(MINUTE)
    await begun(2)
  })

  test('one begins what was asked for in a third process, by hand and once', async () => {
    const { time, ledger, runs, ended } = await two(['a'])
    await time.pass(MINUTE)
    await ended(1)
    await ledger.updateConnection(A, { asked: 'full' })
    await ledger.updateConnection(A, { asked: 'changes' })
    await time.pass(MINUTE)
    await until(async () => runs.length === 2)
    expect(runs[1]).toMatchObject({ byHand: true, full: true })
    expect(await rowOf(ledger)).toMatchObject({ asked: undefined })
    await time.pass(5 * MINUTE)
    expect(runs).toHaveLength(2)
  })

  test('none begins a second run of an account that the other one reads already', async () => {
    const { time, runs } = await two(['a', 'b'], { endAtOnce: false })
    await time.pass(2 * MINUTE)
    await until(async () => runs.length === 1)
    await time.pass(5 * MINUTE)
    expect(runs).toHaveLength(1)
    runs[0]?.end()
    await time.pass(MINUTE)
    await until(async () => runs.length === 2)
    expect(new Set(runs.map(({ name }) => name))).toEqual(new Set(['a', 'b']))
  })
})

test('a scheduler that starts while another one runs a connection leaves its times alone', async () => {
  const { time, ledger, runs, open } = await openFixture(['a'], { endAtOnce: false })
  await open().start()
  await time.pass(0)
  await until(async () => runs.length === 1)
  const before = (await rowOf(ledger))?.nextRunAt
  await open({ former: NOBODY, random: () => 0.9 }).start()
  expect((await rowOf(ledger))?.nextRunAt).toEqual(before)
  runs[0]?.end()
  await dueAt(ledger, '2026-05-04T12:15:00.000Z')
  await time.pass(5 * MINUTE)
  expect(runs).toHaveLength(1)
})

describe('when a scheduler whose clock was ahead stays away', () => {
  test.each([
    ['two days', 2 * DAY],
    ['twenty minutes', 20 * MINUTE],
  ])('by %s, the others run the connection when their own schedule says so', async (_, ahead) => {
    const { time, ledger, runs, open } = await openFixture(['a'])
    const clock = () => new Date(time.clock().getTime() + ahead)
    const times = quarters({ ...time, clock })
    const wrong = open({ former: NOBODY, clock, times })
    await wrong.start()
    await time.pass(SECOND)
    await until(async () => runs.length === 1 && (await rowOf(ledger))?.running === undefined)
    const left = Date.parse(NOON) + QUARTER * Math.floor(ahead / QUARTER + 1)
    await dueAt(ledger, new Date(left).toISOString())
    await wrong.stop()
    const right = open({ former: NOBODY })
    await right.start()
    await time.pass(2 * MINUTE)
    // It saw that plan only after it had begun, as one does that runs already.
    await ledger.updateConnection(A, { nextRunAt: new Date(left) })
    await time.pass(MINUTE)
    await dueAt(ledger, new Date(Date.parse(NOON) + QUARTER).toISOString())
    await time.pass(QUARTER)
    await until(async () => runs.length === 2)
  })

  test('by seconds, nothing is run a second time', async () => {
    const { time, ledger, runs, open } = await openFixture(['a'])
    const behind = open({ former: NOBODY })
    await behind.start()
    const clock = () => new Date(time.clock().getTime() + 20 * SECOND)
    const ahead = open({ former: NOBODY, clock, times: quarters({ ...time, clock }) })
    await ahead.start()
    await time.pass(MINUTE)
    await until(async () => runs.length === 1)
    await dueAt(ledger, new Date(Date.parse(NOON) + QUARTER).toISOString())
    await time.pass(QUARTER - MINUTE - 15 * SECOND)
    await until(async () => runs.length === 2)
    await dueAt(ledger, new Date(Date.parse(NOON) + 2 * QUARTER).toISOString())
    await time.pass(5 * MINUTE)
    expect(runs).toHaveLength(2)
    expect((await rowOf(ledger))?.nextRunAt).toEqual(new Date(Date.parse(NOON) + 2 * QUARTER))
  })
})

test('a connection whose account was deleted is left alone, without a complaint', async () => {
  const { time, store, accountId, runs, lines, open } = await openFixture(['a'])
  await store.admin.createAccount(sampleAccount(accountId))
  await open({ former: NOBODY }).start()
  await time.pass(MINUTE)
  await until(async () => runs.length === 1)
  await deleteAccount(store, accountId)
  await time.pass(QUARTER)
  await until(async () => lines.some(({ message }) => message.includes('its account was deleted')))
  const told = lines.length
  await time.pass(QUARTER)
  expect(runs).toHaveLength(1)
  expect(lines.slice(told)).toEqual([])
  expect(lines.filter(({ level }) => level === 'error')).toEqual([])
})
