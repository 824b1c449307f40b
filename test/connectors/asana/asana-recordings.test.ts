import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { asana } from '../../../connectors/asana/asana.ts'
import type { Connector, SourceItem } from '../../../src/connector/connector.ts'
import { bodyOf } from '../../fakes/asana/asana-simulation.ts'
import { connectorContext } from '../../lib/connector-context.ts'

const FOLDER = join(import.meta.dirname, '../../../../shared/fixtures/recordings/asana')
const isAbsent = !existsSync(FOLDER)
if (isAbsent) console.warn('The recordings of Asana are not here: their tests are skipped.')

const answer = z.looseObject({
  response: z.looseObject({ data: z.unknown() }),
  request: z.looseObject({ params: z.record(z.string(), z.string()).optional() }).optional(),
})
const recording = z.looseObject({
  api: z.looseObject({ get: z.record(z.string(), z.union([answer, z.array(answer)])).optional() }).optional(),
})

const PROJECTS = '/api/1.0/workspaces/1202775892569436/projects'

/** The recorded answers by path and project; of several, the longest. */
function recorded(): Map<string, unknown> {
  const answers = new Map<string, unknown>()
  for (const name of readdirSync(FOLDER)) {
    const { api } = recording.parse(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')))
    for (const [path, found] of Object.entries(api?.get ?? {})) {
      for (const { response, request } of [found].flat()) {
        const key = [path, request?.params?.project].join(' ').trim()
        const known = JSON.stringify(answers.get(key) ?? '')
        if (JSON.stringify(response).length > known.length) answers.set(key, response)
      }
    }
  }
  return answers
}

/** Answers as the recordings do; what nobody recorded is an empty list. */
async function replay() {
  const answers = recorded()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const path = pathname === '/api/1.0/projects' ? PROJECTS : pathname
    const found = answers.get([path, searchParams.get('project') ?? ''].join(' ').trim())
    response.writeHead(pathname.endsWith('/events') ? 412 : 200, { 'content-type': 'application/json; charset=UTF-8' })
    response.end(JSON.stringify(pathname.endsWith('/events') ? { sync: 'token' } : (found ?? { data: [] })))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    config: { name: 'recorded', token: 'made-up', api_url: `http://127.0.0.1:${port}/api/1.0` },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe.skipIf(isAbsent)('what was recorded of Asana', () => {
  test('is understood: projects, tasks, comments and subtasks', async () => {
    await using server = await replay()
    const connector: Connector = asana
    const context = await connectorContext(connector, server.config)
    expect(context.account).toMatchObject({ account: '1211440844472372', title: 'Nango API (api@nango.dev)' })
    const items = new Map<string, SourceItem>()
    for await (const partition of connector.partitions(context)) {
      for await (const change of connector.changes(partition, undefined, context)) {
        if (change.type === 'item') items.set(change.item.itemId, change.item)
        else expect(change.type).toBe('checkpoint')
      }
    }
    expect([...items.keys()].filter((id) => id.startsWith('asana:proj:')).length).toBeGreaterThanOrEqual(10)
    expect(items.get('asana:proj:1211440849237745')).toMatchObject({ title: 'Project API Testing Sandbox' })
    const draft = items.get('asana:1211440849237760')
    expect(draft).toMatchObject({ title: 'Draft project brief', createdAt: new Date('2025-09-23T14:42:24.630Z') })
    const body = await bodyOf(draft)
    expect(body).toContain('State: open. Assignee: Nango API. Due: 2025-09-25.')
    expect(body).toContain('## Comment by Nango API at 2026-04-27T14:33:28.246Z\n\nTest story for Nango delete action')
    expect(body).not.toContain('added this task to')
    for (const item of items.values()) expect(await bodyOf(item)).not.toMatch(/undefined|\[object|NaN|<body/)
  })
})
