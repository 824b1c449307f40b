import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isBundleCurrent } from '../bin/is-bundle-current.js'
import { mergeChunks } from './merge-chunks.js'

/**
 * Bundles the program into dist/program, which the launcher starts. Loading a few hundred bundled modules takes half the
 * processor time of loading 2,000 files. Without esbuild (npm ci --omit=dev), the sources run instead. `--if-outdated`
 * builds only if a source is newer than the bundle.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const output = join(root, 'dist/program')

/** Threads and processes share no file with the program, which would otherwise be split for what they need of it. */
const THREAD = /-(?:thread|process)\.ts$/

/** Modules that are loaded by URL or from outside: the program, its threads and processes, and the exports of the package. */
const ENTRY_POINTS = [
  'src/main.ts',
  'src/connector/contract.ts',
  'test/contract/connector-testing.ts',
  ...readdirSync(join(root, 'src'), { recursive: true })
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .filter((path) => THREAD.test(path) && !path.startsWith('src/lib/')),
]

const COMMAND = ['src/main.ts', 'src/boot/command-context.ts', 'src/cli/program.ts']
const CLIENT = [...COMMAND, 'src/client/rest-memory.ts', 'src/cli/memory/recall.ts']
const DATABASE = ['src/lib/log.ts', 'src/store/sqlite/sqlite-store.ts']

/** What is loaded together most often, each from few files. Everything else is as esbuild splits it. */
const USES = {
  version: ['src/main.ts'],
  hook: [
    'src/main.ts',
    'src/hooks/hook-arguments.ts',
    'src/hooks/run-hook.ts',
    'src/hooks/read-input.ts',
    'src/config/credentials.ts',
    'src/config/home-folder.ts',
  ],
  command: COMMAND,
  client: CLIENT,
  mcp: [...COMMAND, 'src/cli/serve/serve.ts', 'src/mcp/mcp-server.ts', 'src/mcp/mcp-context.ts'],
  administration: [...COMMAND, ...DATABASE, 'src/boot/open-administration.ts'],
  sync: [...COMMAND, 'src/lib/log.ts', 'src/cli/sync/sync.ts', 'src/boot/sync-home.ts'],
  service: [...COMMAND, ...DATABASE, 'src/cli/serve/serve.ts', 'src/boot/start-app.ts'],
}

/** Loaded by many commands, and by MCP over stdio for its first report. */
const LOG = ['src/lib/log.ts']

/** Threads that each service starts: one file is loaded in half the time of thirty that are shared with the program. */
const ALONE = /\/(?:pipeline|writer)-thread\.ts$/

/** Packages that are optional, have native code, or are large and rarely loaded. */
const EXTERNAL = [
  '@aws-sdk/*',
  '@huggingface/transformers',
  '@node-rs/argon2',
  'ai',
  'mammoth',
  'pg-native',
  'unpdf',
  'vitest',
]

/** Dynamically imported packages stay outside: a bundled CommonJS package would lose its named exports. */
const LAZY_PACKAGES = {
  name: 'lazy packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    )
  },
}

/**
 * Built-in modules are required, not imported: importing `node:http` reads all of its exports, including getters that load
 * the client of fetch, which costs each process and thread 50 ms.
 */
const REQUIRED_BUILTINS = {
  name: 'required builtins',
  setup({ onResolve, onLoad }) {
    const namespace = 'builtin'
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace } : { path, external: true },
    )
    onLoad({ filter: /^/, namespace }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }))
  },
}

let build
try {
  build = (await import('esbuild')).build
} catch (error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
  process.stderr.write(
    'The program is not bundled because esbuild is not installed. It runs from the sources, but starts slower.\n',
  )
}
if (build !== undefined && !(process.argv.includes('--if-outdated') && isBundleCurrent())) await bundle(build)

async function bundle(build) {
  const isAlone = (path) => ALONE.test(path)
  const isThread = (path) => THREAD.test(path) && !isAlone(path)
  const [program, ...threads] = await Promise.all([
    build(
      optionsFor(
        ENTRY_POINTS.filter((path) => !THREAD.test(path)),
        { splitting: true },
      ),
    ),
    build(optionsFor(ENTRY_POINTS.filter(isThread), { splitting: true })),
    ...ENTRY_POINTS.filter(isAlone).map((path) => build(optionsFor([path], { splitting: false }))),
  ])
  const { banner, ...options } = optionsFor([], { splitting: false })
  const merged = await mergeChunks(build, options, program, {
    uses: USES,
    rarerUses: [LOG, commandModules(program)],
  })
  // Otherwise old chunks would be published too.
  rmSync(output, { recursive: true, force: true })
  mkdirSync(output, { recursive: true })
  const inputs = [program, ...threads].flatMap(({ metafile }) => Object.keys(metafile.inputs))
  writeFileSync(join(output, 'THIRD-PARTY-LICENSES.txt'), licenses(inputs))
  // main.js is written last: the launcher starts the bundle only if main.js exists and is newer than the sources.
  const isProgram = ({ path }) => path === join(output, 'main.js')
  const files = [...merged, ...threads.flatMap(({ outputFiles }) => outputFiles)]
  for (const { path, contents } of files.toSorted((a, b) => isProgram(a) - isProgram(b))) {
    writeFileSync(path, contents)
  }
}

/** As one use, so that no command loads the service for a few functions that both need. */
function commandModules({ metafile }) {
  const modules = Object.values(metafile.outputs).map(({ entryPoint }) => entryPoint)
  return modules.filter((module) => module?.startsWith('src/cli/'))
}

function optionsFor(entryPoints, { splitting }) {
  return {
    absWorkingDir: root,
    // All files in one folder: packagePath and moduleUrl find their neighbors by import.meta.url.
    entryPoints: entryPoints.map((path) => ({ in: path, out: path.slice(path.lastIndexOf('/') + 1, -'.ts'.length) })),
    outdir: output,
    bundle: true,
    splitting,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    external: EXTERNAL,
    plugins: [REQUIRED_BUILTINS, LAZY_PACKAGES],
    // Its CommonJS form requires its own files by computed names, which cannot be bundled.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    // Built-in modules are required with it.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    // Less to read and to keep; names stay for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: 'warning',
  }
}

/** The license of each bundled package, as most licenses require. */
function licenses(inputs) {
  const packages = new Set(inputs.flatMap((path) => packageFolder(path) ?? []))
  return [...packages]
    .sort()
    .map((folder) => {
      const manifest = join(root, folder, 'package.json')
      const { name, version, license } = JSON.parse(readFileSync(manifest, 'utf8'))
      const file = readdirSync(dirname(manifest)).find((entry) => /^licen[cs]e(\.|-|$)/i.test(entry))
      const text = file === undefined ? '' : `\n${readFileSync(join(root, folder, file), 'utf8').trim()}\n`
      return `${name} ${version} (${license})\n${text}`
    })
    .join('\n----\n\n')
}

/** Some packages contain others without a manifest; those count as part of the outer package. */
function packageFolder(path) {
  const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]
  if (folder === undefined || existsSync(join(root, folder, 'package.json'))) return folder
  return packageFolder(folder.slice(0, folder.lastIndexOf('/node_modules/')))
}
