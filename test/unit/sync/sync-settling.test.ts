import { beforeEach, describe, expect, test } from 'vitest'
import { checkpoint, itemChange, sourceItem } from '../../lib/scripted-connector.ts'
import { type SyncFixture, syncService } from '../../lib/sync-fixture.ts'

const MINUTE = 60_000
const settle = { settle: true }

describe('an item that is still being written', () => {
  const service = syncService()
  let fixture: SyncFixture
  let text: string
  let updatedAt: Date
  beforeEach(async () => {
    fixture = await service.fixture({ manifest: { quietPeriodMs: 10 * MINUTE } })
    fixture.script.changes = () => [itemChange('a', text, { updatedAt }), checkpoint(1)]
    fixture.script.read = () => sourceItem('a', text, { updatedAt })
    edit('one')
    await fixture.sync(settle)
  })
  const edit = (to: string) => {
    text = to
    updatedAt = fixture.clock()
  }

  test('is taken at once when it is new', async () => {
    expect(await fixture.held()).toEqual({ a: 'one' })
  })

  test('is taken when it was left alone, though the source says nothing more of it', async () => {
    edit('two')
    expect(await fixture.sync(settle)).toMatchObject({ outcome: 'ok', settling: 1, memorized: 0 })
    expect(await fixture.row('a')).toMatchObject({
      phase: 'settling',
      nextAttemptAt: new Date(updatedAt.getTime() + 10 * MINUTE),
    })
    fixture.script.changes = () => []
    fixture.clock.advance(9 * MINUTE)
    expect(await fixture.sync(settle)).toMatchObject({ items: 0 })
    fixture.clock.advance(MINUTE)
    expect(await fixture.sync(settle)).toMatchObject({ memorized: 1 })
    expect(await fixture.held()).toEqual({ a: 'two' })
  })

  test('is taken within an hour, however long it is written', async () => {
    const began = fixture.clock().getTime()
    let n = 0
    while (!Object.values(await fixture.held()).some((held) => held !== 'one')) {
      edit(`version ${n++}`)
      await fixture.sync(settle)
      fixture.clock.advance(4 * MINUTE)
    }
    const minutes = (fixture.clock().getTime() - began) / MINUTE
    expect(minutes).toBeGreaterThan(30)
    expect(minutes).toBeLessThanOrEqual(64)
    expect(fixture.memory.calls.filter((call) => call === 'memorize a')).toHaveLength(2)
  })

  test('and changes back was never changed', async () => {
    edit('two')
    await fixture.sync(settle)
    text = 'one'
    expect(await fixture.sync(settle)).toMatchObject({ unchanged: 1, settling: 0 })
    expect(await fixture.row('a')).toMatchObject({ phase: 'clean' })
  })

  test('is forgotten when it is gone meanwhile', async () => {
    edit('two')
    await fixture.sync(settle)
    fixture.script.changes = () => []
    fixture.script.read = () => undefined
    fixture.clock.advance(10 * MINUTE)
    expect(await fixture.sync(settle)).toMatchObject({ removed: 1 })
    expect(await fixture.held()).toEqual({})
  })

  test('stays as it was when it vanishes from a source that keeps what vanishes', async () => {
    fixture.script.manifest = { ...fixture.script.manifest, vanished: 'keep' }
    edit('two')
    await fixture.sync(settle)
    fixture.script.changes = () => []
    fixture.script.read = () => undefined
    fixture.clock.advance(10 * MINUTE)
    expect(await fixture.sync(settle)).toMatchObject({ removed: 0, unchanged: 1 })
    expect(await fixture.held()).toEqual({ a: 'one' })
  })

  test('is taken now by a run that does not wait', async () => {
    edit('two')
    await fixture.sync(settle)
    fixture.script.changes = () => []
    expect(await fixture.sync()).toMatchObject({ memorized: 1 })
    expect(await fixture.held()).toEqual({ a: 'two' })
  })
})
