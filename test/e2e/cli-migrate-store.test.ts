import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prepareHome } from '../../src/config/home-folder.ts'
import { moveStore } from '../../src/store/move/move-store.ts'
import { openPostgresSide } from '../../src/store/move/postgres-side.ts'
import { openSqliteSide } from '../../src/store/move/sqlite-side.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { sampleAccount } from '../contract/store-samples.ts'
import { runCommand, startUp } from '../lib/command-line.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

const server = await postgresServer()
const isRealServer = process.env.RECALLD_TEST_DATABASE_URL ?? process.env.RECALLD_TEST_STARTED_SERVER

/** A home with three files in it, whose service is stopped. */
async function filledHome() {
  const home = join(temporaryFolder(), 'home')
  const env = { RECALLD_HOME: home }
  const service = await startUp(env)
  const files = {
    'bicycle.md': '# Bicycles\n\nThe blue bicycle stands in the cellar.\n\nThe red bicycle was sold to Ada.\n',
    'chat.txt': 'Mara: When does the migration start?\nAda: On Friday, 8 May 2026.\n',
    'garden.md': '# Garden\n\nTomatoes are planted behind the shed.\n',
  }
  for (const [name, text] of Object.entries(files)) {
    const file = join(temporaryFolder(), name)
    writeFileSync(file, text)
    expect((await runCommand(['memorize', file, '--item-id', name.replace('.', '-')], env)).code).toBe(0)
  }
  await until(async () => {
    const { files } = JSON.parse((await runCommand(['list', '--json'], env)).stdout)
    return files.length === 3 && files.every((file: { status: string }) => file.status === 'ready')
  })
  return { home, env, service }
}

async function answers(env: Record<string, string>): Promise<unknown[]> {
  const recalled: unknown[] = []
  for (const question of ['where is the blue bicycle', 'when does the migration start', 'tomatos', 'what was sold']) {
    const { stdout, code } = await runCommand(['recall', question, '--json'], env)
    expect(code).toBe(0)
    const { trace_id: _, ...answer } = JSON.parse(stdout)
    recalled.push(answer)
  }
  return recalled
}

test('a home that moved to PostgreSQL, and back, answers as before', async () => {
  const { home, env, service } = await filledHome()
  const before = await answers(env)
  const there = { ...env, RECALLD_DATABASE_URL: await server.emptyDatabase() }
  const refused = await runCommand(['migrate-store', '--to', 'postgres'], there)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('uses this home. Stop it first') })
  await service.stop()

  const moved = await runCommand(['migrate-store', '--to', there.RECALLD_DATABASE_URL], env)
  expect(moved).toMatchObject({ code: 0, stdout: expect.stringContaining('Everything was moved.') })
  expect(moved.stdout).toMatch(/^item +3 +3 +same$/m)
  expect((await runCommand(['migrate-store', '--to', 'postgres', '--verify-only'], there)).stdout).toContain(
    'Both databases have the same content.',
  )
  renameSync(join(home, 'recalld.db'), join(home, 'kept.db'))
  const service2 = await startUp(there)
  expect(await answers(env)).toEqual(before)
  await service2.stop()

  const back = await runCommand(['migrate-store', '--to', 'sqlite', '--json'], there)
  expect(JSON.parse(back.stdout)).toMatchObject({ is_same: true, other_terms: 0, to: 'sqlite' })
  expect(statSync(join(home, 'recalld.db')).mode & 0o777).toBe(0o600)
  const service3 = await startUp(env)
  expect(await answers(env)).toEqual(before)
  await service3.stop()
})

test('a backup of PostgreSQL is a file that restores into either engine', async () => {
  const { env, service } = await filledHome()
  const before = await answers(env)
  await service.stop()
  const url = await server.clearedDatabase()
  const there = { ...env, RECALLD_DATABASE_URL: url }
  await runCommand(['migrate-store', '--to', 'postgres'], there)
  const backup = join(temporaryFolder(), 'backup.db')
  const running = await startUp(there)
  expect(await runCommand(['backup', backup], there)).toMatchObject({ code: 0, stderr: '' })
  expect(existsSync(`${backup}.partial`)).toBe(false)
  await running.stop()
  expect((await runCommand(['restore', backup], there)).stderr).toContain('is not empty')

  const file = { ...env, RECALLD_HOME: join(temporaryFolder(), 'file') }
  const empty = { ...file, RECALLD_DATABASE_URL: await server.emptyDatabase() }
  for (const target of [empty, file]) {
    const { stdout, stderr } = await runCommand(['restore', backup, '--json'], target)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout).counts).toMatchObject({ accounts: 1, items: 3, bodies: 3 })
    const restored = await startUp(target)
    const key = JSON.parse((await runCommand(['keys', 'regenerate', 'default', '--json'], target)).stdout)
    expect(await answers({ ...target, RECALLD_URL: restored.address, RECALLD_API_KEY: key.key })).toEqual(before)
    await restored.stop()
  }
})

test('a move back that was cut off, and whose source was written to since, begins anew', async () => {
  const home = join(temporaryFolder(), 'home')
  const url = await server.clearedDatabase()
  const { log } = recordingLog()
  const store = await openPostgresStore({ url, log })
  await store.admin.createAccount(sampleAccount('a'))
  const draft = join(home, 'recalld.db.moving')
  prepareHome(home)
  const cutOff = async () => {
    await using stack = new AsyncDisposableStack()
    const source = await openPostgresSide(url, 'snapshot', log)
    stack.defer(() => source.close())
    const target = openSqliteSide(draft, 'target')
    stack.defer(() => target.close())
    const onStep = (step: string) => {
      if (step === 'indexing') throw new Error('cut off')
    }
    await moveStore({ source, target, isDraft: true, onStep })
  }
  await expect(cutOff()).rejects.toThrow('cut off')
  expect(existsSync(draft)).toBe(true)
  await store.admin.updateAccount('a', { name: 'Another name' })
  await store.close()
  const run = () => runCommand(['migrate-store', '--from', url, '--to', 'sqlite'], { RECALLD_HOME: home })
  const different = await run()
  expect(different).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no recalld.db, so run it again'),
  })
  expect([existsSync(draft), existsSync(join(home, 'recalld.db'))]).toEqual([false, false])
  expect(await run()).toMatchObject({ code: 0, stdout: expect.stringContaining('Everything was moved.') })
  expect(existsSync(join(home, 'recalld.db'))).toBe(true)
})

// In PGlite all connections are one, which cannot see others.
test.runIf(isRealServer)('nothing moves while recalld runs on the database', async () => {
  const url = await server.emptyDatabase()
  const env = { RECALLD_HOME: join(temporaryFolder(), 'home'), RECALLD_DATABASE_URL: url }
  const running = await startUp(env)
  const other = { RECALLD_HOME: join(temporaryFolder(), 'other'), RECALLD_DATABASE_URL: url }
  const { code, stderr } = await runCommand(['migrate-store', '--to', 'sqlite'], other)
  expect([code, stderr]).toEqual([1, expect.stringContaining('Stop it everywhere first')])
  await running.stop()
  expect((await runCommand(['migrate-store', '--to', 'sqlite'], other)).code).toBe(0)
})

test('what makes no sense is refused with what to do', async () => {
  const env = { RECALLD_HOME: join(temporaryFolder(), 'home') }
  const run = async (...args: string[]) => (await runCommand(['migrate-store', ...args], env)).stderr
  expect(await run('--to', 'sqlite')).toContain('No PostgreSQL database is configured: set RECALLD_DATABASE_URL')
  expect(await run('--to', 'postgres://127.0.0.1:1/none')).toContain('There is no recalld.db in')
  expect(await run('--to', 'mysql://x')).toContain('--to must be sqlite, postgres, or postgres://')
  expect(await run('--from', 'sqlite', '--to', 'sqlite')).toContain('are the same engine')
  expect(await run()).toContain("required option '--to <store>' not specified")
})
