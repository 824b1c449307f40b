import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../lib/log.ts'
import { acquireProcessLock, type LockHolder, type ProcessLock } from '../lib/process-lock.ts'

export interface CopiesFolder extends Disposable {
  readonly path: string
}

const LOCK = '.lock'

/**
 * An empty folder for what runs of this process copy. The lock next to it is released however the process ends, so that
 * the next one can remove the folder.
 * @param parent of the folders of all processes
 */
export function openCopiesFolder(parent: string, holder: LockHolder, log: Log): CopiesFolder {
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  removeLeftoverFolders(parent, holder, log)
  for (;;) {
    const path = join(parent, randomUUID())
    const lock = acquireProcessLock(`${path}${LOCK}`, holder)
    if (!isHeld(lock)) continue
    // Another process that starts at the same time took it for a leftover.
    if (!existsSync(`${path}${LOCK}`)) {
      lock.release()
      continue
    }
    mkdirSync(path, { mode: 0o700 })
    return { path, [Symbol.dispose]: () => remove(path, lock) }
  }
}

/** Those of processes that were killed. One that can't be removed must not stop all syncs. */
function removeLeftoverFolders(parent: string, holder: LockHolder, log: Log): void {
  for (const name of readdirSync(parent)) {
    if (!name.endsWith(LOCK)) continue
    const path = join(parent, name.slice(0, -LOCK.length))
    try {
      const lock = acquireProcessLock(`${path}${LOCK}`, holder)
      if (isHeld(lock)) remove(path, lock)
    } catch (error) {
      log.warn({ folder: path, err: error }, 'a leftover folder could not be removed')
    }
  }
}

function isHeld(lock: ReturnType<typeof acquireProcessLock>): lock is ProcessLock {
  return !('heldBy' in lock)
}

function remove(path: string, lock: ProcessLock): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } finally {
    lock.release()
  }
  rmSync(`${path}${LOCK}`, { force: true })
}
