import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { claimHome } from '../config/claim-home.ts'
import { removeDatabaseMarker, writeDatabaseMarker } from '../config/database-marker.ts'
import { homeFiles, prepareHome } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { flushToDisk } from '../lib/files.ts'
import type { Log } from '../lib/log.ts'
import { moveStore } from '../store/move/move-store.ts'
import { openPostgresSide } from '../store/move/postgres-side.ts'
import { openSqliteSide } from '../store/move/sqlite-side.ts'
import { checkpointDatabase, inspectDatabase, removeDatabase } from '../store/sqlite/database-file.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { RestoreResult } from './administration.ts'

/**
 * Replaces a home's database by a backup and keeps the old one next to it, or fills an empty PostgreSQL database. A
 * file is replaced in the last step by one rename; an incompletely filled database cannot be opened, and must be
 * emptied before the next try. Row counts are compared with the backup before and after. Everyone must sign in to the
 * app again.
 * @throws AppError `conflict` while a service runs on the home, or PostgreSQL is not empty; `invalid` when the backup
 * is damaged
 */
export async function restoreBackup(
  config: Config,
  backup: string,
  { log, pid }: { log: Log; pid: number },
): Promise<RestoreResult> {
  if (!existsSync(backup)) throw new AppError('not_found', `${backup} doesn't exist.`)
  prepareHome(config.home)
  const files = homeFiles(config.home)
  const since = new Date().toISOString()
  const lock = claimHome(files, { pid, since })
  const draft = `${files.database}.restoring`
  try {
    removeDatabase(draft)
    copyFileSync(backup, draft)
    const expected = soundCounts(draft, backup)
    // Opening upgrades an older format to this version, and rejects a newer one.
    const store = await openSqliteStore({ file: draft, log })
    let databaseId: string
    try {
      databaseId = await store.identity()
      // Sessions that ended since then stay ended, and links used since then stay used.
      await store.people.signEverybodyOut()
    } finally {
      await store.close()
    }
    checkpointDatabase(draft)
    requireSame(expected, soundCounts(draft, backup))
    if (config.databaseUrl !== undefined) {
      await moveInto(config.databaseUrl, draft, log)
      writeDatabaseMarker(files.databaseMarker, databaseId)
      return { counts: expected }
    }
    // Without a marker, the home accepts the existing database, whichever of the two a crash leaves.
    removeDatabaseMarker(files.databaseMarker)
    const restored = putInPlace(draft, files.database, { backup, expected, since })
    writeDatabaseMarker(files.databaseMarker, databaseId)
    return restored
  } finally {
    removeDatabase(draft)
    lock.release()
  }
}

/** The only step that changes anything. */
function putInPlace(
  draft: string,
  database: string,
  { backup, expected, since }: { backup: string; expected: Readonly<Record<string, number>>; since: string },
): RestoreResult {
  const previous = keepPrevious(database, since)
  // The log of the old database must not be applied to the new one.
  for (const suffix of ['-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true })
  renameSync(draft, database)
  flushToDisk(dirname(database), 'folder')
  const counts = soundCounts(database, backup)
  requireSame(expected, counts)
  return { counts, ...(previous === undefined ? {} : { previous }) }
}

/** Nothing can open the database before all of it has arrived. */
async function moveInto(url: string, draft: string, log: Log): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const source = openSqliteSide(draft, 'source')
  stack.defer(() => source.close())
  const target = await openPostgresSide(url, 'target', log)
  stack.defer(() => target.close())
  const { tables } = await moveStore({ source, target })
  const different = tables.filter(({ isSame }) => !isSame).map(({ name }) => name)
  if (different.length === 0) return
  const sentence = `The backup was not restored completely (${different.join(', ')}). Empty the database and restore it again.`
  throw new AppError('conflict', sentence)
}

function soundCounts(file: string, backup: string): Readonly<Record<string, number>> {
  const { problems, counts } = inspectDatabase(file)
  const [problem] = problems
  if (problem !== undefined) throw new AppError('invalid', `${backup} is damaged and was not restored: ${problem}`)
  if (Object.keys(counts).length === 0) throw new AppError('invalid', `${backup} is not a backup of recalld`)
  return counts
}

function requireSame(expected: Readonly<Record<string, number>>, found: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(expected)) {
    if (found[name] !== count) {
      throw new AppError(
        'internal',
        `The backup has ${count} ${name}, but only ${found[name]} were restored. Your data is unchanged.`,
      )
    }
  }
}

/** A copy with its log, if it has one: together they are the complete database. */
function keepPrevious(database: string, since: string): string | undefined {
  if (!existsSync(database)) return undefined
  const previous = `${database}.before-restore-${since.replace(/[:.]/g, '-')}`
  copyFileSync(database, previous)
  if (existsSync(`${database}-wal`)) copyFileSync(`${database}-wal`, `${previous}-wal`)
  return previous
}
