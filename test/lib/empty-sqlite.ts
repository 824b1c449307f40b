import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packagePath } from '../../src/lib/files.ts'
import { openConnection } from '../../src/store/sqlite/connection.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'

const MIGRATIONS = packagePath('src/store/migrations/sqlite')

/**
 * Puts a database with the tables of a store and no rows there, and returns `file`. It is made once for an installation: to
 * make the tables takes a quarter of the time in which a store is opened, and tests open more than a thousand.
 */
export function emptySqlite(file: string): string {
  const made = cacheFile()
  if (!existsSync(made)) makeTables(made)
  copyFileSync(made, file)
  return file
}

function makeTables(made: string): void {
  mkdirSync(dirname(made), { recursive: true })
  // Renamed when whole: another file of tests may be reading it.
  const beside = `${made}.${process.pid}`
  const connection = openConnection(beside, 'writer')
  migrate(connection.raw)
  connection.close()
  renameSync(beside, made)
}

/** Of these migrations. */
function cacheFile(): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(MIGRATIONS).sort()) hash.update(readFileSync(join(MIGRATIONS, name)))
  return packagePath(`node_modules/.cache/recalld-sqlite/${hash.digest('hex').slice(0, 16)}.db`)
}
