import { beforeEach, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import type { StoreUnderTest } from './store-contract.ts'
import { claimOne, memorize, sampleItem, sampleUpload } from './store-samples.ts'

const DAY_MS = 86_400_000

/** What one process of several does once a day, and what it goes through. */
export function describeDailyTasksContract(setUp: () => Promise<StoreUnderTest>): void {
  let store: Store
  let clock: StoreUnderTest['clock']
  beforeEach(async () => {
    ;({ store, clock } = await setUp())
  })
  const claim = (holder: string) => store.dailyTasks.claim({ name: 'sweep', holder, leaseMs: 60_000, everyMs: DAY_MS })

  test('one of those who ask together gets it, and keeps it while it asks again', async () => {
    const claimed = await Promise.all(['one', 'two', 'three'].map(claim))
    expect(claimed.filter((isClaimed) => isClaimed)).toHaveLength(1)
    const holder = ['one', 'two', 'three'][claimed.indexOf(true)] ?? ''
    clock.advance(50_000)
    expect(await claim(holder)).toBe(true)
    clock.advance(50_000)
    expect(await claim('late')).toBe(false)
  })

  test('whoever died of it loses it to the next one, and cannot end it any more', async () => {
    expect(await claim('dead')).toBe(true)
    clock.advance(60_001)
    expect(await claim('next')).toBe(true)
    await store.dailyTasks.done('sweep', 'dead')
    expect(await store.dailyTasks.lastDone('sweep')).toBeUndefined()
    await store.dailyTasks.release('sweep', 'next')
    expect(await claim('another')).toBe(true)
  })

  test('what was done is due a day later, and other tasks are not held up by it', async () => {
    await claim('one')
    await store.dailyTasks.done('sweep', 'one')
    expect(await store.dailyTasks.lastDone('sweep')).toEqual(clock())
    expect(await claim('two')).toBe(false)
    expect(await store.dailyTasks.claim({ name: 'other', holder: 'two', leaseMs: 1, everyMs: 1 })).toBe(true)
    clock.advance(DAY_MS)
    expect(await claim('two')).toBe(true)
  })

  test('items are gone through in the order in which they came, and keep the times that they bring along', async () => {
    const scoped = store.scoped({ accountId: 'a', sources: 'all' })
    const came = { createdAt: new Date('2020-01-01T00:00:00Z'), uploadedAt: new Date('2021-01-01T00:00:00Z') }
    await scoped.putItem({ ...sampleUpload('brought', 'x'), came })
    for (const itemId of ['b', 'a']) await scoped.putItem(sampleUpload(itemId, itemId))
    await scoped.putItem(sampleUpload('mail', 'm', { sourceType: 'email' }))
    const first = await scoped.library.stored({ sourceType: 'text', limit: 2 })
    expect(first).toMatchObject([
      { itemId: 'brought', ...came, sizeBytes: 1 },
      { itemId: 'b', createdAt: clock() },
    ])
    const after = first.at(-1)?.key ?? 0
    expect((await scoped.library.stored({ after, limit: 9 })).map(({ itemId }) => itemId)).toEqual(['a', 'mail'])
    const other = store.scoped({ accountId: 'b', sources: 'all' })
    expect(await other.library.stored({ limit: 9 })).toEqual([])
  })

  test('an item that is too old goes with its reason, but not what came anew since it was listed', async () => {
    const scoped = store.scoped({ accountId: 'a', sources: 'all' })
    const listed = async () => (await scoped.library.stored({ limit: 1 }))[0]!
    await scoped.putItem(sampleUpload('note', 'old'))
    const told = { start: new Date('2020-01-01'), end: new Date('2020-01-02'), precision: 'day' as const }
    await store.queue.complete(await claimOne(store), { ...sampleItem(['old']), when: told })
    const old = await listed()
    expect(old).toMatchObject({ statedFrom: told.start, statedUntil: told.end })
    clock.advance(1)
    await scoped.putItem(sampleUpload('note', 'new', { onConflict: 'replace' }))
    const waiting = await listed()
    expect(waiting).toMatchObject({ statedFrom: undefined, statedUntil: undefined, uploadedAt: clock() })
    expect(await scoped.forgetItem(old, 'too old')).toBeUndefined()
    expect(await scoped.forgetItem(waiting, 'too old')).toBeUndefined()
    await store.queue.complete(await claimOne(store), sampleItem(['new']))
    expect(await scoped.forgetItem(old, 'too old')).toBeUndefined()
    expect(await scoped.readBody(old)).toEqual(new TextEncoder().encode('new'))
    expect(await scoped.forgetItem(waiting, 'too old')).toEqual({ deletedMemories: 1 })
    expect(await scoped.readBody(old)).toBeUndefined()
    expect(await scoped.holdings()).toMatchObject({ items: 0, bytes: 0, memories: 0 })
  })

  test('the ledger says why an item went when it went, and keeps it while a connector brings it', async () => {
    const scoped = store.scoped({ accountId: 'a', sources: 'all' })
    const ledger = store.ledger('account:a')
    const ref = { sourceType: 'text', itemId: 'note' } as const
    const note = async (phase: 'clean' | 'memorizing' | 'forgotten') =>
      ledger.commit({ connector: 'test', name: 'main' }, 'P', {
        items: [{ ...ref, phase, scanNumber: 3, contentHash: 'hash', revision: phase }],
      })
    const row = async () => [...(await ledger.findItems([ref])).values()][0]
    const listed = async () => (await scoped.library.stored({ limit: 1 }))[0]!
    await memorize(store, scoped, 'note', ['old'])
    await note('memorizing')
    expect(await scoped.forgetItem(await listed(), 'too old')).toBeUndefined()
    expect(await row()).toMatchObject({ phase: 'memorizing', contentHash: 'hash' })
    await note('clean')
    expect(await scoped.forgetItem({ ...(await listed()), bodyHash: 'another' }, 'too old')).toBeUndefined()
    expect(await row()).toMatchObject({ phase: 'clean', contentHash: 'hash' })
    expect(await scoped.forgetItem(await listed(), 'too old')).toEqual({ deletedMemories: 1 })
    const leftOut = { phase: 'skipped', contentHash: undefined, revision: 'clean', scanNumber: 3 }
    expect(await row()).toMatchObject({ ...leftOut, errorCode: 'not_found', error: 'too old' })
    await note('forgotten')
    await memorize(store, scoped, 'note', ['uploaded by hand'])
    expect(await scoped.forgetItem(await listed(), 'too old')).toEqual({ deletedMemories: 1 })
    expect(await row()).toMatchObject({ phase: 'forgotten' })
  })
}
