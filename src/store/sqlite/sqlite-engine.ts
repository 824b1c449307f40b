import { sql } from 'kysely'
import type { SqlEngine } from '../sql/engine.ts'
import { sqliteFullText } from './full-text.ts'

export const sqliteEngine: SqlEngine = {
  isOneOf: (value, ids) => sql`${value} in (select value from json_each(${JSON.stringify(ids)}))`,
  // For everything it would take a fifth of the speed of ingest: merging the full-text index frees many pages.
  async erasing(db, work) {
    await sql`pragma secure_delete = on`.execute(db)
    try {
      await work()
    } finally {
      await sql`pragma secure_delete = fast`.execute(db)
    }
  },
  fullText: sqliteFullText,
}
