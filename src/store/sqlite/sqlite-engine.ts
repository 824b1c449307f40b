import { sql } from 'kysely'
import type { SqlEngine } from '../sql/engine.ts'
import { MOST_CHUNKS_IN_ONE_COMMIT } from '../sql/hidden-ranges.ts'
import { sqliteFullText, textTable } from './full-text.ts'

export const sqliteEngine: SqlEngine = {
  isOneOf: (value, ids) => sql`${value} in (select value from json_each(${JSON.stringify(ids)}))`,
  carriesAccount: false,
  mostNewChunks: MOST_CHUNKS_IN_ONE_COMMIT,
  // That the write lock can be had is proof, but after a full disk (`group-commit.ts`).
  probe: nothing,
  lockAccount: nothing,
  // For everything it would take a fifth of the speed of ingest: merging the full-text index frees many pages.
  async secureDelete(db, work) {
    await sql`pragma secure_delete = on`.execute(db)
    try {
      await work()
    } finally {
      await sql`pragma secure_delete = fast`.execute(db)
    }
  },
  async takeNumbers(db, name, count) {
    const { value } = await db
      .updateTable('counter')
      .set({ value: sql<number>`value + ${count}` })
      .where('name', '=', name)
      .returning('value')
      .executeTakeFirstOrThrow()
    return value - count + 1
  },
  async settledChunks(db) {
    const row = await db.selectFrom('counter').select('value').where('name', '=', 'chunk').executeTakeFirstOrThrow()
    return row.value
  },
  // One connection writes.
  skipLocked: (query) => query,
  // The table of an account, with those behind it, is all or nothing.
  async rowsOfAccount(db, accountKey) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from sqlite_schema where name glob ${`${textTable(accountKey)}*`}
        and (name = ${textTable(accountKey)} or name glob ${`${textTable(accountKey)}_*`})`.execute(db)
    return { full_text: Number(rows[0]?.count ?? 0) }
  },
  fullText: sqliteFullText,
  // Vectors are followed in memory (`vector-index.ts`).
  vectors: { prepare: nothing, add: nothing, remove: nothing, follow: nothing, drop: async () => true },
}

async function nothing(): Promise<void> {
  // See above.
}
