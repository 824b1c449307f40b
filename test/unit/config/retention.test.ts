import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { applyRetention, scheduleRetention } from '../../../src/administration/retention.ts'
import { connectorSection, loadConfig } from '../../../src/config.ts'
import { connectionRetention } from '../../../src/connections/configured-connections.ts'
import type { RetentionDays } from '../../../src/domain/retention.ts'
import { bindMemory } from '../../../src/service/bind-memory.ts'
import { movableClock } from '../../contract/store-contract.ts'
import { claimOne, sampleItem, sampleUpload } from '../../contract/store-samples.ts'
import { located } from '../../lib/located.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { checkpoint, itemChange, scriptedConnection } from '../../lib/scripted-connector.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'
import { MAIN, syncFixture, syncService } from '../../lib/sync-fixture.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'
import { until } from '../../lib/until.ts'

const DAY_MS = 86_400_000
const note = (when: string) =>
  `---\ntitle: Note of ${when}\nwhen: ${when}\n---\n\nThe harvest was counted in ${when}.\n`

async function serviceWithNotes() {
  const clock = movableClock(Date.parse('2026-03-01T12:00:00Z'))
  const running = await startService({ clock })
  onTestFinished(() => running.stop())
  await running.upload(note('2025-01-15'), { itemId: 'old' })
  await running.upload(note('2026-02-20'), { itemId: 'new' })
  await running.upload(note('2025-01-15'), { itemId: 'old-mail', source: 'email' })
  await running.upload('It tells of no day at all.', { itemId: 'timeless' })
  const parts = (retention: RetentionDays) => {
    const { store, service } = running
    return { config: { retention }, store, service, log: recordingLog().log, clock, connections: async () => [] }
  }
  return { clock, running, parts }
}

async function held({ store, accountId }: RunningService): Promise<string[]> {
  const { rows } = await store
    .scoped({ accountId, sources: 'all' })
    .library.list({ sort: 'name', offset: 0, limit: 99 })
  return rows.map(({ itemId }) => itemId).sort()
}

describe('retention', () => {
  test('forgets items of a source whose time, or without one whose upload, is too long ago, and tells so', async () => {
    const { clock, running, parts } = await serviceWithNotes()
    const { accountId, service } = running
    const dry = await applyRetention(parts({ text: 90 }), { dryRun: true })
    expect(dry).toMatchObject([{ accountId, sourceType: 'text', days: 90, items: 1, memories: 1 }])
    expect(await held(running)).toEqual(['new', 'old', 'old-mail', 'timeless'])

    const done = await applyRetention(parts({ text: 90 }), { dryRun: false })
    expect(done).toEqual(dry)
    expect(await held(running)).toEqual(['new', 'old-mail', 'timeless'])
    const { memories } = await service.recall(await service.authenticate(running.key), { text: 'harvest 2025-01-15' })
    expect(memories.map(({ item_id }) => item_id)).not.toContain('old')

    clock.advance(85 * DAY_MS)
    expect(await applyRetention(parts({ text: 90 }), { dryRun: false })).toMatchObject([{ items: 1 }])
    expect(await held(running)).toEqual(['old-mail', 'timeless'])
    clock.advance(6 * DAY_MS)
    await applyRetention(parts({ text: 90 }), { dryRun: false })
    expect(await held(running)).toEqual(['old-mail'])

    const viewer = { accountId, personId: '', role: 'owner' } as const
    await until(async () => (await service.activity.page(viewer, { kinds: ['retention'], limit: 9 })).length === 3)
    const [last] = await service.activity.page(viewer, { kinds: ['retention'], limit: 1 })
    expect(last).toMatchObject({ actor: { type: 'server' }, entry: { source: 'text', days: 90, items: 1 } })
  })

  test('is kept by one process, once a day, which goes on when another one died of it', async () => {
    const { clock, running, parts } = await serviceWithNotes()
    const { store } = running
    const task = { name: 'retention', holder: 'killed', leaseMs: 600_000, everyMs: DAY_MS }
    expect(await store.dailyTasks.claim(task)).toBe(true)
    expect(await store.dailyTasks.claim({ ...task, holder: 'other' })).toBe(false)
    clock.advance(600_001)
    await using stack = new AsyncDisposableStack()
    scheduleRetention(parts({ text: 90 }), stack)
    await until(async () => (await store.dailyTasks.lastDone('retention')) !== undefined)
    expect(await held(running)).toEqual(['new', 'old-mail', 'timeless'])
    expect(await store.dailyTasks.claim({ ...task, holder: 'other' })).toBe(false)
    clock.advance(DAY_MS)
    expect(await store.dailyTasks.claim({ ...task, holder: 'other' })).toBe(true)
    await store.dailyTasks.release('retention', 'other')
    expect(await store.dailyTasks.claim(task)).toBe(true)
  })

  test('stops between pages when it has to, and finishes the next time', async () => {
    const { running, parts } = await serviceWithNotes()
    let asked = 0
    const mayGoOn = async () => asked++ === 0
    await applyRetention(parts({ text: 90, email: 90 }), { dryRun: false, mayGoOn })
    expect(await held(running)).toEqual(['new', 'old-mail', 'timeless'])
    await applyRetention(parts({ text: 90, email: 90 }), { dryRun: false })
    expect(await held(running)).toEqual(['new', 'timeless'])
  })
})

test('an upload that replaced an old one is kept while it waits, and after', async () => {
  const clock = movableClock(Date.parse('2026-01-01T00:00:00Z'))
  const running = await startService({ clock, work: false })
  onTestFinished(() => running.stop())
  const { store, service, accountId } = running
  const scoped = store.scoped({ accountId, sources: 'all' })
  await scoped.putItem(sampleUpload('note', 'old'))
  const when = { start: clock(), precision: 'day' as const }
  await store.queue.complete(await claimOne(store), { ...sampleItem(['old']), when })
  clock.advance(91 * DAY_MS)
  await scoped.putItem(sampleUpload('note', 'new', { onConflict: 'replace' }))
  const config = { retention: { text: 90 } }
  const parts = { config, store, service, log: recordingLog().log, clock, connections: async () => [] }
  expect(await applyRetention(parts, { dryRun: true })).toMatchObject([{ items: 0 }])
  expect(await applyRetention(parts, { dryRun: false })).toMatchObject([{ items: 0 }])
  await store.queue.fail(await claimOne(store), { code: 'unreadable', message: 'It is damaged' })
  expect(await applyRetention(parts, { dryRun: false })).toMatchObject([{ items: 0 }])
  expect(await held(running)).toEqual(['note'])
})

describe('retention of what connectors bring', () => {
  const sync = syncService()
  const days = (count: number) => ({ retention: { text: count } })
  const at = (time: string) => ({ createdAt: new Date(time), updatedAt: new Date(time) })

  test('what is too old is left out with its reason, and counts as no failure', async () => {
    const fixture = await sync.fixture()
    fixture.script.changes = () => [
      itemChange('old', 'long ago', at('2024-01-01T00:00:00Z')),
      itemChange('new', 'today', at('2025-12-31T00:00:00Z')),
      checkpoint(1),
    ]
    expect(await fixture.sync({}, days(90))).toMatchObject({ outcome: 'ok', memorized: 1, unchanged: 1, failed: 0 })
    expect(await fixture.held()).toEqual({ new: 'today' })
    expect(await fixture.row('old')).toMatchObject({
      phase: 'skipped',
      error: expect.stringContaining('older than 90 days'),
    })
    expect(await fixture.sync({ full: true }, days(90))).toMatchObject({ outcome: 'ok', memorized: 0, unchanged: 2 })
    await fixture.ledger.retryItems(MAIN)
    expect(await fixture.sync({ full: true }, days(10_000))).toMatchObject({ memorized: 1 })
    expect(await fixture.held()).toEqual({ old: 'long ago', new: 'today' })
  })

  test('what was forgotten for its age does not come back, and the ledger says why', async () => {
    const clock = movableClock(Date.parse('2026-01-01T00:00:00Z'))
    const running = await startService({ clock })
    onTestFinished(() => running.stop())
    const { service, store, accountId, key } = running
    const memory = bindMemory(service, () => service.authenticate(key))
    const fixture = syncFixture({ memory, ledger: store.ledger(`account:${accountId}`), clock })
    fixture.script.changes = () => [itemChange('note', 'kept', at('2025-12-31T00:00:00Z')), checkpoint(1)]
    await fixture.sync({}, days(90))
    await running.ready('note')
    clock.advance(120 * DAY_MS)
    const connections = async () => []
    const parts = { config: days(90), store, service, log: recordingLog().log, clock, connections }
    expect(await applyRetention(parts, { dryRun: false })).toMatchObject([{ items: 1 }])
    expect(await fixture.held()).toEqual({})
    expect(await fixture.row('note')).toMatchObject({ phase: 'skipped', contentHash: undefined })
    expect(await fixture.sync({ full: true }, days(90))).toMatchObject({ outcome: 'ok', memorized: 0 })
    fixture.script.changes = () => [itemChange('note', 'changed', at('2026-01-02T00:00:00Z')), checkpoint(2)]
    expect(await fixture.sync({ full: true }, days(90))).toMatchObject({ outcome: 'ok', memorized: 0 })
    expect(await fixture.held()).toEqual({})
  })
})

describe('retention of one connection', () => {
  const at = (time: string) => ({ createdAt: new Date(time), updatedAt: new Date(time) })

  async function fixtureWith(retention_days: number, retention: RetentionDays) {
    const clock = movableClock(Date.parse('2026-01-01T00:00:00Z'))
    const running = await startService({ clock })
    onTestFinished(() => running.stop())
    const { service, store, accountId, key } = running
    const memory = bindMemory(service, () => service.authenticate(key))
    const script = { retentionDays: retention_days }
    const fixture = syncFixture({ memory, ledger: store.ledger(`account:${accountId}`), clock, script })
    const own = { connection: 'scripted/main', sourceTypes: ['text'] as const, days: retention_days }
    const parts = {
      config: { retention },
      store,
      service,
      log: recordingLog().log,
      clock,
      connections: async () => [own],
    }
    return { clock, running, fixture, parts, retention }
  }

  test('wins over that of its source, for what it brought and nothing else, until that is older too', async () => {
    const { clock, running, fixture, parts, retention } = await fixtureWith(365, { text: 90 })
    await running.upload(note('2025-12-31'), { itemId: 'uploaded' })
    fixture.script.changes = () => [itemChange('brought', 'kept longer', at('2025-12-31T00:00:00Z')), checkpoint(1)]
    await fixture.sync({}, { retention })
    await running.ready('brought')
    clock.advance(120 * DAY_MS)
    const [ofSource, ofConnection] = await applyRetention(parts, { dryRun: true })
    expect(ofSource).toMatchObject({ sourceType: 'text', days: 90, items: 1 })
    expect(ofConnection).toMatchObject({ connection: 'scripted/main', days: 365, items: 0 })
    await applyRetention(parts, { dryRun: false })
    expect(await held(running)).toEqual(['brought'])
    clock.advance(300 * DAY_MS)
    const after = await applyRetention(parts, { dryRun: false })
    expect(after).toMatchObject([{ items: 0 }, { connection: 'scripted/main', items: 1 }])
    expect(await held(running)).toEqual([])
    expect(await fixture.row('brought')).toMatchObject({
      phase: 'skipped',
      error: expect.stringContaining('how long what scripted/main brings is kept (retention_days'),
    })
    expect(await fixture.sync({ full: true }, { retention })).toMatchObject({ outcome: 'ok', memorized: 0 })
  })

  test('may be shorter, and is enough without one of the source; what is older is not brought at all', async () => {
    const { clock, running, fixture, parts } = await fixtureWith(30, {})
    await running.upload(note('2025-01-15'), { itemId: 'uploaded' })
    fixture.script.changes = () => [
      itemChange('old', 'long ago', at('2025-11-01T00:00:00Z')),
      itemChange('new', 'today', at('2025-12-31T00:00:00Z')),
      checkpoint(1),
    ]
    expect(await fixture.sync({}, { retention: { text: 10_000 } })).toMatchObject({ memorized: 1 })
    await running.ready('new')
    clock.advance(31 * DAY_MS)
    await using stack = new AsyncDisposableStack()
    scheduleRetention(parts, stack)
    await until(async () => (await running.store.dailyTasks.lastDone('retention')) !== undefined)
    expect(await held(running)).toEqual(['uploaded'])
  })

  test('is read from config.yaml, also where something else keeps the connection from running', async () => {
    const registry = { scripted: async () => scriptedConnection({}).connector }
    const read = (text: string) => connectionRetention(connectorSection(text, {}), registry)
    const config = (days: string) =>
      `connectors:\n  scripted:\n    - name: me\n    - {name: work, schedule: "\${NOT_SET}", retention_days: ${days}}\n`
    const sourceTypes = ['text']
    expect(await read(config('30'))).toEqual([{ connection: 'scripted/work', sourceTypes, days: 30 }])
    expect(await read('')).toEqual([])
    await expect(read(config('soon'))).rejects.toThrow('scripted/work: retention_days must be a number of days')
    await expect(read(config('0'))).rejects.toMatchObject({ location: 'config.yaml line 4' })
  })
})

describe('retention in config.yaml', () => {
  const load = (text: string) => {
    const home = temporaryFolder()
    const file = join(home, 'config.yaml')
    writeFileSync(file, text)
    return loadConfig({ home, file, env: {} }).retention
  }

  test('is a number of days by source type', () => {
    expect(load('retention:\n  slack: 730\n  browser: 90\n')).toEqual({ slack: 730, browser: 90 })
    expect(load('')).toEqual({})
  })

  test.each([
    ['retention: 90', 'line 1: retention must be a mapping'],
    ['retention:\n  slak: 90', 'line 2: retention: there is no source type slak. Did you mean slack?'],
    ['retention:\n  slack: soon', 'line 2: retention: slack must be a number of days from 1 to 36500'],
    ['retention:\n  slack: 0', 'line 2: retention: slack must be a number of days'],
  ])('with a mistake is refused: %s', (text, problem) => {
    expect(() => located(() => load(text))).toThrow(problem)
  })
})
