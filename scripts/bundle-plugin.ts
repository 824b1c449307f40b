import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { claudeCode } from '../src/hosts/claude-code.ts'
import { gemini } from '../src/hosts/gemini.ts'
import type { AgentHost } from '../src/hosts/host.ts'

// node scripts/bundle-plugin.ts claude-code|gemini [FOLDER]
// Creates dist-plugins/claude-code, a marketplace with the Claude Code plugin, or dist-plugins/gemini, a Gemini CLI
// extension. Both run the `recalld` on the PATH.

const root = fileURLToPath(new URL('..', import.meta.url))
const { version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const [host = '', named] = process.argv.slice(2)
const output = resolve(named ?? join(root, 'dist-plugins', host))
const author = { name: 'The recalld authors' }
const server = { command: 'recalld', args: ['mcp'] }

const BUNDLES: Readonly<Record<string, () => void>> = { 'claude-code': bundleClaudeCode, gemini: bundleGemini }
const bundle = BUNDLES[host]
if (bundle === undefined) {
  process.stderr.write(`Choose one of: ${Object.keys(BUNDLES).join(', ')}\n`)
  process.exit(2)
}
rmSync(output, { recursive: true, force: true })
bundle()
process.stdout.write(`${output}\n`)

function bundleClaudeCode(): void {
  const folder = join(output, 'recalld')
  const plugin = { name: 'recalld', version, description, author, license, keywords: ['memory', 'mcp', 'recall'] }
  cpSync(join(root, 'plugins/claude-code'), folder, { recursive: true })
  writeJson(join(output, '.claude-plugin/marketplace.json'), {
    name: 'recalld',
    owner: author,
    description: 'A self-hosted memory for people who work with AI agents',
    plugins: [{ name: plugin.name, source: './recalld', description }],
  })
  writeJson(join(folder, '.claude-plugin/plugin.json'), plugin)
  writeJson(join(folder, '.mcp.json'), { mcpServers: { recalld: { ...claudeCode.mcp.extra, ...server } } })
  writeJson(join(folder, 'hooks/hooks.json'), { hooks: hooksOf(claudeCode) })
}

function bundleGemini(): void {
  cpSync(join(root, 'plugins/gemini'), output, { recursive: true })
  writeJson(join(output, 'gemini-extension.json'), {
    name: 'recalld',
    version,
    description,
    contextFileName: 'GEMINI.md',
    mcpServers: { recalld: server },
  })
  writeJson(join(output, 'hooks/hooks.json'), { hooks: hooksOf(gemini) })
}

/** The hooks print nothing if recalld is not installed. */
function hooksOf({ id, hooks }: AgentHost) {
  const events = Object.entries(hooks?.events ?? {}).map(([name, event]) => {
    const command = `command -v recalld >/dev/null 2>&1 || exit 0; recalld hook ${event} --host ${id}`
    return [name, [{ hooks: [{ type: 'command', command, timeout: hooks?.timeout }] }]]
  })
  return Object.fromEntries(events)
}

function writeJson(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
}
