import { requireIdentity } from '../sql/database-identity.ts'
import type { Connections } from './connections.ts'

/**
 * Reads whether it is the expected database, before any table is made in it.
 *
 * @throws AppError `conflict` when it is another one, `unavailable` when it cannot be reached
 */
export async function requireDatabase(connections: Connections, expected: string): Promise<void> {
  const connection = await connections.take()
  let broken = true
  let found: string | undefined
  try {
    const [row] = await connection.run("select to_regclass('database_identity') is not null as made")
    const [held] = row?.made === true ? await connection.run('select database_id from database_identity') : []
    found = typeof held?.database_id === 'string' ? held.database_id : undefined
    broken = false
  } finally {
    connection.release(broken)
  }
  requireIdentity(expected, found, 'The database in PostgreSQL')
}
