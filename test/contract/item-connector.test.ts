import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, test } from 'vitest'
import { packagePath } from '../../src/lib/files.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { sampleEntry } from './ledger-samples.ts'
import { memorize, sampleAccount } from './store-samples.ts'

const { log } = recordingLog()
const server = await postgresServer()

/** As a version had it that did not store connectors: with ledgers of two accounts and of another server. */
async function fill(store: Store): Promise<void> {
  for (const accountId of ['a', 'b']) {
    await store.admin.createAccount(sampleAccount(accountId))
    const scoped = store.scoped({ accountId, sources: 'all' })
    for (const itemId of ['issue', 'chat', 'uploaded']) await memorize(store, scoped, itemId, [itemId])
  }
  const ofText = (itemId: string) => ({ items: [{ ...sampleEntry(itemId), sourceType: 'text' as const }] })
  const [jira, messengers] = ['jira', 'messenger_exports'].map((connector) => ({ connector, name: 'me' }))
  await store.ledger('account:a').commit(jira!, 'P1', ofText('issue'))
  await store.ledger('account:a').commit(messengers!, 'whatsapp', ofText('chat'))
  await store.ledger('remote:a').commit(jira!, 'P1', ofText('uploaded'))
}

async function connectors(store: Store, accountId: string) {
  const { items } = await store
    .scoped({ accountId, sources: 'all' })
    .listItems({ sourceType: 'text', limit: 9, offset: 0 })
  return Object.fromEntries(items.map(({ itemId, connector }) => [itemId, connector]))
}

function fillOf(file: string): string {
  const [statement] = /^update item[^;]+;/m.exec(readFileSync(packagePath(file), 'utf8')) ?? []
  return statement!
}

const KNOWN = { issue: 'jira', chat: 'whatsapp', uploaded: undefined }
const UNKNOWN = { issue: undefined, chat: undefined, uploaded: undefined }

test('items that were synced before get the connector of their ledger: SQLite', async () => {
  const file = join(temporaryFolder(), 'recalld.db')
  const store = await openSqliteStore({ file, log })
  await fill(store)
  expect(await connectors(store, 'a')).toEqual(UNKNOWN)
  const database = new DatabaseSync(file)
  database.exec(fillOf('src/store/migrations/sqlite/0024-item-connector.sql'))
  database.close()
  expect(await connectors(store, 'a')).toEqual(KNOWN)
  expect(await connectors(store, 'b')).toEqual(UNKNOWN)
  await store.close()
})

test('items that were synced before get the connector of their ledger: PostgreSQL', async () => {
  const url = await server.emptyDatabase()
  const store = await openPostgresStore({ url, log, mostConnections: 2 })
  await fill(store)
  const client = new pg.Client(url)
  await client.connect()
  await client.query(fillOf('src/store/migrations/postgres/0014-item-connector.sql'))
  await client.end()
  expect(await connectors(store, 'a')).toEqual(KNOWN)
  expect(await connectors(store, 'b')).toEqual(UNKNOWN)
  await store.close()
})
