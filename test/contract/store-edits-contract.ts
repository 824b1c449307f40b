import { beforeEach, expect, test } from 'vitest'
import { passageWords } from '../../src/lib/passage-words.ts'
import { passageBytes } from '../../src/store/edits/edits.ts'
import type { ScopedStore, Store } from '../../src/store/store.ts'
import type { StoreUnderTest } from './store-contract.ts'
import { claimOne, memorize, SPACE, sampleChunk, sampleItem, sampleUpload, textsOf } from './store-samples.ts'

/** Corrected, annotated, pinned and hidden memories. */
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
    a.putItem({
      ...sampleUpload(itemId, 'x'),
      states: { kind: 'correction', itemId: of, passage: passageBytes(passage) },
    })

  test('a pin is kept once, and goes when it is undone', async () => {
    await a.edits.mark({ kind: 'pin', ...pin })
    await a.edits.mark({ kind: 'pin', ...pin })
    const kept = { kind: 'pin', ...note, passage: passage.toSorted(), by: 'Ada', at: clock() }
    expect(await a.edits.list()).toEqual([kept])
    expect(await a.index.edits()).toEqual([kept])
    expect(await a.edits.unmark({ kind: 'pin', ...note, passage: Uint32Array.of(7) })).toBe(false)
    expect(await a.edits.unmark({ kind: 'pin', ...note, passage })).toBe(true)
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

  test('notes are stored with their items, several for one memory, and go with them', async () => {
    const states = { kind: 'note', itemId: 'note', passage: passageBytes(passage) } as const
    await a.putItem(sampleUpload('note', 'x'))
    await a.putItem({ ...sampleUpload('first', 'y'), states })
    await a.putItem({ ...sampleUpload('second', 'z'), states })
    expect(await a.edits.list()).toMatchObject([
      { kind: 'note', ...note, note: { itemId: 'second' } },
      { kind: 'note', ...note, note: { itemId: 'first' } },
    ])
    expect((await a.edits.list())[0]?.correction).toBeUndefined()
    await a.deleteItem({ itemId: 'second', sourceType: 'text' })
    expect(await a.edits.list()).toMatchObject([{ note: { itemId: 'first' } }])
    await a.deleteItem(note)
    expect(await a.edits.list()).toEqual([])
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
    await a.edits.mark({ kind: 'pin', ...pin })
    await a.deleteItem(note)
    expect(await a.edits.list()).toEqual([])
    expect(await a.findItem({ itemId: 'again' })).toBeDefined()
  })

  test('neither another account nor a key of other sources sees or changes them', async () => {
    await a.edits.mark({ kind: 'pin', ...pin })
    const others = [
      store.scoped({ accountId: 'b', sources: 'all' }),
      store.scoped({ accountId: 'a', sources: ['slack'] }),
      store.scoped({ accountId: 'a', sources: [] }),
    ]
    for (const other of others) {
      expect(await other.edits.list()).toEqual([])
      expect(await other.index.edits()).toEqual([])
      expect(await other.edits.unmark({ kind: 'pin', ...note, passage })).toBe(false)
    }
    expect(await a.edits.list()).toHaveLength(1)
  })

  const day = new Date('2026-03-04T10:00:00Z')
  const process = async (texts: readonly string[], onConflict: 'reject' | 'replace' = 'reject') => {
    await a.putItem(sampleUpload('note', texts.join(), { onConflict }))
    const item = sampleItem(texts.map((text, ordinal) => sampleChunk(ordinal, text, { at: day })))
    const when = { start: day, precision: 'day' as const }
    const memories = item.memories.map((memory) => ({ ...memory, when }))
    await store.queue.complete(await claimOne(store), { ...item, memories, when })
  }
  const [pelican, ferry] = ['the pelican sleeps under our pier', 'the ferry sails at nine']
  const hidden = { ...note, passage: passageWords(`I noted: ${pelican}`) }
  const SHOWN = { lexical: 2, near: 2, chunks: 2, passages: 2, of: 2, within: 2, recent: 2, latest: 2, pairs: 1 }
  const HIDDEN = { lexical: 1, near: 1, chunks: 1, passages: 1, of: 1, within: 1, recent: 1, latest: 1, pairs: 0 }
  /** How many rows each read of an index has. */
  const counts = async ({ index }: ScopedStore) => {
    const extent = await index.extentOf(note)
    const ids = extent === undefined ? [] : [extent.firstChunkId, extent.lastChunkId]
    const terms = ['pelican', 'ferry'].map((term) => ({ term, weight: 1, frequency: 1 }))
    const range = { since: new Date('2026-03-04'), until: new Date('2026-03-05') }
    return {
      lexical: (await index.lexicalCandidates({ terms, limit: 9 })).length,
      near: (await index.nearest({ spaceId: SPACE, vector: Float32Array.of(1, 0, 0, 0), limit: 9 })).length,
      chunks: (await index.chunks(ids, 1)).length,
      passages: (await index.passages(ids)).size,
      of: (await index.memoriesOf(ids)).length,
      within: (await index.memoriesIn(range, { items: 9, perItem: 9 })).length,
      recent: (await index.recentMemories({ source: 'text', until: range.until, items: 9, perItem: 9 })).length,
      latest: (await index.latestMemories(9)).length,
      pairs: (await index.qasOf(ids)).length,
    }
  }

  test('what is hidden is in no read of an index, also when its item is processed again, until it is shown', async () => {
    await process([pelican, ferry])
    expect(await counts(a)).toEqual(SHOWN)
    await a.edits.mark({ kind: 'hide', ...hidden, by: 'Ada' })
    await a.edits.mark({ kind: 'hide', ...hidden, by: 'Ada' })
    const kept = { kind: 'hide', ...note, passage: hidden.passage.toSorted(), by: 'Ada', at: clock() }
    expect(await a.edits.list()).toEqual([kept])
    expect(await counts(a)).toEqual(HIDDEN)
    expect(await counts(store.scoped({ accountId: 'a', sources: ['text'] }))).toEqual(HIDDEN)
    expect([...(await a.index.hidden()).values()]).toEqual([kept])
    expect((await a.library.memories(note, { offset: 0, limit: 9 })).length).toBe(2)

    await process([pelican, `${ferry} sharp`], 'replace')
    expect(await counts(a)).toEqual(HIDDEN)
    expect(await a.edits.unmark({ kind: 'pin', ...hidden })).toBe(false)
    expect(await a.edits.unmark({ kind: 'hide', ...hidden })).toBe(true)
    expect(await a.edits.unmark({ kind: 'hide', ...hidden })).toBe(false)
    expect(await counts(a)).toEqual(SHOWN)
  })

  test('the notes on a hidden memory are hidden with it', async () => {
    await process([pelican, ferry])
    const states = { kind: 'note', itemId: 'note', passage: passageBytes(hidden.passage) } as const
    await a.putItem({ ...sampleUpload('remark', 'x'), states })
    await store.queue.complete(await claimOne(store), sampleItem(['it also sleeps at noon']))
    const shown = async () => (await a.index.latestMemories(9)).map(({ itemId }) => itemId).sort()
    expect(await shown()).toEqual(['note', 'note', 'remark'])
    await a.edits.mark({ kind: 'hide', ...hidden, by: 'Ada' })
    expect(await shown()).toEqual(['note'])
  })

  test('where an item has other memories since, those with the hidden words stay hidden', async () => {
    await a.edits.mark({ kind: 'hide', ...note, passage: passageWords(pelican), by: 'Ada' })
    await a.putItem(sampleUpload('note', 'again'))
    const sample = sampleItem([{ ...sampleChunk(0, pelican), bodyHashes: passageWords(pelican) }, ferry, 'a third'])
    const memories = [
      { index: 0, content: { narrative: 'Birds rest near the sea.' }, firstChunk: 0, lastChunk: 1 },
      { index: 1, content: { narrative: 'There is a third.' }, firstChunk: 2, lastChunk: 2 },
    ]
    await store.queue.complete(await claimOne(store), { ...sample, memories })
    expect((await a.index.latestMemories(9)).map(({ index }) => index)).toEqual([1])
    const hits = await a.index.nearest({ spaceId: SPACE, vector: Float32Array.of(1, 0, 0, 0), limit: 9 })
    expect([...(await textsOf(a, hits)).values()].sort()).toEqual(['a third', ferry])
  })

  test('what another account or a key of other sources hides stays where it is', async () => {
    await process([pelican, ferry])
    for (const other of [
      store.scoped({ accountId: 'b', sources: 'all' }),
      store.scoped({ accountId: 'a', sources: ['slack'] }),
    ]) {
      await other.edits.mark({ kind: 'hide', ...hidden, by: 'Eve' })
    }
    expect(await counts(a)).toEqual(SHOWN)
  })

  test('one from elsewhere comes once, with its time', async () => {
    const at = new Date('2025-01-02T03:04:05Z')
    const edit = { kind: 'correction', ...note, passage, correction: { itemId: 'right' }, by: 'Ben', at } as const
    await a.edits.restore(edit)
    await a.edits.restore(edit)
    const noted = { kind: 'note', ...note, passage, note: { itemId: 'remark' }, by: 'Ben', at } as const
    await a.edits.restore(noted)
    await a.edits.restore(noted)
    const sorted = passage.toSorted()
    expect(await a.edits.list()).toEqual([
      { ...noted, passage: sorted },
      { ...edit, passage: sorted },
    ])
  })
}
