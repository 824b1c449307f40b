import { describe, expect, test } from 'vitest'
import { connection, dueAt, HOUR, NOON, QUARTER, quarters, schedulerFixtures } from '../../lib/scheduler-fixture.ts'
import { until } from '../../lib/until.ts'

const openFixture = schedulerFixtures()

describe('connections that are changed while the scheduler runs', () => {
  const named = (name: string) => ({ connector: 'made_up', name })

  test('are taken up: new ones run soon, and those that are left out never more', async () => {
    const { time, ledger, runs, open } = await openFixture(['a'])
    const scheduler = open()
    await scheduler.start()
    await time.pass(0)
    await dueAt(ledger, '2026-05-04T12:15:00.000Z')
    await scheduler.replace(['p1/b'].map(connection))
    await time.pass(0)
    await until(async () => runs.length === 2)
    await time.pass(HOUR)
    expect(runs.filter(({ name }) => name === 'a')).toHaveLength(1)
    expect(runs[1]).toMatchObject({ name: 'p1/b', at: NOON, byHand: false })
  })

  test('that are left out are aborted, and waited for', async () => {
    const { time, runs, open } = await openFixture(['a'], { endAtOnce: false })
    const scheduler = open()
    await scheduler.start()
    await time.pass(0)
    await until(async () => runs.length === 1)
    await scheduler.replace([])
    expect(runs[0]?.signal.aborted).toBe(true)
    expect(scheduler.runState(named('a'))).toBe('idle')
  })

  test('run to their end when they stay, and have their new schedule then', async () => {
    const { time, ledger, runs, open } = await openFixture(['a'], { endAtOnce: false })
    const hourly = { next: () => new Date('2026-05-04T13:00:00Z'), intervalMs: () => HOUR }
    const scheduler = open({ times: (expression) => (expression === 'hourly' ? hourly : quarters(time)()) })
    await scheduler.start()
    await time.pass(0)
    await until(async () => runs.length === 1)
    const { connector } = connection('a')
    await scheduler.replace([{ connector, config: { name: 'a', schedule: 'hourly' } }])
    expect(runs[0]?.signal.aborted).toBe(false)
    runs[0]?.end()
    await dueAt(ledger, '2026-05-04T13:00:00.000Z')
  })
})

describe('a run by hand', () => {
  const named = (name: string) => ({ connector: 'made_up', name })

  test('begins at once, beside six others, and only once at a time', async () => {
    const names = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7']
    const { time, runs, open } = await openFixture(names, { endAtOnce: false })
    const scheduler = open()
    await scheduler.start()
    await time.pass(0)
    await until(async () => runs.length === 6)
    expect(scheduler.runNow(named('p7'), { full: true })).toBe('begun')
    expect(scheduler.runNow(named('p7'), { full: true })).toBe('running')
    await until(async () => runs.length === 7)
    expect(runs[6]).toMatchObject({ name: 'p7', byHand: true, full: true })
    expect(scheduler.runNow(named('nobody'), { full: false })).toBe('unknown')
  })

  test('waits for another connection of its account, and comes before those that are due', async () => {
    const { time, runs, open } = await openFixture(['a', 'b', 'c'], { endAtOnce: false })
    const scheduler = open()
    await scheduler.start()
    await time.pass(0)
    await until(async () => runs.length === 1)
    expect(scheduler.runNow(named('c'), { full: false })).toBe('waiting')
    expect(scheduler.runState(named('c'))).toBe('waiting')
    runs[0]?.end()
    await until(async () => runs.length === 2)
    expect(runs[1]).toMatchObject({ name: 'c', byHand: true })
  })

  test('that reads everything still does when somebody asks for less meanwhile', async () => {
    const { time, runs, open } = await openFixture(['a', 'b'], { endAtOnce: false })
    const scheduler = open()
    await scheduler.start()
    await time.pass(0)
    await until(async () => runs.length === 1)
    scheduler.runNow(named('b'), { full: true })
    scheduler.runNow(named('b'), { full: false })
    runs[0]?.end()
    await until(async () => runs.length === 2)
    expect(runs[1]).toMatchObject({ name: 'b', full: true })
  })

  test('follows the one that is under way, where that cannot know what was changed', async () => {
    const { time, runs, open } = await openFixture(['a'], { endAtOnce: false })
    const scheduler = open()
    await scheduler.start()
    await time.pass(0)
    await until(async () => runs.length === 1)
    expect(scheduler.runNow(named('a'), { full: false, again: true })).toBe('waiting')
    expect(scheduler.runState(named('a'))).toBe('running')
    runs[0]?.end()
    await until(async () => runs.length === 2)
    expect(runs[1]).toMatchObject({ name: 'a', byHand: true })
    scheduler.runNow(named('a'), { full: false, again: true })
    await scheduler.abort(named('a'))
    expect(scheduler.runState(named('a'))).toBe('idle')
  })

  test('stands for the first one of a new connection, so that none follows before its schedule', async () => {
    const { time, ledger, runs, open } = await openFixture(['a'], { endAtOnce: false })
    const scheduler = open({ random: () => 0.9 })
    await scheduler.start()
    scheduler.runNow(named('a'), { full: false })
    await until(async () => runs.length === 1)
    await scheduler.abort(named('a'))
    await dueAt(ledger, '2026-05-04T12:15:54.000Z')
    await time.pass(QUARTER)
    expect(runs).toHaveLength(1)
  })

  test('is aborted, and is due by its schedule then', async () => {
    const { time, ledger, runs, open } = await openFixture(['a'], { endAtOnce: false })
    const scheduler = open()
    await scheduler.start()
    await time.pass(0)
    await until(async () => runs.length === 1)
    expect(await scheduler.abort(named('a'))).toBe(true)
    expect(runs[0]?.signal.aborted).toBe(true)
    await dueAt(ledger, '2026-05-04T12:15:00.000Z')
    expect(await scheduler.abort(named('a'))).toBe(false)
  })
})
