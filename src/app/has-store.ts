import { existsSync } from 'node:fs'
import { hadDatabase } from '../config/database-marker.ts'
import { homeFiles } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import { missingDatabase } from '../store/database-identity.ts'

/**
 * Whether there is a store to open: a database server that the settings name, or the file that a first start made.
 *
 * @throws AppError `conflict` when the home had a file and it is gone
 */
export function hasStore({ databaseUrl, home }: Pick<Config, 'databaseUrl' | 'home'>): boolean {
  const files = homeFiles(home)
  if (databaseUrl !== undefined || existsSync(files.database)) return true
  if (hadDatabase(files)) throw missingDatabase(files.database)
  return false
}
