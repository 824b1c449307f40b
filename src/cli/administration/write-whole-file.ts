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
 * Writes a new file atomically, readable only by its owner; it is on disk when this resolves.
 * @throws AppError `conflict` when the file exists, even if it was created meanwhile
 */
export async function writeWholeFile(file: string, content: Readable): Promise<void> {
  // A random name, so that no other process writes to it or has placed a link there.
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
