import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { claudeCode } from '../../connectors/local/claude-code.ts'
import { geminiCli } from '../../connectors/local/gemini-cli.ts'
import { createRestMemory } from '../../src/client/rest-memory.ts'
import type { SourceItem } from '../../src/connector/connector.ts'
import { renderDocument } from '../../src/connector/document.ts'
import { RECALLED_NOTICE } from '../../src/domain/recalled-fence.ts'
import type { SourceType } from '../../src/domain/source-type.ts'
import { agentHome, readAll } from '../fakes/local/agent-home.ts'
import { claudeSession } from '../fakes/local/claude-session.ts'
import { httpHost, type McpHost, stdioHost } from '../lib/mcp-host.ts'
import { hostEnvironment, LAUNCHER } from '../lib/mcp-process.ts'
import { startMcpService } from '../lib/mcp-service.ts'
import { startRecalld } from '../lib/recalld-process.ts'
import type { RunningService } from '../lib/start-service.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

let service: RunningService
beforeAll(async () => {
  service = await startMcpService({ tools: ['recall', 'ask', 'search', 'remember'] })
  await service.upload('The zebra of the circus is called Kunigunde, says the keeper.', { itemId: 'zebra' })
})
afterAll(() => service.stop())

const HOSTS: Readonly<Record<string, () => Promise<McpHost>>> = {
  'over HTTP': () => httpHost('auto', service.baseUrl, { 'x-api-key': service.key }),
  'over stdio, by REST': () => {
    const env = hostEnvironment({
      RECALLD_URL: service.baseUrl,
      RECALLD_API_KEY: service.key,
      RECALLD_HOME: '/nonexistent/recalld',
      RECALLD_MCP_TOOLS: 'recall,ask,search,remember',
    })
    return stdioHost('auto', { command: process.execPath, args: [LAUNCHER, 'mcp'], env })
  },
}
const QUESTIONS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['recall', { query: 'What is the zebra called?' }],
  ['ask', { question: 'What is the zebra called?' }],
  ['search', { query: 'What is the zebra called?' }],
]

/** What the person's page of an item says, when it is ready. */
async function memorized(itemId: string, source: 'claude_code' | 'stream' | 'text', key = service.key) {
  await service.ready(itemId, source, key)
  const principal = await service.service.authenticate(key)
  const ref = { itemId, sourceType: source }
  const { library } = service.service
  const { left_out } = await library.read(principal, ref)
  const page = { offset: 0, limit: 100 }
  const { chunks } = await library.chunks(principal, ref, page)
  const { memories } = await library.memories(principal, ref, page)
  return { leftOut: left_out, said: JSON.stringify([chunks, memories]) }
}

/** A session in which an agent got this answer, under a name that the connector does not know, and quoted it. */
async function synchronized(answered: string, key = service.key): Promise<string> {
  const home = agentHome()
  const session = claudeSession('echo')
  home.write('.claude/projects/-home-ada-shop/echo.jsonl', [
    session.user('Please look up the animal.'),
    session.assistant(session.call('t1', 'mcp__brain__lookup', { about: 'animal' })),
    session.result('t1', [{ type: 'text', text: answered }]),
    session.assistant(`I found this: ${answered}\n\nI will call the circus tomorrow.`),
  ])
  const { items } = await readAll(claudeCode, {}, { machine: home.machine })
  home.remove()
  return stored(items[0], key)
}

/** Memorizes what a connector read. */
async function stored(item: SourceItem | undefined, key = service.key): Promise<string> {
  const { bytes, fileName, contentType } = renderDocument(item!, String(item?.body))
  const principal = await service.service.authenticate(key)
  const { itemId, sourceType } = item!
  const upload = { body: bytes, fileName, contentType, itemId, sourceType, onConflict: 'replace' as const }
  await service.service.memorize(principal, { ...upload, userName: 'Ada Lovelace' })
  return itemId
}

describe.each(Object.keys(HOSTS))('what an agent was shown %s', (name) => {
  test.each(QUESTIONS)(
    'by %s makes no memory when its session is synchronized, and is recorded',
    async (tool, args) => {
      const { call } = await HOSTS[name]!()
      const { content, isError } = await call(tool, args)
      expect(isError ?? false).toBe(false)
      const answered = content[0]?.text ?? ''
      expect(answered).toContain('Kunigunde')
      const { leftOut, said } = await memorized(await synchronized(answered), 'claude_code')
      expect(said).toContain('I will call the circus tomorrow.')
      expect(said).not.toMatch(/Kunigunde|keeper/)
      expect(leftOut).toContainEqual({
        ...{ reason: 'recalled', count: expect.any(Number) },
        detail: expect.stringMatching(/^\d+ recalled passages?$/),
      })
    },
  )

  test('makes no memory when it is memorized with a note, which keeps the rest', async () => {
    const { call, text } = await HOSTS[name]!()
    const recalled = await text('recall', { query: 'What is the zebra called?' })
    const quoted = recalled.split(`\n${RECALLED_NOTICE}`)[0]
    const item_id = `note-${Object.keys(HOSTS).indexOf(name)}`
    await call('remember', { text: `Ada likes the animal. ${quoted} She will visit it.`, item_id })
    const { leftOut, said } = await memorized(item_id, 'text')
    expect(said).toContain('She will visit it.')
    expect(said).not.toContain('Kunigunde')
    expect(leftOut).toContainEqual({ reason: 'recalled', count: 1, detail: '1 recalled passage' })
  })
})

test('what Gemini CLI was shown makes no memory either, by a tool or by a hook', async () => {
  const { text } = await HOSTS['over HTTP']!()
  const recalled = await text('recall', { query: 'What is the zebra called?' })
  expect(recalled).toContain('Kunigunde')
  const home = agentHome()
  const at = '2026-11-21T10:00:00.000Z'
  const prompt = [{ text: 'Please look up the animal.' }, { text: `<hook_context>${recalled}</hook_context>` }]
  const result = [{ functionResponse: { name: 'lookup', response: { output: recalled } } }]
  home.write('.gemini/tmp/shop/chats/session-2026-11-21T10-00-1c1ddb5d.jsonl', [
    { sessionId: '1c1ddb5d', projectHash: 'a3', startTime: at, kind: 'main' },
    { id: 'a', timestamp: at, type: 'user', content: prompt },
    { id: 'b', timestamp: at, type: 'gemini', content: '', toolCalls: [{ name: 'lookup', args: {}, result }] },
    { id: 'c', timestamp: at, type: 'gemini', content: `I found ${recalled}\n\nI will call the circus tomorrow.` },
  ])
  const { items } = await readAll(geminiCli, {}, { machine: home.machine })
  home.remove()
  const { leftOut, said } = await memorized(await stored(items[0]), 'stream')
  expect(said).toContain('I will call the circus tomorrow.')
  expect(said).not.toMatch(/Kunigunde|keeper/)
  expect(leftOut).toContainEqual({ reason: 'recalled', count: 2, detail: '2 recalled passages' })
})

test('what another account was shown is new to this one', async () => {
  const { key } = await service.service.accounts.create({ name: 'Grace', userName: 'Grace Hopper' })
  const { call } = await httpHost('auto', service.baseUrl, { 'x-api-key': service.key })
  const { content } = await call('recall', { query: 'What is the zebra called?' })
  const { leftOut, said } = await memorized(await synchronized(content[0]?.text ?? '', key), 'claude_code', key)
  expect(said).toContain('Kunigunde')
  expect(leftOut.map(({ reason }) => reason)).not.toContain('recalled')
})

test('a service in a home of its own recognizes what it was asked over stdio', async () => {
  const env = { RECALLD_HOME: join(temporaryFolder(), 'home') }
  const running = await startRecalld(env)
  const credentials = z
    .object({ api_key: z.string() })
    .parse(JSON.parse(readFileSync(join(env.RECALLD_HOME, 'credentials.json'), 'utf8')))
  const memory = createRestMemory({ baseUrl: running.address, apiKey: credentials.api_key })
  const upload = async (text: string, itemId: string, sourceType: SourceType) => {
    const body = new TextEncoder().encode(text)
    await memory.memorize({ body, fileName: `${itemId}.md`, itemId, sourceType, userName: 'Ada Lovelace' })
    const status = async () =>
      (await memory.list({ sourceType })).files.find(({ item_id }) => item_id === itemId)?.status
    await expect.poll(status).toBe('ready')
  }
  await upload('The zebra of the circus is called Kunigunde, says the keeper.', 'zebra', 'gdocs')
  const host = await stdioHost('auto', {
    command: process.execPath,
    args: [LAUNCHER, 'mcp'],
    env: hostEnvironment(env),
  })
  const { content } = await host.call('recall', { query: 'What is the zebra called?' })
  const answered = content[0]?.text ?? ''
  expect(answered).toContain('Kunigunde')
  await upload(`## User\n\nWho?\n\n## Assistant\n\nThis zebra: ${answered}\n`, 'session', 'claude_code')
  const { memories, chunks } = await memory.recall({ text: 'Kunigunde the zebra', source: 'claude_code' })
  expect(JSON.stringify([memories, chunks])).not.toContain('Kunigunde')
  await memory.close()
  await running.stop()
})
