import { beforeEach, describe, expect, test } from 'vitest'
import { SourceError } from '../../../src/connector/source-error.ts'
import type { SyncProgress } from '../../../src/sync/run-report.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { checkpoint, goneChange, itemChange } from '../../lib/scripted-connector.ts'
import { MAIN, type SyncFixture, syncService } from '../../lib/sync-fixture.ts'

describe('a run of a connection', () => {
  const service = syncService()
  let fixture: SyncFixture
  beforeEach(async () => {
    fixture = await service.fixture({ changes: () => [itemChange('a', 'one'), checkpoint(1)] })
  })
  const row = async () => (await fixture.ledger.listConnections())[0]
  const cursor = async () => (await fixture.ledger.listPartitions(MAIN))[0]?.cursor

  test('tells what it did, and leaves it in the ledger', async () => {
    const expiresAt = new Date(fixture.clock().getTime() + 1_000_000)
    fixture.script.check = () => ({
      account: 'T1',
      title: 'Acme (ada@acme.test)',
      warnings: ['Few rights.'],
      expiresAt,
    })
    const report = await fixture.sync()
    expect(report).toEqual({
      connector: 'scripted',
      name: 'main',
      account: 'Acme (ada@acme.test)',
      partitions: 1,
      items: 1,
      memorized: 1,
      unchanged: 0,
      removed: 0,
      failed: 0,
      settling: 0,
      requests: 0,
      waited_ms: 0,
      duration_ms: 0,
      outcome: 'ok',
      failures: [],
      warnings: ['Few rights.'],
    })
    expect(await row()).toMatchObject({
      account: 'T1',
      accountTitle: 'Acme (ada@acme.test)',
      outcome: 'ok',
      warnings: '["Few rights."]',
      expiresAt,
      lastSuccessAt: fixture.clock(),
      running: undefined,
      report: JSON.stringify(report),
    })
  })

  test('writes its numbers to the log, and nothing that people wrote', async () => {
    const { log, lines } = recordingLog()
    fixture.script.check = () => ({ account: 'T1', title: 'Ada', warnings: ['Ada lacks rights.'] })
    fixture.script.changes = () => [
      itemChange('a', 'one'),
      { type: 'failed', ref: { sourceType: 'text', itemId: 'b', title: 'Ada' }, error: new SourceError('skip', 'Ada') },
      checkpoint(1),
    ]
    await fixture.sync({}, { log })
    expect(lines).toEqual([
      {
        level: 'info',
        message: 'synchronized',
        fields: {
          ...{ ...MAIN, outcome: 'ok', partitions: 1, items: 2, memorized: 1, unchanged: 0, removed: 0, failed: 1 },
          ...{ settling: 0, requests: 0, waited_ms: 0, duration_ms: 0, warnings: 1 },
        },
      },
    ])
  })

  test.each(['reauthorize', 'reconfigure'] as const)(
    'whose check says %s needs the person; nothing is lost',
    async (remedy) => {
      await fixture.sync()
      fixture.script.check = () => {
        throw new SourceError(remedy, 'The token has expired.')
      }
      expect(await fixture.sync()).toMatchObject({
        outcome: 'attention',
        problem: 'The token has expired.',
        remedy,
        account: 'Acme',
        removed: 0,
      })
      expect(await row()).toMatchObject({
        outcome: 'attention',
        problem: 'The token has expired.',
        remedy,
        account: 'acme',
      })
      expect(await cursor()).toBe('1')
      expect(await fixture.held()).toEqual({ a: 'one' })
    },
  )

  test('whose source is away is tried again at its next time', async () => {
    fixture.script.check = () => {
      throw new SourceError('retry', 'The source does not answer.')
    }
    expect(await fixture.sync()).toMatchObject({ outcome: 'partial', problem: 'The source does not answer.' })
    expect(await row()).toMatchObject({ lastSuccessAt: undefined })
  })

  test('that finds another account uses nothing of the old one, and says what to do', async () => {
    await fixture.sync()
    let read = false
    fixture.script.check = () => ({ account: 'T2', title: 'Other' })
    fixture.script.changes = () => {
      read = true
      return []
    }
    const report = await fixture.sync()
    expect(report).toMatchObject({ outcome: 'attention', remedy: 'reconfigure', removed: 0 })
    expect(report.problem).toContain('different account (Other)')
    expect(report.problem).toContain('remove main first')
    expect(read).toBe(false)
    expect(await row()).toMatchObject({ account: 'acme' })
    expect(await fixture.held()).toEqual({ a: 'one' })
  })

  test('does not begin while another one lasts', async () => {
    await fixture.ledger.beginRun(MAIN, { holder: 'another process', leaseMs: 30_000 })
    const report = await fixture.sync()
    expect(report).toMatchObject({ outcome: 'aborted', items: 0 })
    expect(report.problem).toContain('already syncing this connection')
    expect(await fixture.held()).toEqual({})
    expect(await row()).toMatchObject({ nextRunAt: undefined, running: { holder: 'another process' } })
  })

  test('of two that begin together one does the work', async () => {
    const reports = await Promise.all([
      fixture.sync({}, { holder: 'service' }),
      fixture.sync({}, { holder: 'by hand' }),
    ])
    expect(reports.map(({ outcome }) => outcome).sort()).toEqual(['aborted', 'ok'])
    expect(fixture.memory.calls.filter((call) => call === 'memorize a')).toHaveLength(1)
  })

  test('that a process did not end is followed by another one when its lease is over', async () => {
    await fixture.ledger.beginRun(MAIN, { holder: 'a process that was killed', leaseMs: 30_000 })
    fixture.clock.advance(29_999)
    expect(await fixture.sync()).toMatchObject({ outcome: 'aborted' })
    fixture.clock.advance(1)
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', memorized: 1 })
  })

  test('that was not ended before the clock was set back does not hold the connection', async () => {
    await fixture.ledger.beginRun(MAIN, { holder: 'a process that was killed', leaseMs: 30_000 })
    fixture.clock.advance(-3_600_000)
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', memorized: 1 })
  })

  test('goes on for longer than its lease, when nobody has taken it', async () => {
    fixture.script.changes = function* () {
      yield itemChange('a', 'one')
      fixture.clock.advance(300_000)
      yield checkpoint(1)
      fixture.clock.advance(-600_000)
      yield itemChange('b', 'two')
      yield checkpoint(2)
    }
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', memorized: 2 })
    expect(await cursor()).toBe('2')
  })

  test('ends when another process has taken over while it was suspended, and writes nothing more', async () => {
    const asked: string[] = []
    fixture.script.manifest = { partitionsAtOnce: 1 }
    fixture.script.partitions = ['one', 'two']
    fixture.script.changes = async function* (id) {
      asked.push(id)
      yield itemChange('old', 'old')
      fixture.clock.advance(31_000)
      await fixture.ledger.beginRun(MAIN, { holder: 'another process', leaseMs: 30_000 })
      yield checkpoint(1)
    }
    const report = await fixture.sync()
    expect(report).toMatchObject({ outcome: 'aborted' })
    expect(report.problem).toContain('Another process')
    expect(asked).toEqual(['one'])
    expect(await fixture.held()).toEqual({})
    expect(await fixture.row('old')).toBeUndefined()
    expect(await cursor()).toBeUndefined()
    expect((await row())?.running?.holder).toBe('another process')
  })

  test('that is aborted keeps what it did, with its cursor at that place', async () => {
    const abort = new AbortController()
    fixture.script.changes = function* () {
      yield itemChange('a', 'one')
      yield checkpoint(1)
      yield itemChange('b', 'two')
      abort.abort()
      yield itemChange('c', 'three')
      yield checkpoint(2)
    }
    expect(await fixture.sync({ signal: abort.signal })).toMatchObject({ outcome: 'aborted', memorized: 1, failed: 0 })
    expect(await fixture.held()).toEqual({ a: 'one' })
    expect(await cursor()).toBe('1')
    expect(await row()).toMatchObject({ outcome: 'aborted', running: undefined })
  })

  test('shows its progress from batch to batch', async () => {
    const shown: SyncProgress[] = []
    fixture.script.partitions = ['one', 'two']
    fixture.script.changes = (id) => [itemChange(id, id), checkpoint(1)]
    await fixture.sync({ onProgress: (progress) => shown.push(progress) })
    expect(shown[0]).toMatchObject({
      connector: 'scripted',
      name: 'main',
      partition: '#one',
      partitionsTotal: 2,
      items: 0,
    })
    expect(shown).toContainEqual(expect.objectContaining({ partitionsDone: 1 }))
    expect(shown.at(-1)).toMatchObject({ partitionsDone: 2, items: 2 })
  })

  test('gives digests what was memorized of a time, oldest first', async () => {
    const at = (day: number) => new Date(Date.UTC(2026, 0, day))
    fixture.script.changes = () => [
      itemChange('late', 'late', { createdAt: at(20), url: 'https://acme.test/late' }),
      itemChange('early', 'early', { createdAt: at(10) }),
      itemChange('never', 'never', { createdAt: at(30) }),
      checkpoint(1),
    ]
    await fixture.sync()
    const digest: unknown[] = []
    fixture.script.changes = async function* (_, __, context) {
      for await (const item of context.memorized({ since: at(5), until: at(25) })) digest.push(item)
      yield checkpoint(2)
    }
    await fixture.sync()
    expect(digest).toEqual([
      { sourceType: 'text', itemId: 'early', title: 'Note early', at: at(10) },
      { sourceType: 'text', itemId: 'late', title: 'Note late', at: at(20), url: 'https://acme.test/late' },
    ])
  })

  test.each([
    [undefined, 'removed', 'windows overlap'],
    [true, 'clean', 'the feed is exact'],
  ] as const)('what was removed and comes as it was is with exactFeed %s %s: %s', async (exactFeed, phase, _reason) => {
    fixture.script.manifest = exactFeed === undefined ? {} : { exactFeed }
    await fixture.sync()
    fixture.script.changes = () => [goneChange('a'), checkpoint(2)]
    await fixture.sync()
    fixture.script.changes = () => [itemChange('a', 'one'), checkpoint(3)]
    await fixture.sync()
    expect(await fixture.row('a')).toMatchObject({ phase })
  })

  test('drops tombstones after thirty days', async () => {
    await fixture.sync()
    fixture.script.changes = () => [goneChange('a'), checkpoint(2)]
    await fixture.sync()
    fixture.script.changes = () => []
    fixture.clock.advance(30 * 86_400_000)
    await fixture.sync()
    expect(await fixture.row('a')).toMatchObject({ phase: 'removed' })
    fixture.clock.advance(1)
    await fixture.sync()
    expect(await fixture.row('a')).toBeUndefined()
  })

  test('writes little when nothing has changed', async () => {
    fixture.script.changes = () => [
      ...Array.from({ length: 100 }, (_, n) => itemChange(`n${n}`, `${n}`)),
      checkpoint(1),
    ]
    await fixture.sync()
    let commits = 0
    const commit: typeof fixture.ledger.commit = (...parameters) => {
      commits++
      return fixture.ledger.commit(...parameters)
    }
    expect(await fixture.sync({}, { ledger: { ...fixture.ledger, commit } })).toMatchObject({ unchanged: 100 })
    expect(commits).toBe(2)
  })
})
