import { beforeEach, expect, test } from 'vitest'
import { passageBytes } from '../../src/store/edits/edits.ts'
import type { ScopedStore, Store } from '../../src/store/store.ts'
import type { StoreUnderTest } from './store-contract.ts'
import { memorize, sampleUpload } from './store-samples.ts'

/** Corrected and pinned memories. */
export function describeEditsContract(setUp: () => Promise<StoreUnderTest>): void {
  let store: Store
  let clock: StoreUnderTest['clock']
  let a: ScopedStore
  beforeEach(async () => {
    ;({ store, clock } = await setUp())
    a = store.scoped({ accountId: 'a', sources: 'all' })
  })
  const passage = Uint32Array.of(4_000_000_000, 7)
  const note = { itemId: 'note', sourceType: 'text' } as const
  const pin = { ...note, passage, by: 'Ada' }
  const correct = (itemId: string, of = 'note') =>
    a.putItem({ ...sampleUpload(itemId, 'x'), corrects: { itemId: of, passage: passageBytes(passage) } })

  test('a pin is kept once, and goes when it is undone', async () => {
    await a.edits.pin(pin)
    await a.edits.pin(pin)
    const kept = { kind: 'pin', ...note, passage: passage.toSorted(), by: 'Ada', at: clock() }
    expect(await a.edits.list()).toEqual([kept])
    expect(await a.index.edits()).toEqual([kept])
    expect(await a.edits.unpin({ ...note, passage: Uint32Array.of(7) })).toBe(false)
    expect(await a.edits.unpin({ ...note, passage })).toBe(true)
    expect(await a.edits.list()).toEqual([])
  })

  test('a correction is stored with its item, and names its chunk once that is processed', async () => {
    await correct('right')
    expect(await a.edits.list()).toMatchObject([{ kind: 'correction', ...note, correction: { itemId: 'right' } }])
    expect((await a.edits.list())[0]?.correction?.firstChunkId).toBeUndefined()
    await memorize(store, a, 'other', ['apples'])
    const [edit] = await a.edits.list()
    const [chunk] = await a.index.chunks([edit?.correction?.firstChunkId ?? -1], 0)
    expect(chunk?.itemId ?? 'right').toBe('right')
  })

  test('a correction has the connector and the tags of the item that it corrects', async () => {
    await a.putItem({ ...sampleUpload('note', 'x'), connector: 'jira' })
    await a.tags.change([note], { add: ['To do', 'Home'], remove: [] })
    await correct('right')
    expect(await a.findItem({ itemId: 'right' })).toMatchObject({ connector: 'jira', tags: ['Home', 'To do'] })
    await correct('of nothing', 'gone')
    expect(await a.findItem({ itemId: 'of nothing' })).toMatchObject({ connector: undefined, tags: [] })
  })

  test('with an item go its edits and the correction that it states', async () => {
    await a.putItem(sampleUpload('note', 'x'))
    await correct('right')
    await a.deleteItem({ itemId: 'right', sourceType: 'text' })
    expect(await a.edits.list()).toEqual([])
    await correct('again')
    await a.edits.pin(pin)
    await a.deleteItem(note)
    expect(await a.edits.list()).toEqual([])
    expect(await a.findItem({ itemId: 'again' })).toBeDefined()
  })

  test('neither another account nor a key of other sources sees or changes them', async () => {
    await a.edits.pin(pin)
    const others = [
      store.scoped({ accountId: 'b', sources: 'all' }),
      store.scoped({ accountId: 'a', sources: ['slack'] }),
      store.scoped({ accountId: 'a', sources: [] }),
    ]
    for (const other of others) {
      expect(await other.edits.list()).toEqual([])
      expect(await other.index.edits()).toEqual([])
      expect(await other.edits.unpin({ ...note, passage })).toBe(false)
    }
    expect(await a.edits.list()).toHaveLength(1)
  })

  test('one from elsewhere comes once, with its time', async () => {
    const at = new Date('2025-01-02T03:04:05Z')
    const edit = { kind: 'correction', ...note, passage, correction: { itemId: 'right' }, by: 'Ben', at } as const
    await a.edits.restore(edit)
    await a.edits.restore(edit)
    expect(await a.edits.list()).toEqual([{ ...edit, passage: passage.toSorted() }])
  })
}
