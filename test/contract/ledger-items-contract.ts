import { beforeEach, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../src/domain/errors.ts'
import {
  ITEM_PHASES,
  type ItemPhase,
  type Ledger,
  type LedgerItem,
  type LedgerQuery,
  ledgerKey,
} from '../../src/store/ledger/ledger.ts'
import type { LedgerUnderTest } from './ledger-contract.ts'
import { acme, beta, sampleEntry as entry, itemIds as ids } from './ledger-samples.ts'
import type { MovableClock } from './store-contract.ts'

/** Items, pages of them, retries and tombstones. */
export function describeLedgerItems(setUp: () => Promise<LedgerUnderTest>): void {
  describe('states', () => describeStates(setUp))
  describe('pages', () => describePages(setUp))
  describe('retries and tombstones', () => describeTombstones(setUp))
}

function describeStates(setUp: () => Promise<LedgerUnderTest>): void {
  let clock: MovableClock
  let ledger: Ledger
  beforeEach(async () => {
    ;({ clock, ledger } = await setUp())
  })
  const find = async (itemId: string) => (await ledger.findItems([entry(itemId)])).get(`slack\n${itemId}`)

  test('an item is found as it was committed, and what a later commit leaves out is cleared', async () => {
    const at = new Date('2026-01-02T03:04:05Z')
    const told = { revision: 'r1', locator: 'C1/1', title: 'Launch', url: 'https://acme.test/1', statedAt: at }
    const failure = { attempts: 2, nextAttemptAt: at, errorCode: 'unavailable', error: 'Not reachable.' } as const
    await ledger.commit(acme, 'C1', { items: [entry('1', { phase: 'failed', scanNumber: 3, ...told, ...failure })] })
    const hash = 'a'.repeat(64)
    const place = { ...acme, partitionId: 'C1', sourceType: 'slack', itemId: '1' }
    const whole = {
      ...place,
      ...told,
      ...failure,
      phase: 'failed',
      contentHash: hash,
      scanNumber: 3,
      changedAt: clock(),
    }
    expect(await find('1')).toEqual(whole)

    clock.advance(1_000)
    await ledger.commit(acme, 'C1', { items: [{ sourceType: 'slack', itemId: '1', phase: 'removed', scanNumber: 2 }] })
    const cleared = Object.fromEntries(Object.keys({ ...told, ...failure }).map((name) => [name, undefined]))
    const gone = { ...place, ...cleared, phase: 'removed', contentHash: undefined, attempts: 0 }
    expect(await find('1')).toEqual({ ...gone, scanNumber: 3, changedAt: clock() })
  })

  test('every phase is kept, and counted by partition', async () => {
    await ledger.commit(acme, 'C1', { items: ITEM_PHASES.map((phase) => entry(phase, { phase })) })
    await ledger.commit(acme, 'C2', { items: [entry('1'), entry('2')] })
    await ledger.commit(beta, 'C2', { items: [entry('3')] })
    for (const phase of ITEM_PHASES) expect((await find(phase))?.phase).toBe(phase)
    const counts = await ledger.countItems(acme)
    expect(counts).toHaveLength(ITEM_PHASES.length + 1)
    const expected = ITEM_PHASES.map((phase) => ({ partitionId: 'C1', phase, count: 1 }))
    expect(counts).toEqual(expect.arrayContaining([...expected, { partitionId: 'C2', phase: 'clean', count: 2 }]))
  })

  test('500 items of several sources are committed and found at once', async () => {
    const items = Array.from({ length: 500 }, (_, n) => entry(`id-${n}`, { sourceType: n % 2 ? 'slack' : 'github' }))
    await ledger.commit(acme, 'C1', { items })
    const unknown = [entry('id-1', { sourceType: 'github' }), entry('ID-1'), entry('none')]
    const found = await ledger.findItems([...items.slice(3), ...unknown])
    expect([...found.keys()].sort()).toEqual(items.slice(3).map(ledgerKey).sort())
  })

  test('a commit happens whole or not at all', async () => {
    // @ts-expect-error: no caller can give a value that is no text, and the database refuses it
    const broken = ledger.commit(acme, 'C1', { items: [entry('1'), entry('2', { phase: new Uint8Array(1) })] })
    await expect(broken).rejects.toThrow()
    expect(await find('1')).toBeUndefined()
    expect(await ledger.listPartitions(acme)).toEqual([])
  })

  test('seen items of a partition get a higher scan number, never a lower one', async () => {
    await ledger.commit(acme, 'C1', {
      items: [entry('1', { scanNumber: 3 }), entry('2', { scanNumber: 5 }), entry('3')],
    })
    await ledger.commit(acme, 'C2', { items: [entry('4')] })
    const before = await find('1')
    clock.advance(1_000)
    await ledger.commit(acme, 'C1', {
      seen: { refs: [entry('1'), entry('2'), entry('4'), entry('none')], scanNumber: 4 },
    })
    expect(await find('1')).toEqual({ ...before, scanNumber: 4 })
    const numbers = await Promise.all(['2', '3', '4', 'none'].map(async (itemId) => (await find(itemId))?.scanNumber))
    expect(numbers).toEqual([5, 1, 1, undefined])
  })

  test('an item that another connection commits is taken over', async () => {
    await ledger.commit(acme, 'C1', { items: [entry('1', { scanNumber: 9 })] })
    await ledger.commit(beta, 'D1', { items: [entry('1', { scanNumber: 2, title: 'moved' })] })
    expect(await find('1')).toMatchObject({ ...beta, partitionId: 'D1', scanNumber: 2, title: 'moved' })
    expect(await ledger.countItems(acme)).toEqual([])
    expect(await ledger.countItems(beta)).toEqual([{ partitionId: 'D1', phase: 'clean', count: 1 }])
  })

  test('what the memory holds comes by the time it tells of', async () => {
    const at = (ms: number) => ({ statedAt: new Date(ms) })
    await ledger.commit(acme, 'C1', { items: [entry('d', at(40)), entry('b', at(20)), entry('late', at(50))] })
    await ledger.commit(beta, 'D1', { items: [entry('c', at(30)), entry('a', at(10)), entry('early', at(9))] })
    const without = { contentHash: undefined, ...at(25) }
    await ledger.commit(acme, 'C1', { items: [entry('never'), entry('failed', { phase: 'failed', ...without })] })
    const range = { since: new Date(10), until: new Date(50) }
    expect(ids(await ledger.memorizedBetween(range, { offset: 0, limit: 3 }))).toEqual(['a', 'b', 'c'])
    expect(ids(await ledger.memorizedBetween(range, { offset: 3, limit: 3 }))).toEqual(['d'])
  })
}

function describePages(setUp: () => Promise<LedgerUnderTest>): void {
  let clock: MovableClock
  let ledger: Ledger
  beforeEach(async () => {
    ;({ clock, ledger } = await setUp())
  })

  /** Everything, two rows at a time. */
  async function pages(query: LedgerQuery): Promise<string[]> {
    const found: LedgerItem[] = []
    for (;;) {
      const after = found.at(-1)
      const page = await ledger.pageItems(acme, query, { ...(after === undefined ? {} : { after }), limit: 2 })
      found.push(...page)
      if (page.length < 2) return found.map(({ sourceType, itemId }) => `${sourceType} ${itemId}`)
    }
  }

  test('of a connection come what a crash left unfinished', async () => {
    await ledger.commit(acme, 'C1', { items: ITEM_PHASES.map((phase) => entry(phase, { phase })) })
    await ledger.commit(acme, 'C2', { items: [entry('other', { phase: 'deleting', sourceType: 'github' })] })
    await ledger.commit(beta, 'C1', { items: [entry('theirs', { phase: 'deleting' })] })
    const unfinished: ItemPhase[] = ['deleting', 'memorizing', 'removing']
    expect(await pages({ kind: 'unfinished' })).toEqual([
      'github other',
      ...unfinished.map((phase) => `slack ${phase}`),
    ])
  })

  test('of a connection come what is due by now', async () => {
    const now = clock()
    const due = (ms: number) => ({ phase: 'settling' as const, nextAttemptAt: new Date(now.getTime() + ms) })
    await ledger.commit(acme, 'C1', {
      items: [entry('3', due(0)), entry('1', due(1)), entry('2', due(-1)), entry('0')],
    })
    await ledger.commit(acme, 'C2', { items: [entry('4', { ...due(-5), phase: 'failed' })] })
    expect(await pages({ kind: 'due', now })).toEqual(['slack 2', 'slack 3', 'slack 4'])
  })

  test('a partition lists its live items, and those that a full scan did not see', async () => {
    const items = ['e', 'a', 'd', 'b', 'c'].map((itemId, n) => entry(itemId, { scanNumber: 1 + (n % 2) }))
    const tombstones = [entry('x', { phase: 'removed' }), entry('y', { phase: 'forgotten' })]
    await ledger.commit(acme, 'C1', { items: [...items, ...tombstones] })
    await ledger.commit(acme, 'C2', { items: [entry('z')] })
    const partitionId = 'C1'
    const all = ['slack a', 'slack b', 'slack c', 'slack d', 'slack e']
    expect(await pages({ kind: 'partition', partitionId })).toEqual(all)
    expect(await pages({ kind: 'unseen', partitionId, scanNumber: 2 })).toEqual(['slack c', 'slack d', 'slack e'])
    expect(await pages({ kind: 'unseen', partitionId, scanNumber: 1 })).toEqual([])
    expect(await pages({ kind: 'partition', partitionId: 'C9' })).toEqual([])
  })

  test('a page goes on where the last one ended, also when that item is gone', async () => {
    await ledger.commit(acme, 'C1', { items: ['a', 'b', 'c'].map((itemId) => entry(itemId)) })
    const query = { kind: 'partition', partitionId: 'C1' } as const
    const [first] = await ledger.pageItems(acme, query, { limit: 1 })
    await ledger.commit(beta, 'D1', { items: [entry('a')] })
    expect(ids(await ledger.pageItems(acme, query, { ...(first && { after: first }), limit: 1 }))).toEqual(['b'])
  })

  test('skipped items are counted by reason, most frequent first', async () => {
    const skipped = (itemId: string, errorCode: ErrorCode, error: string) =>
      entry(itemId, { phase: 'skipped', errorCode, error })
    await ledger.commit(acme, 'C1', {
      items: [
        skipped('a', 'invalid', 'file is not valid UTF-8 text'),
        skipped('b', 'too_large', '/a/b is too large'),
        skipped('c', 'too_large', '/a/c is too large'),
        entry('d', { phase: 'failed', errorCode: 'unavailable', error: 'Later.' }),
      ],
    })
    await ledger.commit(beta, 'D1', { items: [skipped('e', 'unreadable', 'Damaged.')] })
    expect(await ledger.skipReasons(acme)).toEqual([
      { code: 'too_large', message: undefined, count: 2 },
      { code: 'invalid', message: 'file is not valid UTF-8 text', count: 1 },
    ])
    expect(await ledger.skipReasons({ connector: 'slack', name: 'none' })).toEqual([])
  })

  test('failed and skipped items come with the newest error first', async () => {
    for (const [itemId, phase] of [
      ['b', 'failed'],
      ['c', 'skipped'],
      ['a', 'failed'],
    ] as const) {
      await ledger.commit(acme, 'C1', { items: [entry(itemId, { phase }), entry(`${itemId}-clean`)] })
      clock.advance(1)
    }
    expect(ids(await ledger.failedItems(acme, 2))).toEqual(['a', 'c'])
    expect(ids(await ledger.failedItems(acme, 9))).toEqual(['a', 'c', 'b'])
  })
}

function describeTombstones(setUp: () => Promise<LedgerUnderTest>): void {
  let clock: MovableClock
  let ledger: Ledger
  beforeEach(async () => {
    ;({ clock, ledger } = await setUp())
  })
  const due = (connection = acme) => ledger.pageItems(connection, { kind: 'due', now: clock() }, { limit: 9 })

  test('failed and skipped items are tried again, forgotten ones only when that is asked for', async () => {
    const phases: ItemPhase[] = ['clean', 'failed', 'forgotten', 'removed', 'settling', 'skipped']
    const items = phases.map((phase) => entry(phase, { phase, attempts: 4, error: 'Too large.' }))
    await ledger.commit(acme, 'C1', { items })
    await ledger.commit(beta, 'D1', { items: [entry('theirs', { phase: 'skipped' })] })
    expect(await ledger.retryItems(acme)).toBe(2)
    const state = { phase: 'failed', attempts: 0, nextAttemptAt: clock(), error: 'Too large.' }
    const retried = (await due()).map(({ itemId, phase, attempts, nextAttemptAt, error }) => {
      return { itemId, phase, attempts, nextAttemptAt, error }
    })
    expect(retried).toEqual(['failed', 'skipped'].map((itemId) => ({ itemId, ...state })))
    expect(await due(beta)).toEqual([])
    expect(await ledger.retryItems(undefined, { forgotten: true })).toBe(4)
    expect(ids(await due())).toEqual(['failed', 'forgotten', 'skipped'])
    expect(ids(await due(beta))).toEqual(['theirs'])
  })

  test('old tombstones of what was removed are dropped, of what was forgotten never', async () => {
    const forgotten = entry('forgotten', { phase: 'forgotten' })
    await ledger.commit(acme, 'C1', { items: [entry('old', { phase: 'removed' }), forgotten, entry('living')] })
    clock.advance(1_000)
    const before = clock()
    await ledger.commit(acme, 'C1', { items: [entry('new', { phase: 'removed' })] })
    expect(await ledger.dropTombstones(before)).toBe(1)
    const all = ['forgotten', 'living', 'new', 'old'].map((itemId) => entry(itemId))
    expect(ids([...(await ledger.findItems(all)).values()]).sort()).toEqual(['forgotten', 'living', 'new'])
  })

  test('a partition that was removed comes back as new after its last tombstone', async () => {
    await ledger.commit(acme, 'C1', { items: [entry('1', { phase: 'removed' })], partition: { title: '#old' } })
    await ledger.removePartition(acme, 'C1')
    clock.advance(1)
    expect(await ledger.dropTombstones(clock())).toBe(1)
    await ledger.commit(acme, 'C1', {})
    expect(await ledger.listPartitions(acme)).toMatchObject([{ partitionId: 'C1', title: 'C1' }])
  })
}
