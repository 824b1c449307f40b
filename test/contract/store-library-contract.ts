import { beforeEach, expect, test } from 'vitest'
import type { Skip, SkipReason } from '../../src/domain/document.ts'
import type { SourceType } from '../../src/domain/source-type.ts'
import type { LibraryQuery, LibraryRef } from '../../src/store/library/library.ts'
import type { ScopedStore, Store } from '../../src/store/store.ts'
import type { StoreUnderTest } from './store-contract.ts'
import { claimOne, findTexts, memorize, sampleItem, sampleUpload } from './store-samples.ts'

export function describeLibraryContract(setUp: () => Promise<StoreUnderTest>): void {
  let store: Store
  let a: ScopedStore
  let clock: StoreUnderTest['clock']
  beforeEach(async () => {
    ;({ store, clock } = await setUp())
    a = store.scoped({ accountId: 'a', sources: 'all' })
  })
  const ids = async (query: Partial<LibraryQuery> = {}, scoped = a) => {
    const { rows } = await scoped.library.list({ sort: 'newest', offset: 0, limit: 100, ...query })
    return rows.map(({ itemId }) => itemId)
  }
  const text = (itemId: string): LibraryRef => ({ itemId, sourceType: 'text' })
  /** One of each state, and two that are ready; from the oldest to the newest. */
  const fill = async () => {
    await memorize(store, a, 'ready-small', ['about apples'])
    await memorize(store, a, 'ready-large', ['about pears and plums'], { sourceType: 'email' })
    await a.putItem(sampleUpload('failed', 'x'))
    await store.queue.fail(await claimOne(store), { code: 'unreadable', message: 'It is damaged' })
    await a.putItem(sampleUpload('processing', 'xx', { sourceType: 'slack' }))
    await claimOne(store)
    await a.putItem(sampleUpload('queued', 'xxx'))
  }

  test('a library lists the items of all sources, newest first, page by page', async () => {
    await fill()
    expect(await ids()).toEqual(['queued', 'processing', 'failed', 'ready-large', 'ready-small'])
    expect(await ids({ offset: 1, limit: 2 })).toEqual(['processing', 'failed'])
    expect(await ids({ sort: 'oldest', limit: 1 })).toEqual(['ready-small'])
    expect(await ids({ sort: 'largest', limit: 2 })).toEqual(['ready-large', 'ready-small'])
    expect(await ids({ sort: 'name', offset: 3 })).toEqual(['ready-large', 'ready-small'])
    expect(await ids({ sort: 'name_back', limit: 1 })).toEqual(['ready-small'])
    expect(await ids({ sort: 'state' })).toEqual(['failed', 'processing', 'queued', 'ready-large', 'ready-small'])
    expect(await ids({ sort: 'state', offset: 2, limit: 2 })).toEqual(['queued', 'ready-large'])
  })

  test.each([
    [{ states: ['ready'] }, ['ready-large', 'ready-small']],
    [{ states: ['failed'] }, ['failed']],
    [{ states: ['queued', 'failed'] }, ['queued', 'failed']],
    [{ states: ['processing', 'ready'] }, ['processing', 'ready-large', 'ready-small']],
    [{ states: [] }, []],
    [{ sources: ['text'] }, ['queued', 'failed', 'ready-small']],
    [{ sources: ['text', 'email'], states: ['ready'] }, ['ready-large', 'ready-small']],
    [
      { sources: ['text', 'email'], states: ['ready', 'failed'], sort: 'state' },
      ['failed', 'ready-large', 'ready-small'],
    ],
    [{ text: ' READY' }, ['ready-large', 'ready-small']],
    [{ text: 'ready', sources: ['email'] }, ['ready-large']],
    [{ text: 'ready', sort: 'smallest' }, ['ready-small', 'ready-large']],
    [{ text: 'nothing' }, []],
  ] as const)('a library is filtered by %j', async (query, expected) => {
    await fill()
    expect(await ids(query)).toEqual(expected)
  })

  test('a library counts its items by source and state, whatever filter is set', async () => {
    await fill()
    const counts = async (query: Partial<LibraryQuery>) => {
      const { groups } = await a.library.list({ sort: 'newest', offset: 0, limit: 1, ...query })
      return groups.map(({ sourceType, status, count }) => `${sourceType} ${status} ${count}`).sort()
    }
    const all = ['email ready 1', 'slack processing 1', 'text failed 1', 'text queued 1', 'text ready 1']
    expect(await counts({})).toEqual(all)
    expect(await counts({ states: ['failed'], sources: ['email'] })).toEqual(all)
    expect(await counts({ text: 'ready' })).toEqual(['email ready 1', 'text ready 1'])
    await a.deleteItem(text('failed'))
    expect(await counts({})).toEqual(all.filter((group) => group !== 'text failed 1'))
  })

  test('a library is filtered by the connector of items and counts them by it, in its scope alone', async () => {
    const bring = (itemId: string, connector: string, sourceType: SourceType) =>
      a.putItem({ ...sampleUpload(itemId, itemId, { sourceType }), connector })
    await bring('one', 'jira', 'tasks')
    await bring('two', 'linear', 'tasks')
    await bring('three', 'jira', 'technical_docs')
    await a.putItem(sampleUpload('four', 'four'))
    expect(await ids({ connector: 'jira' })).toEqual(['three', 'one'])
    expect(await ids({ connector: 'jira', text: 'on' })).toEqual(['one'])
    expect(await ids({ connector: 'notion' })).toEqual([])
    const docs = store.scoped({ accountId: 'a', sources: ['technical_docs'] })
    expect(await ids({ connector: 'jira' }, docs)).toEqual(['three'])
    expect(await docs.library.connectorCounts()).toEqual([
      { connector: 'jira', sourceType: 'technical_docs', items: 1 },
    ])
    const none = store.scoped({ accountId: 'a', sources: [] })
    expect(await none.library.connectorCounts()).toEqual([])
    expect(await a.library.connectorCounts()).toHaveLength(3)
  })

  test('a library finds text in titles, file names and ids, in any case and script', async () => {
    await a.putItem({ ...sampleUpload('one', 'x'), fileName: 'Übersicht.txt' })
    await a.putItem(sampleUpload('two', 'x'))
    await store.queue.complete(await claimOne(store), sampleItem(['x']))
    await store.queue.complete(await claimOne(store), { ...sampleItem(['x']), title: 'Отчёт за март' })
    expect(await ids({ text: 'übersicht' })).toEqual(['one'])
    expect(await ids({ text: 'ОТЧЁТ' })).toEqual(['two'])
    expect(await ids({ text: 'TWO' })).toEqual(['two'])
    expect(await ids({ text: '%' })).toEqual([])
  })

  test('a library shows nothing of other accounts, nor of sources outside the scope', async () => {
    await fill()
    const b = store.scoped({ accountId: 'b', sources: 'all' })
    const mails = store.scoped({ accountId: 'a', sources: ['email'] })
    const none = store.scoped({ accountId: 'a', sources: [] })
    const ref = text('ready-small')
    const page = { offset: 0, limit: 10 }
    for (const other of [b, mails, none]) {
      expect(await other.library.read(ref)).toBeUndefined()
      expect(await other.library.chunks(ref, page)).toEqual([])
      expect(await other.library.memories(ref, page)).toEqual([])
      expect(await other.library.reprocess([ref])).toBe(0)
    }
    expect(await ids({}, b)).toEqual([])
    expect(await ids({}, none)).toEqual([])
    expect(await ids({}, mails)).toEqual(['ready-large'])
    expect(await ids({ text: 'ready' }, mails)).toEqual(['ready-large'])
    const { groups } = await mails.library.list({ sort: 'newest', ...page })
    expect(groups).toEqual([{ sourceType: 'email', status: 'ready', count: 1 }])
  })

  test('a library tells what an item is, what was left out of it and how it was made', async () => {
    await a.putItem(sampleUpload('note', 'the bytes'))
    const skips: Skip[] = [{ reason: 'quoted_reply', count: 3, detail: '3 quoted replies' }]
    const when = { start: new Date('2026-03-04T10:00:00Z'), precision: 'minute' } as const
    const made = { ...sampleItem(['one', 'two']), title: 'A note', url: 'https://example.test/', skips, when }
    await store.queue.complete(await claimOne(store), made)
    expect(await a.library.read(text('note'))).toEqual({
      ...text('note'),
      title: 'A note',
      fileName: 'note.txt',
      contentType: 'text/plain',
      sizeBytes: 9,
      status: 'ready',
      error: undefined,
      memoryCount: 2,
      chunkCount: 2,
      skipCount: 3,
      createdAt: clock(),
      updatedAt: clock(),
      uploadedAt: clock(),
      url: 'https://example.test/',
      tags: [],
      userName: 'Ada',
      kind: 'note',
      statedFrom: when.start,
      statedUntil: undefined,
      skips,
      pipelineVersion: 'test@1',
      refinedBy: undefined,
    })
    expect(await a.library.read(text('absent'))).toBeUndefined()
  })

  test('a library counts what was left out of its items by source and reason, in its scope alone', async () => {
    const skip = (reason: SkipReason, count: number): Skip => ({ reason, count, detail: '' })
    const left = { one: [skip('signature', 1), skip('quoted_reply', 3)], two: [skip('signature', 4)], three: [] }
    for (const [itemId, skips] of Object.entries(left)) {
      await a.putItem(sampleUpload(itemId, itemId))
      await store.queue.complete(await claimOne(store), { ...sampleItem([itemId]), skips })
    }
    expect(await a.library.skipCounts()).toEqual([
      { sourceType: 'text', reason: 'signature', count: 5 },
      { sourceType: 'text', reason: 'quoted_reply', count: 3 },
    ])
    expect(await a.library.memoryCounts()).toEqual(new Map([['text', Object.keys(left).length]]))
    const mails = store.scoped({ ...a.scope, sources: ['email'] })
    expect(await mails.library.skipCounts()).toEqual([])
    expect(await mails.library.memoryCounts()).toEqual(new Map())
  })

  test('chunks and memories of an item know of each other, page by page', async () => {
    await a.putItem(sampleUpload('note', 'x'))
    const texts = Array.from({ length: 6 }, (_, n) => `line ${n}`)
    const spans = [
      [0, 0],
      [1, 3],
      [3, 3],
      [4, 5],
    ] as const
    const memories = spans.map(([firstChunk, lastChunk], index) => ({
      index,
      content: { headline: `Memory ${index}` },
      firstChunk,
      lastChunk,
    }))
    await store.queue.complete(await claimOne(store), { ...sampleItem(texts), memories })
    const chunks = await a.library.chunks(text('note'), { offset: 2, limit: 3 })
    expect(chunks.map((chunk) => [chunk.ordinal, chunk.text, chunk.memories])).toEqual([
      [2, 'line 2', [1]],
      [3, 'line 3', [1, 2]],
      [4, 'line 4', [3]],
    ])
    const page = await a.library.memories(text('note'), { offset: 1, limit: 2 })
    expect(page.map(({ content, firstChunk, lastChunk }) => [content.headline, firstChunk, lastChunk])).toEqual([
      ['Memory 1', 1, 3],
      ['Memory 2', 3, 3],
    ])
    expect(await a.library.chunks(text('note'), { offset: 6, limit: 3 })).toEqual([])
  })

  test('an item that is made again waits its turn, and shows what it had until then', async () => {
    await memorize(store, a, 'note', ['about apples'])
    expect(await a.library.reprocess([text('note'), text('absent')])).toBe(1)
    expect(await a.library.reprocess([text('note')])).toBe(0)
    expect(await a.library.read(text('note'))).toMatchObject({ status: 'queued', memoryCount: 1 })
    expect(await findTexts(a, ['apples'])).toEqual(['about apples'])
    await store.queue.complete(await claimOne(store), sampleItem(['about pears']))
    expect(await findTexts(a, ['apples'])).toEqual([])
    expect(await a.library.read(text('note'))).toMatchObject({ status: 'ready' })
  })

  test('an item that waits to be made again in the background comes before the others when asked for', async () => {
    await memorize(store, a, 'note', ['about apples'])
    await store.queue.requeueOutdated('test@2')
    expect(await a.library.read(text('note'))).toMatchObject({ status: 'ready' })
    expect(await a.holdings()).toMatchObject({ waiting: 0 })
    expect(await a.library.reprocess([text('note')])).toBe(1)
    expect(await a.library.read(text('note'))).toMatchObject({ status: 'queued' })
    expect(await a.holdings()).toMatchObject({ waiting: 1 })
  })

  test('whoever listens is told whose items came, changed or went', async () => {
    const told: (string | undefined)[] = []
    const stop = store.onItems((accountId) => told.push(accountId))
    const tells = async (work: () => Promise<unknown>) => {
      told.length = 0
      await work()
      return [...told]
    }
    let claim: Awaited<ReturnType<typeof claimOne>>
    expect(await tells(() => a.putItem(sampleUpload('note', 'x')))).toEqual(['a'])
    expect(
      await tells(async () => {
        claim = await claimOne(store)
      }),
    ).toEqual(['a'])
    expect(await tells(() => store.queue.complete(claim, sampleItem(['x'])))).toEqual(['a'])
    expect(await tells(() => a.library.reprocess([text('note')]))).toEqual(['a'])
    expect(
      await tells(async () => store.queue.fail(await claimOne(store), { code: 'unreadable', message: 'No' })),
    ).toEqual(['a', 'a'])
    expect(await tells(() => a.deleteItem(text('note')))).toEqual(['a'])
    stop()
    expect(await tells(() => a.putItem(sampleUpload('note', 'x')))).toEqual([])
  })
}
