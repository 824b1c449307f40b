import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SOURCE_TYPES } from '../../src/domain/source-type.ts'
import { packagePath } from '../../src/lib/files.ts'
import { type ClientSetup, clientSetups } from '../../src/web/pages/keys/client-setups.ts'
import { SOURCE_GROUPS } from '../../src/web/pages/keys/source-groups.ts'
import { httpHost, stdioHost } from '../lib/mcp-host.ts'
import { startMcpService } from '../lib/mcp-service.ts'
import type { RunningService } from '../lib/start-service.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

const run = promisify(execFile)
const SERVER = z.object({ url: z.string(), headers: z.record(z.string(), z.string()) })
const NOTE = 'I decided about the launch: it is on Friday, 15 May 2026.'

let service: RunningService
beforeAll(async () => {
  service = await startMcpService()
  await service.upload(NOTE, { itemId: 'launch' })
})
afterAll(() => service?.stop())

const setup = (id: string): ClientSetup => {
  const found = clientSetups({ baseUrl: service.baseUrl, key: service.key }).find((one) => one.id === id)
  if (found === undefined) throw new Error(`there is no ${id}`)
  return found
}
const code = (id: string, step = 0) => setup(id).steps[step]?.code ?? ''
/** That a host of this configuration recalls the note. */
const expectRecall = async ({ url, headers }: z.infer<typeof SERVER>) => {
  expect(url).toBe(`${service.baseUrl}/mcp`)
  const { text } = await httpHost('auto', service.baseUrl, headers)
  expect(await text('recall', { query: 'what I decided about the launch' })).toMatch(/^\[r\d/m)
}

describe.skipIf(process.platform === 'win32')('what the page of a new key shows, as it stands,', () => {
  test('recalls by curl', async () => {
    const { stdout } = await run('sh', ['-c', code('curl')])
    expect(stdout).toContain('launch')
  })

  test('recalls by TypeScript', async () => {
    const folder = temporaryFolder()
    await writeFile(join(folder, 'recall.ts'), code('typescript'))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    const { stdout } = await run('sh', ['-c', code('typescript', 1)], { cwd: folder })
    expect(stdout).toContain('launch')
  })

  test('tells Claude Code the address, the key and nothing that the shell would change', async () => {
    const { stdout } = await run('sh', ['-c', `claude() { printf '%s\\n' "$@"; }; ${code('claude-code')}`])
    const words = stdout.trim().split('\n')
    expect(words.slice(0, 7)).toEqual(['mcp', 'add', '--transport', 'http', '--scope', 'user', 'recalld'])
    const [name = '', value = ''] = (words[9] ?? '').split(': ')
    expect(words[8]).toBe('--header')
    await expectRecall({ url: words[7] ?? '', headers: { [name]: value } })
  })
})

describe('a configuration of MCP that the page of a new key shows', () => {
  test('connects Cursor', async () => {
    const { mcpServers } = z.object({ mcpServers: z.object({ recalld: SERVER }) }).parse(JSON.parse(code('cursor')))
    await expectRecall(mcpServers.recalld)
  })

  test('connects VS Code, which asks for the key', async () => {
    const file = z
      .object({
        inputs: z.tuple([z.object({ id: z.string(), password: z.literal(true) })]),
        servers: z.object({ recalld: SERVER }),
      })
      .parse(JSON.parse(code('vscode')))
    const { url, headers } = file.servers.recalld
    const asked = `\${input:${file.inputs[0].id}}`
    expect(headers['x-api-key']).toBe(asked)
    expect(code('vscode')).not.toContain(service.key)
    await expectRecall({ url, headers: { 'x-api-key': code('vscode', 1) } })
  })

  test('connects Codex, which reads the key from its environment', async () => {
    const url = /^url = "(.+)"$/m.exec(code('codex'))?.[1] ?? ''
    const variable = /^bearer_token_env_var = "(.+)"$/m.exec(code('codex'))?.[1]
    const [, name, value] = /^export (\w+)='(.+)'$/.exec(code('codex', 1)) ?? []
    expect(name).toBe(variable)
    await expectRecall({ url, headers: { authorization: `Bearer ${value}` } })
  })

  test('gives Claude Desktop what `recalld mcp` reads', async () => {
    const { env } = z
      .object({ env: z.record(z.string(), z.string()) })
      .parse(JSON.parse(`{${code('claude-desktop', 1)}}`))
    const { text } = await stdioHost('auto', {
      command: process.execPath,
      args: [packagePath('bin/recalld.js'), 'mcp'],
      env: { RECALLD_HOME: temporaryFolder(), ...env },
    })
    expect(await text('recall', { query: 'what I decided about the launch' })).toMatch(/^\[r\d/m)
  })
})

test('every program that is shown has a page of its own in docs/mcp', async () => {
  const pages = await readFile(packagePath('docs/mcp/README.md'), 'utf8')
  for (const { id } of clientSetups({ baseUrl: 'http://127.0.0.1:7411', key: 'rk_x' })) {
    if (id !== 'curl' && id !== 'typescript') expect(pages).toContain(`(${id}.md)`)
  }
})

test('every source type can be chosen for a key, once', () => {
  const sources = SOURCE_GROUPS.flatMap((group) => group.sources)
  expect(sources.toSorted()).toEqual(SOURCE_TYPES.toSorted())
})
