import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, test } from 'vitest'
import { packagePath } from '../../src/lib/files.ts'
import { startMcpService } from '../lib/mcp-service.ts'
import type { RunningService } from '../lib/start-service.ts'

/** The command line of the MCP Inspector: a host that others wrote, and its check of schemas for other models. */
const INSPECTOR = packagePath('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js')

let service: RunningService
beforeAll(async () => {
  service = await startMcpService()
  await service.upload('Grace and I agreed to start the billing migration on 1 April 2026.', { itemId: 'billing' })
})
afterAll(() => service.stop())

function inspect(flags: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { baseUrl, key } = service
  const env = { ...process.env, RECALLD_URL: baseUrl, RECALLD_API_KEY: key }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [INSPECTOR, '--cli', ...flags], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}

const transports = {
  stdio: () => [
    process.execPath,
    packagePath('bin/recalld.js'),
    'mcp',
    '-e',
    `RECALLD_URL=${service.baseUrl}`,
    '-e',
    `RECALLD_API_KEY=${service.key}`,
  ],
  http: () => [
    ...['--server-url', `${service.baseUrl}/mcp`, '--transport', 'http', '--stored-auth-only'],
    ...['--header', `Authorization: Bearer ${service.key}`],
  ],
}

/** Side by side, as most of the time of each is the start of processes; 20 seconds together, so CI looks at it. */
const inspected = test.skipIf(!existsSync(INSPECTOR) || !process.env.CI).concurrent

const CASES = [
  ['stdio', 'legacy'],
  ['stdio', 'modern'],
  ['http', 'legacy'],
  ['http', 'modern'],
] as const

inspected.for(CASES)(
  'over %s, in the %s protocol, the Inspector finds no schema that a model refuses',
  async ([by, era], { expect }) => {
    const flags = ['--protocol-era', era, '--format', 'json', '--method', 'tools/list', '--strict']
    const { code, stdout, stderr } = await inspect([...transports[by](), ...flags])
    // It prints a summary only where there is something to say; --strict turns that into a code.
    expect(stderr).not.toMatch(/[1-9]\d* (?:errors|warnings)/)
    expect(code).toBe(0)
    expect(stdout).toContain('"recall"')
  },
)

inspected.for(CASES)('over %s, in the %s protocol, the Inspector recalls', async ([by, era], { expect }) => {
  const call = ['--method', 'tools/call', '--tool-name', 'recall', '--tool-args-json', '{"query":"billing migration"}']
  const { code, stdout } = await inspect([
    ...transports[by](),
    '--protocol-era',
    era,
    '--format',
    'json',
    '-q',
    ...call,
  ])
  expect(stdout).toContain('Grace and I agreed')
  expect(code).toBe(0)
})

inspected('a failed call is a failed call to the Inspector', async ({ expect }) => {
  const call = [
    '--method',
    'tools/call',
    '--tool-name',
    'recall',
    '--tool-args-json',
    '{"query":"x","sources":"smoke"}',
  ]
  const { code, stdout } = await inspect([...transports.http(), '--format', 'json', '-q', ...call])
  expect(stdout).toContain('There is no source smoke')
  expect(code).toBe(5)
})
