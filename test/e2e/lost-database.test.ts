import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { runCommand, startUp } from '../lib/command-line.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

function newHome() {
  const home = join(temporaryFolder(), 'home')
  const env = { RECALLD_HOME: home }
  const credentials = () => readFileSync(join(home, 'credentials.json'), 'utf8')
  const run = (...args: string[]) => runCommand(args, env)
  const refusedUp = () => run('up', '--port', '0')
  const loseDatabase = () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(home, `recalld.db${suffix}`), { force: true })
  }
  const accounts = async () => JSON.parse((await run('accounts', 'list', '--json')).stdout).length
  return { home, env, credentials, run, refusedUp, loseDatabase, accounts }
}

/** A home that was used, and stopped. */
async function usedHome() {
  const home = newHome()
  await (await startUp(home.env)).stop()
  return home
}

test.each(['of this version', 'of a version without a marker'])(
  'a home %s whose database is gone is refused by every command, and nothing is made in it',
  async (age) => {
    const { home, run, refusedUp, credentials, loseDatabase } = await usedHome()
    if (age !== 'of this version') rmSync(join(home, 'database.json'))
    const before = credentials()
    loseDatabase()
    const sentence =
      /^recalld: The database of this home is missing: .*recalld\.db doesn't exist\..*"recalld restore FILE".*"recalld up --accept-database"/
    expect(await refusedUp()).toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) })
    for (const command of [
      ['keys', 'list'],
      ['sync', 'claude_code'],
      ['accounts', 'create', '--name', 'a', '--user-name', 'b'],
      ['people', 'list'],
      ['backup', join(home, 'x.db')],
      ['reindex'],
    ]) {
      const { code, stderr } = await run(...command)
      expect([command[0], code, stderr]).toEqual([
        command[0],
        expect.any(Number),
        expect.stringContaining('The database of this home is missing'),
      ])
      expect(code).not.toBe(0)
    }
    const findings: { check: string; result: string; message: string }[] = JSON.parse(
      (await run('doctor', '--json')).stdout,
    )
    expect(findings).toContainEqual(expect.objectContaining({ check: 'database', result: 'problem' }))
    expect(existsSync(join(home, 'recalld.db'))).toBe(false)
    expect(credentials()).toBe(before)
  },
)

test('a lost database comes back by a restore, or is given up by a flag that is needed once', async () => {
  const { home, env, run, refusedUp, credentials, loseDatabase, accounts } = await usedHome()
  const before = credentials()
  const backup = join(home, '..', 'backup.db')
  await run('backup', backup)
  loseDatabase()
  expect((await run('restore', backup)).code).toBe(0)
  await (await startUp(env)).stop()
  expect(credentials()).toContain(JSON.parse(before).api_key)
  loseDatabase()
  expect((await refusedUp()).code).toBe(1)
  const started = await startUp(env, '--accept-database')
  expect(await accounts()).toBe(1)
  await started.stop()
  expect(credentials()).not.toContain(JSON.parse(before).api_key)
  await (await startUp(env)).stop()
  // A backup of the one that was given up may take its place again.
  expect((await run('restore', backup)).code).toBe(0)
  await (await startUp(env)).stop()
})

test('another database in the place of the one that was used is refused and left as it is', async () => {
  const one = await usedHome()
  const other = await usedHome()
  const own = join(one.home, 'recalld.db')
  renameSync(own, `${own}.mine`)
  copyFileSync(join(other.home, 'recalld.db'), own)
  const bytes = readFileSync(own)
  expect(await one.refusedUp()).toMatchObject({ code: 1, stderr: expect.stringContaining('is another database') })
  expect(readFileSync(own)).toEqual(bytes)
  writeFileSync(own, '')
  expect((await one.refusedUp()).stderr).toContain('is empty or was created by an older version')
  renameSync(`${own}.mine`, own)
  await (await startUp(one.env)).stop()
})

test('a start that was killed before the home knew its database goes on with it', async () => {
  const { home, env, accounts } = await usedHome()
  rmSync(join(home, 'database.json'))
  await (await startUp(env)).stop()
  expect(existsSync(join(home, 'database.json'))).toBe(true)
  // Or before the first account was made.
  const early = newHome()
  mkdirSync(early.home)
  expect((await early.run('accounts', 'list')).code).toBe(1)
  const raw = new DatabaseSync(join(home, 'recalld.db'))
  raw.close()
  expect(await accounts()).toBe(1)
})

test('a database without accounts makes none while the home has the key of one', async () => {
  const { home, credentials, refusedUp } = await usedHome()
  const before = credentials()
  const raw = new DatabaseSync(join(home, 'recalld.db'))
  raw.exec('pragma foreign_keys = off; delete from account')
  raw.close()
  expect(await refusedUp()).toMatchObject({ code: 1, stderr: expect.stringContaining('The database has no account') })
  expect(credentials()).toBe(before)
})

test('a home that was moved as a folder, or of which only the database was copied, is opened', async () => {
  const { home, run } = await usedHome()
  const moved = newHome()
  mkdirSync(moved.home)
  for (const name of readdirSync(home).filter((name) => !name.endsWith('.lock'))) {
    if (!['models', 'spool', 'copies'].includes(name)) copyFileSync(join(home, name), join(moved.home, name))
  }
  await (await startUp(moved.env)).stop()
  const copied = newHome()
  mkdirSync(copied.home)
  copyFileSync(join(home, 'recalld.db'), join(copied.home, 'recalld.db'))
  await (await startUp(copied.env)).stop()
  expect((await run('keys', 'list')).code).toBe(0)
})

test('the first account of a home that somebody hosts may make keys from its first start', async () => {
  const { env, run } = newHome()
  const service = await startUp(env)
  expect(JSON.parse((await run('billing', 'show', '--json')).stdout)).toMatchObject({
    plan: 'self-hosted',
    status: 'active',
  })
  expect((await run('keys', 'create', '--name', 'agent')).code).toBe(0)
  // Those that an operator makes for others have no billing account yet.
  const made = JSON.parse((await run('accounts', 'create', '--name', 'b', '--user-name', 'b', '--json')).stdout)
  const refused = await run('keys', 'create', '--name', 'agent', '--account', made.account_id)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('needs a billing account') })
  await service.stop()
})
