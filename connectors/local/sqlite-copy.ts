import { constants, rmSync } from 'node:fs'
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { SourceError } from '../../src/connector/source-error.ts'

/** A private copy of a database that another program has open. Disposing closes and deletes it. */
export interface DatabaseCopy extends Disposable, AsyncDisposable {
  /** Read-only. */
  readonly database: DatabaseSync
}

/** Maximum attempts when the database changes during the copy, and the pause between them in milliseconds. */
const ATTEMPTS = 5
const PAUSE_MS = 100

/**
 * Copies a live SQLite database at one consistent moment and opens the copy. It is not opened in place, because Chrome
 * locks its history exclusively; opening it as immutable would miss the write-ahead log.
 * @param temporaryFolder private to this process; the copy is in its own folder inside
 * @param options readBigInts: returns integers as bigint, needed above 2^53 (times of Chrome)
 * @throws SourceError `reconfigure` without read permission; `skip` when it is not a database; `retry` otherwise
 */
export async function openDatabaseCopy(
  path: string,
  temporaryFolder: string,
  options: { readonly readBigInts?: boolean } = {},
): Promise<DatabaseCopy> {
  const folder = await mkdtemp(join(temporaryFolder, 'database-'))
  const copy = join(folder, 'copy.db')
  let database: DatabaseSync | undefined
  try {
    await copyConsistently(path, copy)
    database = opened(path, copy, options.readBigInts ?? false)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  return copyOf(database, folder)
}

/**
 * Changes whenever something is written to the database: inode, size and time of the database and its log. `undefined`
 * when it does not exist.
 */
export async function databaseStamp(path: string): Promise<string | undefined> {
  const [database, log] = await Promise.all([fileStamp(path), fileStamp(`${path}-wal`)])
  return database && `${database}/${log ?? ''}`
}

function copyOf(database: DatabaseSync, folder: string): DatabaseCopy {
  const close = () => {
    if (database.isOpen) database.close()
  }
  return {
    database,
    [Symbol.dispose]() {
      close()
      rmSync(folder, { recursive: true, force: true })
    },
    async [Symbol.asyncDispose]() {
      close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function copyConsistently(path: string, copy: string): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const before = await writtenState(path)
    try {
      await copyFile(path, copy, constants.COPYFILE_FICLONE)
      await copyBeside(path, copy, '-journal')
      // Copied after the database: frames appended meanwhile do no harm, and a torn one fails its checksum. The index
      // of the log (-shm) is not copied, because SQLite creates it again.
      await copyBeside(path, copy, '-wal')
    } catch (cause) {
      throw unreadable(path, cause)
    }
    if (before === (await writtenState(path))) return
    await sleep(PAUSE_MS * attempt)
  }
  throw new SourceError('retry', `${path} kept changing while it was copied.`)
}

/** Changes when pages of the database itself are written: by a checkpoint of the log, or in rollback mode. */
async function writtenState(path: string): Promise<string> {
  const [database, journal] = await Promise.all([fileStamp(path), fileStamp(`${path}-journal`)])
  return `${database ?? ''}/${journal ?? ''}`
}

async function copyBeside(path: string, copy: string, suffix: string): Promise<void> {
  try {
    await copyFile(`${path}${suffix}`, `${copy}${suffix}`, constants.COPYFILE_FICLONE)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    // From a previous attempt.
    await rm(`${copy}${suffix}`, { force: true })
  }
}

function opened(path: string, copy: string, readBigInts: boolean): DatabaseSync {
  // Not readOnly, because a copied journal must be rolled back.
  const database = new DatabaseSync(copy, { readBigInts })
  try {
    database.exec('PRAGMA query_only = 1')
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    return database
  } catch (cause) {
    database.close()
    throw new SourceError('skip', `${path} is not an SQLite database, or is damaged.`, { cause })
  }
}

async function fileStamp(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch((cause: unknown) => {
    if (errorCode(cause) === 'ENOENT') return undefined
    throw unreadable(path, cause)
  })
  return found && `${found.ino}-${found.size}-${found.mtimeNs}`
}

function unreadable(path: string, cause: unknown): SourceError {
  const code = errorCode(cause)
  if (code === 'EACCES' || code === 'EPERM')
    return new SourceError('reconfigure', `${path} can't be read (${code}). Allow recalld to read it.`, { cause })
  return new SourceError('retry', `${path} can't be copied (${code}).`, { cause })
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
}
