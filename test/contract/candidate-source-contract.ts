import { beforeEach, describe, expect, test } from 'vitest'
import type { CandidateSource } from '../../src/store/engine.ts'
import type { ScopedStore, Store } from '../../src/store/store.ts'
import { memorize, SPACE, sampleAccount, sampleChunk, textsOf } from './store-samples.ts'

export interface CandidatesUnderTest {
  readonly store: Store
  readonly candidates: CandidateSource
  accountKey(accountId: string): Promise<number>
  /** Resolves when the source has what was committed until now. */
  caughtUp(): Promise<void>
}

const DAY = 86_400_000
const everything = { sources: 'all', since: undefined, until: undefined, limit: 10 } as const

/** What every source of candidates promises: that of PostgreSQL, and an engine beside it. */
export function describeCandidateSourceContract(name: string, open: () => Promise<CandidatesUnderTest>): void {
  let under: CandidatesUnderTest
  let a: ScopedStore
  let b: ScopedStore
  beforeEach(async () => {
    under = await open()
    const { store } = under
    for (const accountId of ['a', 'b']) await store.admin.createAccount(sampleAccount(accountId))
    a = store.scoped({ accountId: 'a', sources: 'all' })
    b = store.scoped({ accountId: 'b', sources: 'all' })
  })

  const shown = (ids: readonly number[]) => a.index.chunks(ids, 0)

  async function words(terms: readonly string[], more: Partial<Parameters<CandidateSource['lexical']>[0]> = {}) {
    const accountKey = await under.accountKey('a')
    const { frequencies } = await under.candidates.termStatistics(accountKey, terms)
    const weighted = terms.map((term, n) => ({ term, weight: n + 1, frequency: frequencies.get(term) ?? 0 }))
    const hits = await under.candidates.lexical({ ...everything, accountKey, terms: weighted, ...more })
    const texts = await textsOf(a, hits)
    return hits.map(({ chunkId }) => texts.get(chunkId))
  }

  async function nearest(vector: readonly number[], more: Partial<Parameters<CandidateSource['nearest']>[0]> = {}) {
    const query = { ...everything, accountKey: await under.accountKey('a'), spaceId: SPACE, ...more }
    const hits = await under.candidates.nearest({ ...query, vector: Float32Array.from(vector) }, shown)
    const texts = await textsOf(a, hits)
    return hits.map(({ chunkId }) => texts.get(chunkId))
  }

  describe(`${name}: a source of candidates`, () => {
    test('puts passages with more of the weight first, the newest of equals before, and knows one account at a time', async () => {
      await memorize(under.store, a, 'one', ['red boat', 'boat', 'red', 'tree'])
      await memorize(under.store, b, 'other', ['red boat', 'red', 'red'])
      await under.caughtUp()
      const terms = ['red', 'boat']
      const { chunks, bodyTerms, frequencies } = await under.candidates.termStatistics(await under.accountKey('a'), [
        ...terms,
        'none',
      ])
      expect({ chunks, bodyTerms }).toEqual({ chunks: 4, bodyTerms: 5 })
      expect([...frequencies]).toEqual([
        ['red', 2],
        ['boat', 2],
        ['none', 0],
      ])
      expect(await words(terms)).toEqual(['red boat', 'boat', 'red'])
      expect(await words(terms, { limit: 1 })).toEqual(['red boat'])
      expect(await words(['none'])).toEqual([])
    })

    test('filters by source, time and ranges before it limits', async () => {
      const at = (day: number) => ({ at: new Date(day * DAY) })
      await memorize(under.store, a, 'one', [
        sampleChunk(0, 'word early', { ...at(1), vector: [1, 0, 0, 0] }),
        sampleChunk(1, 'word late', { ...at(5), vector: [0.9, 0.1, 0, 0] }),
        sampleChunk(2, 'word undated', { vector: [0.5, 0.5, 0, 0] }),
      ])
      await memorize(under.store, a, 'two', [sampleChunk(0, 'word mailed', at(5))], { sourceType: 'email' })
      await under.caughtUp()
      const [first] = await under.candidates.nearest(
        {
          ...{ ...everything, limit: 1, sources: ['text'], accountKey: await under.accountKey('a'), spaceId: SPACE },
          vector: Float32Array.of(1, 0, 0, 0),
        },
        shown,
      )
      const early = first?.chunkId ?? 0
      for (const find of [
        (more: object) => words(['word'], { limit: 1, ...more }),
        (more: object) => nearest([1, 0, 0, 0], { limit: 1, ...more }),
      ]) {
        expect(await find({ sources: ['email'] })).toEqual(['word mailed'])
        expect(await find({ sources: [] })).toEqual([])
        expect(await find({ sources: ['text'], since: 2 * DAY })).toEqual(['word late'])
        expect(await find({ until: 5 * DAY })).toEqual(['word early'])
        expect(await find({ within: [{ first: early, last: early }] })).toEqual(['word early'])
        expect(await find({ within: [] })).toEqual([])
      }
    })

    test('finds the nearest vectors of the account, with the cosine as the score', async () => {
      await memorize(under.store, a, 'one', [
        sampleChunk(0, 'north', { vector: [1, 0, 0, 0] }),
        sampleChunk(1, 'between', { vector: [0.6, 0.8, 0, 0] }),
        sampleChunk(2, 'east', { vector: [0, 1, 0, 0] }),
      ])
      await memorize(under.store, b, 'other', [sampleChunk(0, 'theirs', { vector: [1, 0, 0, 0] })])
      await under.caughtUp()
      expect(await nearest([1, 0, 0, 0])).toEqual(['north', 'between', 'east'])
      const accountKey = await under.accountKey('a')
      const query = { ...everything, accountKey, vector: Float32Array.of(1, 0, 0, 0) }
      const hits = await under.candidates.nearest({ ...query, spaceId: SPACE }, shown)
      for (const [n, cosine] of [1, 0.6, 0].entries()) expect(hits[n]?.score).toBeCloseTo(cosine, 2)
      expect(await under.candidates.nearest({ ...query, spaceId: 'another@4' }, shown)).toEqual([])
    })

    test('finds what replaced an item, and neither what was replaced nor what was deleted', async () => {
      await memorize(under.store, a, 'one', ['red boat', 'red oar'])
      await memorize(under.store, a, 'two', ['red tree'])
      await under.caughtUp()
      await memorize(under.store, a, 'one', ['red car'], { onConflict: 'replace' })
      await a.deleteItem({ itemId: 'two', sourceType: 'text' })
      await under.caughtUp()
      expect(await words(['red'])).toEqual(['red car'])
      expect(await nearest([1, 0, 0, 0])).toEqual(['red car'])
      const { chunks, frequencies } = await under.candidates.termStatistics(await under.accountKey('a'), [
        'red',
        'tree',
      ])
      expect({ chunks, red: frequencies.get('red'), tree: frequencies.get('tree') }).toEqual({
        chunks: 1,
        red: 1,
        tree: 0,
      })
    })

    test('knows words of similar spelling', async () => {
      await memorize(under.store, a, 'one', ['harbour boat'])
      await memorize(under.store, b, 'other', ['harbours'])
      await under.caughtUp()
      expect(await under.candidates.similarTerms(await under.accountKey('a'), 'harbuor', 5)).toEqual(['harbour'])
    })
  })
}
