import { existsSync } from 'node:fs'
import { homeFiles } from '../config/home-folder.ts'
import type { Config } from '../config.ts'

/** Whether there is a store to open: a database server that the settings name, or the file that a first start made. */
export function hasStore({ databaseUrl, home }: Config): boolean {
  return databaseUrl !== undefined || existsSync(homeFiles(home).database)
}
