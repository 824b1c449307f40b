import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallOptions } from '../../src/domain/memory.ts'
import type { Service } from '../../src/service/service.ts'
import { type Answer, httpCall, rawCall } from '../lib/http-call.ts'
import { httpHost, MCP_HOSTS } from '../lib/mcp-host.ts'
import { mcpHeaders, mcpMessages, mcpRequest } from '../lib/mcp-message.ts'
import { startMcpService } from '../lib/mcp-service.ts'
import { readRecalled } from '../lib/recalled-text.ts'
import { recordingLog } from '../lib/recording-log.ts'
import type { RunningService } from '../lib/start-service.ts'
import { until } from '../lib/until.ts'

let service: RunningService
beforeAll(async () => {
  service = await startMcpService()
  await service.upload('The billing migration starts on 1 April 2026.', { itemId: 'billing' })
  await service.upload('The checkout test is flaky: it does not wait for the webhook.', {
    source: 'github',
    itemId: 'checkout',
  })
})
afterAll(() => service.stop())

const LIST = mcpRequest('tools/list')
const RECALL = mcpRequest('tools/call', { name: 'recall', arguments: { query: 'billing' } })

function post(message: typeof LIST, headers: Record<string, string>, { baseUrl } = service): Promise<Answer> {
  const call = { method: 'POST', headers: Object.fromEntries(mcpHeaders(message, headers)) }
  return httpCall(`${baseUrl}/mcp`, { ...call, body: JSON.stringify(message) })
}

test('a key is taken as a bearer and as x-api-key', async () => {
  for (const authorization of [`Bearer ${service.key}`, `bearer  ${service.key}`]) {
    expect((await post(LIST, { authorization })).status).toBe(200)
  }
  expect((await post(LIST, { 'x-api-key': service.key })).status).toBe(200)
})

test.each([
  ['no key', {}],
  ['a key of nobody', { authorization: `Bearer rk_${'a'.repeat(43)}` }],
  ['a key under another scheme', { authorization: 'Basic cms6cms=' }],
  ['two keys in one', { authorization: 'Bearer a b' }],
])('%s is refused, and told which scheme is wanted', async (_, headers) => {
  const { status, headers: answered, body } = await post(RECALL, headers)
  expect(status).toBe(401)
  expect(answered.get('www-authenticate')).toBe('Bearer realm="recalld"')
  expect(body.detail).toContain('Settings > Keys in the app')
})

test.each(MCP_HOSTS)('a host of protocol %s learns that its key is wrong when it connects', async (kind) => {
  await expect(httpHost(kind, service.baseUrl, { authorization: 'Bearer rk_wrong' })).rejects.toThrow(
    /401|Unauthorized|Invalid API key/i,
  )
})

test('a page of another origin is refused, one of this machine is not', async () => {
  const key = { 'x-api-key': service.key }
  for (const origin of ['https://evil.test', 'http://127.0.0.1.evil.test', 'http://localhost.evil.test', 'null', 'x']) {
    expect((await post(LIST, { ...key, origin })).status, origin).toBe(403)
  }
  for (const origin of ['http://127.0.0.1:5173', 'http://localhost', 'http://[::1]:7411']) {
    expect((await post(LIST, { ...key, origin })).status, origin).toBe(200)
  }
})

test('a host name of another is refused, also with a key', async () => {
  const body = JSON.stringify(LIST)
  const to = async (host: string) => {
    const headers = Object.fromEntries(mcpHeaders(LIST, { host, 'x-api-key': service.key }))
    const lines = Object.entries({ ...headers, 'content-length': body.length, connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    return (await rawCall(service.port, `POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)).status
  }
  expect(await to('evil.test')).toBe(403)
  expect(await to(`evil.test:${service.port}`)).toBe(403)
  expect(await to(`127.0.0.1:${service.port}`)).toBe(200)
})

test.each(['GET', 'HEAD', 'DELETE', 'PUT', 'OPTIONS'])(
  '%s is answered with 405: there are no sessions',
  async (method) => {
    const { status, headers } = await httpCall(`${service.baseUrl}/mcp`, { method, key: service.key })
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' })
  },
)

test('a message over 4 MiB is refused', async () => {
  const filler = 'x'.repeat(4 * 1024 * 1024)
  const { status } = await post(mcpRequest('tools/list', { filler }), { 'x-api-key': service.key })
  expect(status).toBe(413)
})

test.each([
  ['no JSON', '{"jsonrpc":', 'application/json', 400],
  ['nothing', '', 'application/json', 400],
  ['JSON that is no message', '[]', 'application/json', 400],
  ['a form', 'a=b', 'application/x-www-form-urlencoded', 415],
])('%s is answered with a fault of the request', async (_, body, type, status) => {
  const headers = { 'content-type': type, accept: 'application/json, text/event-stream' }
  const answer = await httpCall(`${service.baseUrl}/mcp`, { method: 'POST', key: service.key, headers, body })
  expect(answer.status).toBe(status)
})

test.each(MCP_HOSTS)('over protocol %s, a key of one source sees nothing of the others', async (kind) => {
  const github = await service.keyFor(['github'])
  const { client, call, text, failure } = await httpHost(kind, service.baseUrl, { authorization: `Bearer ${github}` })
  const { passages } = readRecalled(await text('recall', { query: 'billing migration, or the checkout test?' }))
  expect(passages.map(({ head }) => head)).toEqual([expect.stringMatching(/^github/)])
  expect(await failure('recall', { query: 'billing', sources: 'text' })).toMatch(/key|scope|source/)
  const asked = await call('ask', { question: 'When does the billing migration start?' })
  expect(JSON.stringify(asked)).not.toContain('April')
  await expect(client.readResource({ uri: 'memory://text/billing' })).rejects.toMatchObject({ code: -32602 })
  const { contents } = await client.readResource({ uri: 'memory://sources' })
  expect(JSON.stringify(contents)).not.toContain('"text\\"')
  const ids = await client.complete({
    ref: { type: 'ref/resource', uri: 'memory://{source_type}/{item_id}' },
    argument: { name: 'item_id', value: '' },
    context: { arguments: { source_type: 'text' } },
  })
  expect(ids.completion.values).toEqual([])
})

test('requests are counted with those of the REST interface, and too many are refused', async () => {
  await using limited = await startMcpService({ work: false, server: { rateLimitPerMinute: 3 } })
  const key = { 'x-api-key': limited.key }
  await httpCall(`${limited.baseUrl}/v1/files/list?source_type=text`, { key: limited.key })
  expect((await post(LIST, key, limited)).status).toBe(200)
  expect((await post(LIST, key, limited)).status).toBe(200)
  const { status, headers } = await post(LIST, key, limited)
  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

test('an account whose billing is past due reads so in every answer, and nothing of its memory', async () => {
  await using unpaid = await startMcpService({ work: false, tools: ['recall', 'ask', 'open', 'forget', 'search'] })
  await unpaid.service.billing.set({ account: unpaid.accountId, status: 'past_due' })
  const { client, failure } = await httpHost('2026-07-28', unpaid.baseUrl, { 'x-api-key': unpaid.key })
  for (const [tool, args] of [
    ['recall', { query: 'billing' }],
    ['ask', { question: 'When?' }],
    ['open', { handle: 'text/billing' }],
    ['fetch', { id: 'text/billing' }],
    ['forget', { source: 'text', item_id: 'billing' }],
  ] as const) {
    expect(await failure(tool, args), tool).toContain('past due')
  }
  for (const uri of ['memory://sources', 'memory://text/billing']) {
    await expect(client.readResource({ uri })).rejects.toThrow('past due')
  }
})

test.each([
  ['recall', '2026-07-28'],
  ['ask', '2026-07-28'],
  ['ask', '2025-11-25'],
])('a host that closes the answer to %s, in protocol %s, ends the work for it', async (tool, version) => {
  const signals: AbortSignal[] = []
  const { log, lines } = recordingLog()
  const started = Promise.withResolvers<void>()
  await using watched = await startMcpService({
    work: false,
    log,
    watched: (real) =>
      held(real, (signal) => {
        if (signal !== undefined) signals.push(signal)
        started.resolve()
      }),
  })
  const args = tool === 'recall' ? { query: 'billing' } : { question: 'billing?' }
  const call = { name: tool, arguments: args }
  const message =
    version === '2026-07-28' ? mcpRequest('tools/call', call) : { ...LIST, method: 'tools/call', params: call }
  const host = new AbortController()
  const { baseUrl, key } = watched
  const headers = mcpHeaders(message, { 'x-api-key': key, 'mcp-protocol-version': version })
  const answer = fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers,
    body: JSON.stringify(message),
    signal: host.signal,
  })
  await started.promise
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  host.abort()
  await expect(answer).rejects.toThrow()
  await until(async () => signals[0]?.aborted === true)
  await watched.stop()
  expect(lines).toEqual([])
})

/** Takes until the call is ended. */
function held(service: Service, onCall: (signal: AbortSignal | undefined) => void): Service {
  const hold = (options?: CallOptions) =>
    new Promise<never>((_, reject) => {
      onCall(options?.signal)
      options?.signal?.addEventListener('abort', () => reject(options.signal?.reason))
    })
  return {
    ...service,
    recall: (_who, _query, options) => hold(options),
    ask: (_who, _question, options) => hold(options),
  }
}

test('progress is told to a host that asks for it, and to no other', async () => {
  const ask = { name: 'ask', arguments: { question: 'When does the billing migration start?' } }
  const methods = async (meta: object) => {
    const { text } = await post(mcpRequest('tools/call', ask, meta), { 'x-api-key': service.key })
    return mcpMessages(text).map(({ method }) => method)
  }
  expect(await methods({ progressToken: 'p1' })).toEqual(['notifications/progress', undefined])
  expect(await methods({})).toEqual([undefined])
})

test('a host that wants to hear of changes is told at once that there are none', async () => {
  const all = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }
  const { status, text } = await post(mcpRequest('subscriptions/listen', { notifications: all }), {
    'x-api-key': service.key,
  })
  expect(status).toBe(200)
  expect(mcpMessages(text)).toMatchObject([{ params: { notifications: {} } }, { result: { resultType: 'complete' } }])
})

describe('a protocol version that recalld does not know', () => {
  const HANDSHAKES = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']
  const LEGACY = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} }
  const initialize = (protocolVersion: string) => ({
    ...LEGACY,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test-host', version: '1.0.0' } },
  })
  const send = (message: unknown, version?: string) =>
    httpCall(`${service.baseUrl}/mcp`, {
      method: 'POST',
      key: service.key,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(version !== undefined && { 'mcp-protocol-version': version }),
      },
      body: JSON.stringify(message),
    })

  test.each(['1999-01-01', '2099-01-01', 'banana', ''])(
    'in the header, %j, is refused with the versions there are',
    async (version) => {
      const { status, text } = await send(LEGACY, version)
      expect(status).toBe(400)
      const supported = ['2026-07-28', ...HANDSHAKES]
      expect(mcpMessages(text)).toMatchObject([
        { id: 7, error: { code: -32022, data: { supported, requested: version } } },
      ])
    },
  )

  test('in the header of a batch is refused too', async () => {
    const { status, text } = await send([LEGACY, { ...LEGACY, id: 8 }], '2099-01-01')
    expect([status, mcpMessages(text)]).toMatchObject([400, [{ id: null, error: { code: -32022 } }]])
  })

  test('in header and body is refused with the version there is', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    const { status, text } = await post(mcpRequest('tools/list', {}, meta), {
      'x-api-key': service.key,
      'mcp-protocol-version': '2099-01-01',
    })
    const data = { supported: ['2026-07-28'], requested: '2099-01-01' }
    expect([status, mcpMessages(text)]).toMatchObject([400, [{ id: 1, error: { code: -32022, data } }]])
  })

  test('in the body alone is refused as a mismatch', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    const { status, text } = await post(mcpRequest('tools/list', {}, meta), { 'x-api-key': service.key })
    expect([status, mcpMessages(text)]).toMatchObject([400, [{ error: { code: -32020 } }]])
  })

  test.each(['1999-01-01', '2099-01-01'])(
    'in a handshake, %s, is answered with the newest there is',
    async (version) => {
      const { status, text } = await send(initialize(version))
      expect([status, mcpMessages(text)]).toMatchObject([200, [{ result: { protocolVersion: '2025-11-25' } }]])
    },
  )

  test.each(HANDSHAKES)('but %s is taken, in a handshake and in the header', async (version) => {
    const { text } = await send(initialize(version))
    expect(mcpMessages(text)).toMatchObject([{ result: { protocolVersion: version } }])
    expect((await send(LEGACY, version)).status).toBe(200)
  })
})

describe('a batch', () => {
  const call = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'recall', arguments: { query: 'billing' } },
  })
  const batchOf = (count: number) => Array.from({ length: count }, (_, id) => call(id))
  const headers = (key: string) => ({
    'x-api-key': key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  })
  const send = ({ baseUrl, key }: RunningService, text: string) =>
    httpCall(`${baseUrl}/mcp`, { method: 'POST', headers: headers(key), body: text })

  test.each([
    ['plain', ''],
    ['after spaces', ' \n'],
    ['after a byte order mark', '\uFEFF'],
  ])('counts each of its calls against the rate, %s', async (_, begin) => {
    await using limited = await startMcpService({ work: false, server: { rateLimitPerMinute: 10 } })
    const first = await send(limited, begin + JSON.stringify(batchOf(6)))
    expect([first.status, mcpMessages(first.text).length]).toEqual([200, 6])
    expect(first.headers.get('x-ratelimit-remaining')).toBe('4')
    const refused = await send(limited, begin + JSON.stringify(batchOf(6)))
    expect([refused.status, refused.body.detail]).toEqual([429, expect.stringContaining('6 calls of a batch')])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    // What was refused has used up the request, not its calls.
    expect((await send(limited, JSON.stringify(batchOf(3)))).status).toBe(200)
  })

  test('of the current protocol, which has none, is refused', async () => {
    const answer = await httpCall(`${service.baseUrl}/mcp`, {
      method: 'POST',
      headers: { ...headers(service.key), 'mcp-protocol-version': '2026-07-28' },
      body: JSON.stringify([mcpRequest('tools/list'), mcpRequest('tools/list', {}, {}, 2)]),
    })
    expect([answer.status, mcpMessages(answer.text)]).toMatchObject([400, [{ error: { code: -32600 } }]])
  })

  test('of more calls than a host may send at once is refused', async () => {
    const answer = await send(service, JSON.stringify(batchOf(26)))
    expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining('at most 25')])
  })
})
