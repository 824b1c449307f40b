import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ItemRef } from '../../../src/connector/connector.ts'
import { SourceError } from '../../../src/connector/source-error.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { checkpoint, goneChange, itemChange, sourceItem } from '../../lib/scripted-connector.ts'
import { MAIN, type SyncFixture, syncService } from '../../lib/sync-fixture.ts'

const ref = (itemId: string, revision?: string): ItemRef => ({
  sourceType: 'text',
  itemId,
  ...(revision !== undefined && { revision }),
})

describe('a full scan of a partition', () => {
  const service = syncService()
  let fixture: SyncFixture
  /** Cursors that the source was asked with. */
  let asked: unknown[]
  beforeEach(async () => {
    fixture = await service.fixture()
    tells(itemChange('a', 'one'), itemChange('b', 'two'), checkpoint(1))
    await fixture.sync()
  })
  const tells = (...changes: readonly (ReturnType<typeof itemChange> | ReturnType<typeof checkpoint>)[]) => {
    asked = []
    fixture.script.changes = (_, cursor) => {
      asked.push(cursor)
      return changes
    }
  }
  const notes = async () => (await fixture.ledger.listPartitions(MAIN))[0]

  test('a source that refuses the cursor is scanned in full once, and items removed meanwhile are forgotten', async () => {
    asked = []
    fixture.script.changes = function* (_, cursor) {
      asked.push(cursor)
      if (cursor !== undefined) throw new SourceError('restart', 'The cursor is too old.')
      yield itemChange('b', 'two')
      yield itemChange('c', 'three')
      yield checkpoint(9)
    }
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', memorized: 1, unchanged: 1, removed: 1 })
    expect(asked).toEqual([1, undefined])
    expect(await fixture.held()).toEqual({ b: 'two', c: 'three' })
    expect(await notes()).toMatchObject({ cursor: '9', scanning: false })
  })

  test('a source that refuses every cursor is not scanned for ever', async () => {
    asked = []
    fixture.script.changes = (_, cursor) => {
      asked.push(cursor)
      throw new SourceError('restart', 'The cursor is too old.')
    }
    expect(await fixture.sync()).toMatchObject({ outcome: 'partial', removed: 0 })
    expect(asked).toEqual([1, undefined])
    expect(await notes()).toMatchObject({ error: 'The cursor is too old.', remedy: 'restart' })
    expect(await fixture.held()).toEqual({ a: 'one', b: 'two' })
  })

  test('a scan that breaks off forgets nothing and resumes from its checkpoint', async () => {
    asked = []
    fixture.script.changes = function* (_, cursor) {
      asked.push(cursor)
      yield itemChange('c', 'three')
      yield checkpoint(20)
      throw new SourceError('retry', 'It broke off.')
    }
    expect(await fixture.sync({ full: true })).toMatchObject({ outcome: 'partial', removed: 0 })
    expect(await notes()).toMatchObject({ cursor: '20', scanning: true })
    tells(itemChange('b', 'two'), checkpoint(21))
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', removed: 1 })
    expect(asked).toEqual([20])
    expect(await fixture.held()).toEqual({ b: 'two', c: 'three' })
  })

  test('a scan is not complete until the items it did not see are forgotten', async () => {
    tells(itemChange('b', 'two'), checkpoint(2))
    const pageItems: typeof fixture.ledger.pageItems = (connection, query, page) =>
      query.kind === 'unseen'
        ? Promise.reject(new AppError('internal', 'The disk broke.'))
        : fixture.ledger.pageItems(connection, query, page)
    const ledger = { ...fixture.ledger, pageItems }
    expect(await fixture.sync({ full: true }, { ledger })).toMatchObject({ outcome: 'partial', removed: 0 })
    tells(checkpoint(3))
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', removed: 1 })
    expect(asked).toEqual([2])
    expect(await fixture.held()).toEqual({ b: 'two' })
  })

  test('a cursor that this version cannot read starts a full scan', async () => {
    fixture.script.manifest = { cursor: z.strictObject({ page: z.string() }) }
    tells(itemChange('b', 'two'))
    expect(await fixture.sync()).toMatchObject({ unchanged: 1, removed: 1 })
    expect(asked).toEqual([undefined])
  })

  test('a cursor that was damaged in the ledger starts a full scan', async () => {
    await fixture.ledger.commit(MAIN, 'notes', { partition: { cursor: '{"page":' } })
    tells(itemChange('b', 'two'), checkpoint(3))
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', unchanged: 1, removed: 1 })
    expect(asked).toEqual([undefined])
    expect(await notes()).toMatchObject({ cursor: '3' })
  })

  test('a cursor refused in the middle of a scan restarts it, and no existing item is forgotten', async () => {
    asked = []
    fixture.script.changes = function* (_, cursor) {
      asked.push(cursor)
      if (cursor === 1) throw new SourceError('restart', 'The cursor is too old.')
      if (cursor === 20) throw new SourceError('restart', 'The next page is not there any more.')
      yield itemChange('a', 'one')
      yield checkpoint(20)
      if (asked.length === 2) throw new SourceError('retry', 'It broke off.')
      yield itemChange('b', 'two')
      yield checkpoint(30)
    }
    expect(await fixture.sync()).toMatchObject({ outcome: 'partial', removed: 0 })
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', unchanged: 2, removed: 0 })
    expect(asked).toEqual([1, undefined, 20, undefined])
    expect(await notes()).toMatchObject({ cursor: '30', scanning: false })
    expect(await fixture.held()).toEqual({ a: 'one', b: 'two' })
  })

  test('other rules are applied to what was taken before', async () => {
    fixture.script.selection = { exclude: ['a'] }
    tells(itemChange('b', 'two'), checkpoint(2))
    expect(await fixture.sync()).toMatchObject({ unchanged: 1, removed: 1 })
    expect(asked).toEqual([undefined])
    expect(await fixture.held()).toEqual({ b: 'two' })
    tells(checkpoint(3))
    await fixture.sync()
    expect(asked).toEqual([2])
  })

  test('another version of the connector renews what differs, also where the revision is the same', async () => {
    fixture.script.manifest = { version: 2 }
    tells(itemChange('a', 'one'), itemChange('b', 'two, in another form', { revision: 'of two' }), checkpoint(2))
    expect(await fixture.sync()).toMatchObject({ unchanged: 1, memorized: 1 })
    expect(await fixture.held()).toEqual({ a: 'one', b: 'two, in another form' })
  })

  test('an unchanged item is not even opened', async () => {
    const body = () => Promise.reject(new Error('it was opened'))
    tells(
      itemChange('a', '', { revision: 'of one', body }),
      itemChange('b', '', { revision: 'of two', body }),
      checkpoint(2),
    )
    expect(await fixture.sync({ full: true })).toMatchObject({ outcome: 'ok', unchanged: 2 })
  })

  test('a source that keeps vanished items loses none to a full scan', async () => {
    fixture.script.manifest = { vanished: 'keep' }
    tells(itemChange('b', 'two'), checkpoint(2))
    expect(await fixture.sync({ full: true })).toMatchObject({ removed: 0 })
    expect(await fixture.held()).toEqual({ a: 'one', b: 'two' })
  })

  test('an overlap does not bring back what was removed, but something newer does', async () => {
    tells(goneChange('a'), checkpoint(2))
    await fixture.sync()
    tells(itemChange('a', 'one'), checkpoint(3))
    expect(await fixture.sync()).toMatchObject({ memorized: 0, unchanged: 1 })
    tells(itemChange('a', 'one, restored'), checkpoint(4))
    expect(await fixture.sync()).toMatchObject({ memorized: 1 })
    expect(await fixture.held()).toEqual({ a: 'one, restored', b: 'two' })
  })

  test('an overlap does not bring it back either when both are told at once', async () => {
    tells(goneChange('a'), itemChange('a', 'one'), checkpoint(2))
    expect(await fixture.sync()).toMatchObject({ removed: 1, unchanged: 1 })
    expect(await fixture.held()).toEqual({ b: 'two' })
  })

  test('what was removed and made anew before anybody noticed is taken', async () => {
    fixture.clock.advance(3_600_000)
    const updatedAt = new Date(fixture.clock().getTime() - 600_000)
    tells(goneChange('a'), checkpoint(2), itemChange('a', 'one, anew', { updatedAt }), checkpoint(3))
    await fixture.sync()
    expect(await fixture.held()).toEqual({ a: 'one, anew', b: 'two' })
  })

  test('a missing item does not hold up the cursor', async () => {
    tells(itemChange('a', '', { revision: '2', body: async () => undefined }), itemChange('c', 'three'), checkpoint(2))
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', removed: 1, memorized: 1 })
    expect(await notes()).toMatchObject({ cursor: '2' })
    expect(await fixture.held()).toEqual({ b: 'two', c: 'three' })
  })

  describe('with an inventory', () => {
    const hour = 3_600_000
    beforeEach(async () => {
      fixture.script.manifest = { deletions: 'inventory', inventoryEveryMs: hour }
      tells(checkpoint(2))
      fixture.script.read = ({ itemId }) => sourceItem(itemId, `read ${itemId}`)
      fixture.script.inventory = () => [ref('b', 'of two'), ref('c')]
      fixture.clock.advance(hour)
    })

    test('forgets what is not listed, and reads what is missing', async () => {
      expect(await fixture.sync()).toMatchObject({ outcome: 'ok', removed: 1, memorized: 1 })
      expect(await fixture.held()).toEqual({ b: 'two', c: 'read c' })
    })

    test('reads what has another revision', async () => {
      fixture.script.inventory = () => [ref('a', 'another'), ref('b', 'of two')]
      expect(await fixture.sync()).toMatchObject({ memorized: 1, removed: 0 })
      expect(await fixture.held()).toEqual({ a: 'read a', b: 'two' })
    })

    test('is taken when its time has come, and with --full', async () => {
      await fixture.sync()
      fixture.script.inventory = () => [ref('b', 'of two')]
      expect(await fixture.sync()).toMatchObject({ removed: 0 })
      fixture.clock.advance(hour)
      expect(await fixture.sync()).toMatchObject({ removed: 1 })
      tells(itemChange('b', 'two'), checkpoint(5))
      fixture.script.inventory = () => []
      expect(await fixture.sync({ full: true })).toMatchObject({ removed: 0 })
    })

    test('is taken after a scan resumed from its checkpoint, and not after an uninterrupted one', async () => {
      fixture.script.changes = function* () {
        yield itemChange('a', 'one')
        yield checkpoint(20)
        throw new SourceError('retry', 'It broke off.')
      }
      await fixture.sync({ full: true })
      // Removed at the source before the scan resumes, which sees only the others.
      fixture.script.inventory = () => [ref('b', 'of two')]
      tells(itemChange('b', 'two'), checkpoint(21))
      expect(await fixture.sync()).toMatchObject({ outcome: 'ok', removed: 1 })
      fixture.script.inventory = () => {
        throw new Error('it was taken')
      }
      expect(await fixture.sync({ full: true })).toMatchObject({ outcome: 'ok' })
    })

    test('is taken early after such a scan, and before anything is forgotten', async () => {
      await fixture.sync()
      fixture.script.changes = function* () {
        yield itemChange('c', 'read c')
        yield checkpoint(20)
        throw new SourceError('retry', 'It broke off.')
      }
      await fixture.sync({ full: true })
      // The listing that goes on skips "b", which is there.
      tells(checkpoint(21))
      fixture.script.inventory = function* () {
        yield ref('b', 'of two')
        throw new SourceError('retry', 'The listing broke off.')
      }
      expect(await fixture.sync()).toMatchObject({ outcome: 'partial', removed: 0 })
      expect(await notes()).toMatchObject({ scanning: false })
      fixture.script.inventory = () => [ref('b', 'of two')]
      expect(await fixture.sync()).toMatchObject({ outcome: 'ok', removed: 1, memorized: 0 })
      expect(await fixture.held()).toEqual({ b: 'two' })
      fixture.script.inventory = () => {
        throw new Error('it was taken')
      }
      expect(await fixture.sync()).toMatchObject({ outcome: 'ok' })
    })

    test('is taken when the clock was set back since the last one', async () => {
      await fixture.sync()
      fixture.clock.advance(-10 * hour)
      fixture.script.inventory = () => [ref('b', 'of two')]
      expect(await fixture.sync()).toMatchObject({ removed: 1 })
    })

    test('that breaks off deletes nothing, and is taken again', async () => {
      fixture.script.inventory = function* () {
        yield ref('b', 'of two')
        throw new SourceError('retry', 'The listing broke off.')
      }
      expect(await fixture.sync()).toMatchObject({ outcome: 'partial', removed: 0 })
      expect(await fixture.held()).toEqual({ a: 'one', b: 'two' })
      expect(await notes()).toMatchObject({ cursor: '2', error: 'The listing broke off.' })
      fixture.script.inventory = () => [ref('a', 'of one')]
      expect(await fixture.sync()).toMatchObject({ outcome: 'ok', removed: 1 })
      expect(await fixture.held()).toEqual({ a: 'one' })
    })
  })
})
