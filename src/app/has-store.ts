import { existsSync } from 'node:fs'
import { usableCredentials } from '../config/credentials.ts'
import { readDatabaseMarker } from '../config/database-marker.ts'
import { homeFiles } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import { missingDatabase } from '../store/sql/database-identity.ts'

/**
 * Whether there is a store to open: a database server that the settings name, or the file that a first start made.
 *
 * @throws AppError `conflict` when the home had a file and it is gone
 */
export function hasStore({ databaseUrl, home }: Pick<Config, 'databaseUrl' | 'home'>): boolean {
  const { database, databaseMarker, credentials } = homeFiles(home)
  if (databaseUrl !== undefined || existsSync(database)) return true
  // Homes of older versions have no marker, but the key of an account that a database made.
  const wasUsed = readDatabaseMarker(databaseMarker) !== undefined || usableCredentials(credentials) !== undefined
  if (wasUsed) throw missingDatabase(database)
  return false
}
