import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isAbsent, writePrivateFile } from '../lib/files.ts'

/** A file of this name turns hooks off in its folder and below. */
export const IGNORE_FILE = '.recalldignore'

/** Folders in which `recalld hook off` turned hooks off, stored outside the project. */
export class SwitchedOff {
  readonly #folder: string

  /** @param folder of the hook records */
  constructor(folder: string) {
    this.#folder = folder
  }

  folders(): readonly string[] {
    try {
      const read: unknown = JSON.parse(readFileSync(this.#file, 'utf8'))
      return Array.isArray(read) ? read.filter((one) => typeof one === 'string') : []
    } catch (error) {
      if (isAbsent(error) || error instanceof SyntaxError) return []
      throw error
    }
  }

  /** @returns whether anything changed */
  set(folder: string, isOff: boolean): boolean {
    const before = this.folders()
    if (before.includes(folder) === isOff) return false
    const folders = isOff ? [...before, folder].toSorted() : before.filter((one) => one !== folder)
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    writePrivateFile(this.#file, JSON.stringify(folders, null, 2))
    return true
  }

  /** The nearest folder, this one or above, in which hooks are turned off by a file or the command. */
  above(folder: string): string | undefined {
    return this.#above(folder, new Set(this.folders()))
  }

  #above(folder: string, off: ReadonlySet<string>): string | undefined {
    if (off.has(folder) || existsSync(join(folder, IGNORE_FILE))) return folder
    const parent = dirname(folder)
    return parent === folder ? undefined : this.#above(parent, off)
  }

  get #file(): string {
    return join(this.#folder, 'off.json')
  }
}
