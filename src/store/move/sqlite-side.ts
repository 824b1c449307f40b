import { sql } from 'kysely'
import { type Connection, openConnection } from '../sqlite/connection.ts'
import { migrate } from '../sqlite/migrate.ts'
import { sqliteEngine, textTable } from '../sqlite/sqlite-engine.ts'
import type { Side } from './side.ts'

const COUNTERS = ['chunk', 'commit'] as const

/**
 * Opens a database file and migrates it to the format of this version. A source is locked for writing until it is closed.
 *
 * @throws AppError `unavailable` when the file can't be used, another process locks it, or a newer version wrote it
 */
export function openSqliteSide(file: string, role: 'source' | 'target'): Side {
  const connection = openConnection(file, 'writer')
  try {
    migrate(connection.raw)
    // Waits for the current writer, then blocks all others.
    if (role === 'source') connection.raw.exec('BEGIN IMMEDIATE')
  } catch (error) {
    connection.close()
    throw error
  }
  return sideOver(connection)
}

function sideOver(connection: Connection): Side {
  const { raw, db } = connection
  return {
    db,
    engine: sqliteEngine,
    async columns(table) {
      return raw
        .prepare('select name from pragma_table_info(?)')
        .all(table)
        .map(({ name }) => String(name))
    },
    async hasTable(name) {
      return raw.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(name) !== undefined
    },
    async commit(work) {
      raw.exec('BEGIN IMMEDIATE')
      try {
        await work()
        raw.exec('COMMIT')
      } catch (error) {
        if (raw.isTransaction) raw.exec('ROLLBACK')
        throw error
      }
    },
    async lastNumbers(tables) {
      const value = raw.prepare('select value from counter where name = ?')
      const last = raw.prepare('select seq from sqlite_sequence where name = ?')
      return Object.fromEntries([
        ...COUNTERS.map((name) => [name, Number(value.get(name)?.value ?? 0)]),
        ...tables.map((name) => [name, Number(last.get(name)?.seq ?? 0)]),
      ])
    },
    async continueAfter({ chunk = 0, commit = 0, ...tables }) {
      for (const [name, value] of [['chunk', chunk] as const, ['commit', commit] as const]) {
        await db.updateTable('counter').set({ value }).where('name', '=', name).execute()
      }
      for (const [name, value] of Object.entries(tables)) {
        await sql`delete from sqlite_sequence where name = ${name}`.execute(db)
        await sql`insert into sqlite_sequence (name, seq) values (${name}, ${value})`.execute(db)
      }
    },
    // The vector index is in memory.
    async indexed() {
      let chunks = 0
      for (const { account_key } of await db.selectFrom('account').select('account_key').execute()) {
        chunks += Number(raw.prepare(`select count(*) as count from ${textTable(account_key)}`).get()?.count)
      }
      return { chunks, vectors: undefined }
    },
    async close() {
      if (raw.isTransaction) raw.exec('ROLLBACK')
      connection.close()
    },
  }
}
