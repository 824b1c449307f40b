import { beforeEach, describe, expect, test } from 'vitest'
import { SourceError } from '../../../src/connector/source-error.ts'
import type { Ledger } from '../../../src/store/ledger/ledger.ts'
import { previewConnection } from '../../../src/sync/preview.ts'
import { checkpoint, goneChange, itemChange, scriptedConnection, sourceItem } from '../../lib/scripted-connector.ts'
import { never, type SyncFixture, syncService } from '../../lib/sync-fixture.ts'

const READS = ['listConnections', 'listPartitions', 'findItems', 'countItems', 'listBudgets', 'pageItems']

/** A ledger that refuses to be written. */
function readOnly(ledger: Ledger): Ledger {
  return new Proxy(ledger, {
    get(target, method, receiver) {
      if (!READS.includes(String(method))) throw new Error(`a preview calls ${String(method)}`)
      return Reflect.get(target, method, receiver)
    },
  })
}

describe('a preview', () => {
  const service = syncService()
  let fixture: SyncFixture
  beforeEach(async () => {
    fixture = await service.fixture({
      changes: () => [itemChange('a', 'one'), itemChange('b', 'two'), itemChange('c', 'three'), checkpoint(1)],
    })
  })
  const preview = (full = false, signal = never) => {
    const environment = { ...fixture.environment, ledger: readOnly(fixture.ledger) }
    return previewConnection(scriptedConnection(fixture.script), environment, { signal, full })
  }

  test('of a source that was never read counts everything, and writes nothing', async () => {
    const report = await preview()
    expect(report).toMatchObject({ connector: 'scripted', name: 'main', account: 'Acme' })
    const { bytes, examples, ...counts } = report.partitions[0]!
    expect(counts).toEqual({ partition: '#notes', new: 3, changed: 0, unchanged: 0, gone: 0, failed: 0, secrets: {} })
    expect(bytes).toBeGreaterThan(30)
    expect(examples).toHaveLength(3)
    expect(fixture.memory.calls).toEqual([])
    expect(await fixture.ledger.listConnections()).toEqual([])
  })

  test('that is ended tells what was counted until then', async () => {
    const stop = new AbortController()
    fixture.script.partitions = ['notes', 'other']
    fixture.script.changes = function* () {
      for (let n = 0; n < 100; n++) {
        if (n === 50) stop.abort()
        yield itemChange(`item-${n}`, `text ${n}`)
      }
    }
    const { partitions, problem } = await preview(false, stop.signal)
    expect(partitions).toEqual([expect.objectContaining({ partition: '#notes', new: 32 })])
    expect(problem).toBe('Stopped before it finished.')
  })

  test('counts what a run would then do', async () => {
    await fixture.sync()
    fixture.memory.calls.length = 0
    const key = 'AKIAIOSFODNN7EXAMPLE'
    const bytes = new TextEncoder().encode(`Key ${key}`)
    fixture.script.changes = () => [
      itemChange('a', 'one', { revision: 'touched' }),
      itemChange('b', `two with ${key}`),
      itemChange('d', '', { body: bytes, contentType: 'text/plain', fileName: 'd.txt' }),
      itemChange('e', ' '),
      goneChange('c'),
      checkpoint(2),
    ]
    const report = await preview()
    expect(report.partitions).toMatchObject([
      { new: 1, changed: 1, unchanged: 1, gone: 1, failed: 1, secrets: { 'AWS key': 2 } },
    ])
    expect(fixture.memory.calls).toEqual([])
    expect(await fixture.sync()).toMatchObject({ memorized: 2, unchanged: 1, removed: 1, failed: 1 })
  })

  test('of a full scan counts removed items, and of an inventory too', async () => {
    await fixture.sync()
    fixture.script.changes = () => [itemChange('a', 'one'), checkpoint(2)]
    expect((await preview(true)).partitions).toMatchObject([{ unchanged: 1, gone: 2 }])
    fixture.script.manifest = { deletions: 'inventory' }
    fixture.script.changes = () => [itemChange('d', 'new'), checkpoint(2)]
    fixture.script.read = ({ itemId }) => sourceItem(itemId, `read ${itemId}`)
    fixture.script.inventory = () =>
      ['a', 'd', 'e'].map((itemId) => ({ sourceType: 'text', itemId, ...(itemId === 'a' && { revision: 'of one' }) }))
    expect((await preview()).partitions).toMatchObject([{ new: 2, unchanged: 0, gone: 2 }])
    expect(await fixture.sync()).toMatchObject({ memorized: 2, removed: 2 })
  })

  test('announces no deletion of what a listing may leave out', async () => {
    await fixture.sync()
    fixture.script.manifest = { deletions: 'inventory', missingMayExist: true }
    fixture.script.changes = () => [itemChange('a', 'one'), checkpoint(2)]
    fixture.script.inventory = () => []
    expect((await preview(true)).partitions).toMatchObject([{ unchanged: 1, gone: 0 }])
    expect((await preview()).partitions).toMatchObject([{ gone: 0 }])
  })

  test('of a resumed scan counts what the inventory after it finds', async () => {
    fixture.script.manifest = { deletions: 'inventory', inventoryEveryMs: 3_600_000 }
    await fixture.sync()
    fixture.script.changes = function* () {
      yield itemChange('a', 'one')
      yield checkpoint(20)
      throw new SourceError('retry', 'It broke off.')
    }
    await fixture.sync({ full: true })
    fixture.script.changes = () => [checkpoint(21)]
    fixture.script.inventory = () => [{ sourceType: 'text', itemId: 'b', revision: 'of two' }]
    expect((await preview()).partitions).toMatchObject([{ new: 0, gone: 2 }])
    expect(await fixture.sync()).toMatchObject({ memorized: 0, removed: 2 })
  })

  test('tells partitions that are there no more, and what other rules leave out', async () => {
    await fixture.sync()
    fixture.script.partitions = ['other']
    fixture.script.changes = () => []
    expect((await preview()).partitions).toMatchObject([
      { partition: '#other', gone: 0 },
      { partition: '#notes', gone: 3 },
    ])
    fixture.script.partitions = ['notes']
    fixture.script.selection = 'less'
    expect((await preview()).partitions).toMatchObject([{ partition: '#notes', gone: 3 }])
  })

  test('tells errors where they are', async () => {
    fixture.script.partitions = ['one', 'two']
    fixture.script.changes = (id) => {
      if (id === 'one') throw new SourceError('skip', 'You are not in this channel.')
      return [itemChange('a', 'one')]
    }
    expect((await preview()).partitions).toMatchObject([{ problem: 'You are not in this channel.' }, { new: 1 }])
    fixture.script.check = () => {
      throw new SourceError('reauthorize', 'The token has expired.')
    }
    expect(await preview()).toMatchObject({ problem: 'The token has expired.', partitions: [] })
  })
})
