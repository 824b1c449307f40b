import { constants, rmSync } from 'node:fs'
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { SourceError } from '../../src/connector/source-error.ts'

/** A private copy of a database that another program has open. Disposing closes and deletes it. */
export interface DatabaseCopy extends Disposable, AsyncDisposable {
  /** Refuses to write. */
  readonly database: DatabaseSync
}

/** How often a copy is begun again because the database changed under it, and the pause before that, in milliseconds. */
const ATTEMPTS = 5
const PAUSE_MS = 100

/**
 * Copies a live SQLite database as it was at one moment and opens the copy. Copied rather than opened in place, because
 * Chrome locks its history exclusively, and rather than opened as immutable, which would miss what is still in the log.
 *
 * @param temporaryFolder private to this process; the copy lies in a folder of its own in there
 * @param options readBigInts: integers come as bigint, as those above 2^53 (times of Chrome) must
 * @throws SourceError `reconfigure` without the permission to read it; `skip` when it is no database; `retry` else
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
 * Changes whenever something is written to the database: inode, size and time of it and of its log. `undefined` when
 * there is no such file.
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
      // After the database: frames that are appended meanwhile only add to it, and a torn one fails its checksum. The
      // index of the log (-shm) is left: the first to open a log creates it again.
      await copyBeside(path, copy, '-wal')
    } catch (cause) {
      throw unreadable(path, cause)
    }
    if (before === (await writtenState(path))) return
    await sleep(PAUSE_MS * attempt)
  }
  throw new SourceError('retry', `${path} kept changing while it was copied. The next run tries again.`)
}

/** Changes when pages of the database itself are written: by a checkpoint of the log, or under a rollback journal. */
async function writtenState(path: string): Promise<string> {
  const [database, journal] = await Promise.all([fileStamp(path), fileStamp(`${path}-journal`)])
  return `${database ?? ''}/${journal ?? ''}`
}

async function copyBeside(path: string, copy: string, suffix: string): Promise<void> {
  try {
    await copyFile(`${path}${suffix}`, `${copy}${suffix}`, constants.COPYFILE_FICLONE)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    // From an attempt before.
    await rm(`${copy}${suffix}`, { force: true })
  }
}

function opened(path: string, copy: string, readBigInts: boolean): DatabaseSync {
  // Not readOnly: a journal that was copied along has to be rolled back.
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
