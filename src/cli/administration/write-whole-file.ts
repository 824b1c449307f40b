import { randomBytes } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../domain/errors.ts'
import { flushToDisk } from '../../lib/files.ts'
import { messages } from './messages.ts'

/**
 * Writes a new file, whole or not at all, which its owner alone can read; on the disk when it resolves.
 *
 * @throws AppError `conflict` when there is such a file, also when it came meanwhile
 */
export async function writeWholeFile(file: string, content: Readable): Promise<void> {
  // A random name, so that no other process writes to it or has put a link there.
  const partial = `${file}.${randomBytes(6).toString('hex')}.partial`
  try {
    await pipeline(content, createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }))
    requireAbsent(file)
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
  flushToDisk(dirname(file), 'folder')
}

function requireAbsent(file: string): void {
  if (existsSync(file)) throw new AppError('conflict', messages.fileExists(file))
}
