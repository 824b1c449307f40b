import { createHash, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { platform } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Of a file its bytes, of a folder the names in it: both survive a power cut when this returns. Windows opens no folders. */
export function flushToDisk(path: string, kind: 'file' | 'folder'): void {
  if (kind === 'folder' && platform() === 'win32') return
  // Windows flushes no file that is open for reading alone.
  const descriptor = openSync(path, kind === 'file' ? 'r+' : 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Writes a file that only its owner may read. Readers see the old content or the new one, never half of it, and never
 * a moment in which others may read it.
 */
export function writePrivateFile(path: string, content: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Whether a read failed because there is no such file, also because what should be its folder is none. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/** Absolute path of a file or folder that is shipped beside the code: `models/...`, `config/...`, `samples/...`. */
export function packagePath(relative: string): string {
  // Two folders below the root, both in src/lib and in the bundle, dist/program.
  return fileURLToPath(new URL(`../../${relative}`, import.meta.url))
}

const HASH_HERE_BYTES = 256 * 1024

/** SHA-256, lowercase hexadecimal. Large bodies are hashed off the calling thread, which has others to answer. */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  if (bytes.length < HASH_HERE_BYTES) return createHash('sha256').update(bytes).digest('hex')
  return Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(bytes))).toString('hex')
}
