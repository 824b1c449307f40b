import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareHome } from '../../config/home-folder.ts'
import { AppError } from '../../domain/errors.ts'
import { problemSentence } from '../../domain/source-problems.ts'
import { isAbsent } from '../../lib/files.ts'

const ID = /^[0-9a-f]{32}$/
/** The name of a file that is still being received. */
const PART = 'part'
/** What nobody connected within a day is deleted. */
const UNUSED_MS = 24 * 60 * 60 * 1000
/** Stays free on the disk, for the database. */
const SPARE_BYTES = 256 * 1024 * 1024

/** The folder of uploaded exports in a home: each file in a folder with a random name, readable only by its owner. */
export class ImportFiles {
  readonly #home: string
  readonly #folder: string
  readonly #mostBytes: number

  constructor({ home, imports }: { readonly home: string; readonly imports: string }, mostBytes: number) {
    this.#home = home
    this.#folder = imports
    this.#mostBytes = mostBytes
  }

  /**
   * @returns the id of a new, empty upload
   * @throws AppError `too_large` above the limit; `unavailable` when the disk has no room
   */
  async begin(bytes: number): Promise<string> {
    if (bytes > this.#mostBytes) throw this.#tooLarge()
    prepareHome(this.#home)
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const { bavail, bsize } = await statfs(this.#folder)
    if (bytes + SPARE_BYTES > bavail * bsize) throw noRoom()
    const id = randomBytes(16).toString('hex')
    await mkdir(join(this.#folder, id), { mode: 0o700 })
    await (await open(this.#partOf(id), 'wx', 0o600)).close()
    return id
  }

  /**
   * Appends a piece. One that was interrupted can be sent again from where it began.
   * @param at bytes that were received before
   * @throws AppError `not_found` for an upload that ended, `conflict` when bytes before are missing, `too_large`
   */
  async append(id: string, at: number, body: AsyncIterable<Uint8Array>): Promise<void> {
    const part = this.#partOf(id)
    if (!ID.test(id) || !existsSync(part)) throw ended()
    await using file = await open(part, 'r+')
    const { size } = await file.stat()
    if (at > size) throw new AppError('conflict', `Only ${size} bytes were received before.`)
    await file.truncate(at)
    await this.#write(file, at, body)
  }

  async #write(file: FileHandle, at: number, body: AsyncIterable<Uint8Array>): Promise<void> {
    let position = at
    try {
      for await (const bytes of body) {
        if (position + bytes.length > this.#mostBytes) throw this.#tooLarge()
        await file.write(bytes, 0, bytes.length, position)
        position += bytes.length
      }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'ENOSPC') throw noRoom()
      if (code === 'ECONNRESET') throw new AppError('invalid', 'The connection closed before the piece arrived.')
      throw error
    }
  }

  /**
   * Gives a complete upload its name.
   * @returns the path of the file
   * @throws AppError `not_found` for an upload that ended, `conflict` when bytes are missing
   */
  async complete(id: string, name: string, bytes: number): Promise<string> {
    const part = this.#partOf(id)
    if (!ID.test(id) || !existsSync(part)) throw ended()
    const { size } = await stat(part)
    if (size !== bytes) throw new AppError('conflict', `Only ${size} of ${bytes} bytes were received.`)
    const path = join(this.#folder, id, name)
    await rename(part, path)
    return path
  }

  async drop(id: string): Promise<void> {
    if (ID.test(id)) await rm(join(this.#folder, id), { recursive: true, force: true })
  }

  /** Deletes the uploads that config.yaml named before, and no longer does. */
  async dropUnnamed(before: string, after: string): Promise<void> {
    for (const id of await this.#ids()) if (before.includes(id) && !after.includes(id)) await this.drop(id)
  }

  /** Deletes old uploads that config.yaml does not name. */
  async dropUnused(config: string, now: Date): Promise<void> {
    for (const id of await this.#ids()) {
      if (config.includes(id)) continue
      const { mtimeMs } = await stat(join(this.#folder, id))
      if (now.getTime() - mtimeMs > UNUSED_MS) await this.drop(id)
    }
  }

  async #ids(): Promise<string[]> {
    try {
      return (await readdir(this.#folder)).filter((name) => ID.test(name))
    } catch (error) {
      if (isAbsent(error)) return []
      throw error
    }
  }

  #partOf(id: string): string {
    return join(this.#folder, id, PART)
  }

  #tooLarge(): AppError {
    const size = Math.floor(this.#mostBytes / 1024 / 1024)
    return new AppError('too_large', problemSentence('import_too_large', { size }))
  }
}

function noRoom(): AppError {
  return new AppError('unavailable', problemSentence('import_no_room', {}))
}

function ended(): AppError {
  return new AppError('not_found', problemSentence('import_ended', {}))
}
