import { execFile } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packagePath } from '../../src/lib/files.ts'
import { buildPages } from '../lib/app/built-pages.ts'
import { setup as buildProgram } from '../lib/built-program.ts'
import { recalld } from '../lib/recalld-process.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

const run = promisify(execFile)

/** Output of npm, or that it is not reachable: the only reason not to know whether the package works. */
async function npm(...args: string[]): Promise<{ stdout: string } | 'unreachable'> {
  try {
    return await run('npm', args, { cwd: packagePath('.'), maxBuffer: 64 * 1024 * 1024 })
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
    if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ENOTCACHED/.test(said)) return 'unreachable'
    throw error
  }
}

// Half a minute, as everything is installed once more.
test.skipIf(!process.env.CI)(
  'the published package installs and runs without the sources (with CI=1)',
  { timeout: 600_000 },
  async ({ skip }) => {
    const folder = temporaryFolder()
    // `npm pack` would build both first, also when they are current: other tests run the program and look at the pages.
    await buildPages()
    await buildProgram()
    await run(process.execPath, [packagePath('scripts/build-types.js'), '--if-outdated'])
    const packed = await npm('pack', '--ignore-scripts', '--pack-destination', folder, '--json')
    if (packed === 'unreachable') return skip('npm is not reachable')
    const [archive] = readdirSync(folder)
    expect(archive).toMatch(/^recalld-\d+\.\d+\.\d+\.tgz$/)

    const prefix = join(folder, 'prefix')
    const flags = ['--prefix', prefix, '--prefer-offline', '--no-audit', '--no-fund']
    if ((await npm('install', '--global', ...flags, join(folder, archive ?? ''))) === 'unreachable') {
      return skip('the npm registry is not reachable, and the cache does not hold the dependencies')
    }
    const installed = join(prefix, process.platform === 'win32' ? '' : 'lib', 'node_modules', 'recalld')
    for (const shipped of [
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'config/README.md',
      'config/plans.yaml',
      'samples',
      'dist/web/index.html',
      'dist/types/src/connector/contract.d.ts',
      'dist/program/connector-testing.js',
      'templates/connector/package.json',
    ]) {
      expect(existsSync(join(installed, shipped)), shipped).toBe(true)
    }
    for (const left of ['src/main.ts', 'test', 'scripts', '.ci'])
      expect(existsSync(join(installed, left)), left).toBe(false)

    const launcher = [join(installed, 'bin', 'recalld.js')]
    const home = join(folder, 'home')
    // Other tests share a cache.
    const caches = { XDG_CACHE_HOME: join(folder, 'caches'), NODE_COMPILE_CACHE: '' }
    const compiled = join(folder, 'caches', 'recalld')
    mkdirSync(join(folder, 'caches'))
    expect(await recalld(['--version'], caches, launcher)).toMatchObject({ code: 0, stderr: '' })
    if (process.platform === 'linux') expect(readdirSync(compiled)).not.toEqual([])
    if (process.platform === 'linux' && process.getuid?.() === 0) {
      // Code of somebody else is not run.
      rmSync(compiled, { recursive: true })
      mkdirSync(compiled)
      chownSync(compiled, 1, 1)
      expect(await recalld(['--version'], caches, launcher)).toMatchObject({ code: 0, stderr: '' })
      expect(readdirSync(compiled)).toEqual([])
    }
    const demo = await recalld(['demo'], { ...caches, RECALLD_HOME: home }, launcher)
    expect({ code: demo.code, stderr: demo.stderr }).toEqual({ code: 0, stderr: '' })
    expect(demo.stdout).toContain('PostgreSQL')
    const account = await recalld(
      ['accounts', 'create', '--name', 'a', '--user-name', 'b', '--json'],
      { ...caches, RECALLD_HOME: home },
      launcher,
    )
    expect(JSON.parse(account.stdout).key).toMatch(/^rk_/)
  },
)
