import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { httpHost, MCP_HOSTS } from '../lib/mcp-host.ts'
import { startMcpService } from '../lib/mcp-service.ts'
import { readRecalled } from '../lib/recalled-text.ts'
import type { RunningService } from '../lib/start-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await startMcpService()
  const text = 'Grace and I agreed to start the billing migration on 1 April 2026 in Lisbon.'
  await service.upload(text, { itemId: 'billing' })
  await service.upload('Linus reviewed the flaky checkout test.', { source: 'github', itemId: 'checkout:1' })
})
afterAll(() => service.stop())

const SOURCES = z.object({ sources: z.array(z.object({ source: z.string(), items: z.number(), newest: z.string() })) })

describe.each(MCP_HOSTS)('a host of protocol %s', (kind) => {
  const connect = () => httpHost(kind, service.baseUrl, { authorization: `Bearer ${service.key}` })

  test('is told what the memory is for, and which tools there are', async () => {
    const { client } = await connect()
    expect(client.getServerVersion()).toMatchObject({ name: 'recalld', version: '0.1.0' })
    expect(client.getInstructions()).toMatch(/^The user's own long-term memory/)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['recall', 'ask', 'open', 'recent'])
  })

  test('recalls, in one text', async () => {
    const { text } = await connect()
    const { fence, passages } = readRecalled(await text('recall', { query: 'When does the billing move begin?' }))
    expect(fence).toMatch(/^[0-9a-f]{32}$/)
    expect(passages[0]).toMatchObject({
      handle: expect.stringMatching(/^r\d+\.\d+(?:-\d+)?$/),
      head: expect.stringMatching(/^text/),
      text: expect.stringContaining('billing migration'),
    })
  })

  test('lists what happened lately, by source, and reads on from there', async () => {
    const { text, failure } = await connect()
    const { passages } = readRecalled(await text('recent', {}))
    expect(passages).toMatchObject([
      { head: expect.stringMatching(/^github/), text: 'Linus reviewed the flaky checkout test.' },
      { head: expect.stringMatching(/^text/), text: expect.stringContaining('billing migration') },
    ])
    expect(await text('open', { handle: passages[0]?.handle })).toContain('flaky checkout')
    expect(await text('recent', { person: 'Nobody' })).toMatch(/^Nothing in that time/)
    expect(await failure('recent', { since: 'soonish' })).toContain('since must be a time')
  })

  test('asks, and gets an answer with its source, or that there is none', async () => {
    const { text } = await connect()
    const known = await text('ask', { question: 'When does the billing migration start?' })
    expect(known).toMatch(/April[\s\S]*\n\[1\] \[r\d+\.\d+(?:-\d+)?\] text/)
    expect(known).not.toContain('No answer found')
    expect(await text('ask', { question: 'What is the name of the cat of the plumber?' })).toContain('No answer found')
  })

  test('reads the sources, and an item whole', async () => {
    const { client } = await connect()
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
      'memory://sources',
      'memory://profile',
    ])
    const templates = await client.listResourceTemplates()
    expect(templates.resourceTemplates.map((template) => template.uriTemplate)).toEqual([
      'memory://people/{name}',
      'memory://{source_type}/{item_id}',
    ])
    const read = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents
      return content !== undefined && 'text' in content ? content.text : undefined
    }
    const { sources } = SOURCES.parse(JSON.parse((await read('memory://sources')) ?? ''))
    expect(sources.map(({ source, items }) => [source, items])).toEqual(
      expect.arrayContaining([
        ['text', 1],
        ['github', 1],
      ]),
    )
    expect(await read('memory://text/billing')).toContain('billing migration')
    expect(await read('memory://github/checkout%3A1')).toContain('flaky checkout')
    await expect(client.readResource({ uri: 'memory://text/nothing' })).rejects.toMatchObject({ code: -32602 })
  })

  test('completes sources and item ids, and has a prompt for a briefing', async () => {
    const { client } = await connect()
    const ref = { type: 'ref/resource' as const, uri: 'memory://{source_type}/{item_id}' }
    const sources = await client.complete({ ref, argument: { name: 'source_type', value: 'gi' } })
    expect(sources.completion.values).toEqual(['github'])
    const ids = await client.complete({
      ref,
      argument: { name: 'item_id', value: 'b' },
      context: { arguments: { source_type: 'text' } },
    })
    expect(ids.completion.values).toEqual(['billing'])
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'brief', description: /memory/ }])
    const { messages } = await client.getPrompt({ name: 'brief', arguments: { topic: 'billing', source: 'slack' } })
    expect(messages).toMatchObject([{ role: 'user', content: { type: 'text', text: /^Brief me on: billing/ } }])
  })

  test('reads in words what was wrong with a call, and gets an error for a tool there is not', async () => {
    const { client, failure } = await connect()
    expect(await failure('recall', { query: 'x', sources: 'slak' })).toContain('Did you mean slack?')
    expect(await failure('recall', { query: 'x', since: 'soonish' })).toContain('since must be a time')
    expect(await failure('recall', { query: '' })).toMatch(/query/)
    expect(await failure('ask', {})).toMatch(/question/)
    await expect(client.callTool({ name: 'forget', arguments: {} })).rejects.toMatchObject({ code: -32602 })
  })
})

test('the tools are described as they were reviewed', async () => {
  const everything = await startMcpService({
    work: false,
    tools: ['search', 'forget', 'remember', 'recent', 'open', 'ask', 'recall'],
  })
  const { client } = await httpHost('2026-07-28', everything.baseUrl, { 'x-api-key': everything.key })
  const { tools } = await client.listTools()
  await everything.stop()
  expect(tools.map(({ name }) => name)).toEqual([
    'recall',
    'ask',
    'open',
    'recent',
    'remember',
    'forget',
    'search',
    'fetch',
  ])
  const described = tools.map(({ description = '' }) => description.length)
  // Claude Code cuts a description at 2 KB.
  expect(Math.max(...described)).toBeLessThan(1_500)
  const pages = tools.map(({ name, title, description, ...schemas }) =>
    [`${name}: ${title}`, description, JSON.stringify(schemas, null, 2)].join('\n\n'),
  )
  await expect(`${pages.join('\n\n\n')}\n`).toMatchFileSnapshot('snapshots/mcp-tools.txt')
})

test('a note of an agent that cannot name itself is that of its key', async () => {
  await using writable = await startMcpService({ tools: ['recent', 'remember'] })
  const { call, text } = await httpHost('legacy', writable.baseUrl, { 'x-api-key': writable.key })
  await call('remember', { text: 'The ladder is in the shed.', item_id: 'ladder' })
  await writable.ready('ladder')
  expect(readRecalled(await text('recent', {})).passages).toMatchObject([
    { head: expect.stringContaining('noted by default') },
  ])
})

test('remember, recall and forget work together where they are allowed', async () => {
  await using writable = await startMcpService({ tools: ['recall', 'remember', 'forget'] })
  const { call, text, failure, close } = await httpHost('auto', writable.baseUrl, { 'x-api-key': writable.key })
  const note = { text: 'The spare key hangs behind the boiler.', title: 'Spare key', item_id: 'spare-key' }
  expect((await call('remember', note)).structuredContent).toMatchObject({
    item_id: 'spare-key',
    uri: 'memory://text/spare-key',
  })
  await writable.ready('spare-key')
  const [found] = readRecalled(await text('recall', { query: 'spare key' })).passages
  expect(found).toMatchObject({
    head: expect.stringContaining('noted by test-host 1.0.0'),
    text: expect.stringContaining('behind the boiler'),
  })
  const principal = await writable.service.authenticate(writable.key)
  const { files } = await writable.service.list(principal, { sourceType: 'text' })
  expect(files).toMatchObject([{ item_id: 'spare-key', agent: 'test-host 1.0.0' }])
  expect(await failure('remember', note)).toMatch(/exist/)
  expect((await call('remember', { ...note, replace: true })).isError ?? false).toBe(false)
  expect((await call('forget', { source: 'text', item_id: 'spare-key' })).structuredContent).toMatchObject({
    status: 'forgotten',
  })
  expect(await failure('forget', { source: 'text', item_id: 'spare-key' })).toBe(
    "Item spare-key doesn't exist in the source text.",
  )
  await close()
})
