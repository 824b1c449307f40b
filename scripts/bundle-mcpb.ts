import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Creates recalld.mcpb, a bundle for Claude Desktop, in dist-mcpb or the given folder, and validates it with the official tool. */
const root = fileURLToPath(new URL('..', import.meta.url))
const output = resolve(process.argv[2] ?? join(root, 'dist-mcpb'))
const folder = join(output, 'recalld')
const { version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

rmSync(output, { recursive: true, force: true })
mkdirSync(join(folder, 'server'), { recursive: true })
await build({
  entryPoints: [join(root, 'scripts/mcpb-server.ts')],
  outfile: join(folder, 'server/recalld-mcp.mjs'),
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  define: { RECALLD_VERSION: JSON.stringify(version) },
  // Some bundled packages are CommonJS and load built-in modules with `require`.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  legalComments: 'linked',
  logLevel: 'warning',
})

const manifest = {
  manifest_version: '0.3',
  name: 'recalld',
  display_name: 'recalld: your own memory',
  version,
  description,
  long_description:
    'Gives Claude access to your recalld memory on this machine. The service must be running: see its README. Only what is shown to Claude leaves the machine.',
  author: { name: 'The recalld authors' },
  license,
  server: {
    type: 'node',
    entry_point: 'server/recalld-mcp.mjs',
    mcp_config: {
      command: 'node',
      args: [`\${__dirname}/server/recalld-mcp.mjs`],
      env: { RECALLD_URL: `\${user_config.url}`, RECALLD_API_KEY: `\${user_config.api_key}` },
    },
  },
  tools: [
    { name: 'recall', description: 'Search your own memory' },
    { name: 'ask', description: 'Answer a question from your own memory, with citations' },
    { name: 'open', description: 'Show the text around a passage, by its handle' },
  ],
  compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=22' } },
  user_config: {
    url: {
      type: 'string',
      title: 'Address of recalld',
      description: 'Address of the running service',
      default: 'http://127.0.0.1:7411',
      required: true,
    },
    api_key: {
      type: 'string',
      title: 'Key',
      description: 'Printed by the first "recalld up". "recalld keys create" creates more.',
      sensitive: true,
      required: true,
    },
  },
}
writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
for (const args of [
  ['validate', join(folder, 'manifest.json')],
  ['pack', folder, join(output, 'recalld.mcpb')],
]) {
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js'), ...args],
    {
      stdio: 'inherit',
    },
  )
  if (status !== 0) process.exit(status ?? 1)
}
