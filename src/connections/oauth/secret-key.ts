import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { platform } from 'node:os'
import { dirname } from 'node:path'
import { SourceError } from '../../connector/source-error.ts'
import { flushToDisk } from '../../lib/files.ts'
import type { Log } from '../../lib/log.ts'

/** For AES-256. */
const KEY_BYTES = 32

export interface SecretKey {
  /** The key, created when there is none. */
  forSealing(): Uint8Array
  /** `undefined`: there is none, so nothing can be decrypted. */
  forOpening(): Uint8Array | undefined
}

/**
 * The key that encrypts grants: 32 random bytes in a separate file, which is not in backups of the database. It is read
 * at every use, so that a restored file takes effect at once.
 * @param place `isMade`: create the key for encryption when there is none
 * @throws SourceError `reconfigure` when the file cannot be read or is not a key, or is missing and not to be created
 */
export function secretKey({ file, isMade }: { readonly file: string; readonly isMade: boolean }, log: Log): SecretKey {
  let warned = false
  const warn = (mode: number) => {
    // Windows has no such permissions.
    if (warned || platform() === 'win32' || (mode & 0o077) === 0) return
    warned = true
    log.warn({ file, mode: (mode & 0o777).toString(8) }, 'the secret key can be read by others: run "chmod 600" on it')
  }
  return {
    forSealing() {
      const known = readKey(file, warn)
      if (known !== undefined) return known
      if (!isMade) throw new SourceError('reconfigure', `secret_key_file points to ${file}, which doesn't exist.`)
      makeKey(file)
      const made = readKey(file, warn)
      if (made === undefined) throw new SourceError('reconfigure', `${file} vanished.`)
      return made
    },
    forOpening: () => readKey(file, warn),
  }
}

function readKey(file: string, warn: (mode: number) => void): Uint8Array | undefined {
  let bytes: Uint8Array
  try {
    const descriptor = openSync(file, 'r')
    try {
      warn(fstatSync(descriptor).mode)
      bytes = readFileSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'ENOENT') return undefined
    throw new SourceError('reconfigure', `${file} can't be read (${code}).`, { cause })
  }
  if (bytes.length === KEY_BYTES) return bytes
  throw new SourceError(
    'reconfigure',
    `${file} is damaged: it has ${bytes.length} bytes instead of ${KEY_BYTES}. Restore the original. If you don't have it, remove the file and connect again.`,
  )
}

/**
 * The whole file appears atomically, and never replaces another: both of two processes continue with the first one's
 * key.
 */
function makeKey(file: string): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    writeFileSync(draft, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx', flush: true })
    linkSync(draft, file)
    // The name must be durable before anything is encrypted with it.
    flushToDisk(dirname(file), 'folder')
  } catch (cause) {
    const code = codeOf(cause)
    if (code !== 'EEXIST') {
      throw new SourceError('reconfigure', `${file} can't be created (${code}).`, { cause })
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
