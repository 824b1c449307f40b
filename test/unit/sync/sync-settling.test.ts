import { beforeEach, describe, expect, test } from 'vitest'
import { checkpoint, itemChange, sourceItem } from '../../lib/scripted-connector.ts'
import { type SyncWorld, syncService } from '../../lib/sync-test.ts'

const MINUTE = 60_000
const settle = { settle: true }

describe('an item that is still being written', () => {
  const service = syncService()
  let world: SyncWorld
  let text: string
  let updatedAt: Date
  beforeEach(async () => {
    world = await service.world({ manifest: { quietPeriodMs: 10 * MINUTE } })
    world.script.changes = () => [itemChange('a', text, { updatedAt }), checkpoint(1)]
    world.script.read = () => sourceItem('a', text, { updatedAt })
    edit('one')
    await world.sync(settle)
  })
  const edit = (to: string) => {
    text = to
    updatedAt = world.clock()
  }

  test('is taken at once when it is new', async () => {
    expect(await world.held()).toEqual({ a: 'one' })
  })

  test('is taken when it was left alone, though the source says nothing more of it', async () => {
    edit('two')
    expect(await world.sync(settle)).toMatchObject({ outcome: 'ok', settling: 1, memorized: 0 })
    expect(await world.row('a')).toMatchObject({
      phase: 'settling',
      nextAttemptAt: new Date(updatedAt.getTime() + 10 * MINUTE),
    })
    world.script.changes = () => []
    world.clock.advance(9 * MINUTE)
    expect(await world.sync(settle)).toMatchObject({ items: 0 })
    world.clock.advance(MINUTE)
    expect(await world.sync(settle)).toMatchObject({ memorized: 1 })
    expect(await world.held()).toEqual({ a: 'two' })
  })

  test('is taken within an hour, however long it is written', async () => {
    const began = world.clock().getTime()
    let n = 0
    while (!Object.values(await world.held()).some((held) => held !== 'one')) {
      edit(`version ${n++}`)
      await world.sync(settle)
      world.clock.advance(4 * MINUTE)
    }
    const minutes = (world.clock().getTime() - began) / MINUTE
    expect(minutes).toBeGreaterThan(30)
    expect(minutes).toBeLessThanOrEqual(64)
    expect(world.memory.calls.filter((call) => call === 'memorize a')).toHaveLength(2)
  })

  test('and changes back was never changed', async () => {
    edit('two')
    await world.sync(settle)
    text = 'one'
    expect(await world.sync(settle)).toMatchObject({ unchanged: 1, settling: 0 })
    expect(await world.row('a')).toMatchObject({ phase: 'clean' })
  })

  test('is forgotten when it is gone meanwhile', async () => {
    edit('two')
    await world.sync(settle)
    world.script.changes = () => []
    world.script.read = () => undefined
    world.clock.advance(10 * MINUTE)
    expect(await world.sync(settle)).toMatchObject({ removed: 1 })
    expect(await world.held()).toEqual({})
  })

  test('stays as it was when it vanishes from a source that keeps what vanishes', async () => {
    world.script.manifest = { ...world.script.manifest, vanished: 'keep' }
    edit('two')
    await world.sync(settle)
    world.script.changes = () => []
    world.script.read = () => undefined
    world.clock.advance(10 * MINUTE)
    expect(await world.sync(settle)).toMatchObject({ removed: 0, unchanged: 1 })
    expect(await world.held()).toEqual({ a: 'one' })
  })

  test('is taken now by a run that does not wait', async () => {
    edit('two')
    await world.sync(settle)
    world.script.changes = () => []
    expect(await world.sync()).toMatchObject({ memorized: 1 })
    expect(await world.held()).toEqual({ a: 'two' })
  })
})
