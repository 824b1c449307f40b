import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Describes the holder of a lock, for messages. */
export interface LockHolder {
  readonly pid: number
  /** ISO 8601. */
  readonly since: string
  readonly address?: string
}

export interface ProcessLock {
  /** Updates the description of the holder. */
  describe(holder: LockHolder): void
  release(): void
}

/**
 * Takes a lock that the operating system releases when the process ends, however it ends: an exclusive transaction on
 * an empty database. A file with a process id would outlive `kill -9` and block the next start.
 * @returns the lock, or what is known of its holder
 */
export function acquireProcessLock(
  file: string,
  holder: LockHolder,
): ProcessLock | { readonly heldBy: LockHolder | undefined } {
  const database = new DatabaseSync(file, { timeout: 0 })
  const details = `${file}.json`
  const describe = (by: LockHolder) => writeFileSync(details, `${JSON.stringify(by)}\n`, { mode: 0o600 })
  try {
    database.exec('BEGIN EXCLUSIVE')
    describe(holder)
  } catch (error) {
    database.close()
    if (!isBusy(error)) throw error
    return { heldBy: lockHolder(file) }
  }
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

/** The last holder that described itself; it may be gone after `kill -9`. */
export function lockHolder(file: string): LockHolder | undefined {
  try {
    const holder: unknown = JSON.parse(readFileSync(`${file}.json`, 'utf8'))
    return isHolder(holder) ? holder : undefined
  } catch (error) {
    // The holder may not have described itself yet; then details are missing.
    if (error instanceof Error) return undefined
    throw error
  }
}

function isHolder(value: unknown): value is LockHolder {
  return typeof value === 'object' && value !== null && 'pid' in value && 'since' in value
}
