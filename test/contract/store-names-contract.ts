import { beforeEach, expect, test } from 'vitest'
import { MOST_NAME_DECISIONS } from '../../src/store/names/names.ts'
import type { ScopedStore, Store } from '../../src/store/store.ts'
import type { StoreUnderTest } from './store-contract.ts'

/** Merged and split names of people. */
export function describeNamesContract(setUp: () => Promise<StoreUnderTest>): void {
  let store: Store
  let clock: StoreUnderTest['clock']
  let a: ScopedStore
  beforeEach(async () => {
    ;({ store, clock } = await setUp())
    a = store.scoped({ accountId: 'a', sources: 'all' })
  })
  const merge = { name: 'Priya', mergedInto: 'Priya Raman', by: 'Ada' }

  test('a name has one decision, however it is written, and it goes when it is undone', async () => {
    expect(await a.names.decide(merge)).toBeUndefined()
    const kept = { ...merge, at: clock() }
    expect(await a.names.list()).toEqual([kept])
    expect(await a.index.nameDecisions()).toEqual([kept])
    expect(await a.names.decide({ name: 'PRIYA', by: 'Ben' })).toEqual(kept)
    expect(await a.names.list()).toEqual([{ name: 'PRIYA', by: 'Ben', at: clock() }])
    expect(await a.names.undo('Raman')).toBe(false)
    expect(await a.names.undo('priya')).toBe(true)
    expect(await a.names.list()).toEqual([])
  })

  test('names are not merged in a circle', async () => {
    await a.names.decide(merge)
    await a.names.decide({ name: 'Priya Raman', mergedInto: 'P. Raman', by: 'Ada' })
    const circle = a.names.decide({ name: 'P. Raman', mergedInto: 'Priya', by: 'Ada' })
    await expect(circle).rejects.toMatchObject({ code: 'conflict', field: 'into' })
    await expect(a.names.decide({ name: 'Tom', mergedInto: 'tom', by: 'Ada' })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await a.names.list()).toHaveLength(2)
  })

  test('neither another account nor a key of some sources changes them, and without sources nobody sees them', async () => {
    await a.names.decide(merge)
    const other = store.scoped({ accountId: 'b', sources: 'all' })
    expect(await other.names.list()).toEqual([])
    expect(await other.index.nameDecisions()).toEqual([])
    expect(await other.names.undo('Priya')).toBe(false)
    const nothing = store.scoped({ accountId: 'a', sources: [] })
    expect(await nothing.names.list()).toEqual([])
    expect(await nothing.index.nameDecisions()).toEqual([])
    const limited = store.scoped({ accountId: 'a', sources: ['slack'] })
    await expect(limited.names.undo('Priya')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(limited.names.decide({ name: 'Priya', by: 'x' })).rejects.toMatchObject({ code: 'forbidden' })
    expect(await a.names.list()).toHaveLength(1)
  })

  test('one from elsewhere comes once, with its time, and replaces none', async () => {
    const at = new Date('2025-01-02T03:04:05Z')
    await a.names.restore({ ...merge, at })
    await a.names.restore({ name: 'priya', by: 'Ben', at })
    await a.names.restore({ name: 'Priya Raman', mergedInto: 'Priya', by: 'Ben', at })
    expect(await a.names.list()).toEqual([{ ...merge, at }])
  })

  test('of names from elsewhere, as many come as there is room for', async () => {
    const at = new Date('2025-01-02T03:04:05Z')
    const all = Array.from({ length: MOST_NAME_DECISIONS }, (_, n) => ({ name: `Priya ${n}`, by: 'Ada', at }))
    for (const one of all) await a.names.restore(one)
    await a.names.restore({ name: 'Ben', by: 'Ada', at })
    const names = (await a.names.list()).map(({ name }) => name)
    expect(names).toHaveLength(MOST_NAME_DECISIONS)
    expect(names).not.toContain('Ben')
    await expect(a.names.decide({ name: 'Tom', by: 'Ada' })).rejects.toMatchObject({ code: 'invalid' })
  })
}
