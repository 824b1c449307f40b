import { afterEach, describe, expect, test } from 'vitest'
import { parsePlans } from '../../src/service/plans.ts'
import { httpCall } from '../lib/http-call.ts'
import { type RunningService, type StartOptions, startService } from '../lib/start-service.ts'

const started: RunningService[] = []
afterEach(async () => {
  for (const running of started.splice(0)) await running.stop()
})

async function start(options: StartOptions): Promise<RunningService> {
  const running = await startService({ work: false, ...options })
  started.push(running)
  return running
}

const list = (running: RunningService, key?: string) =>
  httpCall(`${running.baseUrl}/v1/files/list?source_type=text`, { key })
const post = (running: RunningService, path: string, form: [string, string | File][], key = running.key) =>
  httpCall(`${running.baseUrl}${path}`, { method: 'POST', key, form })
const memorize = (running: RunningService, fields: Record<string, string> = {}, text = 'I wait.') =>
  post(running, '/v1/memorize', [
    ['file', new File([text], 'note.txt')],
    ['user_name', 'Ada'],
    ...Object.entries(fields),
  ])

describe('the request rate', () => {
  test('beyond the rate of an account: 429 with Retry-After, and health still answers', async () => {
    const running = await start({ server: { rateLimitPerMinute: 5 } })
    for (let i = 0; i < 5; i++) expect((await list(running, running.key)).status).toBe(200)
    const answer = await list(running, running.key)
    expect(answer.status).toBe(429)
    expect(answer.body.detail).toMatch(/rate limit exceeded/i)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0')
    for (let i = 0; i < 10; i++) expect((await httpCall(`${running.baseUrl}/v1/health`)).status).toBe(200)
  })

  test('all keys of an account share its rate, another account has its own', async () => {
    const running = await start({ server: { rateLimitPerMinute: 3 } })
    const second = await running.keyFor(['github'])
    const other = await running.service.accounts.create({ name: 'Bob', userName: 'Bob' })
    for (let i = 0; i < 3; i++) await list(running, running.key)
    expect((await list(running, second)).status).toBe(429)
    expect((await list(running, other.key)).status).toBe(200)
  })

  test('guessing keys is limited by address, and does not use up the rate of an account', async () => {
    const running = await start({ server: { rateLimitPerMinute: 3 } })
    for (let i = 0; i < 3; i++) expect((await list(running, 'rk_guess')).status).toBe(401)
    expect((await list(running, 'rk_guess')).status).toBe(429)
    expect((await list(running)).status).toBe(429)
    expect((await list(running, running.key)).status).toBe(200)
  })

  test('429 comes before every other check', async () => {
    const running = await start({ server: { rateLimitPerMinute: 1 } })
    await running.service.billing.set({ status: 'past_due' })
    expect((await list(running, running.key)).status).toBe(402)
    expect((await list(running, running.key)).status).toBe(429)
  })
})

describe('application limits', () => {
  test('more uploads waiting than an account may have: 429 with detail RATE_LIMIT_EXCEEDED', async () => {
    const running = await start({ settings: { maxUploadsWaitingPerAccount: 2 } })
    expect((await memorize(running)).status).toBe(200)
    expect((await memorize(running)).status).toBe(200)
    const answer = await memorize(running)
    expect(answer.status).toBe(429)
    expect(answer.body).toEqual({ detail: 'RATE_LIMIT_EXCEEDED' })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('more uploads waiting than the service takes: 503 with Retry-After', async () => {
    const running = await start({ settings: { maxUploadsWaiting: 1, maxUploadsWaitingPerAccount: 1 } })
    expect((await memorize(running)).status).toBe(200)
    const answer = await memorize(running)
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('room that becomes free is noticed', async () => {
    const running = await start({ settings: { maxUploadsWaitingPerAccount: 1 } })
    await memorize(running, { item_id: 'one' })
    expect((await memorize(running)).status).toBe(429)
    await httpCall(`${running.baseUrl}/v1/files/text/one`, { method: 'DELETE', key: running.key })
    await expect.poll(async () => (await memorize(running)).status).toBe(200)
  })

  test('more questions at a time than an account may ask: 429 with detail RATE_LIMIT_EXCEEDED', async () => {
    const running = await start({ settings: { maxConcurrentAsks: 1 } })
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => post(running, '/v1/memories/ask', [['text', 'What happened?']])),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    for (const { status, body } of refused) expect([status, body.detail]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect((await post(running, '/v1/memories/ask', [['text', 'And now?']])).status).toBe(200)
  })

  test('more questions at once than the service can answer: some are answered, the others told to come again', async () => {
    const { service, key } = await start({ settings: { maxConcurrentSearches: 1 } })
    const principal = await service.authenticate(key)
    const ask = () => service.recall(principal, { text: 'What happened?' })
    const answers = await Promise.allSettled(Array.from({ length: 3_000 }, ask))
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(answers.length)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 })
    expect((await ask()).memories).toEqual([])
  })
})

describe('quotas of a plan', () => {
  const plans = parsePlans(`
default: small
plans:
  small: {title: Small, quotas: {items: 2, storage_bytes: 20, uploads_per_month: 3, recalls_per_month: 2, asks_per_month: 1}}
  self-hosted: {title: Unlimited, quotas: {}}
`)

  test('recalls: 402 naming the quota and the remedy, when they are used up', async () => {
    const running = await start({ plans })
    const recall = () => post(running, '/v1/memories/recall', [['text', 'x']])
    for (let i = 0; i < 2; i++) expect((await recall()).status).toBe(200)
    const answer = await recall()
    expect(answer.status).toBe(402)
    expect(answer.body.detail).toMatch(/recalls_per_month.*change the plan/)
    expect((await list(running, running.key)).status).toBe(200)
    await running.service.billing.set({ plan: 'self-hosted' })
    expect((await recall()).status).toBe(200)
  })

  test('a recall that is refused for its input does not count', async () => {
    const running = await start({ plans })
    for (let i = 0; i < 5; i++) expect((await post(running, '/v1/memories/recall', [['text', ' ']])).status).toBe(400)
    expect((await post(running, '/v1/memories/recall', [['text', 'x']])).status).toBe(200)
  })

  test('requests that come together do not pass the quota together', async () => {
    const running = await start({ plans })
    const recalls = await Promise.all(
      Array.from({ length: 10 }, () => post(running, '/v1/memories/recall', [['text', 'x']])),
    )
    expect(recalls.filter(({ status }) => status === 200)).toHaveLength(2)
    const uploads = await Promise.all(Array.from({ length: 10 }, () => memorize(running)))
    expect(uploads.filter(({ status }) => status === 200)).toHaveLength(2)
  })

  test('questions', async () => {
    const running = await start({ plans })
    expect((await post(running, '/v1/memories/ask', [['text', 'x']])).status).toBe(200)
    expect((await post(running, '/v1/memories/ask', [['text', 'x']])).body.detail).toMatch(/asks_per_month/)
  })

  test('items held: room comes back with a deletion', async () => {
    const running = await start({ plans })
    await memorize(running, { item_id: 'a' })
    await memorize(running, { item_id: 'b' })
    expect((await memorize(running)).body.detail).toMatch(/quota items/)
    expect((await memorize(running, { item_id: 'b', on_conflict: 'replace' }, 'I changed.')).status).toBe(200)
    await httpCall(`${running.baseUrl}/v1/files/text/a`, { method: 'DELETE', key: running.key })
    expect((await memorize(running)).body.detail).toMatch(/uploads_per_month/)
  })

  test('bytes held', async () => {
    const running = await start({ plans })
    expect((await memorize(running, {}, 'x'.repeat(21))).body.detail).toMatch(/storage_bytes/)
    expect((await memorize(running, {}, 'x'.repeat(20))).status).toBe(200)
  })

  test('what was used is remembered over a restart of the count in memory', async () => {
    const running = await start({ plans })
    await post(running, '/v1/memories/recall', [['text', 'x']])
    await expect
      .poll(async () => (await running.store.admin.usage(running.accountId, '2000-01-01')).get('recall'))
      .toBe(1)
    expect((await running.service.billing.show()).usage.recalls_per_month).toEqual({ used: 1, allowed: 2 })
  })
})

describe('the store', () => {
  test('when it cannot be read and written, everything is 503 with Retry-After', async () => {
    const running = await start({})
    await running.breakStore()
    for (const answer of [await httpCall(`${running.baseUrl}/v1/health`), await list(running, running.key)]) {
      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toBeTruthy()
      expect(answer.body).toEqual({ detail: expect.any(String) })
    }
  })
})
