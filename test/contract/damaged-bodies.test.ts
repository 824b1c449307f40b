import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { emptySqlite } from '../lib/empty-sqlite.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { claimOne, sampleAccount, sampleItem, sampleUpload } from './store-samples.ts'

const SCOPE = { accountId: 'a', sources: 'all' } as const
const TEXT = 'The blue bicycle stands in the cellar. '.repeat(400)
const NOTE = { itemId: 'note', sourceType: 'text' } as const

interface Opened {
  readonly store: Store
  /** Runs one statement past the store. */
  readonly write: (statement: string) => Promise<unknown>
}

async function openSqlite(): Promise<Opened> {
  const file = emptySqlite(join(temporaryFolder(), 'recalld.db'))
  const store = await openSqliteStore({ file, log: recordingLog().log })
  const write = async (statement: string) => {
    using raw = new DatabaseSync(file)
    raw.exec(statement)
  }
  return { store, write }
}

async function openPostgres(): Promise<Opened> {
  const url = await (await postgresServer()).clearedDatabase()
  const store = await openPostgresStore({ url, log: recordingLog().log })
  const write = async (statement: string) => {
    const client = new pg.Client(url)
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  return { store, write }
}

describe.each([
  ['SQLite', openSqlite, "update body set bytes = cast(replace(cast(bytes as text), 'cellar', 'cellaR') as blob)"],
  ['PostgreSQL', openPostgres, 'update body set bytes = set_byte(bytes, 40, 1)'],
])('bytes that were changed in %s', (_, open, damage) => {
  async function withDamaged({ isReady }: { readonly isReady: boolean }) {
    const opened = await open()
    const { store } = opened
    onTestFinished(() => store.close())
    await store.admin.createAccount(sampleAccount('a'))
    const scoped = store.scoped(SCOPE)
    await scoped.putItem(sampleUpload('note', TEXT))
    if (isReady) await store.queue.complete(await claimOne(store), sampleItem(['in the cellar']))
    await opened.write(damage)
    await scoped.putItem(sampleUpload('other', 'whole'))
    return { ...opened, scoped }
  }

  test('are refused and noted as activity once, and never shown', async () => {
    const { scoped } = await withDamaged({ isReady: true })
    for (const _ of [1, 2]) {
      await expect(scoped.readBody(NOTE)).rejects.toMatchObject({
        code: 'damaged',
        message: 'The file is damaged in the database. Upload it again or delete it.',
      })
    }
    expect(new TextDecoder().decode(await scoped.readBody({ itemId: 'other', sourceType: 'text' }))).toBe('whole')
    expect(await scoped.activity.page({ limit: 9, kinds: ['item_damaged'] })).toMatchObject([
      { actor: { type: 'server' }, entry: { kind: 'item_damaged', source: 'text', item_id: 'note' } },
    ])
  })

  test('fail their item for good with a reason, and hold up no other', async () => {
    const { store, scoped } = await withDamaged({ isReady: false })
    const claims = await store.queue.claim({ owner: 'test', limit: 10, leaseMs: 60_000 })
    expect(claims.map(({ itemId }) => itemId)).toEqual(['other'])
    await store.queue.release(claims)
    expect(await scoped.findItem(NOTE)).toMatchObject({
      status: 'failed',
      error: 'The file is damaged in the database. Upload it again or delete it.',
    })
    expect(await store.queue.depth()).toMatchObject({ waiting: 1 })
  })

  test('are healed by an upload of the same bytes, and what was made of them stays', async () => {
    const { store, scoped } = await withDamaged({ isReady: true })
    await store.queue.complete(await claimOne(store), sampleItem([]))
    const again = { ...sampleUpload('note', TEXT, { onConflict: 'replace' }) }
    expect(await scoped.putItem(again)).toMatchObject({ outcome: 'unchanged' })
    expect(new TextDecoder().decode(await scoped.readBody(NOTE))).toBe(TEXT)
    expect(await store.queue.depth()).toMatchObject({ waiting: 0 })
  })

  test('are processed again after an upload of the same bytes when their item had failed', async () => {
    const { store, scoped } = await withDamaged({ isReady: false })
    await store.queue.release(await store.queue.claim({ owner: 'test', limit: 10, leaseMs: 60_000 }))
    const again = sampleUpload('note', TEXT, { onConflict: 'replace' })
    expect(await scoped.putItem(again)).toMatchObject({ outcome: 'replaced' })
    const claims = await store.queue.claim({ owner: 'test', limit: 10, leaseMs: 60_000 })
    expect(claims.map(({ itemId }) => itemId).sort()).toEqual(['note', 'other'])
  })
})
