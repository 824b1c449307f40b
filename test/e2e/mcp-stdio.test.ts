import { afterAll, beforeAll, expect, test } from 'vitest'
import { MCP_HOSTS, stdioHost } from '../lib/mcp-host.ts'
import { hostEnvironment, LAUNCHER, type McpProcess, startMcp } from '../lib/mcp-process.ts'
import { readRecalled } from '../lib/recalled-text.ts'
import { type RunningService, startService } from '../lib/start-service.ts'

let service: RunningService
let env: Record<string, string>
beforeAll(async () => {
  service = await startService()
  env = { RECALLD_URL: service.baseUrl, RECALLD_API_KEY: service.key, RECALLD_HOME: '/nonexistent/recalld' }
  await service.upload('Grace and I agreed to start the billing migration on 1 April 2026.', { itemId: 'billing' })
})
afterAll(() => service.stop())

const RECALL = { name: 'recall', arguments: { query: 'When does the billing migration start?' } }

async function recallText(mcp: McpProcess): Promise<{ text: string; isError: boolean }> {
  const { result } = await mcp.request('tools/call', RECALL)
  return { text: JSON.stringify(result?.content), isError: result?.isError === true }
}

test.each(MCP_HOSTS)('a host of protocol %s starts it, recalls, asks and reads', async (kind) => {
  const command = { command: process.execPath, args: [LAUNCHER, 'mcp'], env: hostEnvironment(env) }
  const { client, text } = await stdioHost(kind, command)
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['recall', 'ask', 'open', 'recent'])
  const { passages } = readRecalled(await text('recall', { query: 'billing migration' }))
  expect(passages).toMatchObject([{ text: expect.stringContaining('billing migration') }])
  expect(await text('ask', { question: 'When does the billing migration start?' })).toContain('April')
  const latest = readRecalled(await text('recent', { since: 'yesterday', sources: 'text' }))
  expect(latest.passages).toEqual(passages)
  expect(await text('recall', { query: 'billing migration', project: 'shop' })).toMatch(/^No match\./)
  expect(JSON.stringify(await client.readResource({ uri: 'memory://text/billing' }))).toContain('billing migration')
})

test.each(MCP_HOSTS)('a host of protocol %s that may write marks what it stores with its name', async (kind) => {
  const written = { ...env, RECALLD_MCP_WRITE: 'on' }
  const command = { command: process.execPath, args: [LAUNCHER, 'mcp'], env: hostEnvironment(written) }
  const { client, call } = await stdioHost(kind, command)
  const tools = ['recall', 'ask', 'open', 'recent', 'remember', 'forget']
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(tools)
  const item_id = `ladder-${kind}`
  await call('remember', { text: `The ladder of ${kind} is in the shed.`, item_id })
  const principal = await service.service.authenticate(service.key)
  const { files } = await service.service.list(principal, { sourceType: 'text' })
  expect(files.find((file) => file.item_id === item_id)).toMatchObject({ agent: 'test-host 1.0.0' })
  await call('forget', { source: 'text', item_id })
})

test('lines that are no messages are passed over, and nothing but messages is answered', async () => {
  const mcp = startMcp(env)
  await mcp.initialize()
  for (const line of ['', '{not json', '[]', 'null', '{"jsonrpc":"1.0"}', '\u0000', `{"jsonrpc":"2.0","method":7}`]) {
    mcp.write(line)
  }
  expect((await mcp.request('ping')).result).toEqual({})
  expect((await mcp.request('no/such/method')).error?.code).toBe(-32601)
  expect((await recallText(mcp)).isError).toBe(false)
})

test('a message that it cannot use is logged, and the next one is answered', async () => {
  const mcp = startMcp(env)
  mcp.write(JSON.stringify({ jsonrpc: '2.0', id: 77, result: {} }))
  await mcp.initialize()
  await expect.poll(() => mcp.stderr()).toMatch(/^\{"level":40,.*"msg":"a message from the agent failed"\}\n$/)
  expect((await mcp.request('ping')).result).toEqual({})
})

test.each([
  ['1999-01-01', '2025-11-25'],
  ['2099-01-01', '2025-11-25'],
  ['2025-06-18', '2025-06-18'],
])('a host that begins with protocol %s is answered in %s', async (requested, protocolVersion) => {
  const mcp = startMcp(env)
  const hello = { protocolVersion: requested, capabilities: {}, clientInfo: { name: 'test-host', version: '1.0.0' } }
  expect((await mcp.request('initialize', hello)).result).toMatchObject({ protocolVersion })
  expect((await recallText(mcp)).isError).toBe(false)
})

test('a host of a later protocol without a handshake is told which there is', async () => {
  const mcp = startMcp(env)
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2099-01-01',
    'io.modelcontextprotocol/clientInfo': { name: 'test-host', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const { error } = await mcp.request('tools/list', { _meta })
  expect(error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } })
})

test('fifty calls at a time are each answered', async () => {
  const mcp = startMcp(env)
  await mcp.initialize()
  const answers = await Promise.all(Array.from({ length: 50 }, () => recallText(mcp)))
  expect(answers.filter(({ text, isError }) => !isError && text.includes('Grace and I agreed'))).toHaveLength(50)
})

test('the largest item there can be is read whole', async () => {
  await using unworked = await startService({ work: false })
  const size = 10 * 1024 * 1024
  const line = 'The billing migration starts on 1 April 2026; "quotes" and ümlauts are as they were.\n'
  const bytes = Buffer.from(line.repeat(Math.ceil(size / line.length))).subarray(0, size)
  const principal = await unworked.service.authenticate(unworked.key)
  await unworked.service.memorize(principal, { body: bytes, fileName: 'a.txt', userName: 'Ada', itemId: 'large' })
  const mcp = startMcp({ ...env, RECALLD_URL: unworked.baseUrl, RECALLD_API_KEY: unworked.key })
  await mcp.initialize()
  const { result } = await mcp.request('resources/read', { uri: 'memory://text/large' })
  const [content] = Array.isArray(result?.contents) ? result.contents : []
  const read = Buffer.from(content.text ?? content.blob, content.text === undefined ? 'base64' : 'utf8')
  expect(read.equals(bytes)).toBe(true)
})
