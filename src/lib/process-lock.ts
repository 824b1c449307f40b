import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Says who holds a lock, for the one who is refused. */
export interface LockHolder {
  readonly pid: number
  /** ISO 8601. */
  readonly since: string
  readonly address?: string
}

export interface ProcessLock {
  /** Replaces what others see about the holder. */
  describe(holder: LockHolder): void
  release(): void
}

/**
 * Takes a lock that the operating system drops when the process ends, however it ends: an exclusive transaction on an
 * empty database. A file with a process id in it would outlive `kill -9` and block the next start.
 *
 * @returns the lock, or what is known of its holder
 */
export function takeProcessLock(
  file: string,
  holder: LockHolder,
): ProcessLock | { readonly heldBy: LockHolder | undefined } {
  const database = new DatabaseSync(file, { timeout: 0 })
  const details = `${file}.json`
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (!isBusy(error)) throw error
    return { heldBy: lockHolder(file) }
  }
  const describe = (by: LockHolder) => writeFileSync(details, `${JSON.stringify(by)}\n`, { mode: 0o600 })
  describe(holder)
  return {
    describe,
    release: () => {
      rmSync(details, { force: true })
      database.close()
    },
  }
}

function isBusy(error: unknown): boolean {
  // SQLITE_BUSY and SQLITE_LOCKED, with or without their extended part (https://sqlite.org/rescode.html).
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false
  const primary = error.errcode & 0xff
  return primary === 5 || primary === 6
}

/** Who said last that it holds the lock; after `kill -9` that one may be gone. */
export function lockHolder(file: string): LockHolder | undefined {
  try {
    const holder: unknown = JSON.parse(readFileSync(`${file}.json`, 'utf8'))
    return isHolder(holder) ? holder : undefined
  } catch (error) {
    // There is none, or it is between taking the lock and describing itself: a refusal stands without details.
    if (error instanceof Error) return undefined
    throw error
  }
}

function isHolder(value: unknown): value is LockHolder {
  return typeof value === 'object' && value !== null && 'pid' in value && 'since' in value
}
