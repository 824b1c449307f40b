import { describe, expect, test } from 'vitest'
import { noteSyncRun } from '../../src/connections/run-activity.ts'
import type { ActivityActors, ActivityPage } from '../../src/http/app/schemas/activity.ts'
import type { RunReport } from '../../src/sync/run-report.ts'
import { type AppVisit, appVisit, type Visitor } from '../lib/app-visit.ts'
import { httpCall } from '../lib/http-call.ts'
import { until } from '../lib/until.ts'

const page = (who: Visitor, query: Readonly<Record<string, string | number>> = {}) =>
  who.get<ActivityPage>('/activity', query)

/** Resolves when so many entries of these kinds are written. */
async function written(who: Visitor, kinds: string, count: number): Promise<ActivityPage['entries']> {
  await until(async () => (await page(who, { kinds })).entries.length >= count)
  return (await page(who, { kinds })).entries
}

async function recall(app: AppVisit, text: string, key = app.running.key): Promise<void> {
  const call = { method: 'POST', key, form: [['text', text]] as const }
  expect((await httpCall(`${app.baseUrl}/v1/memories/recall`, call)).status).toBe(200)
}

const report = (more: Partial<RunReport>): RunReport => ({
  connector: 'slack',
  name: 'acme',
  account: 'Acme',
  partitions: 1,
  items: 0,
  memorized: 0,
  unchanged: 0,
  removed: 0,
  failed: 0,
  settling: 0,
  requests: 1,
  waited_ms: 0,
  duration_ms: 5,
  outcome: 'ok',
  failures: [],
  warnings: [],
  ...more,
})

describe('the activity of an account', () => {
  test('tells what agents did by their key, and what people did in the app by their name', async () => {
    await using app = await appVisit()
    await recall(app, 'deployment of the shop')
    await app.send('PUT', '/billing', { plan: 'self-hosted', status: 'active' })
    const created = await app.send<{ id: string }>('POST', '/keys', { name: 'laptop', sources: 'all' })
    await app.send('DELETE', `/keys/${created.id}`)
    expect((await page(app, { kinds: 'key_deleted' })).entries).toHaveLength(1)
    const entries = await written(app, 'recall,billing,key_created,key_deleted', 4)
    const ada = { type: 'person', id: app.personId, name: 'ada@example.com' }
    expect(entries.map(({ actor, entry }) => ({ actor, entry }))).toEqual([
      { actor: ada, entry: { kind: 'key_deleted', key_id: created.id, name: 'laptop' } },
      { actor: ada, entry: { kind: 'key_created', key_id: created.id, name: 'laptop' } },
      { actor: ada, entry: { kind: 'billing', plan: 'self-hosted', status: 'active' } },
      {
        actor: { type: 'key', id: expect.any(String), name: 'default' },
        entry: { kind: 'recall', text: 'deployment of the shop', results: 0 },
      },
    ])
    const { actors } = await app.get<ActivityActors>('/activity/actors')
    expect(actors).toContainEqual(ada)
    const byPeople = await page(app, { actor: `person:${app.personId}`, kinds: 'billing,recall' })
    expect(byPeople.entries.map(({ entry }) => entry.kind)).toEqual(['billing'])
  })

  test('comes in pages that neither repeat nor lose anything, while more happens', async () => {
    await using app = await appVisit()
    for (let n = 1; n <= 7; n++) await recall(app, `question ${n}`)
    await written(app, 'recall', 7)
    const seen: unknown[] = []
    let next: number | null = Number.MAX_SAFE_INTEGER
    while (next !== null) {
      const one: ActivityPage = await page(app, { kinds: 'recall', limit: 3, before: next })
      seen.push(...one.entries.map(({ entry }) => 'text' in entry && entry.text))
      next = one.next
      await recall(app, 'one more')
    }
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1].map((n) => `question ${n}`))
  })

  test('shows members that others asked, not what', async () => {
    await using app = await appVisit()
    await recall(app, 'what only the owner may read')
    await written(app, 'recall', 1)
    const member = await app.personFor({ role: 'member' })
    const { entries } = await page(member, { kinds: 'recall' })
    expect(entries).toMatchObject([{ entry: { kind: 'recall', text: null, results: 0 } }])
    const stranger = app.visitor()
    expect((await stranger.call('/activity')).status).toBe(401)
  })

  test('tells whoever looks, by the event stream', async () => {
    await using app = await appVisit()
    const told: string[] = []
    app.live.subscribe(app.accountId, ({ type }) => told.push(type))
    await recall(app, 'x')
    await until(async () => told.includes('activity'))
  })

  test('tells runs of connections that did something, and not those that found nothing new', async () => {
    await using app = await appVisit()
    noteSyncRun(app.service, app.accountId, report({ unchanged: 9 }))
    noteSyncRun(app.service, app.accountId, report({ memorized: 4, failed: 1, outcome: 'partial' }))
    noteSyncRun(app.service, app.accountId, report({ outcome: 'attention' }))
    const entries = await written(app, 'sync', 2)
    expect(entries.map(({ entry }) => entry)).toEqual([
      { kind: 'sync', connection: 'slack/acme', outcome: 'attention', memorized: 0, removed: 0, failed: 0 },
      { kind: 'sync', connection: 'slack/acme', outcome: 'partial', memorized: 4, removed: 0, failed: 1 },
    ])
  })

  test('refuses what it does not know, naming the field', async () => {
    await using app = await appVisit()
    for (const [field, value] of Object.entries({
      kinds: 'recall,gossip',
      actor: 'ghost',
      before: '0',
      limit: '1000',
    })) {
      const answer = await app.call('/activity', { query: { [field]: value } })
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(field)])
    }
  })
})
