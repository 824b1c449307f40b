import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from '../lib/files.ts'

/**
 * The keys that the app was given for a model. Each key has a file of its own: config.yaml changes the model and its key
 * in one step, and a process that is killed in between sends no key to another provider.
 */
export interface ModelKeyFiles {
  /** The path for a new key. */
  next(): string
  save(file: string, key: string): void
  /** Deletes the keys that config.yaml no longer names. @param used the file that it names, if any */
  keepOnly(used: unknown): void
}

/** @param kind how the files are called: `language-model` */
export function modelKeyFiles(home: string, kind: string): ModelKeyFiles {
  const folder = join(home, 'tokens')
  const isKey = new RegExp(`^${kind}(?:-[0-9a-f]{8})?$`)
  return {
    next: () => join(folder, `${kind}-${randomBytes(4).toString('hex')}`),
    save(file, key) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writePrivateFile(file, key)
    },
    keepOnly(used) {
      if (!existsSync(folder)) return
      const files = readdirSync(folder).filter((name) => isKey.test(name))
      for (const file of files.map((name) => join(folder, name))) if (file !== used) rmSync(file, { force: true })
    },
  }
}
