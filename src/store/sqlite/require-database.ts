import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { missingDatabase, requireIdentity } from '../sql/database-identity.ts'
import { asUnavailable } from './unavailable.ts'

/**
 * Reads whether a file is the expected database, and changes nothing.
 *
 * @throws AppError `conflict` when it is gone or another one, `unavailable` when it cannot be read
 */
export function requireDatabase(file: string, expected: string): void {
  if (!existsSync(file)) throw missingDatabase(file)
  requireIdentity(expected, identityIn(file), file)
}

function identityIn(file: string): string | undefined {
  try {
    const raw = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
    try {
      const table = raw.prepare("select 1 from sqlite_schema where type = 'table' and name = 'database_identity'").get()
      const row = table && raw.prepare('select database_id from database_identity').get()
      return typeof row?.database_id === 'string' ? row.database_id : undefined
    } finally {
      raw.close()
    }
  } catch (error) {
    throw asUnavailable(error)
  }
}
