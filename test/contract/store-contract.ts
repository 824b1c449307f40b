import { beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '../../src/lib/clock.ts'
import type { ScopedStore, Store } from '../../src/store/store.ts'
import { until } from '../lib/until.ts'
import { describeActivityContract } from './store-activity-contract.ts'
import { describeAuthorizationsContract } from './store-authorizations-contract.ts'
import { describeConnectorsContract } from './store-connectors-contract.ts'
import { describeDailyTasksContract } from './store-daily-tasks-contract.ts'
import { describeDeletionContract } from './store-deletion-contract.ts'
import { describeEditsContract } from './store-edits-contract.ts'
import { describeGoldenContract } from './store-golden-contract.ts'
import { describeLibraryContract } from './store-library-contract.ts'
import { describeNamesContract } from './store-names-contract.ts'
import { describePeopleContract } from './store-people-contract.ts'
import { describeQueueContract } from './store-queue-contract.ts'
import { describeRefinementContract } from './store-refinement-contract.ts'
import {
  claimOne,
  findTexts,
  memorize,
  sampleAccount,
  sampleItem,
  sampleKey,
  sampleUpload,
  sha256,
} from './store-samples.ts'
import { describeSearchContract } from './store-search-contract.ts'
import { describeSpacesContract } from './store-spaces-contract.ts'
import { describeTagsContract } from './store-tags-contract.ts'

export interface StoreUnderTest {
  readonly store: Store
  /** Moves the store's clock. */
  readonly clock: MovableClock
}

export interface MovableClock extends Clock {
  advance(ms: number): void
}

export function movableClock(start = Date.parse('2026-01-01T00:00:00Z')): MovableClock {
  let now = start
  return Object.assign(() => new Date(now), {
    advance: (ms: number) => {
      now += ms
    },
  })
}

const SUITES = {
  items: describeItems,
  'accounts and keys': describeAdmin,
  queue: describeQueueContract,
  refinements: describeRefinementContract,
  library: describeLibraryContract,
  search: describeSearchContract,
  'items by connector': describeConnectorsContract,
  'items by tag': describeTagsContract,
  'embedding spaces': describeSpacesContract,
  people: describePeopleContract,
  authorizations: describeAuthorizationsContract,
  'golden questions': describeGoldenContract,
  'corrections, pins and hidden memories': describeEditsContract,
  'names of people': describeNamesContract,
  'daily tasks': describeDailyTasksContract,
  'deletions of accounts': describeDeletionContract,
  activity: describeActivityContract,
} satisfies Record<string, (setUp: () => Promise<StoreUnderTest>) => void>

export type StorePart = keyof typeof SUITES
const STORE_PARTS = Object.keys(SUITES) as StorePart[]

/**
 * What every engine promises.
 *
 * @param open an empty store, closed and removed when the test ends
 * @param parts all when absent
 */
export function describeStoreContract(
  name: string,
  open: (clock: Clock) => Promise<Store>,
  parts: readonly StorePart[] = STORE_PARTS,
): void {
  const setUp = async (): Promise<StoreUnderTest> => {
    const clock = movableClock()
    const store = await open(clock)
    await store.admin.createAccount(sampleAccount('a'))
    await store.admin.createAccount(sampleAccount('b'))
    return { store, clock }
  }
  for (const part of parts) describe(`${name}: ${part}`, () => SUITES[part](setUp))
}

function describeItems(setUp: () => Promise<StoreUnderTest>): void {
  let store: Store
  let clock: MovableClock
  let a: ScopedStore
  let b: ScopedStore
  beforeEach(async () => {
    ;({ store, clock } = await setUp())
    a = store.scoped({ accountId: 'a', sources: 'all' })
    b = store.scoped({ accountId: 'b', sources: 'all' })
  })
  const ref = { itemId: 'note', sourceType: 'text' } as const

  test('the mark of changes differs after every commit, and after nothing else', async () => {
    const mark = await store.changeMark()
    // A server also counts the commits in its other databases, which tests may make at the same time.
    await until(async () => {
      const before = await store.changeMark()
      await a.listItems({ sourceType: 'text', limit: 10, offset: 0 })
      return (await store.changeMark()) === before
    })
    await a.putItem(sampleUpload('note', 'first'))
    const second = await store.changeMark()
    expect(second).not.toBe(mark)
    await store.ledger('account:a').updateConnection({ connector: 'slack', name: 'acme' }, { accountTitle: 'Acme' })
    expect(await store.changeMark()).not.toBe(second)
  })

  test('an upload is stored with its bytes and is queued', async () => {
    const upload = sampleUpload('note', 'the bytes')
    expect(await a.putItem(upload)).toEqual({ outcome: 'created', executionId: upload.executionId })
    expect(await a.findItem(ref)).toMatchObject({ status: 'queued', sizeBytes: 9, memoryCount: 0, createdAt: clock() })
    expect(Buffer.from((await a.readBody(ref)) ?? []).toString()).toBe('the bytes')
    expect(upload.body).toHaveLength(9)
  })

  test('the same identity is a conflict, another source or another letter case is not', async () => {
    await a.putItem(sampleUpload('note', 'one'))
    expect(await a.putItem(sampleUpload('note', 'two'))).toEqual({ outcome: 'conflict', status: 'queued' })
    expect(await a.putItem(sampleUpload('Note', 'two'))).toMatchObject({ outcome: 'created' })
    expect(await a.putItem(sampleUpload('note', 'two', { sourceType: 'email' }))).toMatchObject({ outcome: 'created' })
  })

  test('of many uploads of one identity at the same time exactly one is stored', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => a.putItem(sampleUpload('note', `try ${n}`))),
    )
    expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(1)
    expect(outcomes.filter(({ outcome }) => outcome === 'conflict')).toHaveLength(19)
    expect((await a.listItems({ sourceType: 'text', limit: 10, offset: 0 })).total).toBe(1)
  })

  test('a write command that fails takes nothing with it and leaves the others of its group alone', async () => {
    const broken = store.scoped({ accountId: 'nobody', sources: 'all' })
    const results = await Promise.allSettled([
      a.putItem(sampleUpload('before', 'x')),
      broken.putItem(sampleUpload('lost', 'x')),
      store.admin.createAccount(sampleAccount('a')),
      a.putItem(sampleUpload('after', 'x')),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect((await a.listItems({ sourceType: 'text', limit: 10, offset: 0 })).total).toBe(2)
    expect(await a.holdings()).toEqual({ items: 2, bytes: 2, memories: 0, waiting: 2, failed: 0 })
  })

  test('replacing keeps the old memories recallable until the new ones are stored', async () => {
    await memorize(store, a, 'note', ['about apples'])
    expect(await a.putItem(sampleUpload('note', 'about pears', { onConflict: 'replace' }))).toMatchObject({
      outcome: 'replaced',
    })
    expect(await a.findItem(ref)).toMatchObject({ status: 'queued', memoryCount: 1 })
    expect(await findTexts(a, ['apples'])).toEqual(['about apples'])
    await store.queue.complete(await claimOne(store), sampleItem(['about pears', 'more pears']))
    expect(await findTexts(a, ['apples'])).toEqual([])
    expect(await findTexts(a, ['pears'])).toHaveLength(2)
    expect(await a.findItem(ref)).toMatchObject({ status: 'ready', memoryCount: 2 })
    expect(await a.holdings()).toMatchObject({ items: 1, memories: 2, waiting: 0, failed: 0 })
  })

  test('replacing by the same bytes changes nothing, unless the item had failed', async () => {
    const first = sampleUpload('note', 'same')
    await a.putItem(first)
    const again = sampleUpload('note', 'same', { onConflict: 'replace' })
    expect(await a.putItem(again)).toEqual({ outcome: 'unchanged', executionId: first.executionId })
    await store.queue.fail(await claimOne(store), { code: 'unreadable', message: 'No text in it' })
    expect(await a.findItem(ref)).toMatchObject({ status: 'failed', error: 'No text in it' })
    expect(await a.holdings()).toMatchObject({ waiting: 0, failed: 1 })
    expect(await a.putItem(again)).toMatchObject({ outcome: 'replaced' })
    expect(await a.holdings()).toMatchObject({ waiting: 1, failed: 0 })
    expect(await a.findItem(ref)).toMatchObject({ status: 'queued', error: undefined })
  })

  test('deleting removes the item from every reading before it is answered', async () => {
    await memorize(store, a, 'note', ['first words', 'second words'])
    const [hit] = await a.index.lexicalCandidates({ terms: [{ term: 'words', weight: 1, frequency: 2 }], limit: 1 })
    expect(await a.deleteItem(ref)).toEqual({ deletedMemories: 2 })
    expect(await a.deleteItem(ref)).toBeUndefined()
    expect(await a.findItem(ref)).toBeUndefined()
    expect(await a.readBody(ref)).toBeUndefined()
    expect(await a.index.chunks([hit!.chunkId], 5)).toEqual([])
    expect(await a.index.memoriesOf([hit!.chunkId])).toEqual([])
    expect(await a.index.qasOf([hit!.chunkId])).toEqual([])
    expect((await a.index.termStatistics(['words'])).frequencies.get('words')).toBe(0)
    expect(await a.index.termStatistics([])).toMatchObject({ chunks: 0, averageBodyLength: 0 })
    expect(await a.holdings()).toEqual({ items: 0, bytes: 0, memories: 0, waiting: 0, failed: 0 })
  })

  test('an item whose memories do not fit one commit is replaced and deleted like any other', async () => {
    const many = Array.from({ length: 2_345 }, (_, n) => `sentence ${n} of many`)
    await memorize(store, a, 'note', many)
    expect(await a.index.termStatistics(['many'])).toMatchObject({ chunks: 2_345, averageBodyLength: 4 })
    expect(await findTexts(a, ['2344'])).toEqual(['sentence 2344 of many'])
    await memorize(store, a, 'note', ['one sentence'], { onConflict: 'replace' })
    expect(await findTexts(a, ['many'])).toEqual([])
    await memorize(store, a, 'note', many, { onConflict: 'replace' })
    expect(await a.deleteItem(ref)).toEqual({ deletedMemories: 2_345 })
    expect((await a.index.termStatistics(['many'])).frequencies.get('many')).toBe(0)
  })

  test('two accounts with the same identifiers never meet', async () => {
    await memorize(store, a, 'note', ['secret of a'])
    await memorize(store, b, 'note', ['secret of b', 'and more'])
    const [ofB] = await b.index.lexicalCandidates({ terms: [{ term: 'more', weight: 1, frequency: 1 }], limit: 1 })
    expect(await findTexts(a, ['secret', 'more'])).toEqual(['secret of a'])
    expect(await a.index.chunks([ofB!.chunkId], 3)).toEqual([])
    expect(await a.index.passages([ofB!.chunkId])).toEqual(new Map())
    expect(await a.index.memoriesOf([ofB!.chunkId])).toEqual([])
    expect(await a.index.qasOf([ofB!.chunkId - 1])).toEqual([])
    expect((await a.index.termStatistics(['more'])).frequencies.get('more')).toBe(0)
    expect(await a.index.similarTerms('secreet', 3)).toEqual(['secret'])
    expect(Buffer.from((await a.readBody(ref)) ?? []).toString()).toBe('secret of a')
    expect(await a.deleteItem(ref)).toEqual({ deletedMemories: 1 })
    expect(await b.findItem(ref)).toMatchObject({ status: 'ready', memoryCount: 2 })
    expect(await findTexts(b, ['secret'])).toEqual(['secret of b'])
  })

  test('a scope sees its sources only, on every reading and writing', async () => {
    await memorize(store, a, 'note', ['shared words'])
    await memorize(store, a, 'mail', ['shared words by mail'], { sourceType: 'email' })
    const scoped = store.scoped({ accountId: 'a', sources: ['email'] })
    expect(await findTexts(scoped, ['shared'])).toEqual(['shared words by mail'])
    expect(await findTexts(scoped, ['shared'], { source: 'text' })).toEqual([])
    expect(await scoped.findItem({ itemId: 'note' })).toBeUndefined()
    expect(await scoped.readBody(ref)).toBeUndefined()
    expect(await scoped.listItems({ sourceType: 'text', limit: 5, offset: 0 })).toEqual({ items: [], total: 0 })
    expect(await scoped.deleteItem(ref)).toBeUndefined()
    await expect(scoped.putItem(sampleUpload('new', 'x'))).rejects.toMatchObject({ code: 'forbidden' })
    expect(await scoped.requeueFailed()).toBe(0)
    const hits = await a.index.nearest({ spaceId: 'test-space@4', vector: Float32Array.of(1, 0, 0, 0), limit: 9 })
    expect(hits).toHaveLength(2)
    const ids = hits.map(({ chunkId }) => chunkId)
    expect(await scoped.index.chunks(ids, 0)).toHaveLength(1)
    expect(await scoped.index.memoriesOf(ids)).toHaveLength(1)
  })

  test('an empty selection of sources sees nothing', async () => {
    await memorize(store, a, 'note', ['hidden words'])
    const none = store.scoped({ accountId: 'a', sources: [] })
    const nearest = { spaceId: 'test-space@4', vector: Float32Array.of(1, 0, 0, 0), limit: 9 }
    expect(await findTexts(none, ['hidden'])).toEqual([])
    expect(await none.index.nearest(nearest)).toEqual([])
    expect(await none.findItem({ itemId: 'note' })).toBeUndefined()
    expect(await none.deleteItem(ref)).toBeUndefined()
    expect(await none.index.chunks([1, 2, 3], 1)).toEqual([])
  })

  test('a listing is newest first, in pages, with the total', async () => {
    for (const n of [1, 2, 3, 4, 5]) await a.putItem(sampleUpload(`item-${n}`, `text ${n}`))
    const page = await a.listItems({ sourceType: 'text', limit: 2, offset: 1 })
    expect(page.total).toBe(5)
    expect(page.items.map(({ itemId }) => itemId)).toEqual(['item-4', 'item-3'])
  })

  test('without a source type the newest item of that id is found', async () => {
    await a.putItem(sampleUpload('note', 'older'))
    clock.advance(1_000)
    await a.putItem(sampleUpload('note', 'newer', { sourceType: 'email' }))
    expect(await a.findItem({ itemId: 'note' })).toMatchObject({ sourceType: 'email' })
  })
}

function describeAdmin(setUp: () => Promise<StoreUnderTest>): void {
  let store: Store
  let clock: MovableClock
  beforeEach(async () => {
    ;({ store, clock } = await setUp())
  })

  test('a key is found by its hash, with account and user', async () => {
    const found = await store.admin.findKey(sha256('a default'))
    expect(found).toMatchObject({
      key: { keyId: 'a-default', isDefault: true, sources: 'all' },
      account: { accountId: 'a', billingStatus: 'none', timeZone: 'Europe/Berlin' },
      user: { userId: 'user-of-a', name: 'Ada' },
    })
    expect(await store.admin.findKey(sha256('guess'))).toBeUndefined()
  })

  test('racing calls make no more keys than the limit', async () => {
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, n) => store.admin.createKey(sampleKey('a', `key ${n}`), 5)),
    )
    expect(made.filter((outcome) => outcome === 'created')).toHaveLength(4)
    expect(await store.admin.listKeys('a')).toHaveLength(5)
    expect(await store.admin.listKeys('b')).toHaveLength(1)
  })

  test('a name is used once in an account', async () => {
    expect(await store.admin.createKey(sampleKey('a', 'laptop', ['slack', 'github']), 5)).toBe('created')
    const second = { ...sampleKey('a', 'laptop'), keyId: 'other', hash: sha256('other') }
    expect(await store.admin.createKey(second, 5)).toBe('name_taken')
    expect(await store.admin.createKey(sampleKey('b', 'laptop'), 5)).toBe('created')
    const found = await store.admin.findKey(sha256('a laptop'))
    expect(found?.key.sources).toEqual(['slack', 'github'])
  })

  test('a replaced value stops working and the new one works', async () => {
    expect(await store.admin.replaceKeyHash('a', 'a-default', sha256('fresh'))).toBe(true)
    expect(await store.admin.findKey(sha256('a default'))).toBeUndefined()
    expect(await store.admin.findKey(sha256('fresh'))).toMatchObject({ key: { keyId: 'a-default' } })
    expect(await store.admin.replaceKeyHash('b', 'a-default', sha256('stolen'))).toBe(false)
  })

  test('a key is deleted within its account, the default key never', async () => {
    await store.admin.createKey(sampleKey('a', 'laptop'), 5)
    expect(await store.admin.deleteKey('b', 'a-laptop')).toBe('absent')
    expect(await store.admin.deleteKey('a', 'a-laptop')).toBe('deleted')
    expect(await store.admin.deleteKey('a', 'a-default')).toBe('default_key')
    expect(await store.admin.findKey(sha256('a laptop'))).toBeUndefined()
  })

  test('usage adds up by metric from a day on and marks the key as used', async () => {
    const count = { accountId: 'a', keyId: 'a-default', metric: 'upload', count: 2 } as const
    await store.admin.addUsage([{ ...count, day: '2026-01-01' }])
    await store.admin.addUsage([{ ...count, day: '2026-01-02' }])
    await store.admin.addUsage([
      { ...count, day: '2026-01-02' },
      { ...count, day: '2026-01-03', metric: 'recall' },
    ])
    expect(await store.admin.usage('a', '2026-01-02')).toEqual(
      new Map([
        ['upload', 4],
        ['recall', 2],
      ]),
    )
    expect(await store.admin.usage('b', '2026-01-01')).toEqual(new Map())
    expect(await store.admin.usageByDay('a', '2026-01-02')).toEqual([
      { ...count, day: '2026-01-02', count: 4 },
      { ...count, day: '2026-01-03', metric: 'recall' },
    ])
    expect(await store.admin.usageByDay('b', '2026-01-01')).toEqual([])
    expect((await store.admin.listKeys('a'))[0]?.lastUsedAt).toEqual(clock())
  })

  test('usage of a day outlives its key, and days whose counts were taken back are left out', async () => {
    await store.admin.createKey(sampleKey('a', 'laptop'), 5)
    const count = { accountId: 'a', keyId: 'a-laptop', day: '2026-01-02', metric: 'ask', count: 3 } as const
    await store.admin.addUsage([count, { ...count, metric: 'recall', count: 1 }])
    await store.admin.addUsage([{ ...count, metric: 'recall', count: -1 }])
    await store.admin.deleteKey('a', 'a-laptop')
    expect(await store.admin.usageByDay('a', '2026-01-01')).toEqual([count])
  })

  test('billing and time zone are kept, and an unknown account is not found', async () => {
    await store.admin.updateBilling('a', { plan: 'team', status: 'past_due' })
    await store.admin.updateAccount('a', { timeZone: 'Asia/Tokyo' })
    await store.admin.updateAccount('a', { name: 'Archive' })
    expect(await store.admin.findAccount('a')).toMatchObject({
      plan: 'team',
      billingStatus: 'past_due',
      timeZone: 'Asia/Tokyo',
      name: 'Archive',
    })
    await expect(store.admin.updateAccount('nobody', { timeZone: 'UTC' })).rejects.toMatchObject({ code: 'not_found' })
    expect((await store.admin.listAccounts()).map(({ accountId }) => accountId)).toEqual(['a', 'b'])
  })
}
