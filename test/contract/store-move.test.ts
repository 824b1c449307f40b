import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readSamples } from '../../src/cli/serve/samples.ts'
import { MODEL_FOLDER } from '../../src/models/static/static-embedder.ts'
import { type MoveRequest, moveStore } from '../../src/store/move/move-store.ts'
import { openPostgresSide } from '../../src/store/move/postgres-side.ts'
import { movedTables } from '../../src/store/move/side.ts'
import { openSqliteSide } from '../../src/store/move/sqlite-side.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { inspectDatabase } from '../../src/store/sqlite/database-file.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { createWorker } from '../../src/worker/worker.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { storeContents } from '../lib/store-contents.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'
import { fillAccount } from './full-account.ts'
import { deleteAccount } from './store-deletion-contract.ts'
import { findTexts, memorize, SPACE, sampleAccount, sampleChunk, sampleUpload, sha256 } from './store-samples.ts'

const server = await postgresServer()
const { log } = recordingLog()

/** Two accounts with something in every table, one that was deleted, one that is being deleted, and objects in a bucket. */
async function richFile(): Promise<string> {
  const file = join(temporaryFolder(), 'recalld.db')
  const store = await openSqliteStore({ file, log })
  for (const accountId of ['a', 'b', 'gone', 'going']) {
    await store.admin.createAccount(sampleAccount(accountId))
    await fillAccount(store, accountId, ['eve'])
  }
  await deleteAccount(store, 'gone')
  await store.deletions.begin('going', { type: 'server' })
  const b = store.scoped({ accountId: 'b', sources: 'all' })
  await memorize(store, b, 'zero', [sampleChunk(0, 'before \0 after', { at: new Date(1_700_000_000_000) })], {
    sourceType: 'slack',
  })
  await store.identity()
  await b.putItem({ ...sampleUpload('odd', 'x'), fileName: 'naïve 名前 \u{1F600}.txt' })
  await store.close()
  const raw = new DatabaseSync(file)
  raw.exec(`
    insert into blob_write (key, account_key, at) values ('w', 1, 5);
    insert into blob_garbage (key, account_key, at) values ('g', 2, 6);
    insert into daily_task (name, done_at) values ('test', 7);
    insert into failed_sign_in (hash, kind, failures, not_before, last_at) values (x'01ff', 'pair', 2, 8, 9);
    insert into request_count (hash, count, ends_at) values (x'02ff', 50, 10);
    update space set background = 0.1 + 0.2 where background is not null`)
  raw.close()
  return file
}

async function smallFile(): Promise<string> {
  const file = join(temporaryFolder(), 'recalld.db')
  const store = await openSqliteStore({ file, log })
  await store.admin.createAccount(sampleAccount('a'))
  await memorize(store, store.scoped({ accountId: 'a', sources: 'all' }), 'note', ['a few words'])
  await store.close()
  return file
}

/** What the pipeline makes of the samples: speakers, headings and dates. Its account has moved to another time zone since. */
async function realFile(): Promise<string> {
  const file = join(temporaryFolder(), 'recalld.db')
  const store = await openSqliteStore({ file, log })
  await store.admin.createAccount({ ...sampleAccount('a'), timeZone: 'Pacific/Auckland' })
  const worker = createWorker({ store, log, modelFolder: MODEL_FOLDER, alone: true })
  await worker.start()
  const scoped = store.scoped({ accountId: 'a', sources: 'all' })
  for (const sample of await readSamples()) {
    const upload = sampleUpload(sample.itemId, '', { sourceType: sample.sourceType })
    const { fileName, body } = sample
    await scoped.putItem({ ...upload, fileName, body, bodyHash: sha256(body).toString('hex') })
  }
  await until(async () => (await scoped.holdings()).waiting === 0)
  await worker.stop(1_000)
  await store.admin.updateAccount('a', { timeZone: 'America/Los_Angeles' })
  await store.close()
  return file
}

function fullTextOf(file: string): unknown[] {
  const raw = new DatabaseSync(file)
  try {
    const accounts = raw.prepare('select account_key from account').all()
    return accounts.flatMap(({ account_key: key }) => {
      raw.exec(`create virtual table temp.words_${key} using fts5vocab(main, text_${key}, instance)`)
      return raw.prepare(`select ${key} as account, * from temp.words_${key} order by doc, col, offset`).all()
    })
  } finally {
    raw.close()
  }
}

async function toPostgres(file: string, url: string, more: Partial<MoveRequest> = {}) {
  await using stack = new AsyncDisposableStack()
  const source = openSqliteSide(file, 'source')
  stack.defer(() => source.close())
  const target = await openPostgresSide(url, 'target', log)
  stack.defer(() => target.close())
  return await moveStore({ source, target, ...more })
}

async function toSqlite(url: string, file: string, more: Partial<MoveRequest> = {}) {
  await using stack = new AsyncDisposableStack()
  const source = await openPostgresSide(url, 'source', log)
  stack.defer(() => source.close())
  const target = openSqliteSide(file, 'target')
  stack.defer(() => target.close())
  return await moveStore({ source, target, ...more })
}

const different = (report: Awaited<ReturnType<typeof moveStore>>) => report.tables.filter(({ isSame }) => !isSame)

describe('a home that moves to PostgreSQL and back', () => {
  test('is the same to the last row, and can be used on either side', async () => {
    const file = await richFile()
    const before = storeContents(file)
    // The sample has something of everything.
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])
    const url = await server.emptyDatabase()
    expect(different(await toPostgres(file, url))).toEqual([])
    expect(storeContents(file)).toEqual(before)

    const back = join(temporaryFolder(), 'back.db')
    expect(different(await toSqlite(url, back))).toEqual([])
    expect(storeContents(back)).toEqual(before)
    expect(inspectDatabase(back).problems).toEqual([])

    const there = await openPostgresStore({ url, log })
    onTestFinished(() => there.close())
    const again = await openSqliteStore({ file: back, log })
    onTestFinished(() => again.close())
    for (const store of [there, again]) {
      const scoped = store.scoped({ accountId: 'a', sources: 'all' })
      expect(await findTexts(scoped, ['harvest'])).toEqual(['harvest of a'])
      const nearest = await scoped.index.nearest({ spaceId: SPACE, vector: Float32Array.of(1, 0, 0, 0), limit: 5 })
      expect(nearest.map(({ chunkId }) => chunkId)).toEqual([2, 1])
      // Numbers go on where they were.
      await memorize(store, scoped, 'new', ['fresh words'])
      expect(await findTexts(scoped, ['fresh'])).toEqual(['fresh words'])
    }
  })

  test('finds passages by the same words, wherever they stand', async () => {
    const file = await realFile()
    const url = await server.clearedDatabase()
    expect(await toPostgres(file, url)).toMatchObject({ otherTerms: 0 })
    const back = join(temporaryFolder(), 'back.db')
    expect(await toSqlite(url, back)).toMatchObject({ otherTerms: 0 })
    const words = fullTextOf(file)
    expect(words.length).toBeGreaterThan(100)
    expect(fullTextOf(back)).toEqual(words)
  })

  test('is not written into a database that holds something', async () => {
    const url = await server.clearedDatabase()
    const store = await openPostgresStore({ url, log })
    await store.admin.createAccount(sampleAccount('other'))
    await store.close()
    await expect(toPostgres(await smallFile(), url)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('is not empty'),
    })
    const other = await openPostgresStore({ url, log })
    onTestFinished(() => other.close())
    expect((await other.admin.listAccounts()).map(({ accountId }) => accountId)).toEqual(['other'])
  })

  test('is refused when a newer version wrote it', async () => {
    const url = await server.clearedDatabase()
    await toPostgres(await smallFile(), url)
    const side = await openPostgresSide(url, 'target', log)
    await sql`insert into recalld_format (version, goes_with) values (9999, 9999)`.execute(side.db)
    await side.close()
    const newer = { code: 'unavailable', message: expect.stringContaining('newer version') }
    await expect(toSqlite(url, join(temporaryFolder(), 'back.db'))).rejects.toMatchObject(newer)
    const file = await smallFile()
    const raw = new DatabaseSync(file)
    raw.exec('pragma user_version = 9999')
    raw.close()
    await expect(toPostgres(file, await server.emptyDatabase())).rejects.toMatchObject(newer)
  })

  test('cannot be opened, nor moved on, before all of it has arrived', async () => {
    const url = await server.clearedDatabase()
    const file = await smallFile()
    const stop = () => {
      throw new Error('stopped')
    }
    await expect(toPostgres(file, url, { onRows: stop })).rejects.toThrow('stopped')
    const begun = { code: 'unavailable', message: expect.stringContaining('is unfinished') }
    await expect(openPostgresStore({ url, log })).rejects.toMatchObject(begun)
    await expect(toSqlite(url, join(temporaryFolder(), 'back.db'))).rejects.toMatchObject(begun)
    await toPostgres(file, url)
    const store = await openPostgresStore({ url, log })
    await store.close()
  })

  test('is found different when a single value is, and stays closed when it changed meanwhile', async () => {
    const url = await server.clearedDatabase()
    const file = await smallFile()
    await expect(
      toPostgres(file, url, {
        onStep(step) {
          if (step === 'comparing') throw new Error('stopped')
        },
      }),
    ).rejects.toThrow('stopped')
    const raw = new DatabaseSync(file)
    raw.exec("update account set time_zone = 'UTC' where account_id = 'a'")
    raw.close()
    const report = await toPostgres(file, url)
    expect(different(report).map(({ name }) => name)).toEqual(['account'])
    await expect(openPostgresStore({ url, log })).rejects.toMatchObject({ code: 'unavailable' })
    expect(different(await toPostgres(file, url, { verifyOnly: true })).map(({ name }) => name)).toEqual(['account'])
  })

  test.each(['to-postgres', 'to-sqlite'])('arrives whole %s, however often it is killed', async (direction) => {
    const file = await richFile()
    const before = storeContents(file)
    const url = await server.clearedDatabase()
    const back = join(temporaryFolder(), 'back.db')
    if (direction === 'to-sqlite') await toPostgres(file, url)
    const target = direction === 'to-postgres' ? file : back
    const ends: string[] = []
    for (const batches of [0, 1, 8, 30, 60, 90, Number.POSITIVE_INFINITY]) {
      ends.push(await killedAfter(batches, [direction, target, url]))
    }
    expect(ends.filter((end) => end === 'killed').length).toBeGreaterThan(3)
    expect(ends.at(-1)).toBe('moved')
    if (direction === 'to-postgres') await toSqlite(url, back)
    expect(storeContents(back)).toEqual(before)
    expect(inspectDatabase(back).problems).toEqual([])
  })
})

/** Starts the move, and kills it when so many batches have arrived or been compared. */
async function killedAfter(batches: number, args: readonly string[]): Promise<string> {
  const process = fork(fileURLToPath(new URL('../crash/move-process.ts', import.meta.url)), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = once(process, 'exit')
  let arrived = 0
  let end = 'killed'
  process.on('message', (message) => {
    arrived++
    if (message === 'moved') end = 'moved'
    else if (arrived >= batches) process.kill('SIGKILL')
  })
  if (batches === 0) setTimeout(() => process.kill('SIGKILL'), 300)
  const [code] = await exited
  if (end !== 'moved' && code !== null) throw new Error(`The move ended with code ${code}`)
  return end
}

test('a file that arrived before its last step is taken as it is, once it is found the same', async () => {
  const url = await server.clearedDatabase()
  await toPostgres(await smallFile(), url)
  const draft = join(temporaryFolder(), 'draft.db')
  await toSqlite(url, draft, { isDraft: true })
  const arrived = storeContents(draft)
  expect(different(await toSqlite(url, draft, { isDraft: true }))).toEqual([])
  expect(storeContents(draft)).toEqual(arrived)
})

describe('both engines', () => {
  test('have the same tables and columns, but those that only one of them needs', async () => {
    const url = await server.clearedDatabase()
    const file = await smallFile()
    await toPostgres(file, url)
    const sqlite = openSqliteSide(file, 'source')
    onTestFinished(() => sqlite.close())
    const postgres = await openPostgresSide(url, 'source', log)
    onTestFinished(() => postgres.close())
    const tables = await movedTables(sqlite.db)
    const inSqlite = await sql<{ name: string }>`
      select name from sqlite_schema where type = 'table' and name not glob 'text_[0-9]*' and name not glob 'sqlite_*'`.execute(
      sqlite.db,
    )
    const inPostgres = await sql<{ name: string }>`
      select relname as name from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace`.execute(
      postgres.db,
    )
    const names = tables.map(({ name }) => name as string)
    const others = (rows: readonly { name: string }[]) =>
      rows
        .map(({ name }) => name)
        .filter((name) => !names.includes(name))
        .sort()
    expect(others(inSqlite.rows)).toEqual(['counter'])
    expect(others(inPostgres.rows)).toEqual(['checked', 'chunk_terms', 'embedding', 'recalld_format'])
    expect(names.filter((name) => !inPostgres.rows.some((row) => row.name === name))).toEqual([])
    const more: string[] = []
    for (const { name, columns } of tables) {
      const there = await postgres.columns(name)
      expect([name, columns.filter((column) => !there.includes(column))]).toEqual([name, []])
      more.push(...there.filter((column) => !columns.includes(column)).map((column) => `${name}.${column}`))
    }
    expect(more.sort()).toEqual(['body.account_key', 'chunk_text.account_key'])
  })
})
