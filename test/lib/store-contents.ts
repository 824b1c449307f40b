import { DatabaseSync } from 'node:sqlite'
import { ACCOUNT_TABLES } from '../../src/store/deletions/account-tables.ts'

/** Everything in the tables of a file, numbers that are not given out twice included, but not what is derived. */
export function storeContents(file: string): Record<string, unknown[]> {
  const raw = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = [...Object.keys(ACCOUNT_TABLES), 'sqlite_sequence']
    return Object.fromEntries(
      tables.map((table) => [table, raw.prepare(`select * from "${table}"`).all().map(withoutZeros).sort()]),
    )
  } finally {
    raw.close()
  }
}

/** As text; PostgreSQL has no zero character. */
function withoutZeros(row: Record<string, unknown>): string {
  return JSON.stringify(row, (_, value) => (typeof value === 'string' ? value.replaceAll('\0', '\u{FFFD}') : value))
}
