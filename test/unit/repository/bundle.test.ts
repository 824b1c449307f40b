import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { packagePath } from '../../../src/lib/files.ts'
import { repositoryFiles } from '../../lib/repository-files.ts'

test('the bundle holds every thread', () => {
  const threads = repositoryFiles(/^src\/(?!lib\/).*-thread\.ts$/).map(({ path }) => basename(path, '.ts'))
  expect(threads).toContain('integrity-thread')
  expect(threads.filter((name) => !existsSync(packagePath(`dist/program/${name}.js`)))).toEqual([])
})
