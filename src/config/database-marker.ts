import { readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { flushToDisk, isAbsent, writePrivateFile } from '../lib/files.ts'
import { usableCredentials } from './credentials.ts'
import type { HomeFiles } from './home-folder.ts'

const WIRE = z.object({ database_id: z.string().min(1) })

/** ID of the database that a home used last; `undefined`: none yet, or the file was truncated by a power cut. */
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
 * Whether a database was created for this home. Homes of older versions have no marker, but a key of one of its accounts;
 * a key of a service elsewhere proves nothing.
 */
export function hadDatabase(files: Pick<HomeFiles, 'databaseMarker' | 'credentials'>): boolean {
  if (readDatabaseMarker(files.databaseMarker) !== undefined) return true
  const { baseUrl } = usableCredentials(files.credentials) ?? {}
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return false
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(baseUrl).hostname)
}

/** Call after the ID is in the database: a home without a marker accepts the existing database. */
export function writeDatabaseMarker(file: string, databaseId: string): void {
  writePrivateFile(file, `${JSON.stringify({ database_id: databaseId }, null, 2)}\n`)
  flushToDisk(file, 'file')
  flushToDisk(dirname(file), 'folder')
}

/** Call before another database replaces the one that the marker names. */
export function removeDatabaseMarker(file: string): void {
  rmSync(file, { force: true })
  flushToDisk(dirname(file), 'folder')
}
