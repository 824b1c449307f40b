import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../lib/free-port.ts'
import { httpCall } from '../lib/http-call.ts'
import { type ServiceProcess, startRecalld } from '../lib/recalld-process.ts'
import { startService } from '../lib/start-service.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

const TEXT = 'Grace and I agreed to start the billing migration on 1 April.'

async function started(env: Record<string, string>): Promise<ServiceProcess> {
  const service = await startRecalld(env)
  onTestFinished(async () => void (await service.stop('SIGKILL')))
  return service
}

/** Of the first series of a metric whose labels hold these words. */
function numberOf(text: string, name: string, words = ''): number | undefined {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  const line = lines.find((one) => one.includes(words))
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1))
}

/** Of `/metrics` when it is asked for as of another host. */
async function statusUnderName(port: number): Promise<number | undefined> {
  const asked = get({ port, path: '/metrics', headers: { host: `worker:${port}` } })
  const [answer] = await once(asked, 'response')
  answer.resume()
  return answer.statusCode
}

test('a run of a connection is seen in the numbers of its connector, without its name', async () => {
  const home = temporaryFolder()
  const docs = join(temporaryFolder(), 'docs')
  mkdirSync(docs)
  writeFileSync(join(docs, 'harbour.md'), 'The harbour master keeps the spare anchor in the boathouse.\n')
  const connection = { name: 'harbour', paths: [docs], schedule: '* * * * * *' }
  writeFileSync(join(home, 'config.yaml'), `connectors: ${JSON.stringify({ technical_docs: [connection] })}\n`)
  const service = await started({ RECALLD_HOME: home, RECALLD_LOG_LEVEL: 'error' })
  let text = ''
  await until(async () => {
    text = (await httpCall(`${service.address}/metrics`)).text
    return (numberOf(text, 'recalld_sync_runs_total', 'outcome="ok"') ?? 0) > 0
  })
  expect(numberOf(text, 'recalld_sync_connections', 'technical_docs')).toBe(1)
  expect(numberOf(text, 'recalld_sync_attention', 'technical_docs')).toBe(0)
  expect(numberOf(text, 'recalld_sync_last_success_timestamp_seconds', 'technical_docs')).toBeGreaterThan(1e9)
  expect(numberOf(text, 'recalld_sync_run_seconds_count', 'technical_docs')).toBeGreaterThan(0)
  expect(text).not.toContain('harbour')
})

test('a process without the API tells health, readiness and numbers for everyone at a port of its own, and nothing else', async () => {
  const port = await freePort()
  const env = { RECALLD_HOME: temporaryFolder(), RECALLD_ROLES: 'worker,scheduler', RECALLD_METRICS_PORT: `${port}` }
  await started({ ...env, RECALLD_METRICS: 'everyone' })
  const at = (path: string) => httpCall(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
  await until(async () => (await at('/v1/ready'))?.status === 200)
  expect((await at('/v1/ready'))?.body.checks).toEqual({
    shutdown: 'ok',
    store: 'ok',
    disk: 'ok',
    worker: 'ok',
    scheduler: 'ok',
  })
  expect((await at('/v1/health'))?.body.status).toBe('healthy')
  expect((await at('/v1/live'))?.body).toEqual({ status: 'live' })
  expect(numberOf((await at('/metrics'))?.text ?? '', 'recalld_role', 'worker')).toBe(1)
  expect((await at('/v1/files/list?source_type=text'))?.status).toBe(404)
  expect(await statusUnderName(port)).toBe(200)
})

test('numbers that are for loopback are told under no other host name', async () => {
  const port = await freePort()
  const env = { RECALLD_HOME: temporaryFolder(), RECALLD_ROLES: 'worker', RECALLD_METRICS_PORT: `${port}` }
  await started({ ...env, RECALLD_METRICS: 'loopback' })
  expect(await statusUnderName(port)).toBe(403)
})

test('readiness names what fails, and numbers of the store are absent while it is away', async () => {
  await using service = await startService({ work: false, settings: { maxUploadsWaiting: 1 } })
  const ready = () => httpCall(`${service.baseUrl}/v1/ready`)
  expect((await ready()).body).toEqual({ status: 'ready', checks: { store: 'ok', disk: 'ok', queue: 'ok' } })
  await httpCall(`${service.baseUrl}/v1/memorize`, {
    method: 'POST',
    key: service.key,
    form: [
      ['file', new File([TEXT], 'note.txt')],
      ['user_name', 'Ada'],
    ],
  })
  await until(async () => (await ready()).status === 503)
  const full = await ready()
  expect(full.body).toMatchObject({ status: 'unready', checks: { store: 'ok' } })
  expect(full.body.detail).toBe('Not ready: too many uploads are waiting for processing.')
  expect(full.headers.get('retry-after')).toBe('5')

  await service.breakStore()
  await until(async () => String((await ready()).body.detail).includes("the database can't be read or written"))
  const { status, text } = await httpCall(`${service.baseUrl}/metrics`)
  expect(status).toBe(200)
  expect(numberOf(text, 'recalld_metrics_failures_total', '"service"')).toBe(1)
  expect(numberOf(text, 'recalld_accounts')).toBeUndefined()
})

describe('a service that logs all it can', () => {
  const parts = new AsyncDisposableStack()
  let service: ServiceProcess
  beforeAll(async () => {
    const home = temporaryFolder((remove) => parts.defer(remove))
    const env = { RECALLD_HOME: home, RECALLD_LOG_LEVEL: 'debug', RECALLD_LOG_FORMAT: 'json' }
    service = await startRecalld(env)
    parts.defer(async () => void (await service.stop('SIGKILL')))
  })
  afterAll(() => parts.disposeAsync())

  test('shows an upload, a recall and an ask in the numbers of every part', async () => {
    const key = /rk_[\w-]+/.exec(service.greeting)?.[0]
    const call = (path: string, form: readonly (readonly [string, string | File])[]) =>
      httpCall(`${service.address}${path}`, { method: 'POST', key, form })
    await call('/v1/memorize', [
      ['file', new File([TEXT], 'note.txt', { type: 'text/plain' })],
      ['user_name', 'Ada'],
    ])
    const numbers = async () => (await httpCall(`${service.address}/metrics`)).text
    await until(async () => numberOf(await numbers(), 'recalld_items_processed_total', '"stored"') === 1)
    await call('/v1/memories/recall', [['text', 'When does the billing migration start?']])
    await call('/v1/memories/ask', [['text', 'When does the billing migration start?']])

    const text = await numbers()
    for (const stage of ['parse', 'segment', 'extract', 'embed', 'index']) {
      expect(numberOf(text, 'recalld_pipeline_stage_seconds_count', `"${stage}"`)).toBe(1)
    }
    expect(numberOf(text, 'recalld_uploads_total', '"created"')).toBe(1)
    expect(numberOf(text, 'recalld_upload_bytes_total')).toBe(TEXT.length)
    expect(numberOf(text, 'recalld_worker_claims_total')).toBe(1)
    expect(numberOf(text, 'recalld_questions_total', 'kind="recall",outcome="found"')).toBe(1)
    expect(numberOf(text, 'recalld_questions_total', 'kind="ask",outcome="answered"')).toBe(1)
    expect(numberOf(text, 'recalld_question_candidates_count')).toBe(2)
    expect(numberOf(text, 'recalld_store_transaction_seconds_count', 'intent="putItem"')).toBe(1)
    expect(numberOf(text, 'recalld_items', '"settled"')).toBe(1)
    expect(numberOf(text, 'recalld_memories')).toBeGreaterThan(0)
    expect(numberOf(text, 'recalld_vectors_loaded')).toBeGreaterThan(0)
    expect(numberOf(text, 'recalld_home_free_bytes')).toBeGreaterThan(0)
    expect(numberOf(text, 'recalld_ready', '"worker"')).toBe(1)
    expect(numberOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(0)
    expect(text).not.toMatch(/acct_|key_[0-9a-f]|Ada|note\.txt/)
  })

  test('writes no secret and nothing of an upload into the log', async () => {
    const secret = 'Zm9vYmFyc2VjcmV0'
    const key = /rk_[\w-]+/.exec(service.greeting)?.[0] ?? ''
    const token = /welcome#([\w-]+)/.exec(service.greeting)?.[1] ?? ''
    const at = (path: string, call = {}) => httpCall(`${service.address}${path}`, call)
    const upload = (body: string, name: string, itemId: string) =>
      at('/v1/memorize', {
        method: 'POST',
        key,
        form: [
          ['file', new File([body], name)],
          ['user_name', 'Ada'],
          ['item_id', itemId],
        ],
      })
    await at('/v1/files/list?source_type=text', { key: `rk_${secret}` })
    await at('/mcp', { method: 'POST', headers: { authorization: `Bearer ${secret}` }, body: '{}' })
    await at(`/app/api/oidc/callback?code=${secret}&state=${secret}`)
    await at(`/v1/nothing?access_token=${secret}`)
    await upload(TEXT, 'note.txt', 'note')
    // What cannot be read is complained of in the log as well.
    await upload(`%PDF-1.4 ${secret} no such thing`, 'broken.pdf', 'broken')
    await upload(`{"mapping": [{"${secret}": }`, 'conversations.json', 'conversations')
    await at('/v1/memories/recall', { method: 'POST', key, form: [['text', `${secret} and the boathouse`]] })
    await until(async () => {
      const { body } = await at('/v1/files/list?source_type=text', { key })
      const files = Array.isArray(body.files) ? body.files : []
      return files.length > 0 && files.every(({ status }) => status === 'ready' || status === 'failed')
    })
    const { stderr } = await service.stop()
    expect(stderr).toContain('upload accepted')
    expect(stderr).toContain('item processed')
    for (const hidden of [secret, key, token, 'billing migration', 'boathouse', 'broken.pdf']) {
      expect(stderr).not.toContain(hidden)
    }
    for (const line of stderr
      .trim()
      .split('\n')
      .filter((one) => one.startsWith('{'))) {
      const { msg, ...fields } = JSON.parse(line)
      if (msg === 'upload accepted' || msg === 'recall answered') {
        expect(fields).toMatchObject({
          traceId: expect.any(String),
          accountId: expect.any(String),
          keyId: expect.any(String),
        })
      }
    }
  })
})
