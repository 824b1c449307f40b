import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../lib/temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

test('the bundle for Claude Desktop passes the official check and runs by itself, without a service', async () => {
  const output = join(temporaryFolder(), 'bundle')
  execFileSync(process.execPath, ['scripts/bundle-mcpb.ts', output], { cwd: ROOT, stdio: 'pipe' })
  const folder = join(output, 'recalld')
  const { server, tools } = JSON.parse(readFileSync(`${folder}/manifest.json`, 'utf8'))
  const client = new Client({ name: 'test', version: '1.0.0' })
  const args = server.mcp_config.args.map((argument: string) => argument.replace(`\${__dirname}`, folder))
  const env = { RECALLD_URL: 'http://127.0.0.1:9', RECALLD_API_KEY: 'rk_none' }
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
  const listed = await client.listTools()
  const names = listed.tools.map(({ name }) => name)
  expect(names).toEqual(tools.map(({ name }: { name: string }) => name))
  const result = await client.callTool({ name: 'recall', arguments: { query: 'anything' } })
  expect(result.isError).toBe(true)
  expect(JSON.stringify(result.content)).toContain('recalld is not running at http://127.0.0.1:9')
  await client.close()
})

test('the entry of the registry says what the package is', () => {
  const read = (file: string) => JSON.parse(readFileSync(ROOT + file, 'utf8'))
  const [entry, { name, version, mcpName }] = [read('server.json'), read('package.json')]
  expect(entry).toMatchObject({ name: mcpName, version, packages: [{ identifier: name, version }] })
  // The registry takes no longer one.
  expect(entry.description.length).toBeLessThanOrEqual(100)
})
