import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ShownKey } from '../../src/http/app/schemas/keys.ts'
import type { Billing, UsageReport } from '../../src/http/app/schemas/usage.ts'
import { type AppVisit, appVisit, type SignedInVisitor } from '../lib/app-visit.ts'
import { httpCall } from '../lib/http-call.ts'

/** On the 20th by UTC, on the 21st in Tokyo. */
const NOW = new Date('2026-11-20T23:30:00Z')
const NOTE = 'Grace and I agreed to start the billing migration on 1 April 2026 in Lisbon.'

let visit: AppVisit
let other: SignedInVisitor
let now = NOW
beforeAll(async () => {
  visit = await appVisit({
    clock: () => now,
    // Counts stay in memory for as long as the tests run.
    settings: { usageFlushMs: 1_000_000, timeZone: 'Asia/Tokyo' },
    models: {
      paidModel: {
        id: 'openai:small',
        isPriced: true,
        budget: { dollarsPerDay: 1.5, dollarsPerMonth: 20, perSource: { slack: { tokensPerDay: 9_000 } } },
      },
    },
    door: ({ service }) => ({ keysService: service.keys }),
  })
  await visit.send('PUT', '/billing', { plan: 'self-hosted', status: 'active' })
  const account = await visit.service.accounts.create({ name: 'Babbage', userName: 'Charles' })
  other = await visit.personFor({ role: 'owner', accountId: account.accountId })
})
afterAll(() => visit?.[Symbol.asyncDispose]())

const usage = (days = 30) => visit.get<UsageReport>('/usage', { days })
const post = (path: string, key: string, fields: readonly (readonly [string, string])[]) =>
  httpCall(`${visit.baseUrl}${path}`, { method: 'POST', key, form: fields })

describe('use by day', () => {
  let agent: ShownKey
  beforeAll(async () => {
    agent = await visit.send<ShownKey>('POST', '/keys', { name: 'agent', sources: 'all' })
    now = new Date('2026-11-19T10:00:00Z')
    await visit.running.upload(NOTE, { itemId: 'note' })
    await post('/v1/memories/recall', agent.value, [['text', 'billing migration']])
    now = NOW
    for (const text of ['When does it start?', 'Where?', 'Who agreed?'])
      await post('/v1/memories/recall', agent.value, [['text', text]])
    await post('/v1/memories/ask', visit.running.key, [['text', 'When does the billing migration start?']])
    // Refused, and so not counted.
    await post('/v1/memories/recall', agent.value, [['text', '']])
  })

  test('tells what was done through /v1, by day, key and metric, before it is written', async () => {
    const { days, keys, counts } = await usage(3)
    expect(days).toEqual(['2026-11-18', '2026-11-19', '2026-11-20'])
    const names = new Map(keys.map(({ id, name }) => [id, name]))
    const told = counts.map(({ day, key_id, metric, count }) => `${day} ${names.get(key_id)}: ${count} ${metric}`)
    expect(told.toSorted()).toEqual([
      '2026-11-19 agent: 1 recall',
      '2026-11-19 default: 1 upload',
      `2026-11-19 default: ${Buffer.byteLength(NOTE)} upload_bytes`,
      '2026-11-20 agent: 3 recall',
      '2026-11-20 default: 1 ask',
    ])
    expect(keys.every(({ kind }) => kind === 'key')).toBe(true)
  })

  test('leaves out what is before the range', async () => {
    const { days, counts } = await usage(1)
    expect(days).toEqual(['2026-11-20'])
    expect(new Set(counts.map(({ day }) => day))).toEqual(new Set(days))
  })

  test('says which keys are deleted, and what the web app did', async () => {
    const gone = await visit.send<ShownKey>('POST', '/keys', { name: 'gone', sources: 'all' })
    await post('/v1/memories/recall', gone.value, [['text', 'anything']])
    await visit.send('DELETE', `/keys/${gone.id}`)
    const day = '2026-11-20'
    await visit.store.admin.addUsage([{ accountId: visit.accountId, keyId: 'app', day, metric: 'ask', count: 2 }])
    const { keys, counts } = await usage()
    expect(keys.find(({ id }) => id === gone.id)).toEqual({ id: gone.id, name: 'Deleted key', kind: 'deleted' })
    expect(keys.find(({ id }) => id === 'app')).toEqual({ id: 'app', name: 'Web app', kind: 'app' })
    expect(counts).toContainEqual({ day, key_id: 'app', metric: 'ask', count: 2 })
  })

  test('is that of the own account only', async () => {
    expect(await other.get<UsageReport>('/usage')).toMatchObject({ keys: [], counts: [], spending: { uses: [] } })
  })

  test('refuses ranges that make no sense, by name', async () => {
    for (const days of ['0', '367', 'many', '1.5']) {
      const answer = await visit.call('/usage', { query: { days } })
      expect([days, answer.status, answer.body.detail]).toEqual([days, 400, expect.stringContaining('days')])
    }
  })
})

describe('spending', () => {
  beforeAll(async () => {
    const call = { model: 'openai:small', calls: 1, inputTokens: 1_000, outputTokens: 100, microDollars: 250_000 }
    const spend = (day: string, sourceType: 'ask' | 'slack', accountId = visit.accountId) =>
      visit.store.refinements.storeSpending(accountId, { ...call, day, sourceType })
    await spend('2026-11-21', 'ask')
    await spend('2026-11-21', 'ask')
    await spend('2026-11-20', 'slack')
    await spend('2026-10-01', 'slack')
  })

  test('is told by day in the time zone of the account, by what it was for', async () => {
    const { spending } = await usage(2)
    expect(spending).toMatchObject({ days: ['2026-11-20', '2026-11-21'], time_zone: 'Asia/Tokyo' })
    const slack = {
      day: '2026-11-20',
      source: 'slack',
      calls: 1,
      input_tokens: 1_000,
      output_tokens: 100,
      dollars: 0.25,
    }
    const asked = { day: '2026-11-21', source: 'ask', calls: 2, input_tokens: 2_000, output_tokens: 200, dollars: 0.5 }
    expect(spending.uses).toEqual([slack, asked])
  })

  test('comes with the model that is used and its budget', async () => {
    const { spending } = await usage()
    expect(spending.model).toEqual({
      id: 'openai:small',
      is_priced: true,
      budget: {
        dollars_per_day: 1.5,
        tokens_per_day: null,
        dollars_per_month: 20,
        per_source: { slack: { dollars_per_day: null, tokens_per_day: 9_000 } },
      },
    })
  })
})

describe('the plan', () => {
  const billing = () => visit.get<Billing>('/billing')

  test('is told with what is used of it, and with the plans there are', async () => {
    await visit.send('PUT', '/billing', { plan: 'starter' })
    const { plan, status, used, allowed, plans } = await billing()
    expect({ plan, status }).toEqual({ plan: 'starter', status: 'active' })
    expect(used).toMatchObject({ items: 1, storage_bytes: Buffer.byteLength(NOTE), uploads_per_month: 1 })
    expect(allowed).toMatchObject({ items: 10_000, asks_per_month: 2_000 })
    expect(plans.map(({ name }) => name)).toEqual(['self-hosted', 'starter'])
    expect(Object.values(plans[0]?.quotas ?? {}).every((quota) => quota === null)).toBe(true)
  })

  test('past due refuses everything, until the owner says that it is settled', async () => {
    const recall = async () => (await post('/v1/memories/recall', visit.running.key, [['text', 'anything']])).status
    await visit.send('PUT', '/billing', { status: 'past_due' })
    expect(await recall()).toBe(402)
    const { status } = await visit.send<Billing>('PUT', '/billing', { status: 'active' })
    expect(status).toBe('active')
    expect(await recall()).toBe(200)
  })

  test('refuses a plan that there is not, and a change of nothing', async () => {
    const before = await billing()
    const unknown = await visit.call('/billing', { method: 'PUT', body: { plan: 'gold' } })
    expect([unknown.status, unknown.body.detail]).toEqual([400, expect.stringContaining('Choose one of:')])
    expect((await visit.call('/billing', { method: 'PUT', body: {} })).status).toBe(422)
    expect(await billing()).toEqual(before)
  })
})
