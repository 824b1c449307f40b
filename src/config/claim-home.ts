import type { Config } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { acquireProcessLock, type LockHolder, type ProcessLock } from '../lib/process-lock.ts'
import type { HomeFiles } from './home-folder.ts'
import { ROLES, type Role } from './home-folder.ts'

/**
 * Claims roles for a home, so that no other process has one of them. Claiming all roles also ensures that nobody serves
 * from the home or replaces its files.
 *
 * @throws AppError `conflict`, naming the process that holds one
 */
export function claimHome(files: HomeFiles, holder: LockHolder, roles: readonly Role[] = ROLES): ProcessLock {
  const held: ProcessLock[] = []
  const release = () => {
    for (const lock of held) lock.release()
  }
  for (const role of new Set(roles)) {
    const lock = acquireProcessLock(files.locks[role], holder)
    if ('release' in lock) held.push(lock)
    else {
      release()
      throw new AppError('conflict', conflictSentence(lock.heldBy))
    }
  }
  return {
    describe: (by) => {
      for (const lock of held) lock.describe(by)
    },
    release,
  }
}

/** For processes that do not exclude each other. */
const NO_LOCK: ProcessLock = { describe: () => undefined, release: () => undefined }

/**
 * Claims the roles of a service if its store is in the home; a database server allows any number of processes.
 *
 * @throws AppError `conflict`, naming the process that holds one
 */
export function claimRoles(
  files: HomeFiles,
  holder: LockHolder,
  config: Pick<Config, 'roles' | 'databaseUrl'>,
): ProcessLock {
  return config.databaseUrl === undefined ? claimHome(files, holder, config.roles) : NO_LOCK
}

function conflictSentence(by: LockHolder | undefined): string {
  const who = by === undefined ? 'Another recalld' : `The recalld with process id ${by.pid}`
  const since = by === undefined ? '' : `, running since ${by.since}`
  const at = by?.address === undefined ? '' : ` at ${by.address}`
  return `${who}${at}${since}, uses this home. Stop it first, or set RECALLD_HOME to a different folder.`
}
