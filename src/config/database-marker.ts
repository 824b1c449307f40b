import { readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { flushToDisk, isAbsent, writePrivateFile } from '../lib/files.ts'
import { usableCredentials } from './credentials.ts'
import type { HomeFiles } from './home-folder.ts'

const WIRE = z.object({ database_id: z.string().min(1) })

/** Id of the database that a home used last; `undefined`: none yet. A file that a power cut left half is as good as none. */
export function readDatabaseMarker(file: string): string | undefined {
  let source: string
  try {
    source = readFileSync(file, 'utf8')
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
  try {
    return WIRE.parse(JSON.parse(source)).database_id
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined
    throw error
  }
}

/**
 * Whether a database was made for this home. Homes of older versions have no marker, but the key of an account in it; a key
 * of a service elsewhere says nothing.
 */
export function hadDatabase(files: Pick<HomeFiles, 'databaseMarker' | 'credentials'>): boolean {
  if (readDatabaseMarker(files.databaseMarker) !== undefined) return true
  const { baseUrl } = usableCredentials(files.credentials) ?? {}
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return false
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(baseUrl).hostname)
}

/** After the database has the id: a home without a marker takes the database that is there. */
export function writeDatabaseMarker(file: string, databaseId: string): void {
  writePrivateFile(file, `${JSON.stringify({ database_id: databaseId }, null, 2)}\n`)
  flushToDisk(file, 'file')
  flushToDisk(dirname(file), 'folder')
}

/** Before another database takes the place of the one it names. */
export function removeDatabaseMarker(file: string): void {
  rmSync(file, { force: true })
  flushToDisk(dirname(file), 'folder')
}
