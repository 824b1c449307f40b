import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Activity, type ActivityOptions, type ActivityViewer } from '../../../src/service/activity.ts'
import { createLiveEvents } from '../../../src/service/live-events.ts'
import type { Principal } from '../../../src/service/principal.ts'
import type { NewActivity } from '../../../src/store/activity/activity.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { movableClock } from '../../contract/store-contract.ts'
import { sampleAccount } from '../../contract/store-samples.ts'
import { httpCall } from '../../lib/http-call.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { startService } from '../../lib/start-service.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'
import { until } from '../../lib/until.ts'

const DAY_MS = 86_400_000
const OWNER: ActivityViewer = { accountId: 'a', personId: 'person_1', role: 'owner' }
const laptop = { type: 'key', id: 'key_1', name: 'laptop' } as const
const principal = (more: Partial<Principal> = {}): Principal => ({
  scope: { accountId: 'a', sources: 'all' },
  accountId: 'a',
  userId: 'user_a',
  keyId: 'key_1',
  keyName: 'laptop',
  timeZone: 'UTC',
  plan: 'free',
  billingStatus: 'none',
  ...more,
})

async function open(options: Partial<ActivityOptions> = {}, wrap: (store: Store) => Store = (store) => store) {
  const clock = movableClock()
  const { log, lines } = recordingLog()
  const store = await openSqliteStore({ file: join(temporaryFolder(), 'recalld.db'), log, clock })
  onTestFinished(() => store.close())
  await store.admin.createAccount(sampleAccount('a'))
  const redact = (text: string) => text.replaceAll('hunter2', '[redacted password]')
  const activity = new Activity({
    store: wrap(store),
    clock,
    log,
    redact,
    days: 90,
    administrationDays: 365,
    flushMs: 3_600_000,
    ...options,
  })
  const entries = async (viewer = OWNER) =>
    (await activity.page(viewer, { limit: 100 })).map(({ actor, entry }) => ({ actor, entry }))
  return { activity, clock, store, lines, entries }
}

describe('activity', () => {
  test('is written together, and told to whoever looks', async () => {
    const live = createLiveEvents()
    const told: string[] = []
    live.subscribe('a', ({ type }) => told.push(type))
    live.subscribe('b', ({ type }) => told.push(`b ${type}`))
    const { activity, entries } = await open({ live })
    activity.note('a', laptop, { kind: 'recall', text: 'apples', results: 2 })
    activity.note('a', { type: 'server' }, { kind: 'backup' })
    expect(await entries()).toEqual([])
    await activity.flush()
    expect((await entries()).map(({ entry }) => entry.kind)).toEqual(['backup', 'recall'])
    expect(told).toEqual(['activity'])
    await activity.flush()
    expect(told).toEqual(['activity'])
  })

  test('has one entry of a text that a person searches for and then has answered', async () => {
    const { activity, clock, entries } = await open()
    const ada = principal({ person: { id: 'person_1', name: 'Ada' } })
    const bob = principal({ person: { id: 'person_2', name: 'Bob' } })
    const search = (who: Principal, text: string) => activity.noteOf(who, { kind: 'recall', text, results: 1 })
    const ask = (who: Principal, text: string) => activity.noteOf(who, { kind: 'ask', text, abstained: false })
    const noted = async () => {
      await activity.flush()
      return (await entries())
        .map(({ entry }) => ('text' in entry ? `${entry.kind} ${entry.text}` : entry.kind))
        .reverse()
    }
    search(ada, 'lamps')
    ask(ada, 'lamps')
    expect(await noted()).toEqual(['recall lamps'])
    // Again, by somebody else, of another text, much later, and by an agent.
    ask(ada, 'lamps')
    search(ada, 'doors')
    ask(bob, 'doors')
    ask(ada, 'gates')
    search(ada, 'bells')
    clock.advance(30 * 60_000)
    ask(ada, 'bells')
    search(principal(), 'vans')
    ask(principal(), 'vans')
    const further = ['ask lamps', 'recall doors', 'ask doors', 'ask gates', 'recall bells', 'ask bells']
    expect(await noted()).toEqual(['recall lamps', ...further, 'recall vans', 'ask vans'])
  })

  test('holds questions without their secrets and cut to 300 characters', async () => {
    const { activity, entries } = await open()
    activity.note('a', laptop, { kind: 'ask', text: 'is hunter2 my password?', abstained: true })
    activity.note('a', laptop, { kind: 'recall', text: `${'🍎'.repeat(299)} hunter2`, results: 0 })
    await activity.close()
    const [recall, ask] = (await entries()).map(({ entry }) => ('text' in entry ? entry.text : undefined))
    expect(ask).toBe('is [redacted password] my password?')
    expect([...(recall ?? '')]).toHaveLength(300)
    expect(recall).toBe(`${'🍎'.repeat(299)}…`)
  })

  test('counts uploads of one key to one source together', async () => {
    const { activity, entries } = await open()
    for (let n = 0; n < 40; n++) activity.noteOf(principal(), { kind: 'upload', source: 'text', count: 1 })
    activity.noteOf(principal(), { kind: 'upload', source: 'email', count: 1 })
    activity.noteOf(principal({ keyId: 'key_2', keyName: 'phone' }), { kind: 'upload', source: 'text', count: 1 })
    activity.noteOf(principal(), { kind: 'upload', source: 'text', count: 1 })
    await activity.flush()
    activity.noteOf(principal(), { kind: 'upload', source: 'text', count: 1 })
    await activity.flush()
    expect((await entries()).map(({ actor, entry }) => [actor.type === 'key' && actor.name, entry])).toEqual([
      ['laptop', { kind: 'upload', source: 'text', count: 1 }],
      ['laptop', { kind: 'upload', source: 'text', count: 41 }],
      ['phone', { kind: 'upload', source: 'text', count: 1 }],
      ['laptop', { kind: 'upload', source: 'email', count: 1 }],
    ])
  })

  test('tells people from keys, and leaves out what connectors call', async () => {
    const { activity, entries } = await open()
    activity.noteOf(principal({ isConnector: true }), { kind: 'upload', source: 'slack', count: 1 })
    activity.noteOf(principal({ keyId: 'app', person: { id: 'person_1', name: 'Ada' } }), { kind: 'signed_in' })
    await activity.flush()
    expect(await entries()).toEqual([
      { actor: { type: 'person', id: 'person_1', name: 'Ada' }, entry: { kind: 'signed_in' } },
    ])
  })

  test('shows members that others asked, and what only to owners', async () => {
    const { activity, entries } = await open()
    const ada = { type: 'person', id: 'person_1', name: 'Ada' } as const
    activity.note('a', laptop, { kind: 'recall', text: 'of an agent', results: 1 })
    activity.note('a', ada, { kind: 'ask', text: 'of Ada', abstained: false })
    activity.note('a', ada, { kind: 'forget', source: 'text', item_id: 'note', memories: 2 })
    await activity.flush()
    const seenBy = async (viewer: ActivityViewer) =>
      (await entries(viewer)).map(({ entry }) => ('text' in entry ? entry.text : entry.kind))
    expect(await seenBy(OWNER)).toEqual(['forget', 'of Ada', 'of an agent'])
    expect(await seenBy({ accountId: 'a', personId: 'person_2', role: 'member' })).toEqual(['forget', null, null])
    expect(await seenBy({ accountId: 'a', personId: 'person_1', role: 'member' })).toEqual(['forget', 'of Ada', null])
  })

  test('is tried again when it could not be written', async () => {
    let fails = true
    const { activity, entries } = await open({}, (store) => ({
      ...store,
      activity: {
        ...store.activity,
        add: async (noted: readonly NewActivity[]) => {
          if (fails) throw new Error('the disk is full')
          return store.activity.add(noted)
        },
      },
    }))
    activity.note('a', laptop, { kind: 'recall', text: 'first', results: 0 })
    await expect(activity.flush()).rejects.toThrow('the disk is full')
    activity.note('a', laptop, { kind: 'recall', text: 'second', results: 0 })
    fails = false
    await activity.flush()
    expect((await entries()).map(({ entry }) => 'text' in entry && entry.text)).toEqual(['second', 'first'])
  })

  test('of administration is written for whoever answers; of every day it waits', async () => {
    const { activity, entries } = await open()
    activity.note('a', laptop, { kind: 'recall', text: 'first', results: 0 })
    await activity.recorded()
    expect(await entries()).toEqual([])
    activity.note('a', laptop, { kind: 'signed_out_everywhere' })
    await activity.recorded()
    expect((await entries()).map(({ entry }) => entry.kind)).toEqual(['signed_out_everywhere', 'recall'])
  })

  test('of every day is lost first when too much waits', async () => {
    const written: NewActivity[] = []
    const { activity } = await open({}, (store) => ({
      ...store,
      activity: { ...store.activity, add: async (noted) => void written.push(...noted) },
    }))
    activity.note('a', laptop, { kind: 'signed_out_everywhere' })
    for (let asked = 0; asked < 10_005; asked++) {
      activity.note('a', laptop, { kind: 'recall', text: String(asked), results: 0 })
    }
    await activity.flush()
    expect(written).toHaveLength(10_000)
    expect(written.slice(0, 2).map(({ entry }) => entry)).toEqual([
      { kind: 'signed_out_everywhere' },
      { kind: 'recall', text: '6', results: 0 },
    ])
  })

  test('goes after its days', async () => {
    const { activity, clock, entries } = await open({ flushMs: 5, days: 2 })
    activity.note('a', laptop, { kind: 'recall', text: 'old', results: 0 })
    await until(async () => (await entries()).length === 1)
    clock.advance(3 * DAY_MS)
    await until(async () => (await entries()).length === 0)
    await activity.close()
  })

  test('is pruned once at a time, and again after a failure', async () => {
    const prunings: PromiseWithResolvers<void>[] = []
    const { activity, clock, entries } = await open({ flushMs: 5 }, (store) => ({
      ...store,
      activity: {
        ...store.activity,
        prune: () => {
          prunings.push(Promise.withResolvers())
          return prunings.at(-1)?.promise ?? Promise.resolve()
        },
      },
    }))
    await until(async () => prunings.length === 1)
    clock.advance(1_000)
    activity.note('a', laptop, { kind: 'recall', text: 'meanwhile', results: 0 })
    await until(async () => (await entries()).length === 1)
    activity.note('a', laptop, { kind: 'recall', text: 'still', results: 0 })
    await until(async () => (await entries()).length === 2)
    expect(prunings).toHaveLength(1)
    prunings[0]?.reject(new Error('the database is away'))
    await until(async () => prunings.length === 2)
    prunings[1]?.resolve()
    await activity.close()
  })

  test('with 0 days holds no questions, and erases those that are there', async () => {
    const { activity, store, entries } = await open({ flushMs: 5, days: 0 })
    await store.activity.add([
      { accountId: 'a', at: new Date('2025-12-31'), actor: laptop, entry: { kind: 'ask', text: 'q', abstained: true } },
    ])
    activity.note('a', laptop, { kind: 'recall', text: 'private', results: 0 })
    activity.note('a', laptop, { kind: 'forget', source: 'text', item_id: 'note', memories: 1 })
    await until(async () => {
      const kinds = (await entries()).map(({ entry }) => entry.kind)
      return kinds.join() === 'forget'
    })
    await activity.close()
  })
})

test('what is done over REST is noted with the key that did it', async () => {
  await using running = await startService()
  const { baseUrl, key, service, accountId } = running
  await running.upload('The deployment of the shop is on Friday.', { itemId: 'shop' })
  const post = (path: string, form: Readonly<Record<string, string>>) =>
    httpCall(`${baseUrl}${path}`, { method: 'POST', key, form: Object.entries(form) })
  await post('/v1/memories/recall', { text: 'deployment of the shop', source: 'text' })
  await post('/v1/memories/ask', { text: 'When is the deployment of the shop?' })
  await httpCall(`${baseUrl}/v1/files/text/shop`, { method: 'DELETE', key })
  const viewer = { accountId, personId: 'nobody', role: 'owner' } as const
  const page = () => service.activity.page(viewer, { actor: { type: 'key' }, limit: 10 })
  await until(async () => (await page()).length === 4)
  const rows = await page()
  expect(rows.every(({ actor }) => 'name' in actor && actor.name === 'default')).toBe(true)
  expect(rows.map(({ entry }) => entry)).toMatchObject([
    { kind: 'forget', source: 'text', item_id: 'shop', memories: expect.any(Number) },
    { kind: 'ask', text: 'When is the deployment of the shop?', abstained: expect.any(Boolean) },
    { kind: 'recall', text: 'deployment of the shop', results: expect.any(Number), source: 'text' },
    { kind: 'upload', source: 'text', count: 1 },
  ])
})
