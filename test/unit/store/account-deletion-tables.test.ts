import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ACCOUNT_TABLES } from '../../../src/store/deletions/account-tables.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { fillAccount } from '../../contract/full-account.ts'
import { deleteAccount } from '../../contract/store-deletion-contract.ts'
import { sampleAccount } from '../../contract/store-samples.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

/** Empty where uploads lie in the database. */
const WITH_OBJECTS = ['blob_write', 'blob_garbage']

async function openedStore() {
  const file = join(temporaryFolder(), 'recalld.db')
  const store = await openSqliteStore({ file, log: recordingLog().log })
  onTestFinished(() => store.close())
  await store.admin.createAccount(sampleAccount('a'))
  await store.admin.createAccount(sampleAccount('b'))
  const raw = new DatabaseSync(file, { readOnly: true })
  onTestFinished(() => raw.close())
  return { store, raw }
}

/** But those of SQLite itself and of the full text of each account. */
function tablesOf(raw: DatabaseSync): string[] {
  const rows = raw
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not glob 'text_*' and name not glob 'sqlite_*'",
    )
    .all()
  return rows.map(({ name }) => String(name)).sort()
}

function countsOf(raw: DatabaseSync): Record<string, number> {
  const count = (table: string) => Number(raw.prepare(`select count(*) as count from "${table}"`).get()?.count)
  return Object.fromEntries(tablesOf(raw).map((table) => [table, count(table)]))
}

describe('deleting an account', () => {
  test('knows every table there is, and whose its rows are', async () => {
    const { raw } = await openedStore()
    expect(Object.keys(ACCOUNT_TABLES).sort()).toEqual(tablesOf(raw))
    for (const [table, { by }] of Object.entries(ACCOUNT_TABLES)) {
      const columns = raw.prepare('select name from pragma_table_info(?)').all(table)
      const names = columns.map(({ name }) => String(name))
      const owned = names.some((name) =>
        ['account_key', 'account_id', 'ledger_key', 'memory_id', 'item_key'].includes(name),
      )
      if (owned && table !== 'account_deletion') expect([table, by]).not.toEqual([table, 'nobody'])
    }
  })

  test('takes merged names along where an older program that does not know them deletes it', async () => {
    const { store, raw } = await openedStore()
    await store.scoped({ accountId: 'a', sources: 'all' }).names.decide({ name: 'Tom', by: 'Ada' })
    const older = new DatabaseSync(raw.location() ?? '', { enableForeignKeyConstraints: false })
    onTestFinished(() => older.close())
    for (const table of tablesOf(raw)) {
      if (table !== 'account' && table !== 'name_decision') older.exec(`delete from "${table}"`)
    }
    older.exec('pragma foreign_keys = on; delete from account')
    expect(countsOf(raw)).toMatchObject({ account: 0, name_decision: 0 })
  })

  test('leaves in every table what is of another account, and nothing else', async () => {
    const { store, raw } = await openedStore()
    await fillAccount(store, 'a', ['eve'])
    const ofOne = countsOf(raw)
    await fillAccount(store, 'b', ['eve'])
    const before = countsOf(raw)
    // A table that stays empty here proves nothing: `fillAccount` has to put something into it.
    const owned = Object.entries(ACCOUNT_TABLES).filter(
      ([table, { by }]) => by !== 'nobody' && !WITH_OBJECTS.includes(table),
    )
    expect(owned.filter(([table]) => before[table] === 0).map(([table]) => table)).toEqual([])
    const { remaining } = await deleteAccount(store, 'b')
    const after = countsOf(raw)
    for (const [table] of owned) {
      expect(`${table}: ${remaining[table]} left of ${before[table]}`).toBe(`${table}: 0 left of ${before[table]}`)
      expect(after[table], table).toBeLessThan(before[table] ?? 0)
      expect(after[table], table).toBeGreaterThan(0)
    }
    expect(ofOne.person).toBe(2)
    expect(after.person).toBe(2)
    expect(after.passkey).toBe(1)
    expect(raw.prepare("select name from sqlite_schema where name glob 'text_2*'").all()).toEqual([])
    expect(raw.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  })
})
