import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packagePath } from '../../../src/lib/files.ts'
import { repositoryFiles } from '../../lib/repository-files.ts'

const BUNDLE = packagePath('dist/program')
/** These do something when they are imported. */
const STARTS = /^main\.js$|-(?:thread|process)\.js$/

test('the bundle holds every thread', () => {
  const threads = repositoryFiles(/^src\/(?!lib\/).*-thread\.ts$/).map(({ path }) => basename(path, '.ts'))
  expect(threads).toContain('integrity-thread')
  expect(threads.filter((name) => !existsSync(packagePath(`dist/program/${name}.js`)))).toEqual([])
})

test('every file of the bundle finds what it imports from others', async () => {
  const files = readdirSync(BUNDLE).filter((name) => name.endsWith('.js') && !STARTS.test(name))
  expect(files.length).toBeGreaterThan(100)
  // `connector-testing` declares tests, which only vitest can.
  const addresses = files
    .filter((name) => name !== 'connector-testing.js')
    .map((name) => pathToFileURL(`${BUNDLE}/${name}`))
  const load = `await Promise.all(${JSON.stringify(addresses)}.map((address) => import(address)))`
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', load])
})

/** The service has 3 MB. */
const MOST_BYTES_OF_A_COMMAND = 2_000_000

test('no command, nor its log, loads the code of the service', () => {
  const commands = readFileSync(packagePath('src/cli/commands.ts'), 'utf8').matchAll(/import\('.*\/([\w-]+)\.ts'\)/g)
  const files = new Set([...commands].map(([, name]) => bundledFile(`${name}`, /export\{.*\badd[A-Z]/)))
  expect(files.size).toBeGreaterThan(20)
  const loaded = [...files, bundledFile('mcp-server', /serveStdio/), bundledFile('log', /createPinoLog/)]
  expect(loaded.filter((file) => bytesLoadedBy(file) > MOST_BYTES_OF_A_COMMAND)).toEqual([])
})

/** The file of a module that is imported dynamically. */
function bundledFile(module: string, content: RegExp): string {
  const name = new RegExp(`^${module}-[A-Z0-9]{8}\\.js$`)
  const file = readdirSync(BUNDLE).find((file) => name.test(file) && content.test(textOf(file)))
  if (file === undefined) throw new Error(`the bundle has no file of ${module}`)
  return file
}

function bytesLoadedBy(file: string): number {
  const loaded = new Set<string>()
  const load = (file: string) => {
    if (loaded.has(file)) return
    loaded.add(file)
    for (const [, imported] of textOf(file).matchAll(/(?:from|import)"\.\/([^"]+)"/g)) load(`${imported}`)
  }
  load(file)
  return [...loaded].reduce((sum, file) => sum + statSync(`${BUNDLE}/${file}`).size, 0)
}

function textOf(file: string): string {
  return readFileSync(`${BUNDLE}/${file}`, 'utf8')
}
