import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../src/domain/errors.ts'
import { packagePath } from '../../src/lib/files.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'
import { findTexts, memorize, sampleAccount, sampleUpload } from './store-samples.ts'

const server = await postgresServer()
const FOLDER = packagePath('src/store/migrations/postgres')
const NAMES = readdirSync(FOLDER).sort()
/** The oldest format whose programs today's tables still serve. */
const SERVED = 19
/** The oldest format that the program under test works with: it stands in for programs of that age. */
const OLDEST = 19

/** Migrations as a version with so many of them has them, and some that nobody has made yet. */
function migrations(count: number, further: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder()
  for (const name of NAMES.slice(0, count)) copyFileSync(join(FOLDER, name), join(folder, name))
  for (const [name, sql] of Object.entries(further)) writeFileSync(join(folder, name), sql)
  return folder
}

async function opener() {
  const url = await server.emptyDatabase()
  return async (folder: string) => {
    const { log } = recordingLog()
    const store = await openPostgresStore({ url, log, mostConnections: 2, migrations: folder })
    onTestFinished(() => store.close())
    return { store, scoped: store.scoped({ accountId: 'a', sources: 'all' }) }
  }
}

/** Of a next version that changes nothing which matters to this one. */
const harmless = () => {
  const sql = `-- Programs of format ${OLDEST} and later go on.\ncreate table further ();`
  return migrations(NAMES.length, { [nextName('harmless')]: sql })
}

const nextName = (name: string) => `${String(NAMES.length + 1).padStart(4, '0')}-${name}.sql`

test('a newer process raises the format under an older one, and both go on to write and to read', async () => {
  const open = await opener()
  const older = await open(migrations(OLDEST))
  await older.store.admin.createAccount(sampleAccount('a'))
  await memorize(older.store, older.scoped, 'one', ['red boats'])
  const newer = await open(harmless())
  await memorize(newer.store, newer.scoped, 'two', ['blue boats'])
  await memorize(older.store, older.scoped, 'three', ['green boats'])
  // Also what is claimed by one and was uploaded to the other.
  await older.scoped.putItem(sampleUpload('four', 'text'))
  expect(await newer.store.queue.claim({ owner: 'newer', limit: 5, leaseMs: 1_000 })).toHaveLength(1)
  for (const { scoped } of [older, newer]) {
    expect((await findTexts(scoped, ['boats'])).sort()).toEqual(['blue boats', 'green boats', 'red boats'])
  }
  await older.scoped.deleteItem({ itemId: 'two', sourceType: 'text' })
  expect((await findTexts(newer.scoped, ['boats'])).sort()).toEqual(['green boats', 'red boats'])
})

test('an older process starts beside a newer one when the migration says that it may', async () => {
  const open = await opener()
  await open(harmless())
  for (const count of [OLDEST, NAMES.length]) await (await open(migrations(count))).store.check()
})

test('an older process is refused when the migration does not say so', async () => {
  const open = await opener()
  const needed = NAMES.length + 1
  const newer = await open(migrations(NAMES.length, { [nextName('other-tables')]: 'create table further ();' }))
  await newer.store.admin.createAccount(sampleAccount('a'))
  for (const count of [OLDEST, NAMES.length]) {
    const sentence = `this version supports format ${count}, the database needs ${needed}`
    await expect(open(migrations(count))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(sentence),
    })
  }
})

test('a running process whose format is no longer supported writes nothing from then on, and soon reads nothing', async () => {
  const open = await opener()
  const older = await open(migrations(NAMES.length))
  await older.store.admin.createAccount(sampleAccount('a'))
  await memorize(older.store, older.scoped, 'one', ['red boats'])
  await older.scoped.putItem(sampleUpload('two', 'text'))
  const newer = await open(migrations(NAMES.length + 1, { [nextName('other-tables')]: 'create table further ();' }))
  const refused = {
    code: 'unavailable',
    message: expect.stringContaining(`the database needs ${NAMES.length + 1}`),
    retryAfterSeconds: expect.any(Number),
  }
  await expect(older.scoped.putItem(sampleUpload('three', 'text'))).rejects.toMatchObject(refused)
  await expect(older.store.queue.claim({ owner: 'older', limit: 5, leaseMs: 1_000 })).rejects.toMatchObject(refused)
  await expect(older.store.check()).rejects.toMatchObject(refused)
  await expect(older.scoped.listItems({ sourceType: 'text', limit: 5, offset: 0 })).rejects.toMatchObject(refused)
  expect(await newer.scoped.listItems({ sourceType: 'text', limit: 5, offset: 0 })).toMatchObject({ total: 2 })
  expect(await newer.store.queue.claim({ owner: 'newer', limit: 5, leaseMs: 1_000 })).toHaveLength(1)
})

test('a running process that only reads notices within seconds that its format is no longer supported', async () => {
  const open = await opener()
  const older = await open(migrations(NAMES.length))
  await older.store.admin.createAccount(sampleAccount('a'))
  await open(migrations(NAMES.length + 1, { [nextName('other-tables')]: 'create table further ();' }))
  const list = () => older.scoped.listItems({ sourceType: 'text', limit: 5, offset: 0 })
  await until(async () =>
    list().then(
      () => false,
      (error: unknown) => error instanceof AppError && error.code === 'unavailable',
    ),
  )
})

test('a process that is older than what a migration goes with is refused', async () => {
  const open = await opener()
  await open(migrations(NAMES.length))
  await expect(open(migrations(SERVED - 1))).rejects.toThrow(
    `this version supports format ${SERVED - 1}, the database needs ${SERVED}`,
  )
})

test('processes of two versions that start at once on an empty database both get to work', async () => {
  const open = await opener()
  const stores = await Promise.all([open(migrations(OLDEST)), open(harmless()), open(migrations(OLDEST))])
  for (const { store } of stores) await store.check()
})
