import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { databaseFindings } from '../crash/store-inspection.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { findTexts, memorize, sampleAccount } from './store-samples.ts'

const { log } = recordingLog()
const server = await postgresServer()

const scopedTo = (store: Store) => store.scoped({ accountId: 'a', sources: 'all' })

async function fill(store: Store): Promise<void> {
  await store.admin.createAccount(sampleAccount('a'))
  const scoped = scopedTo(store)
  await memorize(store, scoped, 'note', ['the heron stands', 'in the reeds'])
  await memorize(store, scoped, 'late', ['the late heron', 'stands', 'in the reeds'])
  await memorize(store, scoped, 'kept', ['the crane is grey'])
  await memorize(store, scoped, 'deleted', ['the stork has left'])
  await memorize(store, scoped, 'empty', [])
  await store.close()
}

/**
 * Leaves rows as those of a second claim of one job: of an item that is there, and of one that was deleted since. They are
 * still counted.
 */
const DAMAGE = `
  update chunk set item_key = (select item_key from item where item_id = 'note')
  where item_key = (select item_key from item where item_id = 'late');
  update memory set item_key = (select item_key from item where item_id = 'note')
  where item_key = (select item_key from item where item_id = 'late');
  update account set item_count = item_count - 2,
    byte_count = byte_count - (select sum(size_bytes) from item where item_id in ('late', 'deleted'));
  delete from body where item_key in (select item_key from item where item_id in ('late', 'deleted'));
  delete from item where item_id in ('late', 'deleted');
`

const FOUND = ['chunks that no item shows: 4', 'memories that an item has twice: 2']

/** Opens the store, as after an update, and sweeps. */
async function expectRemoved(database: string, open: () => Promise<Store>): Promise<void> {
  expect(await databaseFindings(database)).toEqual(FOUND)
  const store = await open()
  const scoped = scopedTo(store)
  // Claims wait for the sweep.
  await memorize(store, scoped, 'new', ['the swift sleeps'])
  const texts = await findTexts(scoped, ['the', 'reeds'])
  expect(texts.sort()).toEqual(['in the reeds', 'the crane is grey', 'the heron stands', 'the swift sleeps'])
  await store.close()
  expect(await databaseFindings(database)).toEqual([])
}

test('rows that no item shows are removed after the update, and totals are right again: SQLite', async () => {
  const file = join(temporaryFolder(), 'recalld.db')
  const open = () => openSqliteStore({ file, log })
  await fill(await open())
  const database = new DatabaseSync(file)
  database.exec(`${DAMAGE} PRAGMA user_version = 26`)
  database.close()
  await expectRemoved(file, open)
})

test('rows that no item shows are removed after the update, and totals are right again: PostgreSQL', async () => {
  const url = await server.emptyDatabase()
  const open = () => openPostgresStore({ url, log, mostConnections: 2 })
  await fill(await open())
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`${DAMAGE} delete from recalld_format where version > 18`)
  await client.end()
  await expectRemoved(url, open)
})
