import { existsSync, readFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { BuildOptions } from 'esbuild'

/**
 * Every writer thread loads Kysely and every pipeline thread chrono-node: over 250 files each, which take four fifths
 * of the time that it takes to open a store, and tests open hundreds. Here they are put into one file each, once for
 * an installation, and these threads with all that they load, once for each run of the tests; preloaded by each process
 * and thread of the tests (vitest `execArgv`) and by services that they start. The published package, and what npm and
 * hosts of MCP start, load everything as it is.
 */
const PACKAGES = ['kysely', 'chrono-node']
const THREADS = ['src/store/sqlite/writer-thread.ts', 'src/worker/pipeline-thread.ts']

const root = new URL('../..', import.meta.url)
const packageFile = (name: string) => new URL(`node_modules/.cache/recalld-packages/${name}.mjs`, root)
const threadFile = (path: string) =>
  new URL(`node_modules/.cache/recalld-threads/${path.replaceAll('/', '-')}.mjs`, root)
// Outside of a run of vitest the files of threads are those of the last one, and may be older than the sources.
const threads = process.env.VITEST === undefined ? [] : THREADS

const inOneFile = new Map(
  [
    ...PACKAGES.map((name) => [name, packageFile(name)] as const),
    ...threads.map((path) => [new URL(path, root).href, threadFile(path)] as const),
  ]
    .filter(([, file]) => existsSync(file))
    .map(([specifier, file]) => [specifier, file.href]),
)

registerHooks({
  resolve(specifier, context, next) {
    const url = inOneFile.get(specifier)
    return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true }
  },
})

/** Runs before the tests (vitest `globalSetup`), and again when a file was saved while it watches them. */
export async function setup(project: { onTestsRerun(made: () => Promise<void>): void }): Promise<void> {
  project.onTestsRerun(makeThreads)
  await Promise.all([...PACKAGES.map((name) => make(packageFile(name), { entryPoints: [name] })), makeThreads()])
}

async function makeThreads(): Promise<void> {
  await Promise.all(THREADS.map((path) => make(threadFile(path), threadOptions(path))))
}

async function make(file: URL, options: BuildOptions): Promise<void> {
  const { build } = await import('esbuild')
  const outfile = fileURLToPath(file)
  // Renamed when whole: another run may be reading it.
  const made = `${outfile}.${process.pid}`
  await build({ ...options, outfile: made, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
  await rename(made, outfile)
}

/**
 * Modules find their own files by their address, which stays theirs; packages of the old kind `require` what Node has. Errors
 * are told apart by their class, of which a thread has one, also where a test has it load a module of its own.
 */
function threadOptions(path: string): BuildOptions {
  return {
    absWorkingDir: fileURLToPath(root),
    entryPoints: [path],
    // A third less to parse at each start; names stay for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    banner: {
      js: "import { createRequire as requires } from 'node:module'\nconst require = requires(import.meta.url)",
    },
    plugins: [
      {
        name: 'addresses',
        setup({ onLoad, onResolve }) {
          onResolve({ filter: /\/domain\/errors\.ts$/ }, () => ({
            path: new URL('src/domain/errors.ts', root).href,
            external: true,
          }))
          onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path: source }) => ({
            loader: 'ts',
            contents: withOwnAddress(source),
          }))
        },
      },
    ],
  }
}

function withOwnAddress(source: string): string {
  return readFileSync(source, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(source).href))
}
