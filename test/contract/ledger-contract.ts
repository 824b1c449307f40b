import { beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '../../src/lib/clock.ts'
import type { Ledger } from '../../src/store/ledger/ledger.ts'
import type { Store } from '../../src/store/store.ts'
import { describeLedgerItems } from './ledger-items-contract.ts'
import { acme, beta, sampleEntry as entry, itemIds as ids } from './ledger-samples.ts'
import { type MovableClock, movableClock } from './store-contract.ts'

const MINUTE = 60_000

export interface LedgerUnderTest {
  readonly store: Store
  /** Moves the store's clock. */
  readonly clock: MovableClock
  readonly ledger: Ledger
}

/**
 * What every engine's ledger promises.
 *
 * @param open an empty store, closed and removed when the test ends
 */
export function describeLedgerContract(name: string, open: (clock: Clock) => Promise<Store>): void {
  const setUp = async () => {
    const clock = movableClock()
    const store = await open(clock)
    return { store, clock, ledger: store.ledger('account:a') }
  }
  describe(`${name}: ledger, connections`, () => describeConnections(setUp))
  describe(`${name}: ledger, runs`, () => describeRuns(setUp))
  describe(`${name}: ledger, partitions`, () => describePartitions(setUp))
  describe(`${name}: ledger, items`, () => describeLedgerItems(setUp))
}

function describeConnections(setUp: () => Promise<LedgerUnderTest>): void {
  let store: Store
  let clock: MovableClock
  let ledger: Ledger
  beforeEach(async () => {
    ;({ store, clock, ledger } = await setUp())
  })

  test('a ledger that nobody wrote to is empty', async () => {
    expect(await ledger.listConnections()).toEqual([])
    expect(await ledger.listPartitions(acme)).toEqual([])
    expect(await ledger.findItems([entry('1')])).toEqual(new Map())
    expect(await ledger.pageItems(acme, { kind: 'unfinished' }, { limit: 9 })).toEqual([])
    expect(await ledger.countItems(acme)).toEqual([])
    expect(await ledger.failedItems(acme, 9)).toEqual([])
    expect(await ledger.retryItems()).toBe(0)
    expect(await ledger.dropTombstones(new Date())).toBe(0)
    expect(await ledger.listBudgets('slack', 'T1')).toEqual([])
    expect(await ledger.readFact('account')).toBeUndefined()
    await ledger.removePartition(acme, 'general')
    await ledger.removeConnection(acme)
    expect(await ledger.listConnections()).toEqual([])
  })

  test('a change touches only what it names, and null clears', async () => {
    const expiresAt = new Date('2026-06-01T00:00:00Z')
    await ledger.updateConnection(acme, { account: 'T1', accountTitle: 'Acme', warnings: '["old"]', expiresAt })
    await ledger.updateConnection(acme, { selection: 'hash', warnings: null })
    await ledger.updateConnection(acme, {})
    expect(await ledger.listConnections()).toEqual([
      {
        ...acme,
        account: 'T1',
        accountTitle: 'Acme',
        selection: 'hash',
        expiresAt,
        warnings: undefined,
        outcome: undefined,
        problem: undefined,
        remedy: undefined,
        lastStartedAt: undefined,
        lastEndedAt: undefined,
        lastSuccessAt: undefined,
        nextRunAt: undefined,
        asked: undefined,
        report: undefined,
        running: undefined,
      },
    ])
  })

  test('connections come by connector and name', async () => {
    for (const connection of [beta, { connector: 'github', name: 'work' }, acme]) {
      await ledger.updateConnection(connection, {})
    }
    expect((await ledger.listConnections()).map(({ name }) => name)).toEqual(['work', 'acme', 'beta'])
  })

  test('a removed connection goes with its partitions and items, and no other', async () => {
    await ledger.commit(acme, 'general', { items: [entry('1'), entry('2', { phase: 'forgotten' })] })
    await ledger.commit(beta, 'general', { items: [entry('3')] })
    await ledger.removeConnection(acme)
    expect((await ledger.listConnections()).map(({ name }) => name)).toEqual(['beta'])
    expect(await ledger.listPartitions(acme)).toEqual([])
    const left = await ledger.findItems([entry('1'), entry('2'), entry('3')])
    expect([...left.values()]).toMatchObject([{ itemId: '3', name: 'beta' }])
  })

  test('budgets are kept for each provider, account and api', async () => {
    const notBefore = new Date('2026-01-01T10:00:00Z')
    const history = { api: 'conversations.history', notBefore, intervalMs: 60_000, lastRequestAt: undefined }
    await ledger.saveBudget('slack', 'T1', history)
    await ledger.saveBudget('slack', 'T2', { ...history, intervalMs: 1 })
    await ledger.saveBudget('github', 'T1', { ...history, intervalMs: 2 })
    await ledger.saveBudget('slack', 'T1', { ...history, api: 'auth.test', intervalMs: 3 })
    const last = { ...history, intervalMs: 0, lastRequestAt: notBefore }
    await ledger.saveBudget('slack', 'T1', last)
    expect(await ledger.listBudgets('slack', 'T1')).toEqual([{ ...history, api: 'auth.test', intervalMs: 3 }, last])
  })

  test('a pause that one process was asked for outlasts what others save, unless it is impossibly long', async () => {
    const at = (ms: number) => new Date(clock().getTime() + ms)
    const budget = { api: 'x', notBefore: undefined, intervalMs: 1_000, lastRequestAt: clock() }
    await ledger.saveBudget('slack', 'T1', { ...budget, notBefore: at(MINUTE) })
    await ledger.saveBudget('slack', 'T1', { ...budget, notBefore: at(5), lastRequestAt: at(-5) })
    await ledger.saveBudget('slack', 'T1', budget)
    expect(await ledger.listBudgets('slack', 'T1')).toEqual([{ ...budget, notBefore: at(MINUTE) }])
    clock.advance(-48 * 60 * MINUTE)
    await ledger.saveBudget('slack', 'T1', { ...budget, notBefore: clock(), lastRequestAt: clock() })
    expect(await ledger.listBudgets('slack', 'T1')).toEqual([{ ...budget, notBefore: clock(), lastRequestAt: clock() }])
  })

  test('a fact is what was written last', async () => {
    await ledger.writeFact('account', 'ada')
    await ledger.writeFact('account', 'grace')
    expect(await ledger.readFact('account')).toBe('grace')
    expect(await ledger.readFact('other')).toBeUndefined()
  })

  test('two memories never see each other', async () => {
    const other = store.ledger('remote:https://memory.example.com/ada')
    const failing = entry('1', {
      phase: 'failed',
      title: 'of a',
      statedAt: new Date(1_000),
      nextAttemptAt: new Date(0),
    })
    await ledger.commit(acme, 'general', { items: [failing], partition: { cursor: '"a"' } })
    await ledger.saveBudget('slack', 'T1', { api: 'x', notBefore: undefined, intervalMs: 1, lastRequestAt: undefined })
    await ledger.writeFact('account', 'ada')
    expect(await other.listConnections()).toEqual([])
    expect(await other.findItems([failing])).toEqual(new Map())
    expect(await other.listBudgets('slack', 'T1')).toEqual([])
    expect(await other.readFact('account')).toBeUndefined()

    await other.commit(acme, 'general', {
      items: [entry('1', { title: 'of b', statedAt: new Date(1_000), scanNumber: 5 })],
    })
    expect(await other.retryItems()).toBe(0)
    await other.commit(acme, 'general', { seen: { refs: [failing], scanNumber: 9 } })
    const range = { since: new Date(0), until: new Date(2_000) }
    for (const [side, title, scanNumber] of [
      [ledger, 'of a', 1],
      [other, 'of b', 9],
    ] as const) {
      const expected = [{ itemId: '1', title, scanNumber }]
      expect(await side.memorizedBetween(range, { offset: 0, limit: 9 })).toMatchObject(expected)
      const page = await side.pageItems(acme, { kind: 'partition', partitionId: 'general' }, { limit: 9 })
      expect(page).toMatchObject(expected)
    }
    await other.removeConnection(acme)
    expect((await ledger.listPartitions(acme)).map(({ cursor }) => cursor)).toEqual(['"a"'])
    expect((await ledger.findItems([failing])).size).toBe(1)
    expect(await other.dropTombstones(new Date(8.64e15))).toBe(0)
  })
}

function describeRuns(setUp: () => Promise<LedgerUnderTest>): void {
  let clock: MovableClock
  let ledger: Ledger
  beforeEach(async () => {
    ;({ clock, ledger } = await setUp())
  })
  const begin = (holder: string) => ledger.beginRun(acme, { holder, leaseMs: MINUTE })
  const row = async () => (await ledger.listConnections())[0]

  test('one run at a time, also of the same holder', async () => {
    const startedAt = clock()
    const until = new Date(startedAt.getTime() + MINUTE)
    expect(await begin('one')).toMatchObject({
      outcome: 'begun',
      row: { ...acme, account: undefined, lastStartedAt: startedAt, running: { holder: 'one', until } },
    })
    expect((await row())?.running).toEqual({ holder: 'one', until })
    clock.advance(MINUTE - 1)
    expect(await begin('two')).toEqual({ outcome: 'running', since: startedAt })
    expect(await begin('one')).toEqual({ outcome: 'running', since: startedAt })
    expect(await ledger.beginRun(beta, { holder: 'two', leaseMs: MINUTE })).toMatchObject({ outcome: 'begun' })
  })

  test('of runs that begin together one wins', async () => {
    const outcomes = await Promise.all(['one', 'two', 'three'].map(begin))
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['begun', 'running', 'running'])
  })

  test('a lease that ran out is free, and who held it can neither extend nor end it', async () => {
    await begin('one')
    clock.advance(MINUTE)
    expect((await row())?.running).toBeUndefined()
    expect(await begin('two')).toMatchObject({ outcome: 'begun' })
    expect(await ledger.extendRun(acme, { holder: 'one', leaseMs: 9 * MINUTE })).toBe(false)
    await ledger.endRun(acme, 'one', { outcome: 'ok', report: '{}' })
    expect(await row()).toMatchObject({
      running: { holder: 'two', until: new Date(clock().getTime() + MINUTE) },
      outcome: undefined,
      lastEndedAt: undefined,
      report: undefined,
    })
  })

  test('of those who found the same time to be due one runs, and nobody once it has ended', async () => {
    const dueAt = clock()
    await ledger.updateConnection(acme, { nextRunAt: dueAt })
    const beginDue = (holder: string) => ledger.beginRun(acme, { holder, leaseMs: MINUTE, because: { dueAt } })
    expect(await beginDue('one')).toMatchObject({ outcome: 'begun' })
    expect(await beginDue('two')).toMatchObject({ outcome: 'running' })
    clock.advance(MINUTE)
    // Killed: it is still due.
    expect(await beginDue('two')).toMatchObject({ outcome: 'begun' })
    await ledger.endRun(acme, 'two', { outcome: 'ok', report: '{}' })
    expect(await beginDue('three')).toEqual({ outcome: 'taken' })
    await ledger.updateConnection(acme, { nextRunAt: clock() })
    expect(await beginDue('three')).toEqual({ outcome: 'taken' })
  })

  test('what somebody asked for is begun once, and due again when it is cut off', async () => {
    const beginAsked = (holder: string) => ledger.beginRun(acme, { holder, leaseMs: MINUTE, because: 'asked' })
    expect(await beginAsked('one')).toEqual({ outcome: 'taken' })
    await ledger.updateConnection(acme, { asked: 'full' })
    expect(await row()).toMatchObject({ asked: 'full' })
    expect(await beginAsked('one')).toMatchObject({ outcome: 'begun' })
    expect(await row()).toMatchObject({ asked: undefined, nextRunAt: clock() })
    clock.advance(MINUTE)
    expect(await beginAsked('two')).toEqual({ outcome: 'taken' })
    expect(await begin('two')).toMatchObject({ outcome: 'begun' })
    await ledger.updateConnection(acme, { asked: 'changes' })
    await ledger.endRun(acme, 'two', { outcome: 'ok', report: '{}' })
    expect(await row()).toMatchObject({ asked: 'changes', nextRunAt: undefined })
  })

  test('an extended lease lasts', async () => {
    await begin('one')
    clock.advance(MINUTE - 1)
    expect(await ledger.extendRun(acme, { holder: 'one', leaseMs: MINUTE })).toBe(true)
    clock.advance(MINUTE - 1)
    expect(await begin('two')).toMatchObject({ outcome: 'running' })
    expect(await ledger.extendRun(beta, { holder: 'one', leaseMs: MINUTE })).toBe(false)
  })

  test('the end says how it went, and only an end that is ok counts as a success', async () => {
    await begin('one')
    clock.advance(10)
    const success = clock()
    await ledger.endRun(acme, 'one', { outcome: 'ok', report: '{"items":1}' })
    expect(await row()).toMatchObject({ outcome: 'ok', lastEndedAt: success, lastSuccessAt: success })
    expect((await row())?.running).toBeUndefined()

    expect(await begin('two')).toMatchObject({ outcome: 'begun', row: { lastSuccessAt: success } })
    clock.advance(10)
    const nextRunAt = new Date(clock().getTime() + 5)
    const waiting = { outcome: 'waiting', problem: 'Slack wants a pause.', remedy: 'It goes on by itself.' } as const
    await ledger.endRun(acme, 'two', { ...waiting, report: '{"items":2}', nextRunAt })
    const ended = { lastEndedAt: clock(), lastSuccessAt: success }
    expect(await row()).toMatchObject({ ...waiting, ...ended, report: '{"items":2}', nextRunAt })

    await begin('three')
    await ledger.endRun(acme, 'three', { outcome: 'ok', report: '{}' })
    // The time is still to come.
    expect(await row()).toMatchObject({ outcome: 'ok', problem: undefined, remedy: undefined, nextRunAt })
    await begin('four')
    clock.advance(5)
    await ledger.endRun(acme, 'four', { outcome: 'ok', report: '{}' })
    expect((await row())?.nextRunAt).toBeUndefined()
  })
}

function describePartitions(setUp: () => Promise<LedgerUnderTest>): void {
  let ledger: Ledger
  beforeEach(async () => {
    ;({ ledger } = await setUp())
  })
  const partitions = async () => (await ledger.listPartitions(acme)).map(({ partitionId }) => partitionId)

  test('a commit keeps what it does not name', async () => {
    const at = new Date('2026-01-02T03:04:05Z')
    await ledger.commit(acme, 'C1', { partition: { title: '#general', scanNumber: 1, scanning: true } })
    await ledger.commit(acme, 'C1', {
      partition: { cursor: '{"ts":1}', cursorAt: at, error: 'No access', errorAt: at },
    })
    await ledger.commit(acme, 'C1', { partition: { scanning: false, error: null, errorAt: null, lastSuccessAt: at } })
    await ledger.commit(acme, 'C2', {})
    const empty = { cursor: undefined, cursorAt: undefined, lastSuccessAt: undefined, lastInventoryAt: undefined }
    const sound = { error: undefined, errorAt: undefined, remedy: undefined }
    expect(await ledger.listPartitions(acme)).toEqual([
      {
        ...empty,
        ...sound,
        partitionId: 'C1',
        title: '#general',
        cursor: '{"ts":1}',
        cursorAt: at,
        lastSuccessAt: at,
        scanNumber: 1,
        scanning: false,
      },
      { ...empty, ...sound, partitionId: 'C2', title: 'C2', scanNumber: 0, scanning: false },
    ])
  })

  test('a partition with living items is not removed, an empty one is', async () => {
    await ledger.commit(acme, 'C1', { items: [entry('1'), entry('2', { phase: 'removed' })] })
    await ledger.commit(acme, 'C2', { partition: { cursor: '1' } })
    await ledger.removePartition(acme, 'C1')
    await ledger.removePartition(acme, 'C2')
    await ledger.removePartition(beta, 'C1')
    expect(await partitions()).toEqual(['C1'])
    expect((await ledger.findItems([entry('1')])).size).toBe(1)
  })

  test('tombstones outlive their partition, and know its name', async () => {
    const tombstones = [
      entry('1', { phase: 'removed', scanNumber: 7 }),
      entry('2', { phase: 'forgotten', scanNumber: 7 }),
    ]
    await ledger.commit(acme, 'C1', { items: tombstones, partition: { cursor: '1', scanNumber: 7 } })
    await ledger.removePartition(acme, 'C1')
    expect(await partitions()).toEqual([])
    const found = await ledger.findItems(tombstones)
    expect([...found.values()].map(({ partitionId, phase }) => [partitionId, phase])).toEqual([
      ['C1', 'removed'],
      ['C1', 'forgotten'],
    ])
  })

  test('a partition that comes back starts over, and its full scans find what they missed', async () => {
    const tombstone = entry('1', { phase: 'removed', scanNumber: 7 })
    await ledger.commit(acme, 'C1', { items: [tombstone], partition: { title: '#one', cursor: '1', scanNumber: 7 } })
    await ledger.removePartition(acme, 'C1')
    await ledger.commit(acme, 'C1', { items: [entry('1', { scanNumber: 1 })] })
    expect(await ledger.listPartitions(acme)).toMatchObject([{ partitionId: 'C1', cursor: undefined, scanNumber: 0 }])
    const unseen = await ledger.pageItems(acme, { kind: 'unseen', partitionId: 'C1', scanNumber: 2 }, { limit: 9 })
    expect(ids(unseen)).toEqual(['1'])
  })
}
