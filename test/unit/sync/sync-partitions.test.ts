import { beforeEach, describe, expect, test } from 'vitest'
import { SourceError } from '../../../src/connector/source-error.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { checkpoint, itemChange } from '../../lib/scripted-connector.ts'
import { MAIN, type SyncFixture, syncService } from '../../lib/sync-fixture.ts'

describe('the partitions of a connection', () => {
  const service = syncService()
  let fixture: SyncFixture
  beforeEach(async () => {
    fixture = await service.fixture({
      partitions: ['one', 'two'],
      changes: (partition) => [itemChange(`in-${partition}`, partition), checkpoint(1)],
    })
  })
  const partition = async (id: string) =>
    (await fixture.ledger.listPartitions(MAIN)).find(({ partitionId }) => partitionId === id)
  const bothHeld = { 'in-one': 'one', 'in-two': 'two' }

  test('one that appears later is read from its beginning', async () => {
    await fixture.sync()
    const asked: unknown[] = []
    fixture.script.partitions = ['one', 'two', 'three']
    fixture.script.changes = (id, cursor) => {
      asked.push([id, cursor])
      return [itemChange('x', 'new'), checkpoint(2)]
    }
    expect(await fixture.sync()).toMatchObject({ partitions: 3, outcome: 'ok' })
    expect(asked).toEqual([
      ['one', 1],
      ['two', 1],
      ['three', undefined],
    ])
  })

  test('what came from one that was lost or excluded is forgotten, and comes back with it', async () => {
    await fixture.sync()
    fixture.script.partitions = ['one']
    expect(await fixture.sync()).toMatchObject({ removed: 1 })
    expect(await fixture.held()).toEqual({ 'in-one': 'one' })
    expect(await partition('two')).toBeUndefined()
    fixture.script.partitions = ['one', 'two']
    expect(await fixture.sync()).toMatchObject({ memorized: 1 })
    expect(await fixture.held()).toEqual(bothHeld)
  })

  test('one that comes back before all of it was forgotten is read from its beginning', async () => {
    await fixture.sync()
    fixture.script.partitions = ['one']
    fixture.memory.fault = (call) =>
      call === 'forget in-two' ? new AppError('rate_limited', 'Too often.', { retryAfterSeconds: 900 }) : undefined
    expect(await fixture.sync()).toMatchObject({ outcome: 'waiting', removed: 0 })
    fixture.memory.fault = undefined
    fixture.script.partitions = ['one', 'two']
    const asked: unknown[] = []
    fixture.script.changes = (id, cursor) => {
      asked.push([id, cursor])
      return [itemChange(`in-${id}`, id), checkpoint(2)]
    }
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok' })
    expect(asked).toEqual([
      ['one', 1],
      ['two', undefined],
    ])
    expect(await fixture.held()).toEqual(bothHeld)
  })

  test('one that vanishes from a source that keeps what vanishes stays remembered', async () => {
    fixture.script.manifest = { vanished: 'keep' }
    await fixture.sync()
    fixture.script.partitions = ['one']
    expect(await fixture.sync()).toMatchObject({ removed: 0 })
    expect(await fixture.held()).toEqual(bothHeld)
    expect(await partition('two')).toBeDefined()
  })

  test('an enumeration that breaks off loses nothing', async () => {
    await fixture.sync()
    fixture.script.partitions = function* () {
      yield { id: 'one', title: '#one' }
      throw new SourceError('retry', 'The list of channels broke off.')
    }
    expect(await fixture.sync()).toMatchObject({
      outcome: 'partial',
      problem: 'The list of channels broke off.',
      removed: 0,
    })
    expect(await fixture.held()).toEqual(bothHeld)
  })

  test.each([
    ['retry', 'partial'],
    ['skip', 'ok'],
    ['reconfigure', 'attention'],
  ] as const)(
    'an error with the remedy %s is recorded with its partition, and the others go on: %s',
    async (remedy, outcome) => {
      await fixture.sync()
      fixture.script.changes = function* (id) {
        if (id === 'one') throw new SourceError(remedy, 'It cannot be read.')
        yield itemChange('in-two', 'two, edited')
        yield checkpoint(2)
      }
      const report = await fixture.sync()
      expect(report).toMatchObject({
        outcome,
        memorized: 1,
        removed: 0,
        failures: [{ partition: '#one', error: 'It cannot be read.' }],
      })
      expect(await fixture.held()).toEqual({ 'in-one': 'one', 'in-two': 'two, edited' })
      expect(await partition('one')).toMatchObject({
        cursor: '1',
        error: 'It cannot be read.',
        remedy,
        errorAt: fixture.clock(),
      })
      expect(await partition('two')).toMatchObject({ cursor: '2', error: undefined })
    },
  )

  test('a reading that breaks off is no success: its cursor stays, and what it told counts', async () => {
    await fixture.sync()
    const before = await partition('one')
    fixture.clock.advance(60_000)
    fixture.script.changes = function* (id) {
      yield itemChange(`more-${id}`, 'more')
      if (id === 'one') throw new SourceError('retry', 'The second page did not come.')
      yield checkpoint(2)
    }
    expect(await fixture.sync()).toMatchObject({ outcome: 'partial', memorized: 2 })
    expect(await partition('one')).toMatchObject({ cursor: '1', lastSuccessAt: before?.lastSuccessAt })
    fixture.script.changes = () => [checkpoint(3)]
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok' })
    expect(await partition('one')).toMatchObject({
      cursor: '3',
      error: undefined,
      remedy: undefined,
      lastSuccessAt: fixture.clock(),
    })
  })

  test('a defect of the connector is told without its message, which may hold anything', async () => {
    fixture.script.changes = () => {
      throw new TypeError('token xoxb-123 is undefined')
    }
    const report = await fixture.sync()
    expect(report).toMatchObject({ outcome: 'partial' })
    expect(JSON.stringify(report)).not.toContain('xoxb')
    expect(report.failures[0]?.error).toBe('Unexpected error in the connector (TypeError). See the log.')
  })

  test('an item that moves to another partition is neither lost nor doubled, in either order', async () => {
    await fixture.sync()
    const [gone, come] = [
      { type: 'gone', ref: { sourceType: 'text', itemId: 'in-one' } } as const,
      itemChange('in-one', 'one'),
    ]
    fixture.script.changes = (id) => (id === 'one' ? [gone, checkpoint(2)] : [come, checkpoint(2)])
    await fixture.sync()
    expect(await fixture.held()).toEqual(bothHeld)
    fixture.script.changes = (id) => (id === 'one' ? [come, checkpoint(3)] : [gone, checkpoint(3)])
    await fixture.sync()
    expect(await fixture.held()).toEqual(bothHeld)
    expect(await fixture.row('in-one')).toMatchObject({ partitionId: 'one', phase: 'clean' })
  })
})
