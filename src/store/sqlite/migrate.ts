import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../domain/errors.ts'
import { packagePath } from '../../lib/files.ts'

const FOLDER = 'src/store/migrations/sqlite'
const NAME = /^(\d{4})-[a-z0-9-]+\.sql$/

interface Migration {
  readonly version: number
  readonly sql: string
}

/**
 * Migrates the tables in one transaction under the write lock, so that only one of two processes that start
 * together does it. Refuses a file that a newer version wrote.
 */
export function migrate(raw: DatabaseSync): void {
  const migrations = readMigrations()
  const newest = migrations.at(-1)?.version ?? 0
  refuseNewer(readVersion(raw), newest)
  if (readVersion(raw) === newest) return
  raw.exec('BEGIN IMMEDIATE')
  try {
    const version = readVersion(raw)
    refuseNewer(version, newest)
    for (const migration of migrations) if (migration.version > version) raw.exec(migration.sql)
    raw.exec(`PRAGMA user_version = ${newest}`)
    raw.exec('COMMIT')
  } catch (error) {
    if (raw.isTransaction) raw.exec('ROLLBACK')
    throw error
  }
}

function readVersion(raw: DatabaseSync): number {
  return Number(raw.prepare('PRAGMA user_version').get()?.user_version)
}

function refuseNewer(version: number, newest: number): void {
  if (version <= newest) return
  throw new AppError(
    'unavailable',
    `The database was written by a newer version of recalld (its format is ${version}, this version supports ${newest}). Install that version again or restore a backup.`,
  )
}

function readMigrations(): Migration[] {
  const folder = packagePath(FOLDER)
  const migrations = readdirSync(folder)
    .sort()
    .map((name, index) => {
      const version = Number(NAME.exec(name)?.[1])
      if (version !== index + 1) throw new Error(`Migrations must be numbered without gaps; found ${name}`)
      return { version, sql: readFileSync(join(folder, name), 'utf8') }
    })
  if (migrations.length === 0) throw new Error(`No migrations in ${FOLDER}`)
  return migrations
}
