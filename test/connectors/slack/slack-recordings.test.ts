import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { slack } from '../../../connectors/slack/slack.ts'
import type { Connector, SourceItem } from '../../../src/connector/connector.ts'
import { bodyOf } from '../../fakes/slack/slack-simulation.ts'
import { connectorContext } from '../../lib/connector-context.ts'

const FOLDER = join(import.meta.dirname, '../../../../shared/fixtures/recordings/slack')
const isAbsent = !existsSync(FOLDER)
if (isAbsent) console.warn('The recordings of Slack are not here: their tests are skipped.')

const answer = z.looseObject({
  response: z.looseObject({ ok: z.boolean() }),
  request: z.looseObject({ params: z.record(z.string(), z.string()).optional() }).optional(),
})
const recording = z.looseObject({
  api: z.record(z.string(), z.record(z.string(), z.union([answer, z.array(answer)]))),
})
type Answer = z.infer<typeof answer>

const TEST_CHANNEL = 'C0AH33PLXSN'

/** The recorded answers by method. */
function recorded(): Map<string, Answer[]> {
  const answers = new Map<string, Answer[]>()
  for (const name of readdirSync(FOLDER)) {
    const { api } = recording.parse(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')))
    for (const [path, found] of Object.values(api).flatMap((paths) => Object.entries(paths))) {
      answers.set(path.slice(1), [...(answers.get(path.slice(1)) ?? []), ...[found].flat()])
    }
  }
  return answers
}

/** Answers as the recordings do; what nobody recorded is made of what they say. */
function replay(answers: ReadonlyMap<string, readonly Answer[]>, method: string, params: URLSearchParams): object {
  const all = answers.get(method) ?? []
  const first = all[0]?.response
  switch (method) {
    case 'auth.test':
      return {
        ok: true,
        team_id: 'T0AH32UST18',
        team: 'Nango Test',
        url: 'https://nangotest.slack.com/',
        user_id: 'U1',
      }
    case 'conversations.list': {
      const channels = all.flatMap(({ response }) => (Array.isArray(response.channels) ? response.channels : []))
      return { ok: true, channels: [...new Map(channels.map((channel) => [channel.id, channel])).values()] }
    }
    case 'users.list':
      return { ok: true, members: (answers.get('users.lookupByEmail') ?? []).map(({ response }) => response.user) }
    case 'users.info':
      return { ok: false, error: 'user_not_found' }
    case 'conversations.history':
      return params.get('channel') === TEST_CHANNEL && !params.has('cursor') && first
        ? first
        : { ok: true, messages: [], has_more: false }
    default:
      return first ?? { ok: false, error: 'unknown_method' }
  }
}

async function replayServer() {
  const answers = recorded()
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      const method = (request.url ?? '').replace('/api/', '')
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(replay(answers, method, new URLSearchParams(text))))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return {
    url: `http://127.0.0.1:${address.port}/api/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe.skipIf(isAbsent)('recorded answers of Slack', () => {
  test('give the channels, the days and the thread that they hold', async () => {
    await using server = await replayServer()
    const config = { name: 'recorded', token: 'xoxp-recorded', api_url: server.url, include: ['*'] }
    const connector: Connector = slack
    const context = await connectorContext(connector, config)
    const partitions: string[] = []
    const items: SourceItem[] = []
    for await (const partition of connector.partitions(context)) {
      partitions.push(partition.title)
      for await (const change of connector.changes(partition, undefined, context)) {
        if (change.type === 'item') items.push(change.item)
      }
    }
    expect(partitions.length).toBeGreaterThan(50)
    expect(new Set(partitions).size).toBe(partitions.length)
    expect(items.map(({ itemId }) => itemId.split(`${TEST_CHANNEL}:`)[1]).sort()).toEqual([
      'day=2026-03-09',
      'day=2026-03-11',
      'day=2026-03-12',
      'th:1773301199-998369',
    ])
    const thread = items.find(({ itemId }) => itemId.includes(':th:'))
    expect(thread).toMatchObject({
      title: '#new-channel: Test parent message for thread replies',
      url: `https://nangotest.slack.com/archives/${TEST_CHANNEL}/p1773301199998369`,
    })
    expect((await bodyOf(thread)).match(/\]: .*/g)).toEqual([
      ']: Test parent message for thread replies',
      ']: Test reply 1',
      ']: Test reply 2',
    ])
    for (const item of items) expect(await bodyOf(item)).not.toMatch(/undefined|\[object|NaN/)
  })
})
