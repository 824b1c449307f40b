import { beforeEach, describe, expect, test } from 'vitest'
import type { SourceItem } from '../../../src/connector/connector.ts'
import { SourceError } from '../../../src/connector/source-error.ts'
import { checkpoint, goneChange, itemChange, sourceItem } from '../../lib/scripted-connector.ts'
import { type SyncFixture, syncService } from '../../lib/sync-fixture.ts'

describe('an item that a listing leaves out, of a source whose listings may leave out what exists', () => {
  const service = syncService()
  let fixture: SyncFixture
  /** What the source has, by id. */
  let existing: Map<string, SourceItem>
  let read: string[]
  beforeEach(async () => {
    fixture = await service.fixture()
    read = []
    existing = new Map(['a', 'b', 'c'].map((id) => [id, sourceItem(id, `text ${id}`)]))
    fixture.script.manifest = { deletions: 'inventory', missingMayExist: true }
    fixture.script.changes = () => [...['a', 'b', 'c'].map((id) => itemChange(id, `text ${id}`)), checkpoint(1)]
    fixture.script.read = ({ itemId }) => {
      read.push(itemId)
      return existing.get(itemId)
    }
    fixture.script.inventory = () => existing.values()
    await fixture.sync()
    fixture.script.changes = () => [checkpoint(2)]
    fixture.script.inventory = () => [existing.get('b')!]
  })

  test('stays while it can be read, and is removed once it cannot', async () => {
    existing.delete('c')
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', removed: 1, memorized: 0 })
    expect(Object.keys(await fixture.held()).sort()).toEqual(['a', 'b'])
    expect(read).toEqual(['a', 'c'])
  })

  test('is read as it is now', async () => {
    existing.set('a', sourceItem('a', 'changed meanwhile'))
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', removed: 0, memorized: 1 })
    expect(await fixture.held()).toMatchObject({ a: 'changed meanwhile', c: 'text c' })
  })

  test('stays while it is unknown whether it exists', async () => {
    fixture.script.read = () => {
      throw new SourceError('retry', 'No answer.')
    }
    expect(await fixture.sync()).toMatchObject({ removed: 0, failed: 2 })
    expect(Object.keys(await fixture.held()).sort()).toEqual(['a', 'b', 'c'])
  })

  test('stays after a complete scan too, unless it cannot be read', async () => {
    existing.delete('c')
    fixture.script.changes = () => [itemChange('b', 'text b'), checkpoint(3)]
    expect(await fixture.sync({ full: true })).toMatchObject({ outcome: 'ok', removed: 1 })
    expect(Object.keys(await fixture.held()).sort()).toEqual(['a', 'b'])
  })

  test('is read in the first scan after a change of settings or of the version too', async () => {
    existing.delete('c')
    fixture.script.selection = { include: ['more'] }
    fixture.script.changes = () => [itemChange('b', 'text b'), checkpoint(3)]
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', removed: 1 })
    expect(Object.keys(await fixture.held()).sort()).toEqual(['a', 'b'])
  })

  test('is removed without reading it when the source reports that it is gone', async () => {
    fixture.script.changes = () => [goneChange('a'), checkpoint(4)]
    fixture.script.inventory = () => ['b', 'c'].map((id) => existing.get(id)!)
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', removed: 1 })
    expect(read).toEqual([])
  })

  test('is not read any more once another partition has ended the run', async () => {
    const ids = Array.from({ length: 200 }, (_, at) => `many-${at}`)
    for (const id of ids) existing.set(id, sourceItem(id, id))
    fixture.script.inventory = () => existing.values()
    await fixture.sync()
    expect(await fixture.held()).toHaveProperty('many-199')
    read = []
    const { promise: isReading, resolve } = Promise.withResolvers<void>()
    fixture.script.partitions = ['notes', 'other']
    fixture.script.read = async ({ itemId }) => {
      read.push(itemId)
      resolve()
      return sourceItem(itemId, itemId)
    }
    fixture.script.changes = async function* (id) {
      if (id === 'other') {
        await isReading
        throw new SourceError('reauthorize', 'The token was revoked.')
      }
      yield checkpoint(5)
    }
    fixture.script.inventory = () => []
    expect(await fixture.sync()).toMatchObject({ outcome: 'attention', removed: 0 })
    expect(read.length).toBeLessThan(150)
  })

  test('is removed without reading it with a partition that is no longer listed', async () => {
    fixture.script.partitions = []
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', removed: 3 })
    expect(read).toEqual([])
  })
})
