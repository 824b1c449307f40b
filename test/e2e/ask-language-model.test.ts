import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { usableCredentials } from '../../src/config/credentials.ts'
import { startOpenAiServer } from '../fakes/openai-server.ts'
import { answering } from '../lib/answering-model.ts'
import { runCommand, startUp } from '../lib/command-line.ts'
import { httpCall } from '../lib/http-call.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

const QUESTION = 'Where are prices cached?'
const SENTENCE = 'We decided to cache prices in Valkey.'

test('a language model answers questions of the command line, of REST and of agents, and nothing breaks when it goes', async () => {
  const home = join(temporaryFolder(), 'home')
  mkdirSync(home)
  const server = await startOpenAiServer((request) =>
    answering(request, 'They are in Valkey', 'cache prices in Valkey'),
  )
  onTestFinished(() => server[Symbol.asyncDispose]())
  const settings = `provider: openai-compatible, model: test, url: "${server.url}", use: [ask]`
  writeFileSync(join(home, 'config.yaml'), `models: {language: {${settings}}}\n`)
  const run = (...args: string[]) => runCommand(args, { RECALLD_HOME: home })
  const up = await startUp({ RECALLD_HOME: home })
  onTestFinished(async () => void (await up.stop()))
  const note = join(home, 'caching.md')
  writeFileSync(note, SENTENCE)
  await run('memorize', note, '--item-id', 'caching', '--source-type', 'technical_docs')
  await until(async () => {
    const { stdout } = await run('list', '--source-type', 'technical_docs', '--json')
    return JSON.parse(stdout).files[0]?.status === 'ready'
  })

  const answer = /^They are in Valkey \[1\]\.\n\n\[1\] technical_docs, .*caching/
  expect((await run('ask', QUESTION)).stdout).toMatch(answer)

  const { baseUrl, apiKey: key } = usableCredentials(join(home, 'credentials.json'))!
  const form = [['text', QUESTION]] as const
  const plain = await httpCall(`${baseUrl}/v1/memories/ask`, { method: 'POST', key, form })
  expect(plain.status).toBe(200)
  expect(Object.keys(plain.body)).toEqual(['response'])
  expect(plain.body.response).toMatch(answer)
  const cited = await httpCall(`${baseUrl}/v1/memories/ask`, {
    method: 'POST',
    key,
    form: [...form, ['citations', 'true']],
  })
  expect(cited.body).toMatchObject({
    abstained: false,
    citations: [{ n: 1, item_id: 'caching', quote: 'cache prices in Valkey.' }],
  })

  const client = new Client({ name: 'test-host', version: '1.0.0' })
  const headers = { 'x-api-key': key }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } }))
  onTestFinished(() => client.close())
  const call = () => client.callTool({ name: 'ask', arguments: { question: QUESTION } })
  const inFence =
    /^<recalled:\w+>\nThey are in Valkey \[1\]\.\n\[1\] \[r[\d.-]+\] technical_docs\ncache prices in Valkey\.\n<\/recalled/
  expect((await call()).content).toEqual([{ type: 'text', text: expect.stringMatching(inFence) }])
  expect(server.chats).toHaveLength(4)

  expect((await run('status')).stdout).toMatch(/Spent on it today: [\d,]+ tokens\./)

  await server.goDown()
  const line = '(The language model did not answer: it is down or overloaded; showing quotes instead.)'
  expect((await run('ask', QUESTION)).stdout).toContain(line)
  const quoted = await httpCall(`${baseUrl}/v1/memories/ask`, { method: 'POST', key, form })
  expect(quoted.status).toBe(200)
  expect(quoted.body.response).toContain(`“${SENTENCE}” [1]`)
  expect((await call()).content).toEqual([{ type: 'text', text: expect.stringContaining(line) }])
})
