import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../../src/lib/files.ts'
import { startMcpService } from '../lib/mcp-service.ts'

/*
 * `npm run conformance`: the conformance tests of MCP against a whole service on a free port. They are written for
 * servers with the tools, prompts and resources of their fixtures; the baselines say which tests fail for want of those,
 * and why. A test that fails beyond its baseline, and one that passes in spite of it, ends this with 1.
 */

interface Suite {
  readonly name: string
  readonly tool: 'mcp-conformance' | 'mcp-conformance-stable'
  readonly flags: readonly string[]
}

const SUITES: readonly Suite[] = [
  { name: 'stable', tool: 'mcp-conformance-stable', flags: [] },
  { name: '2025-11-25', tool: 'mcp-conformance', flags: ['--requirements', '2025-11-25'] },
  { name: '2026-07-28', tool: 'mcp-conformance', flags: ['--requirements', '2026-07-28'] },
]

await using stack = new AsyncDisposableStack()
let key = ''
// The tests send no key.
const service = stack.use(await startMcpService({ work: false, defaultKey: () => key }))
key = service.key
const results = await mkdtemp(join(tmpdir(), 'recalld-conformance-'))
stack.defer(() => rm(results, { recursive: true, force: true }))
// Side by side: the longest spends its time waiting.
process.exitCode = Math.max(...(await Promise.all(SUITES.map(run))))

async function run({ name, tool, flags }: Suite): Promise<number> {
  const baseline = packagePath(`test/conformance/baseline-${name}.yml`)
  const main = packagePath(`node_modules/${tool}/dist/index.js`)
  const target = ['--url', `${service.baseUrl}/mcp`, '--expected-failures', baseline, '-o', join(results, name)]
  const child = spawn(process.execPath, [main, 'server', ...target, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8')
  })
  const [code] = await once(child, 'close')
  console.log(`\n## ${name}\n${output.slice(Math.max(0, output.indexOf('=== SUMMARY ===')))}`)
  return code ?? 1
}
