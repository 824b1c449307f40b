import { beforeEach, expect, test } from 'vitest'
import type { Lane } from '../../src/domain/refinement.ts'
import type { ScopedStore, Store } from '../../src/store/store.ts'
import type { MovableClock, StoreUnderTest } from './store-contract.ts'
import { claimOne, findTexts, memorize, sampleItem, sampleUpload } from './store-samples.ts'

/** Claims, leases, failures and their order. */
export function describeQueueContract(setUp: () => Promise<StoreUnderTest>): void {
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
  const claim = (limit: number) => store.queue.claim({ owner: 'test', limit, leaseMs: 60_000 })

  test('a claim brings the bytes and what the upload said, and shows as processing', async () => {
    await a.putItem(sampleUpload('note', 'the bytes'))
    const claimed = await claimOne(store)
    expect(claimed).toMatchObject({ accountId: 'a', itemId: 'note', attempt: 1, timeZone: 'Europe/Berlin' })
    expect(claimed.uploadedAt).toEqual(clock())
    expect(Buffer.from(claimed.body).toString()).toBe('the bytes')
    expect(await a.findItem(ref)).toMatchObject({ status: 'processing' })
    expect(await claim(5)).toEqual([])
  })

  test('the oldest comes first, and accounts take turns', async () => {
    for (const n of [1, 2, 3, 4]) {
      await a.putItem(sampleUpload(`a${n}`, 'x'))
      clock.advance(10)
    }
    await b.putItem(sampleUpload('b1', 'x'))
    expect((await claim(3)).map(({ itemId }) => itemId)).toEqual(['a1', 'b1', 'a2'])
    await b.putItem(sampleUpload('b2', 'x'))
    expect((await claim(1)).map(({ itemId }) => itemId)).toEqual(['b2'])
  })

  test('a lease that runs out goes to the next worker, and the late one can store nothing', async () => {
    await a.putItem(sampleUpload('note', 'x'))
    const late = await claimOne(store)
    clock.advance(60_001)
    expect(await a.findItem(ref)).toMatchObject({ status: 'queued' })
    const next = await claimOne(store)
    expect(next.attempt).toBe(2)
    expect(await store.queue.complete(late, sampleItem(['by the late one']))).toBe('superseded')
    expect(await store.queue.complete(next, sampleItem(['by the next one']))).toBe('stored')
    expect(await findTexts(a, ['by'])).toEqual(['by the next one'])
  })

  test('the late one can store nothing in the commit of the next one either, and no rows of it stay', async () => {
    await a.putItem(sampleUpload('note', 'x'))
    const late = await claimOne(store)
    clock.advance(60_001)
    const next = await claimOne(store)
    await a.putItem(sampleUpload('other', 'x'))
    const other = await claimOne(store)
    // The first is committed alone, the others share the next commit.
    const outcomes = await Promise.all([
      store.queue.complete(other, sampleItem(['by another'])),
      store.queue.complete(next, sampleItem(['by the next one'])),
      store.queue.complete(late, sampleItem(['by the late one'])),
    ])
    expect(outcomes).toEqual(['stored', 'stored', 'superseded'])
    expect(await findTexts(a, ['by'])).toEqual(expect.arrayContaining(['by another', 'by the next one']))
    expect(await a.holdings()).toMatchObject({ items: 2, memories: 2 })
    for (const itemId of ['note', 'other']) await a.deleteItem({ itemId, sourceType: 'text' })
    expect((await store.admin.stats()).chunks).toBe(0)
  })

  test('an extended lease is kept', async () => {
    await a.putItem(sampleUpload('note', 'x'))
    const claimed = await claimOne(store)
    clock.advance(50_000)
    await store.queue.extend([claimed], 60_000)
    clock.advance(50_000)
    expect(await claim(1)).toEqual([])
    expect(await store.queue.complete(claimed, sampleItem(['x']))).toBe('stored')
  })

  test('an item that was deleted or replaced while processed is not stored', async () => {
    await a.putItem(sampleUpload('note', 'first'))
    const deleted = await claimOne(store)
    expect(await a.deleteItem(ref)).toEqual({ deletedMemories: 0 })
    expect(await store.queue.complete(deleted, sampleItem(['first']))).toBe('superseded')
    await a.putItem(sampleUpload('note', 'second'))
    const replaced = await claimOne(store)
    await a.putItem(sampleUpload('note', 'third', { onConflict: 'replace' }))
    expect(await store.queue.complete(replaced, sampleItem(['second']))).toBe('superseded')
    await store.queue.fail(replaced, { code: 'internal', message: 'too late to matter' })
    const current = await claimOne(store)
    expect(Buffer.from(current.body).toString()).toBe('third')
    expect(current.attempt).toBe(1)
    expect(await findTexts(a, ['first', 'second'])).toEqual([])
  })

  test('a large item that was deleted while processed leaves nothing behind', async () => {
    await a.putItem(sampleUpload('note', 'large'))
    const claimed = await claimOne(store)
    const many = sampleItem(Array.from({ length: 1_500 }, (_, n) => `ghost ${n}`))
    const storing = store.queue.complete(claimed, many)
    await a.deleteItem(ref)
    const outcome = await storing
    if (outcome === 'stored') throw new Error('The deletion was sent before the last commit and must win')
    await memorize(store, a, 'other', ['living'])
    expect(await findTexts(a, ['ghost'])).toEqual([])
    expect(await a.index.termStatistics([])).toMatchObject({ chunks: 1 })
  })

  test('an item that comes in parts is shown whole, and a part that fails shows nothing', async () => {
    const texts = Array.from({ length: 7 }, (_, n) => `part text ${n}`)
    const { chunks, memories, qas, ...head } = sampleItem(texts)
    const item = { ...head, chunks: [], memories: [], qas: [] }
    async function* parts(breakAt: number) {
      for (const from of [0, 3, 6]) {
        if (from === breakAt) throw new Error('the thread is gone')
        expect(await findTexts(a, ['part'])).toEqual([])
        const within = (chunk: number) => chunk >= from && chunk < from + 3
        yield {
          chunks: chunks.slice(from, from + 3),
          memories: memories.filter(({ firstChunk }) => within(firstChunk)),
          qas: qas.filter(({ chunk }) => within(chunk)),
        }
      }
    }
    await a.putItem(sampleUpload('note', 'x'))
    const broken = await claimOne(store)
    await expect(store.queue.complete(broken, item, { chunkCount: 7, parts: parts(6) })).rejects.toThrow(
      'thread is gone',
    )
    await store.queue.release([broken])
    expect(await findTexts(a, ['part'])).toEqual([])
    const outcome = store.queue.complete(await claimOne(store), item, { chunkCount: 7, parts: parts(-1) })
    expect(await outcome).toBe('stored')
    expect(await findTexts(a, ['part'])).toHaveLength(7)
    expect(await a.findItem(ref)).toMatchObject({ status: 'ready', memoryCount: 7 })
    const hits = await a.index.lexicalCandidates({ terms: [{ term: '5', weight: 1, frequency: 1 }], limit: 3 })
    expect(await a.index.memoriesOf(hits.map(({ chunkId }) => chunkId))).toMatchObject([{ index: 5 }])
  })

  test('a failure with a next attempt waits for it, one without stays failed until it is queued again', async () => {
    await a.putItem(sampleUpload('note', 'x'))
    const retryAt = new Date(clock().getTime() + 5_000)
    await store.queue.fail(await claimOne(store), { code: 'internal', message: 'later', retryAt })
    expect(await a.findItem(ref)).toMatchObject({ status: 'queued', error: 'later' })
    expect(await claim(1)).toEqual([])
    expect((await store.queue.depth()).nextAt).toEqual(retryAt)
    clock.advance(5_000)
    const second = await claimOne(store)
    expect(second.attempt).toBe(2)
    await store.queue.fail(second, { code: 'unreadable', message: 'encrypted' })
    expect(await a.findItem(ref)).toMatchObject({ status: 'failed', error: 'encrypted' })
    expect(await a.readBody(ref)).toHaveLength(1)
    expect(await claim(1)).toEqual([])
    expect(await b.requeueFailed()).toBe(0)
    expect(await a.requeueFailed(ref)).toBe(1)
    expect(await a.requeueFailed(ref)).toBe(0)
    expect((await claimOne(store)).attempt).toBe(1)
  })

  test('an item that stops its worker five times fails with a reason', async () => {
    await a.putItem(sampleUpload('note', 'x'))
    for (const attempt of [1, 2, 3, 4, 5]) {
      expect((await claimOne(store)).attempt).toBe(attempt)
      clock.advance(60_001)
    }
    expect(await claim(1)).toEqual([])
    const item = await a.findItem(ref)
    expect(item).toMatchObject({ status: 'failed' })
    expect(item?.error).toContain('crashed the worker 5 times')
  })

  test('what is unavailable never uses up the attempts of an item', async () => {
    await a.putItem(sampleUpload('note', 'x'))
    for (let round = 0; round < 8; round++) {
      const retryAt = new Date(clock().getTime() + 1_000)
      await store.queue.fail(await claimOne(store), { code: 'unavailable', message: 'the disk is full', retryAt })
      clock.advance(1_000)
    }
    expect(await a.findItem(ref)).toMatchObject({ status: 'queued' })
    expect((await claimOne(store)).attempt).toBe(1)
  })

  test('an outage that lasts longer than leases counts no attempt, whoever has the item afterwards', async () => {
    await a.putItem(sampleUpload('note', 'x'))
    const away = () => ({ code: 'unavailable' as const, message: 'the database was away', retryAt: clock() })
    for (let outage = 1; outage <= 8; outage++) {
      const held = await claimOne(store)
      expect(held.attempt).toBe(1)
      clock.advance(60_001)
      const isTaken = outage % 2 === 0
      const taken = isTaken ? await claimOne(store) : held
      await store.queue.fail(held, away())
      if (isTaken) await store.queue.fail(taken, away())
    }
    expect(await a.findItem(ref)).toMatchObject({ status: 'queued' })
  })

  test('a clock that is set back holds nothing up', async () => {
    await a.putItem(sampleUpload('leased', 'x'))
    await claimOne(store)
    await a.putItem(sampleUpload('first', 'x'))
    clock.advance(10)
    await a.putItem(sampleUpload('second', 'x'))
    clock.advance(-3 * 3_600_000)
    expect((await claim(5)).map(({ itemId }) => itemId)).toEqual(['leased', 'first', 'second'])
  })

  test('a worker that is alone takes what a killed one held, and the attempt stays counted', async () => {
    await a.putItem(sampleUpload('note', 'x'))
    const killed = await claimOne(store)
    expect(await store.queue.endLeases()).toBe(1)
    expect(await store.queue.endLeases()).toBe(0)
    expect(await claimOne(store)).toMatchObject({ itemId: 'note', attempt: 2 })
    expect(await store.queue.complete(killed, sampleItem(['too late']))).toBe('superseded')
  })

  test('a claim given back is not counted and keeps its place', async () => {
    await a.putItem(sampleUpload('note', 'x'))
    clock.advance(10)
    await a.putItem(sampleUpload('later', 'x'))
    await store.queue.release([await claimOne(store)])
    expect(await claimOne(store)).toMatchObject({ itemId: 'note', attempt: 1 })
  })

  const claimFrom = async (lane: Lane, limit = 9) =>
    (await store.queue.claim({ owner: 'test', limit, leaseMs: 60_000, lane })).map(({ itemId }) => itemId)
  const large = 'x'.repeat(200_000)

  test('small items are in the quick lane, large ones in the slow one, where accounts take turns', async () => {
    for (const n of [1, 2, 3, 4]) {
      await a.putItem(sampleUpload(`large${n}`, large))
      clock.advance(10)
    }
    await a.putItem(sampleUpload('small', 'x'))
    await b.putItem(sampleUpload('note', 'x'))
    expect(await claimFrom('slow', 1)).toEqual(['large1'])
    expect(new Set(await claimFrom('quick'))).toEqual(new Set(['note', 'small']))
    await b.putItem(sampleUpload('later', large))
    expect(await claimFrom('slow', 2)).toEqual(['later', 'large2'])
    expect(await a.findItem({ itemId: 'large3', sourceType: 'text' })).toMatchObject({ status: 'queued' })
    expect(await a.holdings()).toMatchObject({ waiting: 5 })
  })

  test('uploads of low priority come after all others, and before old items are made again', async () => {
    await memorize(store, a, 'made', ['old words'])
    expect(await store.queue.requeueOutdated('test@2')).toBe(1)
    await a.putItem({ ...sampleUpload('old', 'x'), priority: 'low' })
    await a.putItem({ ...sampleUpload('old and large', large), priority: 'low' })
    clock.advance(10)
    await a.putItem(sampleUpload('new', 'x'))
    expect(await a.holdings()).toMatchObject({ waiting: 3 })
    expect(await claimFrom('quick')).toEqual(['new', 'old', 'made'])
    expect(await claimFrom('slow')).toEqual(['old and large'])
  })

  test('statistics of all accounts count what waits by priority', async () => {
    await memorize(store, a, 'made', ['old words'])
    await store.queue.requeueOutdated('test@2')
    await a.putItem({ ...sampleUpload('old', 'x'), priority: 'low' })
    await b.putItem({ ...sampleUpload('old and large', large), priority: 'low' })
    clock.advance(10)
    await a.putItem(sampleUpload('new', 'x'))
    expect((await store.admin.stats()).turns).toMatchObject({
      uploads: { waiting: 1, oldestAt: clock() },
      low_priority: { waiting: 2 },
      background: { waiting: 1 },
    })
  })

  test('an item of low priority that is moved to the slow lane stays behind the others there', async () => {
    await a.putItem({ ...sampleUpload('note', 'x'), priority: 'low' })
    clock.advance(10)
    await store.queue.release([await claimOne(store)], 'slow')
    await a.putItem(sampleUpload('large', large))
    expect(await claimFrom('slow')).toEqual(['large', 'note'])
  })

  test('an account that used a thread for long comes after the others for as long', async () => {
    for (const n of [1, 2]) await a.putItem(sampleUpload(`large${n}`, large))
    expect(await claimFrom('slow', 1)).toEqual(['large1'])
    await store.queue.charge('a', 60_000)
    for (const n of [1, 2, 3]) await b.putItem(sampleUpload(`other${n}`, large))
    const order: string[] = []
    for (let n = 0; n < 4; n++) order.push(...(await claimFrom('slow', 1)))
    expect(new Set(order.slice(0, 3))).toEqual(new Set(['other1', 'other2', 'other3']))
    expect(order[3]).toBe('large2')
    await store.queue.charge('no such account', 60_000)
  })

  test('an item that is moved to the slow lane keeps its place there, and no attempt is counted', async () => {
    await a.putItem(sampleUpload('note', 'x'))
    clock.advance(10)
    await a.putItem(sampleUpload('large', large))
    await store.queue.release([await claimOne(store)], 'slow')
    expect(await a.findItem(ref)).toMatchObject({ status: 'queued' })
    expect(await claimFrom('quick')).toEqual([])
    expect(await store.queue.claim({ owner: 'test', limit: 1, leaseMs: 60_000, lane: 'slow' })).toMatchObject([
      { itemId: 'note', attempt: 1 },
    ])
  })

  test('each lane tells when its next item can be claimed', async () => {
    expect(await store.queue.nextAt('quick')).toBeUndefined()
    await a.putItem(sampleUpload('large', large))
    expect(await store.queue.nextAt('quick')).toBeUndefined()
    expect(await store.queue.nextAt('slow')).toEqual(clock())
    await claimFrom('slow')
    expect(await store.queue.nextAt('slow')).toEqual(new Date(clock().getTime() + 60_000))
  })

  test('large items of an older pipeline are made again in the slow lane, and stay ready meanwhile', async () => {
    await a.putItem(sampleUpload('note', large))
    await store.queue.complete(await claimOne(store), sampleItem(['old words']))
    expect(await store.queue.requeueOutdated('test@2')).toBe(1)
    expect(await a.findItem(ref)).toMatchObject({ status: 'ready' })
    expect(await claimFrom('quick')).toEqual([])
    expect(await claimFrom('slow')).toEqual(['note'])
  })

  test('items of an older pipeline are made again after all uploads, and stay ready meanwhile', async () => {
    await memorize(store, a, 'note', ['old words'])
    expect(await store.queue.requeueOutdated('test@1')).toBe(0)
    expect(await store.queue.requeueOutdated('test@2')).toBe(1)
    expect(await store.queue.requeueOutdated('test@2')).toBe(0)
    expect(await a.findItem(ref)).toMatchObject({ status: 'ready' })
    await a.putItem(sampleUpload('upload', 'x'))
    expect((await claim(2)).map(({ itemId }) => itemId)).toEqual(['upload', 'note'])
    expect(await findTexts(a, ['old'])).toEqual(['old words'])
  })

  test('the depth counts what waits and tells the oldest', async () => {
    expect(await store.queue.depth()).toEqual({ waiting: 0, oldestAt: undefined, nextAt: undefined })
    const oldestAt = clock()
    await a.putItem(sampleUpload('one', 'x'))
    clock.advance(1_000)
    await a.putItem(sampleUpload('two', 'x'))
    expect(await store.queue.depth()).toEqual({ waiting: 2, oldestAt, nextAt: oldestAt })
    await claim(1)
    expect(await store.queue.depth()).toMatchObject({ waiting: 1 })
  })

  test('an upload wakes who listens for work', async () => {
    let calls = 0
    const stop = store.onWork(() => calls++)
    await a.putItem(sampleUpload('note', 'x'))
    expect(calls).toBe(1)
    stop()
    await a.putItem(sampleUpload('other', 'x'))
    expect(calls).toBe(1)
  })
}
