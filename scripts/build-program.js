import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isBundleCurrent } from '../bin/is-bundle-current.js'

/**
 * Bundles the program into dist/program, which is what starts. Loading a few hundred packed modules takes half the
 * processor time of loading 2,000 files. Without esbuild (npm ci --omit=dev) the sources run instead. `--if-outdated`: only
 * when a source is newer than the bundle.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const output = join(root, 'dist/program')

/** Modules with their own address: the program and its threads. */
const ENTRY_POINTS = [
  'src/main.ts',
  ...readdirSync(join(root, 'src'), { recursive: true })
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('-thread.ts') && !path.startsWith('src/lib/')),
]

/** Packages that are optional, have native code, or are large and rarely loaded. */
const EXTERNAL = ['@aws-sdk/*', '@huggingface/transformers', '@node-rs/argon2', 'ai', 'mammoth', 'pg-native', 'unpdf']

/** Packages that are imported when they are needed stay outside: a bundled CommonJS package loses its named exports there. */
const LAZY_PACKAGES = {
  name: 'lazy packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    )
  },
}

/**
 * Modules of Node are required, not imported: to import `node:http` reads all it exports, among which are getters that load
 * the client of fetch, which takes each process and thread 50 ms.
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
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    // All files in one folder: packagePath and moduleUrl find their neighbours by import.meta.url.
    entryPoints: ENTRY_POINTS.map((path) => ({ in: path, out: path.slice(path.lastIndexOf('/') + 1, -'.ts'.length) })),
    outdir: output,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    external: EXTERNAL,
    plugins: [REQUIRED_BUILTINS, LAZY_PACKAGES],
    // Its CommonJS form requires its own files by names that cannot be bundled.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    // By it, modules of Node are required.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
  // Older chunks would be published too.
  rmSync(output, { recursive: true, force: true })
  mkdirSync(output, { recursive: true })
  writeFileSync(join(output, 'THIRD-PARTY-LICENSES.txt'), licences(Object.keys(metafile.inputs)))
  // The program comes last: the launcher starts the bundle only when main.js is there and newer than the sources.
  const isProgram = ({ path }) => path === join(output, 'main.js')
  for (const { path, contents } of outputFiles.toSorted((a, b) => isProgram(a) - isProgram(b))) {
    writeFileSync(path, contents)
  }
}

/** The licence of each bundled package, as most licences require. */
function licences(inputs) {
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

/** Some packages carry others without their manifests; those belong to the package around them. */
function packageFolder(path) {
  const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]
  if (folder === undefined || existsSync(join(root, folder, 'package.json'))) return folder
  return packageFolder(folder.slice(0, folder.lastIndexOf('/node_modules/')))
}
