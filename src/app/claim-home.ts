import { AppError } from '../domain/errors.ts'
import { type LockHolder, type ProcessLock, takeProcessLock } from '../kit/process-lock.ts'

/**
 * Makes sure that no other process serves from, or replaces, what lies in a home.
 *
 * @param file the lock file of the home
 * @throws AppError `conflict`, naming the process that does
 */
export function claimHome(file: string, holder: LockHolder): ProcessLock {
  const lock = takeProcessLock(file, holder)
  if ('release' in lock) return lock
  const by = lock.heldBy
  const who = by === undefined ? 'Another recalld' : `The recalld with process id ${by.pid}`
  const since = by === undefined ? '' : `, running since ${by.since}`
  const at = by?.address === undefined ? '' : ` at ${by.address}`
  throw new AppError(
    'conflict',
    `${who}${at}${since}, uses this home. Stop it first, or name another home with RECALLD_HOME.`,
  )
}
