import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'

const SOURCES = ['text', 'slack', 'email', 'github', 'pdf', 'ms-teams', 'calendar', 'gdocs']
const nothing = () => undefined
const LOG = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/**
 * Opens a store whose one account holds so many items, made in the table and without contents: one in 500 is failed, one in
 * 1,000 waits.
 */
export async function storeOfItems(folder: string, accountId: string, count: number): Promise<Store> {
  const file = path.join(folder, 'recalld.db')
  const store = await openSqliteStore({ file, log: LOG })
  const accounts = await store.admin.listAccounts()
  if (!accounts.some((account) => account.accountId === accountId)) {
    const defaultKey = { keyId: 'key', name: 'default', sources: 'all' as const, hash: new Uint8Array(32) }
    const user = { userId: 'user', name: 'Ada' }
    const place = { timeZone: 'UTC', plan: 'self-hosted' }
    await store.admin.createAccount({ accountId, name: 'Bench', ...place, user, defaultKey })
  }
  insertItems(file, accountId, count)
  return store
}

/** Also into the database of a service that runs. @param prefix of their ids */
export function insertItems(file: string, accountId: string, count: number, prefix = 'item'): void {
  // A service that runs may be writing.
  const database = new DatabaseSync(file, { timeout: 60_000 })
  try {
    const account = database.prepare('select account_key from account where account_id = ?').get(accountId)
    const accountKey = Number(account?.account_key)
    const item = database.prepare(
      `insert into item (account_key, source_type, item_id, user_id, user_name, file_name, content_type, size_bytes, body_hash,
        execution_id, state, error_code, error, created_at, uploaded_at, updated_at, memory_count, made_by, kind, title, skips)
      values (?, ?, ?, 'user', 'Ada', ?, 'text/plain', ?, 'x', ?, ?, ?, ?, ?, ?, ?, ?, 'bench@1', 'note', ?, ?)`,
    )
    const body = database.prepare('insert into body (item_key, bytes) values (?, ?)')
    const job = database.prepare(
      'insert into job (account_key, item_key, turn, ready_at, queued_at) values (?, ?, 0, ?, ?)',
    )
    const start = Date.now() - count * 60_000
    const later = Date.now() + 3_600_000
    database.exec('begin immediate')
    for (let n = 0; n < count; n++) {
      const source = SOURCES[(n * 7) % SOURCES.length]!
      const failed = n % 500 === 3
      const at = start + n * 60_000
      const title = n % 3 === 0 ? null : `Notes of the ${n % 2 === 0 ? 'release' : 'billing'} meeting number ${n}`
      const skips = n % 4 === 0 ? '[{"reason":"quoted_reply","count":2,"detail":"2 quoted replies"}]' : null
      const state = failed ? 'failed' : 'ready'
      const why = failed ? ['unreadable', 'The file is damaged; export it again and upload that'] : [null, null]
      const size = 200 + ((n * 7_919) % 100_000)
      const values = [`${prefix}-${n}`, `file-${(n * 31) % count}.txt`, size, `execution-${n}`, state, ...why]
      const { lastInsertRowid } = item.run(accountKey, source, ...values, at, at, at, n % 9, title, skips)
      body.run(lastInsertRowid, new Uint8Array([104, 105]))
      if (n % 1_000 === 5) job.run(accountKey, lastInsertRowid, later, at)
    }
    database.prepare('update account set item_count = item_count + ? where account_key = ?').run(count, accountKey)
    database.exec('commit')
    // As it would be by then: the log of so large a commit is read more slowly than the file.
    database.exec('PRAGMA wal_checkpoint(truncate)')
  } finally {
    database.close()
  }
}
