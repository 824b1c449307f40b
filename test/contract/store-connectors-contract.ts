import { beforeEach, expect, test } from 'vitest'
import type { SourceType } from '../../src/domain/source-type.ts'
import type { Hit } from '../../src/store/search/search.ts'
import type { ScopedStore, Store } from '../../src/store/store.ts'
import type { StoreUnderTest } from './store-contract.ts'
import { claimOne, memorize, sampleItem, sampleUpload } from './store-samples.ts'

/** Items by the connector that brought them. */
export function describeConnectorsContract(setUp: () => Promise<StoreUnderTest>): void {
  let store: Store
  let a: ScopedStore
  beforeEach(async () => {
    ;({ store } = await setUp())
    a = store.scoped({ accountId: 'a', sources: 'all' })
  })

  async function bring(scoped: ScopedStore, itemId: string, connector: string, sourceType: SourceType = 'tasks') {
    await scoped.putItem({ ...sampleUpload(itemId, itemId, { sourceType, onConflict: 'replace' }), connector })
    const when = { start: new Date('2026-01-02'), precision: 'day' as const }
    const texts = [`${itemId} beacon`, `${itemId} lamp beacon`]
    await store.queue.complete(await claimOne(store), { ...sampleItem(texts), when })
  }

  async function itemsOf(hits: readonly Hit[]): Promise<string[]> {
    const ids = hits.map(({ chunkId }) => chunkId)
    return [...new Set((await a.index.chunks(ids, 0)).map(({ itemId }) => itemId))].sort()
  }

  test('candidates by words and by vectors are only from the connector, of the account and the sources', async () => {
    const b = store.scoped({ accountId: 'b', sources: 'all' })
    await bring(a, 'one', 'jira')
    await bring(a, 'two', 'jira')
    await bring(a, 'three', 'linear')
    await bring(a, 'page', 'jira', 'technical_docs')
    await bring(b, 'theirs', 'jira')
    await memorize(store, a, 'uploaded', ['uploaded beacon'], { sourceType: 'tasks' })
    const { ranges, sources } = await a.index.chunksFrom('jira')
    // Of items that follow each other one range.
    expect(ranges.map(({ first, last }) => last - first)).toEqual([3, 1])
    expect([...sources].sort()).toEqual(['tasks', 'technical_docs'])
    const search = { terms: [{ term: 'beacon', weight: 1, frequency: 9 }], limit: 20, within: ranges }
    expect(await itemsOf(await a.index.lexicalCandidates(search))).toEqual(['one', 'page', 'two'])
    expect(await itemsOf(await a.index.lexicalCandidates({ ...search, source: 'tasks' }))).toEqual(['one', 'two'])
    const [row] = await a.index.chunks([ranges[0]!.first], 0)
    const vector = Float32Array.from(row!.vector, (value) => value / 127)
    const nearest = { spaceId: row!.spaceId, vector, limit: 20, within: ranges }
    expect(await itemsOf(await a.index.nearest(nearest))).toEqual(['one', 'page', 'two'])
    const docs = store.scoped({ accountId: 'a', sources: ['technical_docs'] })
    expect((await docs.index.chunksFrom('jira')).sources).toEqual(['technical_docs'])
    expect(await a.index.chunksFrom('notion')).toEqual({ ranges: [], sources: [] })
  })

  test('lists, times and rows have the connector of an item, until something else uploads it', async () => {
    await bring(a, 'one', 'jira')
    await bring(a, 'two', 'linear')
    const listed = (connector: string) => a.listItems({ sourceType: 'tasks', connector, limit: 9, offset: 0 })
    expect(await listed('jira')).toMatchObject({ total: 1, items: [{ itemId: 'one', connector: 'jira' }] })
    const time = { since: new Date('2026-01-01'), until: new Date('2026-01-03'), connector: 'linear' }
    const recent = {
      source: 'tasks',
      until: new Date('2999-01-01'),
      connector: 'linear',
      items: 9,
      perItem: 1,
    } as const
    expect(await a.index.recentMemories(recent)).toMatchObject([{ itemId: 'two', connector: 'linear' }])
    expect(await a.index.memoriesIn(time, { items: 9, perItem: 9 })).toEqual([])
    const { ranges } = await a.index.chunksFrom('jira')
    const first = ranges[0]!.first
    expect((await a.index.passages([first])).get(first)).toMatchObject({ connector: 'jira' })
    expect(await a.index.memoriesOf([first])).toMatchObject([{ itemId: 'one', connector: 'jira' }])
    expect(await a.library.read({ itemId: 'one', sourceType: 'tasks' })).toMatchObject({ connector: 'jira' })
    await a.putItem(sampleUpload('one', 'other bytes', { sourceType: 'tasks', onConflict: 'replace' }))
    expect(await listed('jira')).toMatchObject({ total: 0 })
  })
}
