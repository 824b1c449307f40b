import { createHash, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { platform } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Flushes a file, or the names in a folder, to disk, so that it survives a power cut. Windows cannot open folders. */
export function flushToDisk(path: string, kind: 'file' | 'folder'): void {
  if (kind === 'folder' && platform() === 'win32') return
  // Windows cannot flush a file that is opened read-only.
  const descriptor = openSync(path, kind === 'file' ? 'r+' : 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Writes a file that only its owner can read. The replacement is atomic, and others can never read it. */
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

/** Whether a read failed because the file does not exist, including a parent that is not a folder. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/** Absolute path of a file or folder shipped with the code: `models/...`, `config/...`, `samples/...`. */
export function packagePath(relative: string): string {
  // Both src/lib and the bundle, dist/program, are two levels below the root.
  return fileURLToPath(new URL(`../../${relative}`, import.meta.url))
}

const HASH_HERE_BYTES = 256 * 1024

/** SHA-256, lowercase hexadecimal. Large bodies are hashed off the calling thread, which must stay responsive. */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  if (bytes.length < HASH_HERE_BYTES) return createHash('sha256').update(bytes).digest('hex')
  return Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(bytes))).toString('hex')
}
