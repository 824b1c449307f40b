import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/connector/connector.ts'
import type { SyncProgress } from '../../../src/sync/run-report.ts'
import { SyncPace } from '../../../src/sync/sync-pace.ts'
import { checkpoint, itemChange } from '../../lib/scripted-connector.ts'
import { syncService } from '../../lib/sync-fixture.ts'

const SINCE = new Date('2026-04-01T00:00:00Z')
const PARTITIONS = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

const afterRecent = (cursor: number): Change<number> => ({ type: 'checkpoint', cursor, recentSince: SINCE })

describe('a first sync of many partitions', () => {
  const service = syncService()

  async function openMany() {
    const fixture = await service.fixture({ partitions: PARTITIONS })
    fixture.script.changes = async function* (partition, cursor) {
      if (cursor === undefined) {
        yield itemChange(`${partition}-new`, `What ${partition} says today.`)
        yield afterRecent(1)
      }
      for (let n = 0; n < 3; n++) yield itemChange(`${partition}-old-${n}`, `What ${partition} said once.`)
      yield checkpoint(2)
    }
    return fixture
  }

  test('memorizes what is recent in each of them before what is older', async () => {
    const fixture = await openMany()
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', memorized: 28 })
    const order = fixture.memory.calls.filter((call) => call.startsWith('memorize'))
    // Nothing waits while the last of them are read, so a few older ones may be among them; one partition after the
    // other, twelve would be.
    expect(order.findLastIndex((call) => call.endsWith('-new'))).toBeLessThan(14)
  })

  test('says when the recent part of all of them is ready, also in the run that continues it', async () => {
    const fixture = await openMany()
    const seen: SyncProgress[] = []
    const asking = new AbortController()
    const onProgress = (progress: SyncProgress) => {
      seen.push(progress)
      if (progress.recentDays !== undefined) asking.abort()
    }
    expect(await fixture.sync({ onProgress, yieldSignal: asking.signal })).toMatchObject({ outcome: 'waiting' })
    const ready = seen.findIndex(({ recentDays }) => recentDays === 30)
    expect(seen[ready]?.memorized).toBeGreaterThanOrEqual(7)
    expect(seen[ready]?.memorized).toBeLessThan(28)
    seen.length = 0
    fixture.script.manifest = { recentRead: (cursor) => cursor === 1 }
    expect(await fixture.sync({ onProgress })).toMatchObject({ outcome: 'ok' })
    expect(seen[0]?.recentDays).toBe(30)
    seen.length = 0
    // A later sync is no first one.
    await fixture.sync({ onProgress })
    expect(seen.map(({ recentDays }) => recentDays)).not.toContain(30)
  })

  test('uploads what changed more than 30 days ago with low priority', async () => {
    const fixture = await service.fixture({ partitions: ['a'] })
    const daysAgo = (days: number) => new Date(fixture.clock().getTime() - days * 24 * 60 * 60_000)
    fixture.script.changes = () => [
      itemChange('old', 'What was said long ago.', { updatedAt: daysAgo(31) }),
      itemChange('new', 'What was said of late.', { createdAt: daysAgo(400), updatedAt: daysAgo(29) }),
      itemChange('undated', 'What was said at some time.'),
      checkpoint(1),
    ]
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', memorized: 3 })
    const priorities = fixture.memory.uploads.map(({ itemId, priority }) => [itemId, priority])
    expect(Object.fromEntries(priorities)).toEqual({ old: 'low', new: 'normal', undated: 'normal' })
  })

  test('ends all of them when one ends the run, also those that wait', async () => {
    const fixture = await openMany()
    const scripted = fixture.script.changes
    fixture.script.changes = async function* (partition, cursor, context) {
      for await (const change of scripted?.(partition, cursor, context) ?? []) {
        yield change
        if (partition === 'b' && change.type === 'checkpoint' && change.recentSince) throw new TypeError('broken')
      }
    }
    expect(await fixture.sync()).toMatchObject({ outcome: 'partial' })
    fixture.script.changes = scripted
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok' })
    expect(Object.keys(await fixture.held())).toHaveLength(28)
  })
})

describe('the time left of a run', () => {
  const service = syncService()

  async function progressOf(expected: (partition: string) => number | undefined) {
    const fixture = await service.fixture({ partitions: ['a', 'b'] })
    const seen: SyncProgress[] = []
    fixture.script.changes = async function* (partition) {
      const items = expected(partition)
      if (items !== undefined) yield { type: 'expected', items }
      for (let n = 1; n <= 60; n++) {
        fixture.clock.advance(1_000)
        yield itemChange(`${partition}-${n}`, `What item ${n} says.`)
        if (n % 10 === 0) yield checkpoint(n)
      }
    }
    await fixture.sync({ onProgress: (progress) => void seen.push(progress) })
    return seen
  }

  test('is stated while every partition has said how much there is, and becomes less', async () => {
    const seen = await progressOf(() => 60)
    const left = seen.flatMap(({ remainingMs }) => remainingMs ?? [])
    expect(left.length).toBeGreaterThan(2)
    expect(left.at(-1)).toBeLessThan(left[0] ?? 0)
    // 120 items in 120 seconds; what is read ahead moves the clock before it counts.
    expect(left[0]).toBeGreaterThan(20_000)
    expect(left[0]).toBeLessThan(240_000)
    expect(seen.at(-1)?.perMinute).toBeGreaterThan(40)
  })

  test('is not guessed when one of them has not, but the rate is stated', async () => {
    const seen = await progressOf((partition) => (partition === 'a' ? 60 : undefined))
    const whileBoth = seen.filter(({ partitionsDone }) => partitionsDone === 0)
    expect(whileBoth.some(({ perMinute }) => perMinute !== undefined)).toBe(true)
    expect(whileBoth.every(({ remainingMs }) => remainingMs === undefined)).toBe(true)
  })

  test('follows the rate of the last minute', () => {
    let now = 0
    const pace = new SyncPace(() => new Date(now))
    for (let second = 0; second <= 120; second++) {
      now = second * 1_000
      // Ten a second at first, then one.
      pace.count(second <= 60 ? second * 10 : 600 + (second - 60))
    }
    expect(pace.perMinute(660)).toBeCloseTo(60, -1)
    expect(pace.remainingMs(660, 60)).toBeCloseTo(60_000, -4)
    expect(pace.remainingMs(660, undefined)).toBeUndefined()
    expect(new SyncPace(() => new Date(now)).perMinute(0)).toBeUndefined()
  })
})
