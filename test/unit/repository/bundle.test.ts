import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
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
