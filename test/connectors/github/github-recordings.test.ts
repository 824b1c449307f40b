import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { github } from '../../../connectors/github/github.ts'
import type { GithubConfig } from '../../../connectors/github/github-config.ts'
import type { SourceItem } from '../../../src/connector/connector.ts'
import { bodyOf } from '../../fakes/github/github-run.ts'
import { connectorContext, type TestContext } from '../../lib/connector-context.ts'

const FOLDER = join(import.meta.dirname, '../../../../shared/fixtures/recordings/github')
const isAbsent = !existsSync(FOLDER)
if (isAbsent) console.warn('The recordings of GitHub are not here: their tests are skipped.')

const answer = z.looseObject({ response: z.unknown(), status: z.int() })
const recording = z.looseObject({
  api: z.record(z.string(), z.record(z.string(), z.union([answer, z.array(answer)]))).optional(),
})
const REPOSITORY = '/repos/viictoo/api-playground2'

/** The recorded answers by path; of several, the longest. */
function recorded(): Map<string, unknown> {
  const answers = new Map<string, unknown>()
  for (const name of readdirSync(FOLDER)) {
    const { api } = recording.parse(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')))
    for (const [path, found] of Object.entries(api?.get ?? {})) {
      for (const { response } of [found].flat()) {
        const known = JSON.stringify(answers.get(path) ?? '')
        if (JSON.stringify(response).length > known.length) answers.set(path, response)
      }
    }
  }
  return answers
}

/** Answers as the recordings do; what nobody recorded is an empty list, and the branch is the tree that was recorded. */
async function replay() {
  const answers = recorded()
  answers.set('/user', { id: 125632594, login: 'viictoo' })
  const tree = [...answers].find(([path]) => path.includes('/git/trees/'))?.[1]
  answers.set(`${REPOSITORY}/git/trees/main`, tree)
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://127.0.0.1').pathname
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(answers.get(path) ?? []))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    config: { name: 'recorded', token: 'made-up', api_url: `http://127.0.0.1:${port}` },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe.skipIf(isAbsent)('what was recorded of GitHub', () => {
  test('is understood: issues, pull requests, releases and files', async () => {
    await using server = await replay()
    const context = (await connectorContext(github, server.config)) as TestContext<GithubConfig>
    const items: SourceItem[] = []
    for await (const partition of github.partitions(context)) {
      for await (const change of github.changes(partition, undefined, context)) {
        if (change.type === 'item') items.push(change.item)
      }
    }
    const ids = items.map(({ itemId }) => itemId.replace('gh:1224437532:', ''))
    expect(ids.filter((id) => /^(issue|pr)=/.test(id)).length).toBeGreaterThanOrEqual(5)
    expect(ids).toContain('pr=14')
    expect(ids).toContain('rel=315092547')
    expect(ids).toContain('file:README=2Emd')
    const pull = items.find(({ itemId }) => itemId.endsWith(':pr=14'))
    expect(pull).toMatchObject({
      title: 'viictoo/api-playground2#14: Test PR from Nango action - second run',
      author: 'testnangoapi[bot]',
      where: 'viictoo/api-playground2',
      visibility: 'public',
    })
    expect(pull && (await bodyOf(pull))).toMatch(/^This is a second test pull request[^\n]+\n\nState: open\.\n/)
  })
})
