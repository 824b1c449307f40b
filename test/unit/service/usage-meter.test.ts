import { afterEach, beforeEach, expect, test } from 'vitest'
import { UsageMeter } from '../../../src/service/usage-meter.ts'
import type { UsageCount } from '../../../src/store/accounts/accounts.ts'
import { recordingLog } from '../../lib/recording-log.ts'

/** The edge to the store: keeps what was added, and can be made to fail or to wait. */
class Ledger {
  readonly stored: UsageCount[] = []
  failing = false
  hold: Promise<void> | undefined

  async addUsage(counts: readonly UsageCount[]): Promise<void> {
    await this.hold
    if (this.failing) throw new Error('the disk is full')
    this.stored.push(...counts)
  }

  async usage(accountId: string, fromDay: string): Promise<ReadonlyMap<string, number>> {
    const totals = new Map<string, number>()
    for (const usage of this.stored) {
      if (usage.accountId !== accountId || usage.day < fromDay) continue
      totals.set(usage.metric, (totals.get(usage.metric) ?? 0) + usage.count)
    }
    return totals
  }

  async usageByDay(accountId: string, fromDay: string): Promise<readonly UsageCount[]> {
    return this.stored.filter((usage) => usage.accountId === accountId && usage.day >= fromDay)
  }
}

const who = { accountId: 'a', keyId: 'k' }
let ledger: Ledger
let now: Date
let meter: UsageMeter
beforeEach(() => {
  ledger = new Ledger()
  now = new Date('2026-03-31T23:59:00Z')
  meter = new UsageMeter({ admin: ledger, clock: () => now, log: recordingLog().log, flushMs: 1_000_000 })
})
afterEach(async () => {
  ledger.failing = false
  await meter.close()
})

test('counts are added up in memory and written together', async () => {
  meter.count(who, 'recall', 1)
  meter.count(who, 'recall', 2)
  meter.count({ ...who, keyId: 'other' }, 'recall', 4)
  expect(ledger.stored).toEqual([])
  await meter.flush()
  expect(ledger.stored).toEqual([
    { ...who, day: '2026-03-31', metric: 'recall', count: 3 },
    { accountId: 'a', keyId: 'other', day: '2026-03-31', metric: 'recall', count: 4 },
  ])
  await meter.flush()
  expect(ledger.stored).toHaveLength(2)
})

test('what is in memory counts as much as what is written', async () => {
  meter.count(who, 'ask', 1)
  await meter.flush()
  meter.count(who, 'ask', 1)
  expect((await meter.thisMonth('a')).get('ask')).toBe(2)
  expect((await meter.thisMonth('b')).get('ask')).toBeUndefined()
})

test('nothing counts twice or not at all while a write is under way', async () => {
  meter.count(who, 'ask', 5)
  const gate = Promise.withResolvers<void>()
  ledger.hold = gate.promise
  const flushed = meter.flush()
  const asked = meter.thisMonth('a')
  gate.resolve()
  await flushed
  expect((await asked).get('ask')).toBe(5)
})

test('what was counted before it failed can be taken back', async () => {
  meter.count(who, 'recall', 1)
  meter.count(who, 'recall', -1)
  await meter.flush()
  expect(ledger.stored).toEqual([])
})

test('a failed write loses nothing: its counts go out with the next', async () => {
  meter.count(who, 'upload', 1)
  ledger.failing = true
  await expect(meter.flush()).rejects.toThrow('the disk is full')
  meter.count(who, 'upload', 1)
  expect((await meter.thisMonth('a')).get('upload')).toBe(2)
  ledger.failing = false
  await meter.flush()
  expect(ledger.stored).toEqual([{ ...who, day: '2026-03-31', metric: 'upload', count: 2 }])
})

test('a new month begins at zero, by UTC', async () => {
  meter.count(who, 'ask', 3)
  await meter.flush()
  expect((await meter.thisMonth('a')).get('ask')).toBe(3)
  now = new Date('2026-04-01T00:00:00Z')
  expect((await meter.thisMonth('a')).get('ask')).toBeUndefined()
})

test('counts by day hold what is written and what is in memory, once for each day, key and metric', async () => {
  meter.count(who, 'recall', 2)
  await meter.flush()
  now = new Date('2026-04-01T00:00:00Z')
  meter.count(who, 'recall', 1)
  await meter.flush()
  meter.count(who, 'recall', 1)
  meter.count({ ...who, keyId: 'other' }, 'recall', 4)
  meter.count({ accountId: 'b', keyId: 'k' }, 'recall', 8)
  expect(await meter.byDay('a', '2026-03-31')).toEqual([
    { ...who, day: '2026-03-31', metric: 'recall', count: 2 },
    { ...who, day: '2026-04-01', metric: 'recall', count: 2 },
    { accountId: 'a', keyId: 'other', day: '2026-04-01', metric: 'recall', count: 4 },
  ])
  expect(await meter.byDay('a', '2026-04-01')).toHaveLength(2)
})

test('counts by day hold nothing twice or not at all while a write is under way', async () => {
  meter.count(who, 'ask', 5)
  const gate = Promise.withResolvers<void>()
  ledger.hold = gate.promise
  const flushed = meter.flush()
  const asked = meter.byDay('a', '2026-03-31')
  gate.resolve()
  await flushed
  expect(await asked).toEqual([{ ...who, day: '2026-03-31', metric: 'ask', count: 5 }])
})

test('closing writes what is left', async () => {
  meter.count(who, 'ask', 1)
  await meter.close()
  expect(ledger.stored).toHaveLength(1)
})
