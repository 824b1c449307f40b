import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand, startUp } from '../lib/command-line.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

interface Home {
  readonly folder: string
  run(...args: string[]): ReturnType<typeof runCommand>
  memorize(name: string, text: string): Promise<void>
  files(): Promise<string[]>
}

function homeIn(folder: string): Home {
  const run = (...args: string[]) => runCommand(args, { RECALLD_HOME: join(folder, 'home') })
  const list = async () => JSON.parse((await run('list', '--json')).stdout).files
  return {
    folder,
    run,
    async memorize(name, text) {
      writeFileSync(join(folder, name), text)
      await run('memorize', join(folder, name), '--item-id', name.replace('.', '-'))
      await until(async () => (await list()).every((file: { status: string }) => file.status === 'ready'))
    },
    files: async () => (await list()).map((file: { item_id: string }) => file.item_id).sort(),
  }
}

test('a backup taken while the service runs brings everything back, and keeps what it replaced', async () => {
  const home = homeIn(temporaryFolder())
  const env = { RECALLD_HOME: join(home.folder, 'home') }
  const service = await startUp(env)
  await home.memorize('one.md', 'The blue bicycle stands in the cellar.\n')
  const backup = join(home.folder, 'backup.db')
  expect((await home.run('backup', backup)).stdout).toMatch(/^Wrote \d+ bytes to /)
  expect(statSync(backup).mode & 0o777).toBe(0o600)
  expect((await home.run('backup', backup)).stderr).toContain('already exists')
  const noted: { kind: string }[] = JSON.parse((await home.run('activity', '--json')).stdout)
  expect(noted.filter(({ kind }) => kind === 'backup')).toHaveLength(1)
  await home.memorize('two.md', 'The red bicycle was sold.\n')
  expect((await home.run('restore', backup)).stderr).toMatch(
    /^recalld: The recalld with process id \d+ at http:.* uses this home/,
  )
  await service.stop()

  const { code, stdout } = await home.run('restore', backup, '--json')
  expect(code).toBe(0)
  const restored = JSON.parse(stdout)
  expect(restored.counts).toMatchObject({ accounts: 1, keys: 1, items: 1, bodies: 1 })
  expect(existsSync(restored.previous)).toBe(true)

  const again = await startUp(env)
  expect(await home.files()).toEqual(['one-md'])
  expect((await home.run('recall', 'where is the blue bicycle')).stdout).toContain('cellar')
  await again.stop()

  // What was replaced is itself a whole database.
  expect((await home.run('restore', restored.previous)).code).toBe(0)
  const back = await startUp(env)
  expect(await home.files()).toEqual(['one-md', 'two-md'])
  await back.stop()
})

test('what is no sound backup is refused, and nothing has changed', async () => {
  const home = homeIn(temporaryFolder())
  const env = { RECALLD_HOME: join(home.folder, 'home') }
  await (await startUp(env)).stop()
  const backup = join(home.folder, 'backup.db')
  await home.run('backup', backup)
  const database = readFileSync(join(home.folder, 'home', 'recalld.db'))

  const torn = readFileSync(backup)
  torn.fill(0xff, 8_192, 24_576)
  writeFileSync(join(home.folder, 'torn.db'), torn)
  expect((await home.run('restore', join(home.folder, 'torn.db'))).stderr).toContain('is damaged and was not restored')
  writeFileSync(join(home.folder, 'letter.txt'), 'Dear Ada')
  expect(await home.run('restore', join(home.folder, 'letter.txt'))).toMatchObject({ code: 1, stdout: '' })
  writeFileSync(join(home.folder, 'empty.db'), '')
  expect((await home.run('restore', join(home.folder, 'empty.db'))).stderr).toContain('is not a backup of recalld')
  expect((await home.run('restore', join(home.folder, 'absent.db'))).stderr).toContain("doesn't exist")
  expect(readFileSync(join(home.folder, 'home', 'recalld.db'))).toEqual(database)
})
