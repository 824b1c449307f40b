import { beforeEach, expect, test } from 'vitest'
import type { GoldenRank } from '../../src/store/golden/golden.ts'
import type { ScopedStore, Store } from '../../src/store/store.ts'
import type { StoreUnderTest } from './store-contract.ts'
import { memorize } from './store-samples.ts'

/** Golden questions and their runs. */
export function describeGoldenContract(setUp: () => Promise<StoreUnderTest>): void {
  let store: Store
  let clock: StoreUnderTest['clock']
  let a: ScopedStore
  let b: ScopedStore
  beforeEach(async () => {
    ;({ store, clock } = await setUp())
    a = store.scoped({ accountId: 'a', sources: 'all' })
    b = store.scoped({ accountId: 'b', sources: 'all' })
  })
  const note = { itemId: 'note', sourceType: 'text' } as const
  const run = (ranks: readonly (readonly [number, GoldenRank])[]) => ({
    ranAt: clock(),
    version: '1.0.0',
    pipelineVersion: 'test@1',
    spaceId: 'space',
    ranks: new Map(ranks),
  })

  test('a question is kept with its items, and says which of them the memory holds', async () => {
    await memorize(store, a, 'note', ['apples'])
    const mail = { itemId: 'note', sourceType: 'email' } as const
    expect(await a.golden.add({ question: 'What about apples?', items: [note, mail, note] })).toBe(1)
    expect(await a.golden.list()).toEqual([
      {
        number: 1,
        question: 'What about apples?',
        items: [
          { ...mail, isHeld: false },
          { ...note, isHeld: true },
        ],
        createdAt: clock(),
      },
    ])
    await a.deleteItem(note)
    expect((await a.golden.list())[0]?.items.map(({ isHeld }) => isHeld)).toEqual([false, false])
  })

  test('numbers are those of the account and never given out again', async () => {
    expect(await a.golden.add({ question: 'one', items: [note] })).toBe(1)
    expect(await b.golden.add({ question: 'of b', items: [note] })).toBe(1)
    expect(await a.golden.add({ question: 'two', items: [note] })).toBe(2)
    expect(await a.golden.remove(2)).toBe(true)
    expect(await a.golden.remove(2)).toBe(false)
    expect(await a.golden.add({ question: 'three', items: [note] })).toBe(3)
    expect((await a.golden.list()).map(({ number, question }) => [number, question])).toEqual([
      [1, 'one'],
      [3, 'three'],
    ])
  })

  test('neither another account nor a key of some sources sees questions or runs', async () => {
    await a.golden.add({ question: 'one', items: [note] })
    await a.golden.saveRun(run([[1, 1]]))
    await memorize(store, b, 'note', ['of b'])
    expect((await a.golden.list())[0]?.items[0]?.isHeld).toBe(false)
    expect(await b.golden.list()).toEqual([])
    expect(await b.golden.runs(5)).toEqual([])
    expect(await b.golden.remove(1)).toBe(false)
    const some = store.scoped({ accountId: 'a', sources: ['text'] })
    await expect(some.golden.list()).rejects.toMatchObject({ code: 'forbidden' })
    await expect(some.golden.runs(1)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(some.golden.add({ question: 'x', items: [note] })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(some.golden.remove(1)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await store.scoped({ accountId: 'nobody', sources: 'all' }).golden.list()).toEqual([])
  })

  test('runs are kept newest first, the last ten', async () => {
    for (let n = 1; n <= 12; n++) {
      clock.advance(1_000)
      await a.golden.saveRun(run([[n, n]]))
    }
    await b.golden.saveRun(run([[1, 7]]))
    const last = run([
      [1, 3],
      [2, null],
      [3, 'no item'],
    ])
    await a.golden.saveRun(last)
    const runs = await a.golden.runs(20)
    expect(runs[0]).toEqual(last)
    expect(runs).toHaveLength(10)
    expect(runs.slice(1).map(({ ranks }) => [...ranks.keys()][0])).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4])
    expect(await a.golden.runs(1)).toEqual([last])
    expect(await b.golden.runs(5)).toHaveLength(1)
  })
}
