import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { glob, readdir, readFile, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { SourceError } from '../../src/connector/source-error.ts'
import { type TakeoutEntry, type TakeoutWish, tarEntries, zipEntries } from './takeout-archive.ts'

/** An archive, or unpacked files. */
export interface TakeoutSource {
  /** `takeout-20261120T101500Z-001.zip` */
  readonly name: string
  /** Changes when the file is written to. */
  readonly stamp: string
  entries(wish: TakeoutWish): AsyncGenerator<TakeoutEntry>
}

/** Younger files may still be in progress: browsers and copy programs preserve the modification time. */
const SETTLED_MS = 30_000
const ARCHIVE = /^(?:takeout-|health[ _-]?connect).*\.(zip|tgz|tar\.gz)$/i
const UNPACKED = 'the unpacked files in the folder'

export function takeoutField() {
  return z
    .string()
    .refine((path) => path.startsWith('~/') || isAbsolute(path), 'must be absolute, or start with ~/')
    .optional()
    .describe(
      'Folder with your Google Takeout exports: takeout-*.zip or .tgz files, or unpacked. recalld never changes them.',
    )
}

export function takeoutPath(path: string, userHome: string): string {
  return path.startsWith('~/') ? join(userHome, path.slice(2)) : path
}

/**
 * The finished exports in the folder, ordered by name, which is their chronological order.
 * @throws SourceError `reconfigure` when the folder cannot be read
 */
export async function takeoutSources(folder: string, wish: TakeoutWish, now: Date): Promise<TakeoutSource[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new SourceError('reconfigure', `The takeout folder ${folder} can't be read (${errorCode(cause)}).`, {
      cause,
    })
  })
  const sources: TakeoutSource[] = []
  for (const name of names.sort()) {
    const read = readerOf(name)
    if (read === undefined) continue
    const path = join(folder, name)
    const status = await settled(path, now)
    if (status?.isFile()) sources.push({ name, stamp: stampOf(status), entries: (wish) => read(path, wish) })
  }
  const unpacked = await unpackedFiles(folder, wish, now)
  return unpacked === undefined ? sources : [...sources, unpacked]
}

function readerOf(name: string): typeof zipEntries | undefined {
  // The folder may contain other archives, for example a downloads folder.
  const [, ending = ''] = ARCHIVE.exec(name) ?? []
  if (ending === '') return undefined
  return ending.toLowerCase() === 'zip' ? zipEntries : tarEntries
}

async function unpackedFiles(folder: string, wish: TakeoutWish, now: Date): Promise<TakeoutSource | undefined> {
  const hash = createHash('sha256')
  const paths: string[] = []
  for await (const found of glob('**/*', { cwd: folder })) {
    const path = found.replaceAll('\\', '/')
    if (wish.wants(path)) paths.push(path)
  }
  const files: { readonly path: string; readonly size: number }[] = []
  for (const path of paths.sort()) {
    const status = await settled(join(folder, path), now)
    if (!status?.isFile()) continue
    files.push({ path, size: status.size })
    hash.update(`${path}\0${stampOf(status)}\n`)
  }
  if (files.length === 0) return undefined
  return {
    name: UNPACKED,
    stamp: hash.digest('hex'),
    async *entries({ largest }) {
      for (const { path, size } of files) {
        yield { path, bytes: size > largest ? undefined : await readFile(join(folder, path)) }
      }
    },
  }
}

/** `undefined`: it no longer exists, or may still be written to. */
async function settled(path: string, now: Date): Promise<Stats | undefined> {
  try {
    const status = await stat(path)
    // Archives and cameras with a wrong clock create files dated in the future, which are finished nevertheless.
    return Math.abs(now.getTime() - status.mtimeMs) < SETTLED_MS ? undefined : status
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new SourceError('retry', `${path} can't be read (${errorCode(error)}).`, { cause: error })
  }
}

function stampOf({ size, mtimeMs }: Stats): string {
  return `${size}:${mtimeMs}`
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
}
