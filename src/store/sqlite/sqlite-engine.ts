import { sql } from 'kysely'
import type { SqlEngine } from '../sql/engine.ts'
import { sqliteFullText } from './full-text.ts'

export const sqliteEngine: SqlEngine = {
  isOneOf: (value, ids) => sql`${value} in (select value from json_each(${JSON.stringify(ids)}))`,
  fullText: sqliteFullText,
}
