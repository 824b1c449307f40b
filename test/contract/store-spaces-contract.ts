import { beforeEach, expect, test } from 'vitest'
import type { NewSpace } from '../../src/store/spaces/spaces.ts'
import type { ScopedStore, Store } from '../../src/store/store.ts'
import type { StoreUnderTest } from './store-contract.ts'
import { claimOne, memorize, SPACE, sampleChunk, sampleItem, sampleUpload, textsOf } from './store-samples.ts'

const LARGE: NewSpace = {
  spaceId: 'large@3',
  dimensions: 3,
  model: { provider: 'test', model: 'large' },
  background: 0.2,
}
const OTHER: NewSpace = { ...LARGE, spaceId: 'other@3', model: { provider: 'test', model: 'other' } }
/** Points the way of the word that a text begins with. */
const DIRECTIONS: Readonly<Record<string, readonly number[]>> = {
  red: [127, 0, 0],
  green: [0, 127, 0],
  blue: [0, 0, 127],
}

function vectorOf(text: string): Int8Array {
  return Int8Array.from(DIRECTIONS[text.split(' ')[0] ?? ''] ?? [])
}

/** Spaces of plugged-in models: filling, switching, and that their vectors come and go with their chunks. */
export function describeSpacesContract(setUp: () => Promise<StoreUnderTest>): void {
  let store: Store
  let clock: StoreUnderTest['clock']
  let a: ScopedStore
  let b: ScopedStore
  beforeEach(async () => {
    ;({ store, clock } = await setUp())
    a = store.scoped({ accountId: 'a', sources: 'all' })
    b = store.scoped({ accountId: 'b', sources: 'all' })
  })

  const fillAll = async (spaceId = LARGE.spaceId, limit = 2): Promise<string[]> => {
    const filled: string[] = []
    for (;;) {
      const { texts, floor, isLast } = await store.spaces.missing(spaceId, limit)
      filled.push(...texts.map(({ text }) => text))
      const vectors = texts.map(({ chunkId, text }) => ({ chunkId, vector: vectorOf(text) }))
      expect(await store.spaces.fill(spaceId, { vectors, floor })).toBe('stored')
      if (isLast) return filled
    }
  }
  const nearest = async (scoped: ScopedStore, spaceId: string, vector: readonly number[]): Promise<string[]> => {
    const hits = await scoped.index.nearest({ spaceId, vector: Float32Array.from(vector), limit: 9 })
    const texts = await textsOf(scoped, hits)
    return hits.filter(({ score }) => score > 0.5).flatMap(({ chunkId }) => texts.get(chunkId) ?? [])
  }
  const stateOf = async () =>
    Object.fromEntries((await store.spaces.list()).map(({ spaceId, state }) => [spaceId, state]))

  test('a space is filled in the order of its texts, each once, beside the vectors of the built-in model', async () => {
    await memorize(store, a, 'one', ['red apple', 'green pear', 'nothing known'])
    await memorize(store, b, 'two', ['blue plum'])
    await store.spaces.begin(LARGE)
    expect(await store.spaces.estimate(LARGE.spaceId)).toEqual({ texts: 4, characters: 41 })
    expect(await store.spaces.progress(LARGE.spaceId)).toEqual({ chunks: 4, filled: 0 })
    expect(await fillAll()).toEqual(['red apple', 'green pear', 'nothing known', 'blue plum'])
    expect(await fillAll()).toEqual([])
    expect(await store.spaces.estimate(LARGE.spaceId)).toEqual({ texts: 0, characters: 0 })
    expect(await store.spaces.progress(LARGE.spaceId)).toEqual({ chunks: 4, filled: 4 })
    expect(await nearest(a, LARGE.spaceId, [0, 1, 0])).toEqual(['green pear'])
    expect(await nearest(a, SPACE, [1, 0, 0, 0])).toHaveLength(3)
    await memorize(store, a, 'three', ['green grass'])
    expect(await nearest(a, LARGE.spaceId, [0, 1, 0])).toEqual(['green pear'])
    expect(await fillAll()).toEqual(['green grass'])
    expect(await nearest(a, LARGE.spaceId, [0, 1, 0])).toEqual(['green grass', 'green pear'])
  })

  test('chunks carry the vectors of the space that is asked for, and none where it has none', async () => {
    await memorize(store, a, 'one', ['red apple', sampleChunk(1, 'unknown', { vector: [0, 1, 0, 0] })])
    const ids = (await a.index.nearest({ spaceId: SPACE, vector: Float32Array.of(1, 1, 0, 0), limit: 5 })).map(
      ({ chunkId }) => chunkId,
    )
    await store.spaces.begin(LARGE)
    const shape = async (spaceId?: string) =>
      (await a.index.chunks(ids, 0, spaceId)).map((row) => [row.spaceId, [...row.vector]])
    const builtIn = [
      [SPACE, [127, 0, 0, 0]],
      [SPACE, [0, 127, 0, 0]],
    ]
    expect(await shape()).toEqual(builtIn)
    expect(await shape(SPACE)).toEqual(builtIn)
    expect(await shape(LARGE.spaceId)).toEqual([
      [LARGE.spaceId, []],
      [LARGE.spaceId, []],
    ])
    await fillAll()
    expect(await shape(LARGE.spaceId)).toEqual([
      [LARGE.spaceId, [127, 0, 0]],
      [LARGE.spaceId, []],
    ])
    expect(await shape()).toEqual(builtIn)
  })

  test('no account and no key gets vectors of what it may not see', async () => {
    await memorize(store, a, 'one', ['red apple'], { sourceType: 'email' })
    await memorize(store, b, 'two', ['red brick'])
    await store.spaces.begin(LARGE)
    await fillAll()
    expect(await nearest(a, LARGE.spaceId, [1, 0, 0])).toEqual(['red apple'])
    expect(await nearest(b, LARGE.spaceId, [1, 0, 0])).toEqual(['red brick'])
    const slack = store.scoped({ accountId: 'a', sources: ['slack'] })
    expect(await nearest(slack, LARGE.spaceId, [1, 0, 0])).toEqual([])
    const [hit] = await a.index.nearest({ spaceId: LARGE.spaceId, vector: Float32Array.of(1, 0, 0), limit: 1 })
    expect(await b.index.chunks([hit!.chunkId], 1, LARGE.spaceId)).toEqual([])
    expect(await slack.index.chunks([hit!.chunkId], 1, LARGE.spaceId)).toEqual([])
  })

  test('vectors go with their chunks, and what is removed while its vector is made gets none', async () => {
    await memorize(store, a, 'one', ['red apple'])
    await memorize(store, a, 'two', ['red brick'])
    await store.spaces.begin(LARGE)
    await fillAll()
    await a.deleteItem({ itemId: 'one', sourceType: 'text' })
    expect(await nearest(a, LARGE.spaceId, [1, 0, 0])).toEqual(['red brick'])
    expect(await store.spaces.progress(LARGE.spaceId)).toEqual({ chunks: 1, filled: 1 })
    await memorize(store, a, 'three', ['red wine'])
    const { texts, floor } = await store.spaces.missing(LARGE.spaceId, 10)
    expect(texts.map(({ text }) => text)).toEqual(['red wine'])
    await a.deleteItem({ itemId: 'three', sourceType: 'text' })
    const vectors = texts.map(({ chunkId, text }) => ({ chunkId, vector: vectorOf(text) }))
    expect(await store.spaces.fill(LARGE.spaceId, { vectors, floor })).toBe('stored')
    expect(await store.spaces.progress(LARGE.spaceId)).toEqual({ chunks: 1, filled: 1 })
    expect(await nearest(a, LARGE.spaceId, [1, 0, 0])).toEqual(['red brick'])
  })

  test('filling the same chunks twice stores each once', async () => {
    await memorize(store, a, 'one', ['red apple', 'green pear'])
    await store.spaces.begin(LARGE)
    const { texts, floor } = await store.spaces.missing(LARGE.spaceId, 10)
    const vectors = texts.map(({ chunkId, text }) => ({ chunkId, vector: vectorOf(text) }))
    await Promise.all([1, 2, 3].map(() => store.spaces.fill(LARGE.spaceId, { vectors, floor })))
    expect(await store.spaces.progress(LARGE.spaceId)).toEqual({ chunks: 2, filled: 2 })
    expect(await nearest(a, LARGE.spaceId, [1, 0, 0])).toEqual(['red apple'])
  })

  test('what an item still says keeps its vectors when the item is made again or replaced', async () => {
    await memorize(store, a, 'one', ['red apple', 'green pear', 'green pear'])
    await store.spaces.begin(LARGE)
    await fillAll()
    await memorize(store, a, 'one', ['blue plum', 'green pear', 'red apple'], { onConflict: 'replace' })
    expect(await nearest(a, LARGE.spaceId, [1, 0, 0])).toEqual(['red apple'])
    expect(await fillAll()).toEqual(['blue plum'])
    expect(await store.spaces.progress(LARGE.spaceId)).toEqual({ chunks: 3, filled: 3 })
    await memorize(store, b, 'one', ['green pear'])
    expect(await fillAll()).toEqual(['green pear'])
  })

  test('a large item that is shown after later ones is filled too', async () => {
    await store.spaces.begin(LARGE)
    await a.putItem(sampleUpload('large', 'x'))
    const large = await claimOne(store)
    const { promise: meanwhile, resolve: goOn } = Promise.withResolvers<void>()
    const { promise: staged, resolve: isStaged } = Promise.withResolvers<void>()
    const parts = async function* () {
      yield { chunks: [sampleChunk(0, 'red one')], memories: [], qas: [] }
      isStaged()
      await meanwhile
      yield { chunks: [sampleChunk(1, 'green two')], memories: [], qas: [] }
    }
    const completed = store.queue.complete(
      large,
      { ...sampleItem([]), memories: [], qas: [] },
      { chunkCount: 2, parts: parts() },
    )
    await staged
    await memorize(store, a, 'later', ['blue later'])
    const early = await store.spaces.missing(LARGE.spaceId, 10)
    expect(early.texts.map(({ text }) => text)).toEqual(['blue later'])
    goOn()
    expect(await completed).toBe('stored')
    const vectors = early.texts.map(({ chunkId, text }) => ({ chunkId, vector: vectorOf(text) }))
    await store.spaces.fill(LARGE.spaceId, { vectors, floor: early.floor })
    expect(await fillAll()).toEqual(['red one', 'green two'])
  })

  test('one space is active and one is building; the one before is kept until the next', async () => {
    expect(await store.spaces.active()).toBeUndefined()
    await store.spaces.begin(LARGE)
    expect(await store.spaces.list()).toEqual([{ ...LARGE, state: 'building', changedAt: clock() }])
    expect(await store.spaces.active()).toBeUndefined()
    await store.spaces.activate(LARGE.spaceId)
    expect(await store.spaces.active()).toEqual({ spaceId: LARGE.spaceId, background: 0.2 })
    await store.spaces.begin(LARGE)
    expect(await stateOf()).toEqual({ [LARGE.spaceId]: 'active' })
    await store.spaces.begin(OTHER)
    await store.spaces.activate(OTHER.spaceId)
    expect(await stateOf()).toEqual({ [LARGE.spaceId]: 'retired', [OTHER.spaceId]: 'active' })
    await store.spaces.activate(LARGE.spaceId)
    expect(await stateOf()).toEqual({ [LARGE.spaceId]: 'active', [OTHER.spaceId]: 'retired' })
    await store.spaces.activate(undefined)
    expect(await store.spaces.active()).toBeUndefined()
    expect(await stateOf()).toEqual({ [LARGE.spaceId]: 'retired', [OTHER.spaceId]: 'dropping' })
    await store.spaces.activate(undefined)
    expect(await stateOf()).toEqual({ [LARGE.spaceId]: 'retired', [OTHER.spaceId]: 'dropping' })
    await expect(store.spaces.activate(OTHER.spaceId)).rejects.toMatchObject({ code: 'conflict' })
    await expect(store.spaces.activate('unknown')).rejects.toMatchObject({ code: 'conflict' })
    expect(await store.spaces.active()).toBeUndefined()
  })

  test('a retired space that is built again keeps its vectors; a dropped one is emptied and can be built anew', async () => {
    await memorize(store, a, 'one', ['red apple'])
    await store.spaces.begin(LARGE)
    await fillAll()
    await store.spaces.activate(LARGE.spaceId)
    await expect(store.spaces.drop(LARGE.spaceId)).rejects.toMatchObject({ code: 'conflict' })
    await store.spaces.activate(undefined)
    await memorize(store, a, 'two', ['red brick'])
    await store.spaces.begin(LARGE)
    expect(await fillAll()).toEqual(['red brick'])
    await store.spaces.drop(LARGE.spaceId)
    await store.spaces.drop('unknown')
    const { floor } = await store.spaces.missing(LARGE.spaceId, 1)
    expect(await store.spaces.fill(LARGE.spaceId, { vectors: [], floor })).toBe('gone')
    while (await store.spaces.sweep());
    expect(await store.spaces.list()).toEqual([])
    expect(await store.spaces.progress(LARGE.spaceId)).toEqual({ chunks: 2, filled: 0 })
    expect(await nearest(a, LARGE.spaceId, [1, 0, 0])).toEqual([])
    await store.spaces.begin(LARGE)
    expect(await fillAll()).toEqual(['red apple', 'red brick'])
    expect((await nearest(a, LARGE.spaceId, [1, 0, 0])).sort()).toEqual(['red apple', 'red brick'])
  })

  test('one at a time fills a space, and a lease that ran out is free', async () => {
    const lease = (holder: string) => store.spaces.lease({ spaceId: LARGE.spaceId, holder, leaseMs: 1_000 })
    expect(await lease('one')).toBe(false)
    await store.spaces.begin(LARGE)
    expect(await Promise.all([lease('one'), lease('two')])).toEqual([true, false])
    clock.advance(600)
    expect(await lease('one')).toBe(true)
    clock.advance(600)
    expect(await lease('two')).toBe(false)
    clock.advance(600)
    expect(await lease('two')).toBe(true)
    await store.spaces.release({ spaceId: LARGE.spaceId, holder: 'one' })
    expect(await lease('one')).toBe(false)
    await store.spaces.release({ spaceId: LARGE.spaceId, holder: 'two' })
    expect(await lease('one')).toBe(true)
    clock.advance(-3_600_000)
    expect(await lease('two')).toBe(true)
  })

  test('a problem is shown until the next vectors are stored', async () => {
    await store.spaces.begin(LARGE)
    const problem = { message: 'The model is away', retryAt: clock() }
    await store.spaces.noteProblem(LARGE.spaceId, problem)
    expect(await store.spaces.list()).toMatchObject([{ problem }])
    await fillAll()
    expect((await store.spaces.list())[0]).not.toHaveProperty('problem')
  })
}
