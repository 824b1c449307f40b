import { beforeEach, expect, test } from 'vitest'
import type { SourceType } from '../../src/domain/source-type.ts'
import { MOST_TAGS } from '../../src/domain/tag.ts'
import type { LibraryRef } from '../../src/store/library/library.ts'
import type { Hit } from '../../src/store/search/search.ts'
import type { ScopedStore, Store } from '../../src/store/store.ts'
import type { StoreUnderTest } from './store-contract.ts'
import { claimOne, sampleItem, sampleUpload } from './store-samples.ts'

/** Items by the tags that people gave them. */
export function describeTagsContract(setUp: () => Promise<StoreUnderTest>): void {
  let store: Store
  let a: ScopedStore
  beforeEach(async () => {
    ;({ store } = await setUp())
    a = store.scoped({ accountId: 'a', sources: 'all' })
  })

  const ref = (itemId: string, sourceType: SourceType = 'text'): LibraryRef => ({ itemId, sourceType })
  const when = { start: new Date('2026-01-02'), precision: 'day' as const }

  async function upload(scoped: ScopedStore, { itemId, sourceType }: LibraryRef, body = itemId) {
    await scoped.putItem(sampleUpload(itemId, body, { sourceType, onConflict: 'replace' }))
    await store.queue.complete(await claimOne(store), {
      ...sampleItem([`${itemId} beacon`, `${itemId} lamp beacon`]),
      when,
    })
  }

  const add = (scoped: ScopedStore, refs: readonly LibraryRef[], ...tags: string[]) =>
    scoped.tags.change(refs, { add: tags, remove: [] })
  const tagsOf = async (scoped: ScopedStore, one: LibraryRef) => (await scoped.findItem(one))?.tags

  async function itemsOf(hits: readonly Hit[]): Promise<string[]> {
    const ids = hits.map(({ chunkId }) => chunkId)
    return [...new Set((await a.index.chunks(ids, 0)).map(({ itemId }) => itemId))].sort()
  }

  test('tags are compared without case and composition, and shown as written first', async () => {
    await upload(a, ref('one'))
    await upload(a, ref('two'))
    expect(await add(a, [ref('one')], 'Café', 'zoo')).toEqual([{ ...ref('one'), tags: ['Café', 'zoo'] }])
    await add(a, [ref('one'), ref('two')], 'CAFE\u0301')
    expect(await tagsOf(a, ref('one'))).toEqual(['Café', 'zoo'])
    expect(await tagsOf(a, ref('two'))).toEqual(['Café'])
    expect(await a.tags.list()).toEqual([
      { tag: 'Café', items: 2 },
      { tag: 'zoo', items: 1 },
    ])
    await a.tags.change([ref('one')], { add: ['new'], remove: ['café'] })
    expect(await tagsOf(a, ref('one'))).toEqual(['new', 'zoo'])
    expect(await add(a, [ref('gone'), ref('two')], 'x')).toEqual([{ ...ref('two'), tags: ['Café', 'x'] }])
  })

  test('an item with too many tags refuses more, and nothing of the change is kept', async () => {
    await upload(a, ref('full'))
    await upload(a, ref('free'))
    const most = Array.from({ length: MOST_TAGS }, (_, n) => `tag ${n}`)
    await add(a, [ref('full')], ...most)
    await expect(add(a, [ref('free'), ref('full')], 'another')).rejects.toMatchObject({
      code: 'invalid',
      field: 'tags',
    })
    expect(await tagsOf(a, ref('free'))).toEqual([])
    expect(await add(a, [ref('full')], 'TAG 1')).toMatchObject([{ tags: { length: MOST_TAGS } }])
  })

  test('tags stay when an item is replaced and processed again, and leave with it', async () => {
    await upload(a, ref('kept'))
    await add(a, [ref('kept')], 'mine')
    await upload(a, ref('kept'), 'other bytes')
    await a.library.reprocess([ref('kept')])
    await store.queue.complete(await claimOne(store), { ...sampleItem(['again']), when })
    expect(await tagsOf(a, ref('kept'))).toEqual(['mine'])
    await a.deleteItem(ref('kept'))
    expect(await a.tags.list()).toEqual([])
    await upload(a, ref('kept'))
    expect(await tagsOf(a, ref('kept'))).toEqual([])
  })

  test('only items of the account and the sources are tagged, listed and found', async () => {
    const b = store.scoped({ accountId: 'b', sources: 'all' })
    const docs = store.scoped({ accountId: 'a', sources: ['technical_docs'] })
    await upload(a, ref('note'))
    await upload(a, ref('page', 'technical_docs'))
    await upload(b, ref('note'))
    await add(a, [ref('note')], 'Secret')
    await add(b, [ref('note')], 'theirs')
    expect(await docs.tags.list()).toEqual([])
    expect(await add(docs, [ref('note'), ref('page', 'technical_docs')], 'secret')).toEqual([
      { ...ref('page', 'technical_docs'), tags: ['secret'] },
    ])
    expect(await docs.tags.list()).toEqual([{ tag: 'secret', items: 1 }])
    expect(await a.tags.list()).toMatchObject([{ items: 2 }])
    expect(await b.tags.list()).toEqual([{ tag: 'theirs', items: 1 }])
    const keyOf = async (scoped: ScopedStore) => (await scoped.index.extentOf(ref('note')))!.itemKey
    const keys = [await keyOf(a), await keyOf(b)]
    expect([...(await a.tags.of(keys)).values()]).toEqual([['Secret']])
    expect((await docs.tags.of(keys)).size).toBe(0)
    expect((await docs.index.chunksTagged('SECRET')).sources).toEqual(['technical_docs'])
    expect((await b.index.chunksTagged('secret')).ranges).toEqual([])
  })

  test('searches, times and lists are limited to a tag', async () => {
    await upload(a, ref('one'))
    await upload(a, ref('two'))
    await upload(a, ref('three'))
    await add(a, [ref('one'), ref('three')], 'Trip')
    const { ranges, sources } = await a.index.chunksTagged('trip')
    expect([ranges.length, sources]).toEqual([2, ['text']])
    const search = { terms: [{ term: 'beacon', weight: 1, frequency: 9 }], limit: 20, within: ranges }
    expect(await itemsOf(await a.index.lexicalCandidates(search))).toEqual(['one', 'three'])
    expect(await a.index.chunksTagged('other')).toEqual({ ranges: [], sources: [] })
    const listed = await a.listItems({ sourceType: 'text', tag: 'TRIP', limit: 1, offset: 1 })
    expect(listed).toMatchObject({ total: 2, items: [{ itemId: 'one', tags: ['Trip'] }] })
    const time = { since: new Date('2026-01-01'), until: new Date('2026-01-03'), tag: 'trip' }
    const recent = { source: 'text', until: new Date('2999-01-01'), tag: 'trip', items: 9, perItem: 1 } as const
    expect((await a.index.recentMemories(recent)).map(({ itemId }) => itemId).sort()).toEqual(['one', 'three'])
    const within = async (range: Parameters<typeof a.index.memoriesIn>[0]) =>
      (await a.index.memoriesIn(range, { items: 9, perItem: 9 })).length
    expect(await within({ ...time, tag: 'nothing' })).toBe(0)
    const { rows, groups } = await a.library.list({ sort: 'newest', offset: 0, limit: 9, tag: 'trip' })
    expect(rows).toMatchObject([{ itemId: 'three', tags: ['Trip'] }, { itemId: 'one' }])
    expect(groups).toEqual([{ sourceType: 'text', status: 'ready', count: 2 }])
    const named = await a.library.list({ sort: 'newest', offset: 0, limit: 9, tag: 'trip', text: 'ONE' })
    expect(named.rows.map(({ itemId }) => itemId)).toEqual(['one'])
    expect(await a.library.read(ref('one'))).toMatchObject({ tags: ['Trip'] })
    expect((await a.library.stored({ limit: 9 })).map(({ tags }) => tags)).toEqual([['Trip'], [], ['Trip']])
  })
}
