import { describe, expect, test } from 'vitest'
import type { Ledger } from '../../../src/store/ledger/ledger.ts'
import type { Connection } from '../../../src/sync/connection.ts'
import { scheduleTimes } from '../../../src/sync/schedule.ts'
import { madeUpConnector } from '../../lib/made-up-connector.ts'
import {
  connection,
  dueAt,
  HOUR,
  MINUTE,
  NOON,
  QUARTER,
  rowOf,
  SECOND,
  schedulerFixtures,
} from '../../lib/scheduler-fixture.ts'
import { until } from '../../lib/until.ts'

const openFixture = schedulerFixtures()

describe('a connection', () => {
  test('that never ran runs soon after the start, and from then on as its schedule says', async () => {
    const { time, ledger, runs, open } = await openFixture(['a'])
    await open().start()
    await time.pass(0)
    await dueAt(ledger, '2026-05-04T12:15:00.000Z')
    await time.pass(QUARTER)
    await dueAt(ledger, '2026-05-04T12:30:00.000Z')
    await time.pass(QUARTER)
    await dueAt(ledger, '2026-05-04T12:45:00.000Z')
    expect(runs.map(({ at }) => at)).toEqual([NOON, '2026-05-04T12:15:00.000Z', '2026-05-04T12:30:00.000Z'])
  })

  test('starts later by up to a tenth of its interval, and by a minute at most', async () => {
    const { time, ledger, runs, open } = await openFixture(['a'])
    await open({ random: () => 0.5 }).start()
    await dueAt(ledger, '2026-05-04T12:00:30.000Z')
    await time.pass(29 * SECOND)
    expect(runs).toEqual([])
    await time.pass(SECOND)
    await dueAt(ledger, '2026-05-04T12:15:30.000Z')
    expect(runs.map(({ at }) => at)).toEqual(['2026-05-04T12:00:30.000Z'])

    const often = await openFixture(['a'])
    const times = () => ({ next: () => new Date('2026-05-04T12:00:10Z'), intervalMs: () => 10 * SECOND })
    await often.open({ random: () => 0.5, times }).start()
    await dueAt(often.ledger, '2026-05-04T12:00:00.500Z')
  })

  test('is not run by a restart before it is due', async () => {
    const { time, ledger, runs, open } = await openFixture(['a'])
    const first = open()
    await first.start()
    await time.pass(0)
    await dueAt(ledger, '2026-05-04T12:15:00.000Z')
    await first.stop()
    await open().start()
    await time.pass(10 * MINUTE)
    expect(runs).toHaveLength(1)
    await time.pass(5 * MINUTE)
    await dueAt(ledger, '2026-05-04T12:30:00.000Z')
    expect(runs).toHaveLength(2)
  })

  test('whose time came while nothing ran is caught up with once', async () => {
    const { time, ledger, runs, open } = await openFixture(['a'])
    const first = open()
    await first.start()
    await time.pass(0)
    await dueAt(ledger, '2026-05-04T12:15:00.000Z')
    await first.stop()
    await time.pass(3 * HOUR + 5 * MINUTE)
    await open({ random: () => 0.1 }).start()
    await time.pass(6 * SECOND)
    await dueAt(ledger, '2026-05-04T15:15:06.000Z')
    expect(runs.map(({ at }) => at)).toEqual([NOON, '2026-05-04T15:05:06.000Z'])
  })

  test('whose times came while the machine slept is caught up with once, soon after it woke', async () => {
    const { time, ledger, runs, open } = await openFixture(['a'])
    await open({ random: () => 0.1 }).start()
    await time.pass(6 * SECOND)
    await dueAt(ledger, '2026-05-04T12:15:06.000Z')
    time.sleepMachine(5 * HOUR)
    await time.pass(40 * SECOND)
    await dueAt(ledger, '2026-05-04T17:15:06.000Z')
    expect(runs).toHaveLength(2)
    expect(Date.parse(runs[1]?.at ?? '')).toBeLessThanOrEqual(Date.parse('2026-05-04T17:00:46.000Z'))
  })

  test('whose schedule was changed to an earlier time does not wait for the old one', async () => {
    const { time, ledger, runs, open } = await openFixture(['a'])
    const first = open({ times: () => ({ next: () => new Date('2026-06-01T00:00:00Z'), intervalMs: () => 0 }) })
    await first.start()
    await time.pass(0)
    await dueAt(ledger, '2026-06-01T00:00:00.000Z')
    await first.stop()
    await open().start()
    await time.pass(QUARTER)
    await dueAt(ledger, '2026-05-04T12:30:00.000Z')
    expect(runs).toHaveLength(2)
  })

  test('goes on after a rate limit when the source allows it, not only at its next time', async () => {
    const { time, ledger, runs, open } = await openFixture(['a'], { endAtOnce: false })
    await open().start()
    await time.pass(0)
    await until(async () => runs.length === 1)
    runs[0]?.end({ outcome: 'waiting', nextRunAt: new Date('2026-05-04T12:03:20.000Z') })
    await dueAt(ledger, '2026-05-04T12:03:20.000Z')
    await time.pass(200 * SECOND)
    await until(async () => runs.length === 2)
    runs[1]?.end({ outcome: 'waiting', nextRunAt: new Date('2026-05-04T18:00:00.000Z') })
    await dueAt(ledger, '2026-05-04T12:15:00.000Z')
  })

  test('that needs attention stays on its schedule, so that a repaired token is noticed', async () => {
    const { time, ledger, runs, open } = await openFixture(['a'], { endAtOnce: false })
    await open().start()
    await time.pass(0)
    await until(async () => runs.length === 1)
    runs[0]?.end({ outcome: 'attention', remedy: 'reauthorize' })
    await dueAt(ledger, '2026-05-04T12:15:00.000Z')
    await time.pass(QUARTER)
    await until(async () => runs.length === 2)
  })

  test('whose run breaks is told of in the log, and runs again at its next time', async () => {
    const { time, ledger, lines, runs, open } = await openFixture(['a'], { endAtOnce: false })
    await open().start()
    await time.pass(0)
    await until(async () => runs.length === 1)
    runs[0]?.fail(new TypeError('x is undefined'))
    await dueAt(ledger, '2026-05-04T12:15:00.000Z')
    expect(lines).toContainEqual({
      level: 'error',
      message: 'a connection could not be synchronized',
      fields: { err: expect.any(TypeError), connector: 'made_up', name: 'a' },
    })
  })
})

describe('runs', () => {
  test('of one connection never overlap, however long they take', async () => {
    const { time, ledger, runs, open } = await openFixture(['a'], { endAtOnce: false })
    await open().start()
    await time.pass(0)
    await until(async () => runs.length === 1)
    await time.pass(2 * HOUR)
    expect(runs).toHaveLength(1)
    runs[0]?.end()
    await dueAt(ledger, '2026-05-04T14:15:00.000Z')
    expect(runs).toHaveLength(1)
  })

  test('of one account take turns, and six of different accounts go side by side, and no seventh', async () => {
    const names = ['p1-a', 'p1-b', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7']
    const { time, runs, open } = await openFixture(names, { endAtOnce: false })
    await open().start()
    await time.pass(0)
    await until(async () => runs.length === 6)
    await time.pass(MINUTE)
    expect(runs.map(({ name }) => name)).toEqual(['p1-a', 'p2', 'p3', 'p4', 'p5', 'p6'])
    runs[1]?.end()
    await until(async () => runs.length === 7)
    expect(runs[6]?.name).toBe('p7')
    runs[0]?.end()
    await until(async () => runs.length === 8)
    expect(runs[7]?.name).toBe('p1-b')
  })

  test('of one account by different connectors go side by side: each has an API of its own', async () => {
    const { time, open } = await openFixture(['a'])
    const mail = { connector: madeUpConnector(undefined, { id: 'mail' }), config: { name: 'mail' } }
    const begun: string[] = []
    const { promise: ended, resolve: end } = Promise.withResolvers<boolean>()
    const run = ({ config: { name } }: Connection) => {
      begun.push(name)
      return ended
    }
    await open({ connections: [connection('a'), mail], run }).start()
    await time.pass(0)
    await until(async () => begun.length === 2)
    end(true)
  })

  test('are aborted by a stop, which waits for them; they are due again at the next start', async () => {
    const { time, runs, open } = await openFixture(['a'], { endAtOnce: false })
    const first = open()
    await first.start()
    await time.pass(0)
    await until(async () => runs.length === 1)
    await first.stop()
    expect(runs[0]?.signal.aborted).toBe(true)
    await time.pass(HOUR)
    expect(runs).toHaveLength(1)
    await open().start()
    await time.pass(0)
    await until(async () => runs.length === 2)
  })
})

describe('a run that was left', () => {
  const left = (holder: string) => async (ledger: Ledger) => {
    await ledger.beginRun({ connector: 'made_up', name: 'a' }, { holder, leaseMs: MINUTE })
  }

  test('by a scheduler that was killed is ended at the next start, so that its connection runs at once', async () => {
    const { time, ledger, runs, open } = await openFixture(['a'])
    await left('scheduler 4711')(ledger)
    await open().start()
    expect(await rowOf(ledger)).toMatchObject({ outcome: 'aborted', running: undefined })
    await time.pass(0)
    await until(async () => runs.length === 1)
  })

  test('by somebody else may still go on, and is left alone', async () => {
    const { ledger, open } = await openFixture(['a'])
    await left('sync 4711')(ledger)
    await open().start()
    expect((await rowOf(ledger))?.running?.holder).toBe('sync 4711')
  })
})

describe('the times of a schedule', () => {
  test('come from its cron expression, with seconds too', () => {
    const next = scheduleTimes('*/15 * * * *', 'UTC').next()
    expect(next.getTime() % QUARTER).toBe(0)
    expect(next.getTime()).toBeGreaterThan(Date.now())
    expect(scheduleTimes('*/15 * * * *', 'UTC').intervalMs()).toBe(QUARTER)
    expect(scheduleTimes('*/2 * * * * *', 'UTC').intervalMs()).toBe(2 * SECOND)
  })

  test('are those of the clocks in its time zone', () => {
    const next = scheduleTimes('30 3 * * *', 'Asia/Kolkata').next()
    expect(next.toISOString()).toMatch(/T22:00:00\.000Z$/)
  })

  test('are what a scheduler waits for when it is given no others', async () => {
    const { ledger, open } = await openFixture(['a'])
    await ledger.beginRun({ connector: 'made_up', name: 'a' }, { holder: 'x', leaseMs: MINUTE })
    await ledger.endRun({ connector: 'made_up', name: 'a' }, 'x', { outcome: 'ok', report: '{}' })
    await ledger.updateConnection({ connector: 'made_up', name: 'a' }, { nextRunAt: new Date('2100-01-01') })
    const delays: number[] = []
    const startTimer = (_callback: () => void, delayMs: number) => {
      delays.push(delayMs)
      return () => undefined
    }
    const schedule = '0 0 1 1 *'
    const everyYear: Connection = { connector: madeUpConnector(), config: { name: 'a', schedule } }
    const next = scheduleTimes(schedule, 'UTC').next()
    const clock = () => new Date(next.getTime() - SECOND)
    await open({ clock, times: scheduleTimes, connections: [everyYear], startTimer }).start()
    expect(delays).toEqual([SECOND])
    expect((await rowOf(ledger))?.nextRunAt).toEqual(next)
  })
})
