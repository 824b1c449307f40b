import { DatabaseSync } from 'node:sqlite'

export interface DatabaseInspection {
  /** What SQLite and the tables' references say is wrong; none when the file is sound. */
  readonly problems: readonly string[]
  /** Rows by what they are; empty when the file is not a database of recalld. */
  readonly counts: Readonly<Record<string, number>>
}

const COUNTED = {
  accounts: 'account',
  keys: 'api_key',
  items: 'item',
  bodies: 'body',
  memories: 'memory',
  chunks: 'chunk',
}

/** Since formats 2, 5, 6 and 7; a backup of a format before has none. */
const COUNTED_SINCE = {
  connections: 'ledger_connection',
  ledger_items: 'ledger_item',
  vectors: 'chunk_vector',
  golden_questions: 'golden_question',
  grants: 'access_grant',
}

/** Reads a database file through, page by page and row by row, without changing it. */
export function inspectDatabase(file: string): DatabaseInspection {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  try {
    const integrity = database.prepare('PRAGMA integrity_check(10)').all()
    const problems = integrity.map((row) => String(row.integrity_check)).filter((line) => line !== 'ok')
    for (const row of database.prepare('PRAGMA foreign_key_check').all()) {
      problems.push(`a row of ${row.table} belongs to nothing`)
    }
    return { problems, counts: problems.length > 0 ? {} : counts(database) }
  } catch (error) {
    // SQLITE_CORRUPT and SQLITE_NOTADB: what is wrong with the file is the answer (https://sqlite.org/rescode.html).
    if (error instanceof Error && 'errcode' in error && (error.errcode === 11 || error.errcode === 26)) {
      return { problems: [error.message], counts: {} }
    }
    throw error
  } finally {
    database.close()
  }
}

function counts(database: DatabaseSync): Record<string, number> {
  const tables = new Set(
    database
      .prepare("select name from sqlite_schema where type = 'table'")
      .all()
      .map((row) => row.name),
  )
  if (!Object.values(COUNTED).every((table) => tables.has(table))) return {}
  const known = Object.entries({ ...COUNTED, ...COUNTED_SINCE }).filter(([, table]) => tables.has(table))
  return Object.fromEntries(
    known.map(([name, table]) => [
      name,
      Number(database.prepare(`select count(*) as count from ${table}`).get()?.count),
    ]),
  )
}
