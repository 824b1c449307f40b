import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../domain/errors.ts'
import { flushToDisk } from '../../lib/flush-to-disk.ts'
import { asUnavailable } from './unavailable.ts'

/**
 * Writes back what is still in the log of a database that nobody has open: from then on the file alone is all of it, on the
 * disk, and may be renamed. The last connection does so as it closes, but when that fails, nobody is told.
 *
 * @throws AppError `unavailable` when it could not be written back
 */
export function settleDatabase(file: string): void {
  try {
    const raw = new DatabaseSync(file)
    try {
      const { busy } = raw.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {}
      if (busy !== 0) throw new AppError('unavailable', `${file}-wal cannot be written back: somebody reads it`)
    } finally {
      raw.close()
    }
  } catch (error) {
    throw asUnavailable(error)
  }
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })
  if (log !== undefined && log.size > 0) throw new AppError('unavailable', `${file}-wal was not written back`)
  flushToDisk(file, 'file')
}
