import { describe, expect, test } from 'vitest'
import { GAVE_WAY } from '../../../src/sync/sync-run.ts'
import { dueAt, MINUTE, QUARTER, SECOND, schedulerFixtures } from '../../lib/scheduler-fixture.ts'
import { checkpoint, itemChange } from '../../lib/scripted-connector.ts'
import { syncService } from '../../lib/sync-fixture.ts'
import { until } from '../../lib/until.ts'

const openFixture = schedulerFixtures()

describe('a long run', () => {
  /** The first sync of `p1-a` goes on; `p1-b` reads the same account. */
  async function openLong(names: readonly string[]) {
    const fixture = await openFixture(names, { endAtOnce: false })
    await fixture.open().start()
    await fixture.time.pass(0)
    const runOf = (name: string, nth = 0) => fixture.runs.filter((run) => run.name === name)[nth]
    return { ...fixture, runOf }
  }

  test('gives way after two minutes to one that waits for its account, and goes on after it', async () => {
    const { time, ledger, runs, runOf } = await openLong(['p1-a', 'p1-b'])
    await until(async () => runs.length === 1)
    await time.pass(90 * SECOND)
    expect(runOf('p1-a')?.yieldSignal.aborted).toBe(false)
    await time.pass(MINUTE)
    await until(async () => runOf('p1-a')?.yieldSignal.aborted === true)
    // It is asked, not aborted: it ends at its next checkpoint.
    expect(runOf('p1-a')?.signal.aborted).toBe(false)
    runOf('p1-a')?.end({ outcome: 'waiting', problem: GAVE_WAY, nextRunAt: time.clock() })
    await until(async () => runOf('p1-b') !== undefined)
    runOf('p1-b')?.end()
    await until(async () => runOf('p1-a', 1) !== undefined)
    await dueAt(ledger, '2026-05-04T12:15:00.000Z', 'p1-b')
    await time.pass(QUARTER)
    // The quick one again, at its time and no more than a slice later.
    await until(async () => runOf('p1-a', 1)?.yieldSignal.aborted === true)
    runOf('p1-a', 1)?.end({ outcome: 'waiting', nextRunAt: time.clock() })
    await until(async () => runOf('p1-b', 1) !== undefined)
    const waited = Date.parse(runOf('p1-b', 1)?.at ?? '') - Date.parse('2026-05-04T12:15:00.000Z')
    expect(waited).toBeLessThanOrEqual(QUARTER)
  })

  test('gives way when as many run as may, and not when there is room', async () => {
    const long = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6']
    const { time, runs, runOf } = await openLong([...long, 'p7'])
    await until(async () => runs.length === 6)
    await time.pass(3 * MINUTE)
    await until(async () => runs.some(({ yieldSignal }) => yieldSignal.aborted))
    // One is enough for one that waits.
    expect(runs.filter(({ yieldSignal }) => yieldSignal.aborted)).toHaveLength(1)
    runs.find(({ yieldSignal }) => yieldSignal.aborted)?.end({ outcome: 'waiting', nextRunAt: time.clock() })
    await until(async () => runOf('p7') !== undefined)
  })

  test('keeps its turn while nobody waits', async () => {
    const { time, runs } = await openLong(['p1', 'p2'])
    await until(async () => runs.length === 2)
    await time.pass(2 * 60 * MINUTE)
    expect(runs.map(({ yieldSignal }) => yieldSignal.aborted)).toEqual([false, false])
  })
})

describe('a run that is asked to give way', () => {
  const service = syncService()

  test('ends at its next checkpoint with everything before it memorized, and the next run continues there', async () => {
    const fixture = await service.fixture()
    const asking = new AbortController()
    const cursors: unknown[] = []
    fixture.script.changes = async function* (_, cursor) {
      cursors.push(cursor)
      for (let n = Number(cursor ?? 0) + 1; n <= 5; n++) {
        yield itemChange(`item-${n}`, `What item ${n} says.`)
        if (n === 2 && cursor === undefined) asking.abort()
        yield checkpoint(n)
      }
    }
    const first = await fixture.sync({ yieldSignal: asking.signal })
    expect(first).toMatchObject({ outcome: 'waiting', problem: GAVE_WAY, memorized: 2 })
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', memorized: 3 })
    expect(cursors).toEqual([undefined, 2])
  })

  test('has advanced, however early it is asked', async () => {
    const fixture = await service.fixture()
    const asking = new AbortController()
    asking.abort()
    fixture.script.changes = async function* (_, cursor) {
      for (let n = Number(cursor ?? 0) + 1; n <= 3; n++) {
        yield itemChange(`item-${n}`, `What item ${n} says.`)
        yield checkpoint(n)
      }
    }
    const outcomes: string[] = []
    for (let run = 0; run < 5 && outcomes.at(-1) !== 'ok'; run++) {
      outcomes.push((await fixture.sync({ yieldSignal: asking.signal })).outcome)
    }
    expect(outcomes).toEqual(['waiting', 'waiting', 'ok'])
  })

  test('reads first, the next time, what it did not reach', async () => {
    const fixture = await service.fixture()
    fixture.script.partitions = ['a', 'b', 'c', 'd', 'e', 'f']
    const asking = new AbortController()
    const read: string[] = []
    fixture.script.changes = async function* (partition) {
      read.push(partition)
      yield itemChange(partition, `What ${partition} says.`)
      yield checkpoint(1)
      if (partition === 'a') asking.abort()
    }
    expect(await fixture.sync({ yieldSignal: asking.signal })).toMatchObject({ outcome: 'waiting' })
    const reached = new Set(read.splice(0))
    expect(reached.size).toBeLessThan(6)
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok' })
    const missed = ['a', 'b', 'c', 'd', 'e', 'f'].filter((partition) => !reached.has(partition))
    // Four begin at once.
    expect(read.slice(0, 4)).toEqual(expect.arrayContaining(missed))
  })
})
