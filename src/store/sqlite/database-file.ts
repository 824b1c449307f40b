import { existsSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../domain/errors.ts'
import { flushToDisk } from '../../lib/files.ts'
import { missingDatabase, requireIdentity } from '../database-identity.ts'
import { asUnavailable } from './unavailable.ts'

interface DatabaseInspection {
  /** Problems that SQLite and the foreign keys report; empty when the file is sound. */
  readonly problems: readonly string[]
  /** Row counts by kind; empty when the file is not a recalld database. */
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

/** Tables added in formats 2, 5, 6, 7, 20, 25 and 26, which older backups lack. */
const COUNTED_SINCE = {
  connections: 'ledger_connection',
  ledger_items: 'ledger_item',
  vectors: 'chunk_vector',
  golden_questions: 'golden_question',
  grants: 'access_grant',
  edits: 'memory_edit',
  tags: 'item_tag',
  name_decisions: 'name_decision',
}

/** Reads every page and row of a database file without changing it. */
export function inspectDatabase(file: string): DatabaseInspection {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  try {
    const integrity = database.prepare('PRAGMA integrity_check(10)').all()
    const problems = integrity.map((row) => String(row.integrity_check)).filter((line) => line !== 'ok')
    for (const row of database.prepare('PRAGMA foreign_key_check').all()) {
      problems.push(`a row of ${row.table} has no parent`)
    }
    return { problems, counts: problems.length > 0 ? {} : countRows(database) }
  } catch (error) {
    // SQLITE_CORRUPT and SQLITE_NOTADB are findings, not failures (https://sqlite.org/rescode.html).
    if (error instanceof Error && 'errcode' in error && (error.errcode === 11 || error.errcode === 26)) {
      return { problems: [error.message], counts: {} }
    }
    throw error
  } finally {
    database.close()
  }
}

function countRows(database: DatabaseSync): Record<string, number> {
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

/**
 * Checks whether a file is the expected database without changing it.
 *
 * @throws AppError `conflict` when it is missing or another one, `unavailable` when it can't be read
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

/**
 * Writes the log of a database that nobody has open back into the file, which is then complete, durable, and can be renamed.
 * The last connection also does this when it closes, but doesn't report a failure.
 *
 * @throws AppError `unavailable` when the log can't be written back
 */
export function checkpointDatabase(file: string): void {
  try {
    const raw = new DatabaseSync(file)
    try {
      const { busy } = raw.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {}
      if (busy !== 0)
        throw new AppError('unavailable', `${file}-wal can't be written back because another process is reading it`)
    } finally {
      raw.close()
    }
  } catch (error) {
    throw asUnavailable(error)
  }
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })
  if (log !== undefined && log.size > 0) throw new AppError('unavailable', `${file}-wal was not written back`)
  flushToDisk(file, 'file')
}

/** Also removes the log; does nothing if there is no file. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
}
