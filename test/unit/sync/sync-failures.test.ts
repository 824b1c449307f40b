import { beforeEach, describe, expect, test } from 'vitest'
import type { Change } from '../../../src/connector/connector.ts'
import { type Remedy, SourceError, type SourceErrorOptions } from '../../../src/connector/source-error.ts'
import { AppError } from '../../../src/domain/errors.ts'
import type { LedgerCommit } from '../../../src/store/ledger/ledger.ts'
import { nextAttemptAt } from '../../../src/sync/item-state.ts'
import { checkpoint, itemChange, sourceItem } from '../../lib/scripted-connector.ts'
import { MAIN, type SyncFixture, syncService } from '../../lib/sync-fixture.ts'

const MINUTE = 60_000

function failed(itemId: string, remedy: Remedy = 'retry', options: SourceErrorOptions = {}): Change<never> {
  const error = new SourceError(remedy, 'It does not open.', options)
  return { type: 'failed', ref: { sourceType: 'text', itemId, title: `Note ${itemId}` }, error }
}

function unreadable(itemId: string, remedy: Remedy): Change<never> {
  const body = () => Promise.reject(new SourceError(remedy, 'Its body does not come.'))
  return itemChange(itemId, itemId, { body })
}

describe('items that fail', () => {
  const service = syncService()
  let fixture: SyncFixture
  beforeEach(async () => {
    fixture = await service.fixture()
  })
  const tells = (...changes: readonly Change<unknown>[]) => {
    fixture.script.changes = () => changes
  }
  const cursor = async () => (await fixture.ledger.listPartitions(MAIN))[0]?.cursor

  test('are recorded by name with their next attempt, and do not hold up the cursor', async () => {
    tells(failed('a'), unreadable('b', 'retry'), itemChange('c', 'three'), checkpoint(1))
    const report = await fixture.sync()
    expect(report).toMatchObject({ outcome: 'partial', memorized: 1, failed: 2 })
    expect(report.failures).toEqual([
      { partition: '#notes', item: 'Note a', error: 'It does not open.' },
      { partition: '#notes', item: 'Note b', error: 'Its body does not come.' },
    ])
    expect(await cursor()).toBe('1')
    const [first] = await fixture.ledger.failedItems(MAIN, 10)
    expect(first).toMatchObject({ phase: 'failed', attempts: 1 })
    expect(first!.nextAttemptAt!.getTime()).toBeGreaterThan(fixture.clock().getTime())
  })

  test('are tried again when their time has come, and not before', async () => {
    tells(failed('a'), checkpoint(1))
    await fixture.sync()
    tells(checkpoint(2))
    fixture.script.read = () => sourceItem('a', 'at last')
    expect(await fixture.sync()).toMatchObject({ items: 0 })
    fixture.clock.advance(10 * MINUTE)
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', memorized: 1 })
    expect(await fixture.held()).toEqual({ a: 'at last' })
  })

  test('that are gone when they are tried again are done with', async () => {
    tells(failed('a'), checkpoint(1))
    await fixture.sync()
    tells(checkpoint(2))
    fixture.clock.advance(10 * MINUTE)
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', removed: 1 })
  })

  test('wait longer each time, up to a day, and after ten attempts for the person', () => {
    const now = new Date(0)
    const minutes = (attempts: number) => nextAttemptAt(attempts, now, 0)!.getTime() / MINUTE
    expect([1, 2, 3, 9].map(minutes)).toEqual([5, 10, 20, 1_280])
    expect(nextAttemptAt(9, now, 0.999)!.getTime() / MINUTE).toBeCloseTo(1_600, 0)
    expect(nextAttemptAt(10, now, 0)).toBeUndefined()
  })

  test('are tried when the source says, where it says so', async () => {
    const retryAt = new Date(fixture.clock().getTime() + 123 * MINUTE)
    tells(failed('a', 'retry', { retryAt }), checkpoint(1))
    await fixture.sync()
    expect(await fixture.row('a')).toMatchObject({ nextAttemptAt: retryAt })
  })

  test('that can never be read are skipped until they change', async () => {
    let opened = 0
    const body = () => {
      opened++
      return Promise.reject(new SourceError('skip', 'It is encrypted.'))
    }
    tells(itemChange('a', '', { revision: '1', body }), checkpoint(1))
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', failed: 1 })
    expect(await fixture.row('a')).toMatchObject({
      phase: 'skipped',
      error: 'It is encrypted.',
      nextAttemptAt: undefined,
    })
    await fixture.sync({ full: true })
    expect(opened).toBe(1)
    await fixture.ledger.retryItems(MAIN)
    fixture.script.read = () => sourceItem('a', '', { revision: '1', body })
    await fixture.sync()
    expect(opened).toBeGreaterThan(1)
  })

  test('that were skipped are told once, and again when the reason is another one', async () => {
    tells(failed('a', 'skip'), checkpoint(1))
    expect(await fixture.sync()).toMatchObject({ failed: 1 })
    expect(await fixture.sync({ full: true })).toMatchObject({ failed: 0, unchanged: 1 })
    const other = {
      type: 'failed',
      ref: sourceItem('a', ''),
      error: new SourceError('skip', 'It is too large.'),
    } as const
    tells(other, checkpoint(2))
    expect(await fixture.sync()).toMatchObject({ failed: 1 })
  })

  test('ten in a row stop the run; the next one goes on', async () => {
    tells(...Array.from({ length: 40 }, (_, n) => failed(`n${n}`)), checkpoint(1))
    const report = await fixture.sync()
    expect(report).toMatchObject({ outcome: 'stopped', failed: 10 })
    expect(report.problem).toContain('Note n9: It does not open.')
    expect(await cursor()).toBeUndefined()
  })

  test('between others are not in a row', async () => {
    const alternating = Array.from({ length: 10 }, (_, n) => [itemChange(`i${n}`, `${n}`), failed(`n${n}`)]).flat()
    tells(...Array.from({ length: 60 }, (_, n) => itemChange(`m${n}`, `${n}`)), ...alternating, checkpoint(1))
    expect(await fixture.sync()).toMatchObject({ outcome: 'partial', failed: 10, memorized: 70 })
  })

  test('more than 15 percent of at least 20 stop the run', async () => {
    const some = (share: number) =>
      Array.from({ length: 25 }, (_, n) => (n % share === 0 ? failed(`n${n}`) : itemChange(`n${n}`, `${n}`)))
    tells(...some(6), checkpoint(1))
    expect(await fixture.sync()).toMatchObject({ outcome: 'stopped', failed: 5 })
    fixture = await service.fixture()
    tells(...some(9), checkpoint(1))
    expect(await fixture.sync()).toMatchObject({ outcome: 'partial', failed: 3 })
  })

  test('however many are skipped, the run goes on', async () => {
    tells(...Array.from({ length: 40 }, (_, n) => failed(`n${n}`, 'skip')), checkpoint(1))
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', failed: 40 })
  })

  test.each(['reauthorize', 'reconfigure'] as const)(
    'with the remedy %s end the run: the person has to act',
    async (remedy) => {
      tells(itemChange('a', 'one'), unreadable('b', remedy), itemChange('c', 'three'), checkpoint(1))
      expect(await fixture.sync()).toMatchObject({ outcome: 'attention', remedy, memorized: 1, failed: 0 })
      expect(await fixture.held()).toEqual({ a: 'one' })
      expect(await cursor()).toBeUndefined()
    },
  )

  test('are recorded also when the outcomes of the others cannot be written', async () => {
    tells(itemChange('a', 'one'), failed('b'), checkpoint(1))
    const commit = (...[connection, partition, changes]: Parameters<typeof fixture.ledger.commit>) =>
      isPoisoned(changes)
        ? Promise.reject(new AppError('internal', 'A row does not fit.'))
        : fixture.ledger.commit(connection, partition, changes)
    const ledger = { ...fixture.ledger, commit }
    expect(await fixture.sync({}, { ledger })).toMatchObject({ outcome: 'partial', problem: 'A row does not fit.' })
    expect(await fixture.row('b')).toMatchObject({ phase: 'failed', error: 'It does not open.' })
    expect(await cursor()).toBeUndefined()
  })

  test('hold up the cursor when they cannot be recorded', async () => {
    tells(itemChange('a', 'one'), failed('b'), checkpoint(1))
    const commit = (...[connection, partition, changes]: Parameters<typeof fixture.ledger.commit>) =>
      changes.items?.some(({ error }) => error !== undefined)
        ? Promise.reject(new AppError('internal', 'A row does not fit.'))
        : fixture.ledger.commit(connection, partition, changes)
    const ledger = { ...fixture.ledger, commit }
    expect(await fixture.sync({}, { ledger })).toMatchObject({ outcome: 'partial', problem: 'A row does not fit.' })
    expect(await fixture.row('a')).toMatchObject({ phase: 'clean' })
    expect(await cursor()).toBeUndefined()
  })

  function isPoisoned({ items = [] }: LedgerCommit): boolean {
    return items.some(({ phase }) => phase === 'clean')
  }
})

describe('a memory that fails', () => {
  const service = syncService()
  let fixture: SyncFixture
  beforeEach(async () => {
    fixture = await service.fixture({ changes: () => [itemChange('a', 'one'), checkpoint(1)] })
  })
  /** The first calls of this kind fail. */
  const fails = (call: string, error: AppError, times = Number.POSITIVE_INFINITY) => {
    let left = times
    fixture.memory.fault = (made) => (made === call && left-- > 0 ? error : undefined)
  }

  test.each(['unauthenticated', 'forbidden', 'payment_required'] as const)(
    'with %s needs the person, in its own words',
    async (code) => {
      fails('memorize a', new AppError(code, 'The plan is used up; choose another one.'))
      expect(await fixture.sync()).toMatchObject({
        outcome: 'attention',
        problem: 'The plan is used up; choose another one.',
        failed: 0,
      })
      expect(fixture.memory.calls).toEqual(['prove', 'memorize a'])
    },
  )

  test('is found out before the source is read', async () => {
    let read = false
    fixture.script.check = () => {
      read = true
      return { account: 'acme' }
    }
    fails('prove', new AppError('unauthenticated', 'The key is not known.'))
    expect(await fixture.sync()).toMatchObject({ outcome: 'attention', problem: 'The key is not known.' })
    expect(read).toBe(false)
  })

  test('and says when to come again is waited for', async () => {
    fails('memorize a', new AppError('rate_limited', 'Too often.', { retryAfterSeconds: 30 }), 2)
    const before = fixture.clock().getTime()
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', memorized: 1 })
    expect(fixture.clock().getTime() - before).toBe(60_000)
  })

  test('for longer than the run is patient ends it, without a failure of an item', async () => {
    fails('memorize a', new AppError('rate_limited', 'Too often.', { retryAfterSeconds: 900 }))
    const nextRunAt = new Date(fixture.clock().getTime() + 900_000)
    expect(await fixture.sync()).toMatchObject({
      outcome: 'waiting',
      failed: 0,
      next_attempt_at: nextRunAt.toISOString(),
    })
    expect((await fixture.ledger.listConnections())[0]).toMatchObject({ outcome: 'waiting', nextRunAt })
    fixture.memory.fault = undefined
    fixture.script.read = () => sourceItem('a', 'one')
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', memorized: 1 })
    expect(await fixture.held()).toEqual({ a: 'one' })
  })

  test('because it is not there is tried four times', async () => {
    fails('memorize a', new AppError('unavailable', 'recalld is not running.'))
    expect(await fixture.sync()).toMatchObject({ outcome: 'partial', problem: 'recalld is not running.', failed: 0 })
    expect(fixture.memory.calls.filter((call) => call === 'memorize a')).toHaveLength(4)
  })

  test('at one item has that item tried again', async () => {
    fails('memorize a', new AppError('internal', 'Something broke.'), 1)
    expect(await fixture.sync()).toMatchObject({ outcome: 'partial', failed: 1 })
    fixture.clock.advance(10 * MINUTE)
    fixture.script.changes = () => []
    fixture.script.read = () => sourceItem('a', 'one')
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', memorized: 1 })
  })

  test('to know whose it is: the ledger of one account is not applied to another', async () => {
    await fixture.sync()
    const other = await service.fixture({ changes: () => [itemChange('b', 'two'), checkpoint(2)] })
    const report = await other.sync({}, { ledger: fixture.ledger })
    expect(report.outcome).toBe('attention')
    expect(report.problem).toContain('This key belongs to user')
  })
})
