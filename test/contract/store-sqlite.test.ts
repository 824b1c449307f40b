import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import { packagePath } from '../../src/lib/files.ts'
import type { Log } from '../../src/lib/log.ts'
import { MOST_EDITS } from '../../src/store/edits/edits.ts'
import { inspectDatabase } from '../../src/store/sqlite/database-file.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { emptySqlite } from '../lib/empty-sqlite.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { toFormat } from '../lib/to-format.ts'
import { acme, sampleEntry } from './ledger-samples.ts'
import { describeStoreContract } from './store-contract.ts'
import { claimOne, findTexts, memorize, sampleAccount, sampleItem, sampleUpload, sha256 } from './store-samples.ts'

const nothing = () => undefined
const log: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }

async function open(file: string, clock: Clock = systemClock) {
  const store = await openSqliteStore({ file, log, clock })
  onTestFinished(() => store.close())
  return store
}

describeStoreContract('SQLite', async (clock) => open(emptySqlite(join(temporaryFolder(), 'recalld.db')), clock))

const MIGRATIONS = packagePath('src/store/migrations/sqlite')

describe('the SQLite file', () => {
  test('holds everything after closing and opening again', async () => {
    const file = join(temporaryFolder(), 'recalld.db')
    const first = await openSqliteStore({ file, log })
    await first.admin.createAccount(sampleAccount('a'))
    await memorize(first, first.scoped({ accountId: 'a', sources: 'all' }), 'note', ['durable words'])
    await first.close()
    const second = await open(file)
    const scoped = second.scoped({ accountId: 'a', sources: 'all' })
    expect(await findTexts(scoped, ['durable'])).toEqual(['durable words'])
  })

  test('is copied whole while uploads go on, and the copy opens', async () => {
    const folder = temporaryFolder()
    const store = await open(join(folder, 'recalld.db'))
    await store.admin.createAccount(sampleAccount('a'))
    const scoped = store.scoped({ accountId: 'a', sources: 'all' })
    await memorize(store, scoped, 'note', ['before the backup'])
    const copy = join(folder, 'copy.db')
    const uploads = Array.from({ length: 50 }, (_, n) => scoped.putItem(sampleUpload(`more-${n}`, 'x')))
    await Promise.all([store.backup(copy), ...uploads])
    const opened = await open(copy)
    expect(await findTexts(opened.scoped({ accountId: 'a', sources: 'all' }), ['backup'])).toEqual([
      'before the backup',
    ])
    const raw = new DatabaseSync(copy)
    expect(raw.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    raw.close()
  })

  test('written by a newer version is refused with a sentence that says so', async () => {
    const file = join(temporaryFolder(), 'recalld.db')
    const raw = new DatabaseSync(file)
    raw.exec('PRAGMA user_version = 9999')
    raw.close()
    await expect(openSqliteStore({ file, log })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('newer version'),
    })
  })

  test('that is no database is refused', async () => {
    const folder = temporaryFolder()
    await expect(openSqliteStore({ file: folder, log })).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('is migrated once by processes that start together', async () => {
    const file = join(temporaryFolder(), 'recalld.db')
    const stores = await Promise.all([open(file), open(file), open(file)])
    await stores[0].admin.createAccount(sampleAccount('a'))
    expect(await stores[2].admin.listAccounts()).toHaveLength(1)
  })

  test('shows one store what another one wrote', async () => {
    const file = join(temporaryFolder(), 'recalld.db')
    const [first, second] = await Promise.all([open(file), open(file)])
    await first.admin.createAccount(sampleAccount('a'))
    const scope = { accountId: 'a', sources: 'all' } as const
    expect(await findTexts(second.scoped(scope), ['fresh'])).toEqual([])
    await memorize(first, first.scoped(scope), 'note', ['fresh words'])
    expect(await findTexts(second.scoped(scope), ['fresh'])).toEqual(['fresh words'])
  })

  test('gives a run to one of two stores, and shows one what the other committed', async () => {
    const file = join(temporaryFolder(), 'recalld.db')
    const ledgers = (await Promise.all([open(file), open(file)])).map((store) => store.ledger('account:a'))
    const begun = await Promise.all(
      ledgers.map((ledger, n) => ledger.beginRun(acme, { holder: `holder ${n}`, leaseMs: 60_000 })),
    )
    expect(begun.map(({ outcome }) => outcome).sort()).toEqual(['begun', 'running'])
    await ledgers[0]?.commit(acme, 'C1', { items: [sampleEntry('1')] })
    expect((await ledgers[1]?.findItems([sampleEntry('1')]))?.size).toBe(1)
  })

  test('keeps a limited number of corrections and pins', async () => {
    const store = await open(join(temporaryFolder(), 'recalld.db'))
    await store.admin.createAccount(sampleAccount('a'))
    const { edits } = store.scoped({ accountId: 'a', sources: 'all' })
    const pin = (n: number) =>
      edits.mark({ kind: 'pin', itemId: 'x', sourceType: 'text', passage: Uint32Array.of(n), by: 'Ada' })
    await Promise.all(Array.from({ length: MOST_EDITS }, (_, n) => pin(n)))
    await expect(pin(MOST_EDITS)).rejects.toMatchObject({ code: 'invalid' })
    expect(await edits.list()).toHaveLength(MOST_EDITS)
  })

  test('gives a run to one of two stores, also when who asked first had to wait', async () => {
    const file = join(temporaryFolder(), 'recalld.db')
    const later = (await open(file, () => new Date(1_000_005))).ledger('account:a')
    const earlier = (await open(file, () => new Date(1_000_000))).ledger('account:a')
    await later.beginRun(acme, { holder: 'later', leaseMs: 60_000 })
    expect(await earlier.beginRun(acme, { holder: 'earlier', leaseMs: 60_000 })).toMatchObject({ outcome: 'running' })
  })

  test('of the format before the ledger gets one, and keeps what it holds', async () => {
    const file = join(temporaryFolder(), 'recalld.db')
    const old = new DatabaseSync(file)
    old.exec(readFileSync(packagePath('src/store/migrations/sqlite/0001-initial.sql'), 'utf8'))
    old.exec(`
      insert into account (account_id, user_id, name, time_zone, plan, billing_status, created_at)
        values ('a', 'user-1', 'Acme', 'UTC', 'free', 'none', 1);
      insert into item (account_key, source_type, item_id, user_id, user_name, file_name, content_type, size_bytes,
        body_hash, execution_id, state, created_at, uploaded_at, updated_at)
        values (1, 'text', 'note', 'user-1', 'Ada', 'note.txt', 'text/plain', 5, '${sha256('bytes').toString('hex')}', 'run', 'failed', 1, 1, 1);
      insert into body (item_key, bytes) values (1, cast('bytes' as blob));
      PRAGMA user_version = 1`)
    old.close()
    expect(inspectDatabase(file).counts).toMatchObject({ accounts: 1, items: 1, bodies: 1 })

    const store = await openSqliteStore({ file, log })
    const scoped = store.scoped({ accountId: 'a', sources: 'all' })
    const body = await scoped.readBody({ itemId: 'note', sourceType: 'text' })
    expect(Buffer.from(body ?? []).toString()).toBe('bytes')
    await store.ledger('account:a').commit(acme, 'C1', { items: [sampleEntry('1')] })
    await store.close()
    const raw = new DatabaseSync(file)
    expect(raw.prepare('PRAGMA user_version').get()).toEqual({ user_version: readdirSync(MIGRATIONS).length })
    raw.close()
    const { problems, counts } = inspectDatabase(file)
    expect(problems).toEqual([])
    expect(counts).toMatchObject({ accounts: 1, items: 1, bodies: 1, connections: 1, ledger_items: 1 })
  })

  test('of the format before the library counts what each of its accounts holds and lists it', async () => {
    const file = join(temporaryFolder(), 'recalld.db')
    const old = new DatabaseSync(file)
    for (const name of readdirSync(MIGRATIONS).sort().slice(0, 7))
      old.exec(readFileSync(join(MIGRATIONS, name), 'utf8'))
    old.exec(`
      insert into account (account_id, user_id, name, time_zone, plan, billing_status, created_at)
        values ('a', 'user-1', 'Acme', 'UTC', 'free', 'none', 1), ('b', 'user-2', 'Bolt', 'UTC', 'free', 'none', 1),
          ('empty', 'user-3', 'Empty', 'UTC', 'free', 'none', 1);
      insert into item (account_key, source_type, item_id, user_id, user_name, file_name, content_type, size_bytes,
        body_hash, execution_id, state, memory_count, created_at, uploaded_at, updated_at)
        values (1, 'text', 'one', 'user-1', 'Ada', 'one.txt', 'text/plain', 5, 'hash', 'run', 'ready', 3, 1, 1, 1),
          (1, 'slack', 'two', 'user-1', 'Ada', 'two.txt', 'text/plain', 5, 'hash', 'run', 'ready', 4, 1, 1, 1),
          (1, 'pdf', 'bad', 'user-1', 'Ada', 'bad.pdf', 'application/pdf', 5, 'hash', 'run', 'failed', 0, 1, 1, 1),
          (2, 'text', 'one', 'user-2', 'Bo', 'one.txt', 'text/plain', 5, 'hash', 'run', 'ready', 5, 1, 1, 1);
      update account set item_count = 3 where account_id = 'a';
      PRAGMA user_version = 7`)
    old.close()
    const store = await openSqliteStore({ file, log })
    const of = (accountId: string) => store.scoped({ accountId, sources: 'all' })
    expect(await of('a').holdings()).toMatchObject({ items: 3, memories: 7, failed: 1, waiting: 0 })
    expect(await of('b').holdings()).toMatchObject({ memories: 5, failed: 0 })
    expect(await of('empty').holdings()).toMatchObject({ memories: 0, failed: 0 })
    const { rows, groups } = await of('a').library.list({ sort: 'state', offset: 0, limit: 10 })
    expect(rows.map(({ itemId, status }) => [itemId, status])).toEqual([
      ['bad', 'failed'],
      ['two', 'ready'],
      ['one', 'ready'],
    ])
    expect(groups).toHaveLength(3)
    expect(await of('a').deleteItem({ itemId: 'two', sourceType: 'slack' })).toEqual({ deletedMemories: 4 })
    expect(await of('a').holdings()).toMatchObject({ items: 2, memories: 3 })
    await store.close()
  })

  test('of the format before addresses keeps its items, which are recalled without one until they are made again', async () => {
    const file = join(temporaryFolder(), 'recalld.db')
    const scope = { accountId: 'a', sources: 'all' } as const
    const before = await openSqliteStore({ file, log })
    await before.admin.createAccount(sampleAccount('a'))
    await memorize(before, before.scoped(scope), 'note', ['durable words'])
    await before.close()
    toFormat(file, 2)

    const store = await open(file)
    const scoped = store.scoped(scope)
    expect(await findTexts(scoped, ['durable'])).toEqual(['durable words'])
    expect(await store.queue.requeueOutdated('test@2')).toBe(1)
    const item = { ...sampleItem(['durable words'], 'test@2'), url: 'https://example.com/note' }
    expect(await store.queue.complete(await claimOne(store), item)).toBe('stored')
    const [hit] = await scoped.index.lexicalCandidates({
      terms: [{ term: 'durable', weight: 1, frequency: 1 }],
      limit: 1,
    })
    expect((await scoped.index.passages([hit!.chunkId])).get(hit!.chunkId)?.url).toBe('https://example.com/note')
    expect(inspectDatabase(file).problems).toEqual([])
  })

  test('marks what another process commits as a change', async () => {
    const file = join(temporaryFolder(), 'recalld.db')
    const store = await open(file)
    const other = await open(file)
    await other.admin.createAccount(sampleAccount('a'))
    const mark = await store.changeMark()
    await other.admin.updateAccount('a', { timeZone: 'UTC' })
    expect(await store.changeMark()).not.toBe(mark)
  })

  test('answers as unavailable once closed', async () => {
    const store = await openSqliteStore({ file: join(temporaryFolder(), 'recalld.db'), log })
    await store.close()
    await expect(store.admin.updateAccount('a', { timeZone: 'UTC' })).rejects.toMatchObject({ code: 'unavailable' })
    await expect(store.check()).rejects.toMatchObject({ code: 'unavailable' })
    await expect(store.admin.listAccounts()).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('is closed once, however often that is asked for', async () => {
    const store = await openSqliteStore({ file: join(temporaryFolder(), 'recalld.db'), log })
    await Promise.all([store.close(), store.close()])
    await store.close()
  })

  test('that is damaged is unavailable to readers', async () => {
    const file = join(temporaryFolder(), 'recalld.db')
    const first = await openSqliteStore({ file, log })
    await first.admin.createAccount(sampleAccount('a'))
    await first.close()
    const raw = new DatabaseSync(file)
    const page = Number(raw.prepare("select rootpage from sqlite_schema where name = 'account'").get()?.rootpage)
    raw.close()
    const bytes = readFileSync(file)
    bytes.fill(0xff, (page - 1) * 4_096, page * 4_096)
    writeFileSync(file, bytes)
    const store = await open(file)
    await expect(store.admin.listAccounts()).rejects.toMatchObject({
      code: 'unavailable',
      message: "The database can't be used: some of its pages are damaged",
      advice: { action: 'run_doctor' },
    })
  })

  test('whose writer thread dies tells everybody who waits, and says so from then on', async () => {
    const post = vi.spyOn(Worker.prototype, 'postMessage')
    onTestFinished(() => post.mockRestore())
    const { log, lines } = recordingLog()
    const store = await openSqliteStore({ file: join(temporaryFolder(), 'recalld.db'), log })
    await store.admin.createAccount(sampleAccount('a'))
    const scoped = store.scoped({ accountId: 'a', sources: 'all' })
    const thread = post.mock.contexts.at(-1) as Worker
    const uploads = Array.from({ length: 50 }, (_, n) => scoped.putItem(sampleUpload(`item-${n}`, 'x')))
    const settled = Promise.allSettled(uploads)
    await thread.terminate()
    const outcomes = await settled
    const stored = await scoped.listItems({ sourceType: 'text', limit: 100, offset: 0 })
    const acknowledged = outcomes.filter(({ status }) => status === 'fulfilled')
    expect(stored.total).toBeGreaterThanOrEqual(acknowledged.length)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'unavailable' })
    }
    await expect(scoped.putItem(sampleUpload('late', 'x'))).rejects.toMatchObject({ code: 'unavailable' })
    await expect(store.check()).rejects.toMatchObject({ code: 'unavailable' })
    expect(lines.map(({ message }) => message)).toEqual(['the database writer has stopped'])
    await store.close()
  })

  test('keeps no text of what was forgotten or replaced', async () => {
    const file = join(temporaryFolder(), 'recalld.db')
    const store = await openSqliteStore({ file, log })
    await store.admin.createAccount(sampleAccount('a'))
    const scoped = store.scoped({ accountId: 'a', sources: 'all' })
    // Long enough to fill pages of its own, which are freed whole.
    const secret = Array.from({ length: 300 }, (_, n) => `very secret sentence number ${n}`).join(' ')
    await memorize(store, scoped, 'kept', ['something else'])
    await memorize(store, scoped, 'forgotten', [secret, 'and a short secret sentence'])
    await memorize(store, scoped, 'replaced', [secret])
    expect(await scoped.deleteItem({ itemId: 'forgotten', sourceType: 'text' })).toBeDefined()
    await memorize(store, scoped, 'replaced', ['something new'], { onConflict: 'replace' })
    await store.close()
    expect(readFileSync(file).includes('something else')).toBe(true)
    expect(readFileSync(file).includes('secret sentence')).toBe(false)
  })

  test('keeps no vector of a plugged-in model of what was forgotten, or that was dropped', async () => {
    const file = join(temporaryFolder(), 'recalld.db')
    const store = await openSqliteStore({ file, log })
    await store.admin.createAccount(sampleAccount('a'))
    const scoped = store.scoped({ accountId: 'a', sources: 'all' })
    const [spaceId, dimensions] = ['large', 1_000]
    const vectorOf = (text: string) =>
      Int8Array.from({ length: dimensions }, (_, i) => text.charCodeAt(i % text.length))
    const holds = (text: string) => readFileSync(file).includes(Buffer.from(vectorOf(text).slice(0, 100)))
    await store.spaces.begin({ spaceId, dimensions, model: {}, background: 0 })
    for (const itemId of ['forgotten', 'replaced', 'kept']) await memorize(store, scoped, itemId, [`text of ${itemId}`])
    const { texts, floor } = await store.spaces.missing(spaceId, 10)
    const vectors = texts.map(({ chunkId, text }) => ({ chunkId, vector: vectorOf(text) }))
    await store.spaces.fill(spaceId, { vectors, floor })
    await scoped.deleteItem({ itemId: 'forgotten', sourceType: 'text' })
    await memorize(store, scoped, 'replaced', ['something new'], { onConflict: 'replace' })
    await store.close()
    expect(['forgotten', 'replaced', 'kept'].map((itemId) => holds(`text of ${itemId}`))).toEqual([false, false, true])
    const again = await open(file)
    await again.spaces.drop(spaceId)
    while (await again.spaces.sweep());
    await again.close()
    expect(holds('text of kept')).toBe(false)
  })

  test('keeps nothing that a language model answered about what was forgotten, replaced or refined otherwise', async () => {
    const file = join(temporaryFolder(), 'recalld.db')
    const store = await openSqliteStore({ file, log })
    await store.admin.createAccount(sampleAccount('a'))
    const scoped = store.scoped({ accountId: 'a', sources: 'all' })
    store.refinements.want(true)
    const call = {
      day: '2026-01-01',
      sourceType: 'text',
      model: 'm',
      calls: 1,
      inputTokens: 1,
      outputTokens: 1,
    } as const
    const refine = async (narrative: string) => {
      const claim = (await store.refinements.claim({ leaseMs: 60_000 }))!
      const answer = { hash: narrative, text: JSON.stringify(narrative) }
      await store.refinements.storeCall(claim, { ...call, microDollars: 1, answer })
      const memories = [{ index: 0, content: { narrative }, firstChunk: 0, lastChunk: 0 }]
      const refined = { chunksRead: 1, memories, qas: [], skips: [], refinedBy: 'm', answers: [narrative] }
      expect(await store.refinements.complete(claim, refined)).toBe('stored')
    }
    const secret = Array.from({ length: 300 }, (_, n) => `very secret sentence number ${n}`).join(' ')
    for (const itemId of ['forgotten', 'replaced']) {
      await memorize(store, scoped, itemId, ['x'])
      await refine(`${itemId} ${secret}`)
    }
    expect(await scoped.deleteItem({ itemId: 'forgotten', sourceType: 'text' })).toBeDefined()
    await memorize(store, scoped, 'replaced', ['y'], { onConflict: 'replace' })
    await refine('another sentence')
    await store.close()
    expect(readFileSync(file).includes('another sentence')).toBe(true)
    expect(readFileSync(file).includes('secret sentence')).toBe(false)
  })
})
