import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SourceError } from '../../src/connector/source-error.ts'
import { AppError } from '../../src/domain/errors.ts'
import type { Memory } from '../../src/domain/memory.ts'
import type { Ledger } from '../../src/store/ledger/ledger.ts'
import { Crash, doomed } from '../lib/crashing.ts'
import { checkpoint, goneChange, itemChange, sourceItem } from '../lib/scripted-connector.ts'
import { MAIN, type SyncFixture, syncFixture } from '../lib/sync-fixture.ts'
import type { MovableClock } from './store-contract.ts'

export interface MemoriesUnderTest {
  readonly clock: MovableClock
  /** A memory of its own, with a ledger, and another ledger that knows nothing yet. */
  open(): Promise<{ readonly memory: Memory; readonly ledger: Ledger; readonly otherLedger: Ledger }>
  stop(): Promise<void>
}

/** What a run keeps, whatever memory it writes to. */
export function syncRunnerContract(name: string, start: () => Promise<MemoriesUnderTest>): void {
  describe(`synchronization into ${name}`, () => {
    let under: MemoriesUnderTest
    let fixture: SyncFixture
    let parts: Awaited<ReturnType<MemoriesUnderTest['open']>>
    beforeAll(async () => {
      under = await start()
    })
    afterAll(() => under.stop())
    beforeEach(async () => {
      parts = await under.open()
      fixture = syncFixture({ ...parts, clock: under.clock })
    })
    const tells = (...changes: ReturnType<typeof itemChange | typeof goneChange | typeof checkpoint>[]) => {
      fixture.script.changes = () => changes
      fixture.memory.calls.length = 0
    }

    test('takes what is new, replaces what has changed, forgets what is gone', async () => {
      tells(itemChange('a', 'one'), itemChange('b', 'two'), itemChange('c', 'three'), checkpoint(1))
      expect(await fixture.sync()).toMatchObject({ outcome: 'ok', items: 3, memorized: 3 })
      expect(await fixture.held()).toEqual({ a: 'one', b: 'two', c: 'three' })
      tells(itemChange('b', 'two, and more'), goneChange('c'), checkpoint(2))
      expect(await fixture.sync()).toMatchObject({ outcome: 'ok', items: 2, memorized: 1, removed: 1 })
      expect(await fixture.held()).toEqual({ a: 'one', b: 'two, and more' })
    })

    test('uploads nothing whose text is the same, whatever its revision is', async () => {
      tells(itemChange('a', 'one'), checkpoint(1))
      await fixture.sync()
      tells(itemChange('a', 'one', { revision: 'another' }), checkpoint(2))
      expect(await fixture.sync()).toMatchObject({ memorized: 0, unchanged: 1 })
      expect(fixture.memory.calls).toEqual(['prove'])
    })

    test('keeps an item whole whose text is, or begins, a quotation of the memory', async () => {
      const texts = {
        a: '<recalled:aaaaaaaa>',
        b: 'b <recalled:aaaaaaaa> c',
        c: '<recalled:aaaaaaaa>c</recalled:aaaaaaaa>',
      }
      tells(...Object.entries(texts).map(([id, text]) => itemChange(id, text)), checkpoint(1))
      expect(await fixture.sync()).toMatchObject({ outcome: 'ok', failed: 0 })
      expect(await fixture.held()).toEqual(texts)
    })

    test('forgets an item that became empty, and says why it is skipped', async () => {
      tells(itemChange('a', 'one'), checkpoint(1))
      await fixture.sync()
      tells(itemChange('a', ' \n', { revision: '2' }), checkpoint(2))
      const report = await fixture.sync()
      expect(report).toMatchObject({
        outcome: 'ok',
        failed: 1,
        failures: [{ item: 'Note a', error: 'It has no text.' }],
      })
      expect(await fixture.held()).toEqual({})
      expect(await fixture.row('a')).toMatchObject({ phase: 'skipped', error: 'It has no text.' })
    })

    test('does not bring back what a person has forgotten, though it changes at its source', async () => {
      tells(itemChange('a', 'one'), itemChange('b', 'two'), checkpoint(1))
      await fixture.sync()
      await parts.memory.forget({ sourceType: 'text', itemId: 'a' })
      tells(itemChange('a', 'one, edited'), itemChange('b', 'two, edited'), checkpoint(2))
      expect(await fixture.sync()).toMatchObject({ memorized: 1, unchanged: 1 })
      expect(await fixture.held()).toEqual({ b: 'two, edited' })
      expect(await fixture.row('a')).toMatchObject({ phase: 'forgotten' })
      tells(itemChange('a', 'one, edited again'), goneChange('a'), itemChange('a', 'anew'), checkpoint(3))
      await fixture.sync({ full: true })
      expect(await fixture.held()).not.toHaveProperty('a')
    })

    test('does not bring back what a person has forgotten when it goes and comes at its source', async () => {
      tells(itemChange('a', 'one'), checkpoint(1))
      await fixture.sync()
      await parts.memory.forget({ sourceType: 'text', itemId: 'a' })
      tells(goneChange('a'), checkpoint(2))
      await fixture.sync()
      tells(itemChange('a', 'anew'), checkpoint(3))
      expect(await fixture.sync({ full: true })).toMatchObject({ memorized: 0 })
      expect(await fixture.held()).toEqual({})
    })

    test('takes again what a person has forgotten and asks for', async () => {
      tells(itemChange('a', 'one'), checkpoint(1))
      await fixture.sync()
      await parts.memory.forget({ sourceType: 'text', itemId: 'a' })
      tells(itemChange('a', 'one, edited'), checkpoint(2))
      await fixture.sync()
      expect(await fixture.ledger.retryItems(MAIN, { forgotten: true })).toBe(1)
      tells(checkpoint(3))
      fixture.script.read = ({ itemId }) => sourceItem(itemId, 'one, edited')
      expect(await fixture.sync()).toMatchObject({ memorized: 1 })
      expect(await fixture.held()).toEqual({ a: 'one, edited' })
    })

    test('a pushed item is read where the source says that it is now, and else where it was', async () => {
      tells(
        itemChange('a', 'one', { locator: 'inbox/1' }),
        itemChange('b', 'two', { locator: 'inbox/2' }),
        checkpoint(1),
      )
      await fixture.sync()
      const read = new Map<string, string | undefined>()
      fixture.script.read = ({ itemId, locator }) => {
        read.set(itemId, locator)
        if (itemId === 'b') throw new SourceError('retry', 'The mailbox is busy.')
        return sourceItem(itemId, 'one, edited', { ...(locator && { locator }) })
      }
      const ref = { sourceType: 'text', partitionId: 'notes' } as const
      const pushed = [
        { ...ref, itemId: 'a' },
        { ...ref, itemId: 'b', locator: 'archive/9' },
      ]
      expect(await fixture.sync({ pushed })).toMatchObject({ memorized: 1, failed: 1 })
      expect(Object.fromEntries(read)).toEqual({ a: 'inbox/1', b: 'archive/9' })
      expect(await fixture.row('a')).toMatchObject({ phase: 'clean', locator: 'inbox/1' })
      expect(await fixture.row('b')).toMatchObject({ phase: 'failed', locator: 'archive/9' })
      under.clock.advance(10 * 60_000)
      tells()
      await fixture.sync()
      expect(read.get('b')).toBe('archive/9')
    })

    test('lists what the memory holds at most once in a run, and only when something known has changed', async () => {
      tells(itemChange('a', 'one'), itemChange('b', 'two'), checkpoint(1))
      await fixture.sync()
      expect(fixture.memory.calls).not.toContain('list')
      tells(itemChange('a', 'one!'), checkpoint(2), itemChange('b', 'two!'), checkpoint(3))
      await fixture.sync()
      expect(fixture.memory.calls.filter((call) => call === 'list')).toHaveLength(1)
    })

    test('an item that changes twice in one run is not taken for one that was forgotten', async () => {
      tells(itemChange('a', 'one'), checkpoint(1))
      await fixture.sync()
      tells(
        itemChange('a', 'two'),
        itemChange('b', 'new'),
        itemChange('a', 'three'),
        itemChange('b', 'newer'),
        checkpoint(2),
      )
      await fixture.sync()
      expect(await fixture.held()).toEqual({ a: 'three', b: 'newer' })
    })

    test('with a lost ledger, what is held already is not doubled, and what differs is replaced', async () => {
      tells(itemChange('a', 'one'), itemChange('b', 'two'), checkpoint(1))
      await fixture.sync()
      fixture = syncFixture({ ...parts, ledger: parts.otherLedger, clock: under.clock })
      tells(itemChange('a', 'one'), itemChange('b', 'two, edited'), checkpoint(1))
      expect(await fixture.sync()).toMatchObject({ outcome: 'ok', items: 2, failed: 0 })
      expect(await fixture.held()).toEqual({ a: 'one', b: 'two, edited' })
      expect(fixture.memory.calls).not.toContain('forget a')
    })

    test.each(['before', 'after'])('finishes what a crash %s an upload left behind', async (when) => {
      tells(itemChange('a', 'one'), checkpoint(1))
      await fixture.sync()
      tells(itemChange('a', 'two'), checkpoint(2))
      const process = doomed(Number.POSITIVE_INFINITY, false)
      const memorize: Memory['memorize'] = async (upload) => {
        const result = when === 'after' ? await fixture.memory.memorize(upload) : undefined
        process.end()
        return result ?? Promise.reject(new Crash('the process ends'))
      }
      const memory = process.wrap({ ...fixture.memory, memorize })
      await expect(fixture.sync({}, { memory, ledger: process.wrap(fixture.ledger) })).rejects.toThrow(Crash)
      expect((await fixture.row('a'))?.phase).toBe('memorizing')
      under.clock.advance(31_000)
      tells()
      // As it was before: what the ledger knew of it then must not count.
      fixture.script.read = ({ itemId }) => sourceItem(itemId, 'one')
      expect(await fixture.sync()).toMatchObject({ outcome: 'ok' })
      expect(await fixture.held()).toEqual({ a: 'one' })
      expect(await fixture.row('a')).toMatchObject({ phase: 'clean' })
    })

    test('loses nothing to a crash after an older version was deleted to make room', async () => {
      tells(itemChange('a', 'one'), checkpoint(1))
      await fixture.sync()
      // By now it is known whether the memory replaces what it holds.
      tells(itemChange('a', 'another'), checkpoint(2))
      await fixture.sync()
      tells(itemChange('a', 'two'), checkpoint(3))
      const process = doomed(1, true, ['forget'])
      const memory = process.wrap(fixture.memory)
      // One that does is not asked to delete.
      await fixture.sync({}, { memory, ledger: process.wrap(fixture.ledger) }).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error
      })
      under.clock.advance(31_000)
      fixture.script.read = ({ itemId }) => sourceItem(itemId, 'two')
      expect(await fixture.sync()).toMatchObject({ outcome: 'ok' })
      expect(await fixture.held()).toEqual({ a: 'two' })
    })

    test('a change that the memory took without an answer, and that is taken back then, is taken back there too', async () => {
      tells(itemChange('a', 'one'), checkpoint(1))
      await fixture.sync()
      tells(itemChange('a', 'two'), checkpoint(2))
      const memorize: Memory['memorize'] = async (upload) => {
        await parts.memory.memorize(upload)
        throw new AppError('internal', 'The answer was lost.')
      }
      expect(await fixture.sync({}, { memory: { ...fixture.memory, memorize } })).toMatchObject({ failed: 1 })
      tells(itemChange('a', 'one'), checkpoint(3))
      expect(await fixture.sync()).toMatchObject({ outcome: 'ok' })
      expect(await fixture.held()).toEqual({ a: 'one' })
    })

    test('of an item that is refused, nothing older stays, also when it is not known what the memory holds', async () => {
      tells(itemChange('a', 'one'), checkpoint(1))
      await fixture.sync()
      const answers = [new AppError('internal', 'Something broke.'), new AppError('too_large', 'It is too large.')]
      fixture.memory.fault = (call) => (call === 'memorize a' ? answers.shift() : undefined)
      tells(itemChange('a', 'two'), itemChange('a', 'three'), checkpoint(2))
      await fixture.sync()
      expect(await fixture.held()).toEqual({})
      expect(await fixture.row('a')).toMatchObject({ phase: 'skipped', error: 'It is too large.' })
    })

    test('an item that the memory refuses is skipped with its reason until it changes', async () => {
      fixture.memory.fault = (call) =>
        call === 'memorize a' ? new AppError('too_large', 'The file is larger than 100 MB.') : undefined
      tells(itemChange('a', 'one'), itemChange('b', 'two'), checkpoint(1))
      expect(await fixture.sync()).toMatchObject({ outcome: 'ok', memorized: 1, failed: 1 })
      expect(await fixture.row('a')).toMatchObject({ phase: 'skipped', error: 'The file is larger than 100 MB.' })
      tells(itemChange('a', 'one'), checkpoint(2))
      expect(await fixture.sync()).toMatchObject({ unchanged: 1, failed: 0 })
      expect(fixture.memory.calls).toEqual(['prove'])
      fixture.memory.fault = undefined
      tells(itemChange('a', 'less'), checkpoint(3))
      await fixture.sync()
      expect(await fixture.held()).toEqual({ a: 'less', b: 'two' })
    })

    test('an item that cannot be deleted does not end the run, and is deleted later', async () => {
      tells(itemChange('a', 'one'), itemChange('b', 'two'), checkpoint(1))
      await fixture.sync()
      fixture.memory.fault = (call) => (call === 'forget a' ? new AppError('internal', 'Something broke.') : undefined)
      tells(goneChange('a'), goneChange('b'), itemChange('c', 'three'), checkpoint(2))
      expect(await fixture.sync()).toMatchObject({ outcome: 'partial', removed: 1, memorized: 1, failed: 1 })
      expect(await fixture.held()).toEqual({ a: 'one', c: 'three' })
      fixture.memory.fault = undefined
      under.clock.advance(10 * 60_000)
      tells()
      expect(await fixture.sync()).toMatchObject({ outcome: 'ok', removed: 1 })
      expect(await fixture.held()).toEqual({ c: 'three' })
    })
  })
}
