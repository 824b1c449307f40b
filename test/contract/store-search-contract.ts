import { beforeEach, expect, test } from 'vitest'
import type { RecentMemoriesQuery } from '../../src/store/search/search.ts'
import type { ScopedStore, Store } from '../../src/store/store.ts'
import type { StoreUnderTest } from './store-contract.ts'
import {
  claimOne,
  findTexts,
  memorize,
  SPACE,
  sampleChunk,
  sampleItem,
  sampleUpload,
  textsOf,
} from './store-samples.ts'

/** Candidates, statistics, spelling, vectors and rows. */
export function describeSearchContract(setUp: () => Promise<StoreUnderTest>): void {
  let store: Store
  let a: ScopedStore
  beforeEach(async () => {
    ;({ store } = await setUp())
    a = store.scoped({ accountId: 'a', sources: 'all' })
  })
  const day = (n: number) => new Date(Date.UTC(2026, 0, n))

  test('statistics count chunks, terms and the average length of bodies', async () => {
    await memorize(store, a, 'one', ['red apple', 'red red pear plum'])
    await memorize(store, a, 'two', [sampleChunk(0, 'green', { meta: 'red' })])
    const { chunks, averageBodyLength, frequencies } = await a.index.termStatistics(['red', 'plum', 'none'])
    expect({ chunks, averageBodyLength }).toEqual({ chunks: 3, averageBodyLength: 7 / 3 })
    expect(frequencies).toEqual(
      new Map([
        ['red', 3],
        ['plum', 1],
        ['none', 0],
      ]),
    )
    await memorize(store, a, 'three', ['none but this'])
    expect((await a.index.termStatistics(['none'])).frequencies.get('none')).toBe(1)
  })

  test('terms that are everywhere separate what rarer ones found, and fill up what they did not', async () => {
    // More than are read for one term, by either engine.
    const texts = Array.from({ length: 4_700 }, (_, n) => {
      const often = n % 8 === 1 ? '' : ' often'
      return `everywhere${often}${n % 2_001 === 0 ? ' rare' : ''} n${n}`
    })
    await memorize(store, a, 'one', texts)
    await memorize(store, a, 'two', ['everywhere often mail'], { sourceType: 'email' })
    const terms = ['everywhere', 'often', 'rare']
    const { frequencies } = await a.index.termStatistics(terms)
    expect([...frequencies.values()]).toEqual([4_701, 4_113, 3])
    const weighted = terms.map((term, n) => ({ term, weight: 10 ** n, frequency: frequencies.get(term)! }))
    const hits = await a.index.lexicalCandidates({ terms: weighted, limit: 5 })
    const found = await textsOf(a, hits)
    expect(hits.map(({ chunkId }) => found.get(chunkId))).toEqual([
      'everywhere often rare n4002',
      'everywhere often rare n0',
      'everywhere rare n2001',
      'everywhere often mail',
      'everywhere often n4699',
    ])
    const [everywhere] = weighted
    const newest = await a.index.lexicalCandidates({ terms: [everywhere!], limit: 3, source: 'text' })
    expect([...(await textsOf(a, newest)).values()].sort()).toEqual([
      'everywhere n4697',
      'everywhere often n4698',
      'everywhere often n4699',
    ])
  })

  test('chunks with more of the weight come first, in body or meta', async () => {
    await memorize(store, a, 'one', [
      'red apple',
      'green pear',
      sampleChunk(2, 'apple pie', { meta: 'red' }),
      'red wine',
    ])
    const terms = [
      { term: 'red', weight: 1, frequency: 3 },
      { term: 'apple', weight: 2, frequency: 2 },
    ]
    const hits = await a.index.lexicalCandidates({ terms, limit: 10 })
    const texts = await textsOf(a, hits)
    expect(hits.map(({ score }) => score)).toEqual([3, 3, 1])
    expect(texts.get(hits[2]!.chunkId)).toBe('red wine')
    expect(await a.index.lexicalCandidates({ terms, limit: 2 })).toHaveLength(2)
  })

  test.each([
    '東京',
    'foo_bar',
    'a-b.c/d:e',
    '#1234',
    'x@y.z',
    'c++',
    '"quoted"',
    'near',
    'naïve',
    'мир',
    "o'neil",
    '(',
    '*',
  ])('the term %s is kept whole and is no syntax', async (term) => {
    await memorize(store, a, 'one', [sampleChunk(0, 'with it', { meta: term }), 'without'])
    expect(await findTexts(a, [term])).toEqual(['with it'])
    expect(await findTexts(a, [`${term}x`])).toEqual([])
  })

  test('a word that was asked for before finds what came since, and no longer what was deleted', async () => {
    const terms = [
      { term: 'kettle', weight: 2, frequency: 2 },
      { term: 'pantry', weight: 1, frequency: 2 },
    ]
    const find = async () => {
      const hits = await a.index.lexicalCandidates({ terms, limit: 10 })
      return [...(await textsOf(a, hits)).values()].sort()
    }
    await memorize(store, a, 'one', ['kettle pantry'])
    await memorize(store, a, 'two', ['pantry'])
    expect(await find()).toEqual(['kettle pantry', 'pantry'])
    await memorize(store, a, 'three', ['kettle'])
    expect(await find()).toEqual(['kettle', 'kettle pantry', 'pantry'])
    await a.deleteItem({ itemId: 'one', sourceType: 'text' })
    expect(await find()).toEqual(['kettle', 'pantry'])
    await memorize(store, a, 'two', ['attic'], { onConflict: 'replace' })
    expect(await find()).toEqual(['kettle'])
  })

  test('filters by source and time apply to words and vectors', async () => {
    await memorize(store, a, 'one', [
      sampleChunk(0, 'word early', { at: day(1) }),
      sampleChunk(1, 'word late', { at: day(5) }),
      sampleChunk(2, 'word never'),
    ])
    await memorize(store, a, 'two', [sampleChunk(0, 'word mail', { at: day(5) })], { sourceType: 'email' })
    const vector = Float32Array.of(1, 0, 0, 0)
    const both = async (filter: object) => {
      const hits = await a.index.nearest({ spaceId: SPACE, vector, limit: 9, ...filter })
      const texts = await textsOf(a, hits)
      return [(await findTexts(a, ['word'], filter)).sort(), [...texts.values()].sort()]
    }
    expect(await both({ source: 'email' })).toEqual([['word mail'], ['word mail']])
    expect(await both({ since: day(5) })).toEqual([
      ['word late', 'word mail'],
      ['word late', 'word mail'],
    ])
    expect(await both({ until: day(5) })).toEqual([['word early'], ['word early']])
    expect(await both({ since: day(1), until: day(6), source: 'text' })).toEqual([
      ['word early', 'word late'],
      ['word early', 'word late'],
    ])
  })

  test('the nearest vectors come first with their cosine', async () => {
    await memorize(store, a, 'one', [
      sampleChunk(0, 'far', { vector: [0, 1, 0, 0] }),
      sampleChunk(1, 'near', { vector: [0.8, 0.6, 0, 0] }),
      sampleChunk(2, 'none', { vector: [0, 0, 0, 0] }),
    ])
    const hits = await a.index.nearest({ spaceId: SPACE, vector: Float32Array.of(1, 0, 0, 0), limit: 5 })
    const texts = await textsOf(a, hits)
    expect(hits.map(({ chunkId }) => texts.get(chunkId))).toEqual(['near', 'far'])
    expect(hits[0]!.score).toBeCloseTo(0.8, 1)
  })

  test('vectors of two spaces never meet', async () => {
    await memorize(store, a, 'one', ['in the first space'])
    await a.putItem(sampleUpload('two', 'x'))
    await store.queue.complete(await claimOne(store), { ...sampleItem(['in the second']), spaceId: 'other@4' })
    const vector = Float32Array.of(1, 0, 0, 0)
    const [first] = await a.index.nearest({ spaceId: SPACE, vector, limit: 5 })
    const [second] = await a.index.nearest({ spaceId: 'other@4', vector, limit: 5 })
    expect(await a.index.nearest({ spaceId: 'unknown@4', vector, limit: 5 })).toEqual([])
    expect(await a.index.chunks([first!.chunkId, second!.chunkId], 0)).toMatchObject([
      { spaceId: SPACE },
      { spaceId: 'other@4' },
    ])
    expect(first!.chunkId).not.toBe(second!.chunkId)
  })

  test('vectors follow what is added, replaced and deleted', async () => {
    const query = { spaceId: SPACE, vector: Float32Array.of(1, 0, 0, 0), limit: 2 }
    await memorize(store, a, 'one', ['first', 'second', 'third'])
    expect(await a.index.nearest(query)).toHaveLength(2)
    await memorize(store, a, 'two', [sampleChunk(0, 'fourth', { vector: [0.9, 0.1, 0, 0] })])
    await a.deleteItem({ itemId: 'one', sourceType: 'text' })
    const hits = await a.index.nearest(query)
    expect([...(await textsOf(a, hits)).values()]).toEqual(['fourth'])
  })

  test('rows come with their neighbors of the same item', async () => {
    await memorize(store, a, 'one', ['zero', 'one', 'two', 'three', 'four'])
    await memorize(store, a, 'two', ['other item'])
    const [hit] = await a.index.lexicalCandidates({ terms: [{ term: 'three', weight: 1, frequency: 1 }], limit: 1 })
    const rows = await a.index.chunks([hit!.chunkId], 2)
    expect(rows.map(({ ordinal }) => ordinal)).toEqual([1, 2, 3, 4])
    expect(new Set(rows.map(({ itemId }) => itemId))).toEqual(new Set(['one']))
    const expected = sampleChunk(3, 'three')
    expect(rows[2]).toMatchObject({
      bodyHashes: expected.bodyHashes,
      metaHashes: expected.metaHashes,
      tokens: expected.tokens,
      vector: Int8Array.of(127, 0, 0, 0),
      kind: 'prose',
      at: undefined,
    })
    const known = [rows[1]!, rows[2]!]
    const others = await a.index.chunks([hit!.chunkId], 2, undefined, known)
    expect(others.map(({ ordinal }) => ordinal)).toEqual([1, 4])
  })

  test('rows that were read before are shown again only to those who may see them, and while their item shows them', async () => {
    await memorize(store, a, 'one', ['zero', 'one', 'two'])
    const [hit] = await a.index.lexicalCandidates({ terms: [{ term: 'one', weight: 1, frequency: 1 }], limit: 1 })
    const ids = [hit!.chunkId]
    const ordinals = async (scoped: ScopedStore) => (await scoped.index.chunks(ids, 1)).map(({ ordinal }) => ordinal)
    const before = await a.index.chunks(ids, 1)
    expect(await a.index.chunks(ids, 1)).toEqual(before)
    expect(await ordinals(store.scoped({ accountId: 'a', sources: ['text'] }))).toEqual([0, 1, 2])
    expect(await ordinals(store.scoped({ accountId: 'a', sources: ['email'] }))).toEqual([])
    expect(await ordinals(store.scoped({ accountId: 'b', sources: 'all' }))).toEqual([])
    await memorize(store, a, 'one', ['zero', 'one', 'other'], { onConflict: 'replace' })
    expect(await ordinals(a)).toEqual([])
    expect(await a.index.chunks(ids, 1, undefined, before)).toEqual([])
  })

  test('memories and pairs are found by any chunk they were made from', async () => {
    const item = sampleItem(['zero', 'one', 'two', 'three'])
    const memories = [
      { index: 0, content: { narrative: 'wide' }, firstChunk: 0, lastChunk: 2 },
      { index: 1, content: { narrative: 'narrow' }, firstChunk: 3, lastChunk: 3 },
    ]
    await a.putItem(sampleUpload('note', 'x'))
    await store.queue.complete(await claimOne(store), { ...item, memories })
    const hits = await a.index.lexicalCandidates({ terms: [{ term: 'two', weight: 1, frequency: 1 }], limit: 1 })
    const two = hits[0]!.chunkId
    expect(await a.index.memoriesOf([two])).toMatchObject([
      { index: 0, itemId: 'note', content: { narrative: 'wide' } },
    ])
    expect(await a.index.memoriesOf([two - 1, two, two + 1])).toMatchObject([{ index: 0 }, { index: 1 }])
    expect(await a.index.qasOf([two - 2])).toMatchObject([{ question: 'What was noted?', answer: 'zero' }])
    expect(await a.index.qasOf([two])).toEqual([])
  })

  test('memories of a time come in its order, and the latest by item, within the sources of the scope', async () => {
    const dated = async (itemId: string, days: readonly number[], sourceType: 'text' | 'email' = 'text') => {
      const item = sampleItem(days.map((n) => `${itemId} ${n}`))
      const memories = item.memories.map((memory, i) => {
        return { ...memory, when: { start: day(days[i]!), precision: 'day' as const } }
      })
      const when = { start: day(days[0]!), end: day(days.at(-1)!), precision: 'day' as const }
      await a.putItem(sampleUpload(itemId, itemId, { sourceType }))
      await store.queue.complete(await claimOne(store), { ...item, memories, when })
    }
    await dated('long', [1, 3, 4, 5, 9])
    await dated('short', [4], 'email')
    await dated('later', [8])
    await memorize(store, a, 'undated', ['whenever'])
    const range = { since: day(3), until: day(8) }
    const found = async (scoped: ScopedStore, more: { source?: 'text' | 'email' } = {}, perItem = 2) => {
      const rows = await scoped.index.memoriesIn({ ...range, ...more }, { items: 10, perItem })
      return rows.map(({ content }) => content.narrative?.replace('I noted: ', ''))
    }
    expect(await found(a)).toEqual(['long 3', 'long 4', 'short 4'])
    expect(await found(a, {}, 9)).toEqual(['long 3', 'long 4', 'short 4', 'long 5'])
    expect(await found(a, { source: 'email' })).toEqual(['short 4'])
    expect(await found(store.scoped({ accountId: 'a', sources: ['email'] }))).toEqual(['short 4'])
    expect(await found(store.scoped({ accountId: 'b', sources: 'all' }))).toEqual([])

    expect(await a.index.timesAround(range)).toEqual({ before: day(1), after: day(8) })
    expect(await a.index.timesAround({ ...range, source: 'email' })).toEqual({})
    expect(await store.scoped({ accountId: 'a', sources: ['email'] }).index.timesAround(range)).toEqual({})
    expect(await store.scoped({ accountId: 'b', sources: 'all' }).index.timesAround(range)).toEqual({})

    const latest = async (scoped: ScopedStore, limit = 100) =>
      (await scoped.index.latestMemories(limit)).map(({ content, userName }) => {
        expect(userName).toBe(sampleUpload('x', 'x').userName)
        return content.narrative?.replace('I noted: ', '')
      })
    const all = ['later 8', 'short 4', 'long 1', 'long 3', 'long 4', 'long 5', 'long 9', 'whenever']
    expect(await latest(a)).toEqual(all)
    expect(await latest(a, 3)).toEqual(all.slice(0, 3))
    expect(await latest(store.scoped({ accountId: 'a', sources: ['email'] }))).toEqual(['short 4'])
    expect(await latest(store.scoped({ accountId: 'b', sources: 'all' }))).toEqual([])

    const recent = async (scoped: ScopedStore, more: Partial<RecentMemoriesQuery> = {}) => {
      const rows = await scoped.index.recentMemories({ source: 'text', until: day(8), items: 9, perItem: 2, ...more })
      return rows.map(({ content }) => content.narrative?.replace('I noted: ', ''))
    }
    // What has no time of its own counts as of its upload.
    expect(await recent(a)).toEqual(['long 4', 'long 5', 'whenever'])
    expect(await recent(a, { until: new Date('2999-01-01') })).toEqual(['long 5', 'long 9', 'later 8', 'whenever'])
    expect(await recent(a, { since: day(4), perItem: 1, items: 1 })).toEqual(['long 5'])
    expect(await recent(a, { source: 'email' })).toEqual(['short 4'])
    expect(await recent(store.scoped({ accountId: 'a', sources: ['email'] }))).toEqual([])
    expect(await recent(store.scoped({ accountId: 'b', sources: 'all' }))).toEqual([])
  })

  test('items are found by the place that they are from, within the scope', async () => {
    const placed = async (itemId: string, place: string | undefined, sourceType: 'text' | 'email' = 'text') => {
      await a.putItem(sampleUpload(itemId, itemId, { sourceType }))
      const item = sampleItem([`beacon ${itemId}`, 'and more'])
      await store.queue.complete(await claimOne(store), { ...item, ...(place !== undefined && { place }) })
    }
    await placed('one', '~/src/shop')
    await placed('two', 'acme/shop', 'email')
    await placed('three', '~/src/shop')
    await placed('none', undefined)
    expect(await a.index.places()).toEqual(['acme/shop', '~/src/shop'])
    expect(await store.scoped({ accountId: 'b', sources: 'all' }).index.places()).toEqual([])
    const mine = store.scoped({ accountId: 'a', sources: ['text'] })
    const within = await mine.index.chunksAt(['~/src/shop', 'acme/shop'])
    expect(within.map(({ first, last }) => last - first)).toEqual([1, 1])
    const search = { terms: [{ term: 'beacon', weight: 1, frequency: 4 }], limit: 10 }
    const itemsOf = async (hits: readonly { readonly chunkId: number }[]) => {
      const rows = await a.index.chunks(
        hits.map(({ chunkId }) => chunkId),
        0,
      )
      return [...new Set(rows.map(({ itemId }) => itemId))]
    }
    expect(await itemsOf(await a.index.lexicalCandidates(search))).toEqual(['one', 'two', 'three', 'none'])
    expect(await itemsOf(await a.index.lexicalCandidates({ ...search, within }))).toEqual(['one', 'three'])
    expect(await a.index.lexicalCandidates({ ...search, within: [] })).toEqual([])
    const [row] = await a.index.chunks([within[0]!.first], 0)
    const nearest = { spaceId: row!.spaceId, vector: Float32Array.from(row!.vector, (value) => value / 127), limit: 10 }
    expect(await itemsOf(await a.index.nearest(nearest))).toEqual(['one', 'two', 'three', 'none'])
    expect(await itemsOf(await a.index.nearest({ ...nearest, within }))).toEqual(['one', 'three'])
    expect(
      await a.index.recentMemories({
        source: 'text',
        until: new Date('2999-01-01'),
        places: ['~/src/shop'],
        items: 9,
        perItem: 1,
      }),
    ).toMatchObject([{ itemId: 'three', place: '~/src/shop' }, { itemId: 'one' }])
  })

  test('the latest memories are read in pages, none twice and none left out', async () => {
    const day = (n: number) => new Date(Date.UTC(2026, 0, n))
    const texts = (from: number) => Array.from({ length: 400 }, (_, i) => `text ${from + i}`)
    // Two of one day and one without a time, so that pages end within each of them.
    for (const [itemId, from, when] of [
      ['first', 0, day(1)],
      ['second', 400, day(1)],
      ['undated', 800, undefined],
    ] as const) {
      await a.putItem(sampleUpload(itemId, itemId))
      const item = sampleItem(texts(from))
      const dated = when && { when: { start: when, precision: 'day' as const } }
      await store.queue.complete(await claimOne(store), { ...item, ...dated })
    }
    const found = (await a.index.latestMemories(1_100)).map(({ content }) => content.narrative)
    const expected = [...texts(400), ...texts(0), ...texts(800)].slice(0, 1_100).map((text) => `I noted: ${text}`)
    expect(found).toEqual(expected)
  })

  test('passages and memories come with what is known of their item, until it is replaced', async () => {
    const known = { title: 'Plan', url: 'https://example.com/plan' }
    const chunk = { ...sampleChunk(1, 'said'), kind: 'turn', speaker: 'Grace' } as const
    await a.putItem(sampleUpload('plan', 'x'))
    await store.queue.complete(await claimOne(store), { ...sampleItem(['told', chunk]), ...known })
    const find = async (term: string) => {
      const [hit] = await a.index.lexicalCandidates({ terms: [{ term, weight: 1, frequency: 1 }], limit: 1 })
      return hit!.chunkId
    }
    const [told, said] = [await find('told'), await find('said')]
    expect(await a.index.passages([told, said])).toEqual(
      new Map([
        [told, { text: 'told', speaker: undefined, fileName: 'plan.txt', ...known }],
        [said, { text: 'said', speaker: 'Grace', fileName: 'plan.txt', ...known }],
      ]),
    )
    expect(await a.index.memoriesOf([told])).toMatchObject([{ index: 0, url: known.url }])

    await memorize(store, a, 'plan', ['other'], { onConflict: 'replace' })
    const other = await find('other')
    const unknown = { text: 'other', speaker: undefined, title: undefined, fileName: 'plan.txt', url: undefined }
    expect(await a.index.passages([other])).toEqual(new Map([[other, unknown]]))
    expect(await a.index.memoriesOf([other])).toMatchObject([{ url: undefined }])
  })

  test('misspelt words find the words that are spelt alike, the closest first', async () => {
    await memorize(store, a, 'one', ['catherine bought a guitar', 'smith and kubernetes', 'ticket abc123'])
    expect(await a.index.similarTerms('katherine', 3)).toEqual(['catherine'])
    expect(await a.index.similarTerms('catehrine', 3)).toEqual(['catherine'])
    expect(await a.index.similarTerms('smyth', 3)).toEqual(['smith'])
    expect(await a.index.similarTerms('kubernets', 3)).toEqual(['kubernetes'])
    expect(await a.index.similarTerms('guitars', 3)).toEqual(['guitar'])
    expect(await a.index.similarTerms('piano', 3)).toEqual([])
    expect(await a.index.similarTerms('cat', 3)).toEqual([])
  })

  test('a word finds the words that are joined with it, the shortest first', async () => {
    await memorize(store, a, 'one', ['zahnarzttermin', 'terminkalender', 'termine'])
    expect(await a.index.compoundsOf('termin', 3)).toEqual(['terminkalender', 'zahnarzttermin'])
  })
}
