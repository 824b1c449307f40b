import { beforeEach, expect, test } from 'vitest'
import type { RefinedItem, RefinementClaim } from '../../src/store/refinements/refinements.ts'
import type { ScopedStore, Store } from '../../src/store/store.ts'
import type { MovableClock, StoreUnderTest } from './store-contract.ts'
import { claimOne, memorize, sampleItem, sampleUpload } from './store-samples.ts'

/** What a language model is to make again: who gets it, what it costs, and when it is shown. */
export function describeRefinementContract(setUp: () => Promise<StoreUnderTest>): void {
  let store: Store
  let clock: MovableClock
  let a: ScopedStore
  let b: ScopedStore
  beforeEach(async () => {
    ;({ store, clock } = await setUp())
    store.refinements.want(true)
    a = store.scoped({ accountId: 'a', sources: 'all' })
    b = store.scoped({ accountId: 'b', sources: 'all' })
  })
  const ref = { itemId: 'note', sourceType: 'text' } as const
  const claim = () => store.refinements.claim({ leaseMs: 60_000 })
  const claimed = async (): Promise<RefinementClaim> => {
    const one = await claim()
    if (one === undefined) throw new Error('Nothing could be claimed')
    return one
  }
  const refined = (narratives: readonly string[], more: Partial<RefinedItem> = {}): RefinedItem => ({
    chunksRead: narratives.length,
    memories: narratives.map((narrative, n) => ({ index: n, content: { narrative }, firstChunk: n, lastChunk: n })),
    qas: [{ question: 'Which?', answer: 'this one', chunk: 0 }],
    skips: [{ reason: 'evidence_missing', count: 2, detail: 'memories that quote what is not there' }],
    refinedBy: 'model@1',
    answers: ['kept'],
    ...more,
  })
  const narrativesOf = async (scoped: ScopedStore, itemId = 'note') => {
    const read = await scoped.refinements.read({ itemId, sourceType: 'text' }, 100)
    return read?.item.memories.map(({ index, content }) => `${index} ${content.narrative}`)
  }
  const call = (answer?: { hash: string; text: string }) => ({
    day: '2026-01-01',
    sourceType: 'text' as const,
    model: 'model',
    calls: 1,
    inputTokens: 100,
    outputTokens: 10,
    microDollars: 7,
    ...(answer && { answer }),
  })

  test('what is processed is queued by the same commit, when it is wanted', async () => {
    store.refinements.want(false)
    await memorize(store, a, 'before', ['one'])
    expect(await store.refinements.isDue()).toBe(false)
    store.refinements.want(true)
    await memorize(store, a, 'note', ['two'])
    expect(await store.refinements.isDue()).toBe(true)
    expect(await claimed()).toMatchObject({ accountId: 'a', itemId: 'note', attempt: 1, failures: 0 })
    expect(await claim()).toBeUndefined()
  })

  test('accounts take turns', async () => {
    for (const id of ['a1', 'a2']) await memorize(store, a, id, ['x'])
    await memorize(store, b, 'b1', ['x'])
    const order = [await claimed(), await claimed(), await claimed()].map(({ itemId }) => itemId)
    expect(order).toEqual(['a1', 'b1', 'a2'])
  })

  test('a new account is served before one that has much to do is served again', async () => {
    for (const id of ['a1', 'a2', 'a3']) await memorize(store, a, id, ['x'])
    expect((await claimed()).itemId).toBe('a1')
    await memorize(store, b, 'b1', ['x'])
    const until = new Date(clock().getTime() + 1_000)
    expect((await claimed()).itemId).toBe('b1')
    await memorize(store, b, 'b2', ['x'])
    await store.refinements.pause({ reason: 'budget', accountId: 'b', until, message: 'used up' })
    expect([(await claimed()).itemId, (await claimed()).itemId]).toEqual(['a2', 'a3'])
    expect(await store.refinements.isDue()).toBe(false)
    clock.advance(1_000)
    expect(await store.refinements.isDue()).toBe(true)
    expect((await claimed()).itemId).toBe('b2')
  })

  test('what is read is of the item, in order, with what it shows and the answers it has', async () => {
    await memorize(store, a, 'note', ['first words', 'second words', 'third'])
    await store.refinements.storeCall(await claimed(), call({ hash: 'h', text: '{}' }))
    const read = await a.refinements.read(ref, 2)
    expect(read?.item).toMatchObject({ userName: 'Ada', timeZone: 'Europe/Berlin', kind: 'note', chunkCount: 3 })
    expect(read?.item.chunks.map(({ ordinal, text }) => [ordinal, text])).toEqual([
      [0, 'first words'],
      [1, 'second words'],
    ])
    expect(read?.item.memories).toHaveLength(2)
    expect(read?.item.qas).toHaveLength(1)
    expect(read?.answers).toEqual(new Map([['h', '{}']]))
    expect(await b.refinements.read(ref, 2)).toBeUndefined()
    expect(await store.scoped({ accountId: 'a', sources: ['slack'] }).refinements.read(ref, 2)).toBeUndefined()
  })

  test('memories of the chunks that were read are swapped whole, those behind them keep their order', async () => {
    await memorize(store, a, 'note', ['one', 'two', 'three', 'four'])
    const memories = [{ index: 0, content: { narrative: 'all better' }, firstChunk: 0, lastChunk: 1 }]
    const outcome = store.refinements.complete(await claimed(), refined([], { chunksRead: 2, memories }))
    expect(await outcome).toBe('stored')
    expect(await narrativesOf(a)).toEqual(['0 all better', '1 I noted: three', '2 I noted: four'])
    expect(await a.findItem(ref)).toMatchObject({ status: 'ready', memoryCount: 3 })
    const hits = await a.index.lexicalCandidates({ terms: [{ term: 'two', weight: 1, frequency: 1 }], limit: 1 })
    const found = await a.index.memoriesOf(hits.map(({ chunkId }) => chunkId))
    expect(found).toMatchObject([{ content: { narrative: 'all better' } }])
    expect(await claim()).toBeUndefined()
    expect(await a.refinements.totals()).toEqual([
      { sourceType: 'text', waiting: 0, givenUp: 0, refined: 1, unproven: 2 },
    ])
  })

  test('an item that was deleted or replaced meanwhile is left as it is, and what the call cost is recorded', async () => {
    await memorize(store, a, 'note', ['old'])
    const replaced = await claimed()
    await a.putItem(sampleUpload('note', 'new', { onConflict: 'replace' }))
    expect(await store.refinements.storeCall(replaced, call({ hash: 'h', text: '{}' }))).toBe('superseded')
    expect(await store.refinements.complete(replaced, refined(['by the late one']))).toBe('superseded')
    await store.queue.complete(await claimOne(store), sampleItem(['new']))
    expect(await store.refinements.complete(replaced, refined(['by the late one']))).toBe('superseded')
    expect(await narrativesOf(a)).toEqual(['0 I noted: new'])
    const deleted = await claimed()
    await a.deleteItem(ref)
    expect(await store.refinements.storeCall(deleted, call({ hash: 'h', text: '{}' }))).toBe('superseded')
    expect(await store.refinements.complete(deleted, refined(['ghost']))).toBe('superseded')
    expect(await store.refinements.spent('a', '2026-01-01')).toEqual([
      { sourceType: 'text', inputTokens: 200, outputTokens: 20, microDollars: 14 },
    ])
    expect(await store.refinements.spent('b', '2026-01-01')).toEqual([])
    expect(await store.refinements.isDue()).toBe(false)
  })

  test('what answers to questions have cost is spent on the same day, beside what items have', async () => {
    await memorize(store, a, 'note', ['one'])
    await store.refinements.storeCall(await claimed(), call())
    const asked = { ...call(), sourceType: 'ask' as const }
    for (const day of ['2026-01-01', '2026-01-01', '2026-01-02'])
      await store.refinements.storeSpending('a', { ...asked, day })
    const spent = await store.refinements.spent('a', '2026-01-01')
    expect(spent.toSorted((one, other) => one.inputTokens - other.inputTokens)).toEqual([
      { sourceType: 'text', inputTokens: 100, outputTokens: 10, microDollars: 7 },
      { sourceType: 'ask', inputTokens: 200, outputTokens: 20, microDollars: 14 },
    ])
    expect(await store.refinements.spent('b', '2026-01-01')).toEqual([])
    const once = { sourceType: 'ask', calls: 1, inputTokens: 100, outputTokens: 10, microDollars: 7 }
    const twice = { ...once, calls: 2, inputTokens: 200, outputTokens: 20, microDollars: 14 }
    expect(await store.refinements.spentByDay('a', '2026-01-01')).toEqual([
      { ...twice, day: '2026-01-01' },
      { ...once, day: '2026-01-01', sourceType: 'text' },
      { ...once, day: '2026-01-02' },
    ])
    expect(await store.refinements.spentByDay('a', '2026-01-02')).toEqual([{ ...once, day: '2026-01-02' }])
    expect(await store.refinements.spentByDay('b', '2026-01-01')).toEqual([])
  })

  test('spending of a day is that of all models together', async () => {
    for (const model of ['openai:small', 'openai:large'])
      await store.refinements.storeSpending('a', { ...call(), sourceType: 'ask', model })
    expect(await store.refinements.spentByDay('a', '2026-01-01')).toEqual([
      { day: '2026-01-01', sourceType: 'ask', calls: 2, inputTokens: 200, outputTokens: 20, microDollars: 14 },
    ])
  })

  test('answers outlive a new version of the item until it is refined, and go with a deletion', async () => {
    await memorize(store, a, 'note', ['old'])
    const first = await claimed()
    for (const hash of ['kept', 'outdated']) await store.refinements.storeCall(first, call({ hash, text: '{}' }))
    await memorize(store, a, 'note', ['new'], { onConflict: 'replace' })
    const answers = async () => [...((await a.refinements.read(ref, 9))?.answers.keys() ?? [])]
    expect(await answers()).toEqual(['kept', 'outdated'])
    await store.refinements.complete(await claimed(), refined(['better']))
    expect(await answers()).toEqual(['kept'])
    await a.deleteItem(ref)
    await memorize(store, a, 'note', ['new'])
    expect(await answers()).toEqual([])
  })

  test('answers are forgotten when no refinement is wanted any more', async () => {
    await memorize(store, a, 'note', ['old'])
    await store.refinements.storeCall(await claimed(), call({ hash: 'h', text: '{}' }))
    store.refinements.want(false)
    await memorize(store, a, 'note', ['new'], { onConflict: 'replace' })
    expect((await a.refinements.read(ref, 9))?.answers.size).toBe(0)
    expect(await store.refinements.isDue()).toBe(false)
  })

  test('a lease that runs out goes to the next worker, and an item whose worker ends five times is given up', async () => {
    await memorize(store, a, 'note', ['x'])
    const late = await claimed()
    clock.advance(60_001)
    expect((await claimed()).attempt).toBe(2)
    expect(await store.refinements.complete(late, refined(['by the late one']))).toBe('superseded')
    for (const attempt of [3, 4, 5]) {
      clock.advance(60_001)
      expect((await claimed()).attempt).toBe(attempt)
    }
    clock.advance(60_001)
    expect(await claim()).toBeUndefined()
    const [given] = await a.refinements.givenUp(5)
    expect(given).toMatchObject({ itemId: 'note', error: expect.stringContaining('crashed the worker 5 times') })
    expect(await narrativesOf(a)).toEqual(['0 I noted: x'])
  })

  test('claims are given back, extended, and ended by a worker that is alone', async () => {
    await memorize(store, a, 'note', ['x'])
    const first = await claimed()
    clock.advance(50_000)
    await store.refinements.extend([first], 60_000)
    clock.advance(50_000)
    expect(await claim()).toBeUndefined()
    await store.refinements.release([first])
    expect((await claimed()).attempt).toBe(1)
    expect(await store.refinements.endLeases()).toBe(1)
    expect((await claimed()).attempt).toBe(2)
  })

  test('failures of one kind are counted, wait for their time, and are given up without one', async () => {
    await memorize(store, a, 'note', ['x'])
    const retryAt = new Date(clock().getTime() + 5_000)
    const failure = { code: 'unreadable', message: 'nonsense', retryAt } as const
    await store.refinements.fail(await claimed(), failure)
    expect(await store.refinements.isDue()).toBe(false)
    clock.advance(5_000)
    const second = await claimed()
    expect(second).toMatchObject({ failures: 1, failureCode: 'unreadable' })
    await store.refinements.fail(second, { code: 'unavailable', message: 'away', retryAt })
    const third = await claimed()
    expect(third).toMatchObject({ failures: 1, failureCode: 'unavailable' })
    await store.refinements.fail(third, { code: 'unreadable', message: 'nonsense again' })
    expect(await claim()).toBeUndefined()
    expect(await a.refinements.givenUp(5)).toEqual([{ ...ref, error: 'nonsense again' }])
    expect(await b.requeueFailed()).toBe(0)
    expect(await store.scoped({ accountId: 'a', sources: ['slack'] }).requeueFailed()).toBe(0)
    expect(await a.requeueFailed(ref)).toBe(1)
    expect(await claimed()).toMatchObject({ itemId: 'note', failures: 0 })
  })

  test('a pause keeps what it covers from being claimed until it ends', async () => {
    await memorize(store, a, 'text', ['x'])
    await memorize(store, a, 'mail', ['x'], { sourceType: 'email' })
    await memorize(store, b, 'other', ['x'])
    const until = new Date(clock().getTime() + 1_000)
    await store.refinements.pause({ reason: 'budget', accountId: 'a', sourceType: 'text', until, message: 'used up' })
    expect([(await claimed()).itemId, (await claimed()).itemId].sort()).toEqual(['mail', 'other'])
    expect(await store.refinements.isDue()).toBe(false)
    await store.refinements.pause({ reason: 'refused', message: 'no key' })
    clock.advance(1_000)
    expect(await claim()).toBeUndefined()
    expect(await store.refinements.pauses()).toEqual([{ reason: 'refused', message: 'no key' }])
    await store.refinements.resume(['refused'])
    expect((await claimed()).itemId).toBe('text')
  })

  test('items that were there before are listed and queued by hand, within the scope', async () => {
    store.refinements.want(false)
    await memorize(store, a, 'note', ['x'])
    await memorize(store, a, 'mail', ['x'], { sourceType: 'email' })
    const query = { refinedBy: 'model@1', limit: 10 }
    const all = await a.refinements.candidates(query)
    expect(all.map(({ itemId }) => itemId)).toEqual(['note', 'mail'])
    expect(await a.refinements.candidates({ ...query, sourceType: 'email' })).toEqual(all.slice(1))
    expect(await a.refinements.candidates({ ...query, after: all[0]!.key })).toEqual(all.slice(1))
    expect(await b.refinements.candidates(query)).toEqual([])
    const keys = all.map(({ key }) => key)
    expect(await b.refinements.queue(keys)).toBe(0)
    expect(await store.scoped({ accountId: 'a', sources: ['text'] }).refinements.queue(keys)).toBe(1)
    expect(await a.refinements.queue(keys)).toBe(1)
    expect(await a.refinements.candidates(query)).toEqual([])
    await store.refinements.complete(await claimed(), refined(['better']))
    await store.refinements.complete(await claimed(), refined(['better']))
    expect(await a.refinements.candidates(query)).toEqual([])
    expect(await a.refinements.candidates({ ...query, refinedBy: 'model@2' })).toHaveLength(2)
  })

  test('an item that is made again by a newer pipeline is refined again', async () => {
    await memorize(store, a, 'note', ['x'])
    await store.refinements.complete(await claimed(), refined(['better']))
    await store.queue.requeueOutdated('test@2')
    expect(await store.refinements.isDue()).toBe(false)
    expect(await narrativesOf(a)).toEqual(['0 better'])
    await store.queue.complete(await claimOne(store), sampleItem(['x'], 'test@2'))
    expect(await narrativesOf(a)).toEqual(['0 I noted: x'])
    expect((await claimed()).itemId).toBe('note')
  })

  test('a clock that is set back holds no refinement up', async () => {
    await memorize(store, a, 'note', ['x'])
    await claimed()
    clock.advance(-3 * 3_600_000)
    expect(await claim()).toMatchObject({ itemId: 'note' })
  })

  test('a clock that is set back ends pauses that would last longer than a day', async () => {
    await memorize(store, a, 'note', ['x'])
    const until = new Date(clock().getTime() + 20 * 3_600_000)
    await store.refinements.pause({ reason: 'budget', accountId: 'a', until, message: 'used up' })
    clock.advance(-2 * 3_600_000)
    expect(await claim()).toBeUndefined()
    clock.advance(-24 * 3_600_000)
    expect(await store.refinements.pauses()).toEqual([])
    expect(await claim()).toMatchObject({ itemId: 'note' })
  })
}
