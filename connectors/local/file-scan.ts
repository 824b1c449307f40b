import type { BigIntStats, Dirent } from 'node:fs'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { SourceError } from '../../src/connector/source-error.ts'
import { type GitIgnore, gitIgnoreAbove, gitIgnoreIn, isGitIgnored } from './git-ignore.ts'

/** A file below a root. */
export interface ScannedFile {
  /** Without symbolic links. */
  readonly path: string
  /** Below the root, with `/`. */
  readonly relative: string
  /** The error code when the file's size can't be read, e.g. `EACCES`. */
  readonly stat: BigIntStats | string
}

export interface ScanRules {
  /** @param relative below the root, with `/` */
  enters(relative: string): boolean
  takes(relative: string): boolean
  readonly followLinks: boolean
  /** Whether what git ignores in a repository is left out. */
  readonly honoursGitIgnore: boolean
}

/** What a scan reports besides files. */
export interface ScanNotes {
  /** Each file and folder that would be read if git did not ignore it. */
  readonly onGitIgnored?: () => void
  /** Each folder, or link to one, that leads to another disk than the folder it is in. */
  readonly onOtherDisk?: (relative: string, device: bigint) => void
}

interface Folder {
  readonly path: string
  readonly relative: string
  /** Device number of its disk. */
  readonly device: bigint
  /** The rules of the folders above it. */
  readonly above: GitIgnore
}

type Entry = Pick<Folder, 'path' | 'relative'>

/** Maximum concurrent `stat` calls; Node has four threads for them. */
const BATCH = 16
/** Maximum folders listed in an error. */
const NAMED = 3

/**
 * Every selected file below a folder, folder by folder in name order. Keeps only the names of one folder and the
 * pending folders in memory. Links into scanned folders are not followed.
 * @param root without symbolic links (`realRoot`)
 * @throws SourceError after all readable folders, when some could not be read; `reconfigure` when the root is missing
 */
export async function* scanFiles(
  root: string,
  rules: ScanRules,
  signal: AbortSignal,
  notes: ScanNotes = {},
): AsyncGenerator<ScannedFile> {
  const before = await rootStatus(root)
  const above = rules.honoursGitIgnore ? await gitIgnoreAbove(root) : []
  const walk = new Walk({ path: root, relative: '', device: before.dev, above }, rules, notes)
  for (let folder = walk.next(); folder !== undefined; folder = walk.next()) {
    signal.throwIfAborted()
    const files = await walk.filesOf(folder)
    for (let at = 0; at < files.length; at += BATCH) {
      signal.throwIfAborted()
      for (const file of await Promise.all(files.slice(at, at + BATCH).map(withStatus))) if (file) yield file
    }
  }
  // When a disk is unmounted, its folders look deleted.
  const after = await rootStatus(root)
  if (before.dev !== after.dev || before.ino !== after.ino)
    throw new SourceError('retry', `${root} was replaced while it was read.`)
  walk.throwUnlisted()
}

/** The folder at a path. @throws SourceError `reconfigure` when it does not exist or can't be read */
export async function realRoot(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (cause) {
    throw rootError(path, cause)
  }
}

/** @throws SourceError as `realRoot`, also when it is not a folder */
export async function rootStatus(root: string): Promise<BigIntStats> {
  const found = await stat(root, { bigint: true }).catch((cause: unknown) => {
    throw rootError(root, cause)
  })
  if (!found.isDirectory()) throw new SourceError('reconfigure', `${root} is not a folder. Set paths to folders.`)
  return found
}

/** `true`: the folder is empty, like the mount point of an unmounted disk. @throws SourceError as `realRoot` */
export async function isEmptyFolder(root: string): Promise<boolean> {
  const entries = await readdir(root).catch((cause: unknown) => {
    throw rootError(root, cause)
  })
  return entries.length === 0
}

/** `ENOENT` and so on; `unreadable` for errors without a system code. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
}

class Walk {
  readonly #rules: ScanRules
  readonly #pending: Folder[]
  /** The root and the targets of followed links. */
  readonly #entered: string[]
  readonly #unlisted: string[] = []

  readonly #notes: ScanNotes

  constructor(root: Folder, rules: ScanRules, notes: ScanNotes) {
    this.#rules = rules
    this.#pending = [root]
    this.#entered = [root.path]
    this.#notes = notes
  }

  next(): Folder | undefined {
    return this.#pending.pop()
  }

  /** Its files; its folders are queued. */
  async filesOf(folder: Folder): Promise<Entry[]> {
    const files: Entry[] = []
    const folders: Folder[] = []
    const entries = await this.#list(folder)
    const names = new Set(entries.map(({ name }) => name))
    const rules = this.#rules.honoursGitIgnore ? await gitIgnoreIn(folder.path, folder.above, names) : []
    for (const entry of entries) {
      const child = { path: join(folder.path, entry.name), relative: `${folder.relative}${entry.name}` }
      const isLink = entry.isSymbolicLink()
      const { kind, path } = isLink ? await this.#target(child) : { kind: entry, path: child.path }
      const isFolder = kind?.isDirectory() ?? false
      if (isFolder ? !this.#rules.enters(child.relative) : !kind?.isFile() || !this.#rules.takes(child.relative))
        continue
      if (isGitIgnored(rules, child.path, isFolder)) this.#notes.onGitIgnored?.()
      else if (!isFolder) files.push({ path, relative: child.relative })
      else if (this.#enter(path, isLink)) {
        const device = (await deviceOf(path)) ?? folder.device
        if (device !== folder.device) this.#notes.onOtherDisk?.(child.relative, device)
        const above = await this.#rulesOf(path, isLink, rules)
        folders.push({ path, relative: `${child.relative}/`, device, above })
      }
    }
    this.#pending.push(...folders.reverse())
    return files
  }

  /** A linked folder may lie in another repository. */
  async #rulesOf(path: string, isLink: boolean, rules: GitIgnore): Promise<GitIgnore> {
    return isLink && this.#rules.honoursGitIgnore ? gitIgnoreAbove(path) : rules
  }

  throwUnlisted(): void {
    if (this.#unlisted.length === 0) return
    const named = this.#unlisted.slice(0, NAMED).join(', ')
    const more = this.#unlisted.length > NAMED ? ` and ${this.#unlisted.length - NAMED} more` : ''
    throw new SourceError(
      'reconfigure',
      `Folders can't be read: ${named}${more}. Allow recalld to read them, or add them to exclude.`,
    )
  }

  async #list(folder: Folder): Promise<Dirent[]> {
    try {
      const entries = await readdir(folder.path, { withFileTypes: true })
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    } catch (cause) {
      if (folder.relative === '') throw rootError(folder.path, cause)
      // Deleted since its parent was listed.
      if (errorCode(cause) !== 'ENOENT') this.#unlisted.push(`${folder.path} (${errorCode(cause)})`)
      return []
    }
  }

  /** The target of a link, unless it is scanned anyway or missing. */
  async #target({ path }: Entry): Promise<{ kind?: BigIntStats; path: string }> {
    if (!this.#rules.followLinks) return { path }
    try {
      const real = await realpath(path)
      if (this.#entered.some((entered) => real === entered || real.startsWith(`${entered}${sep}`))) return { path }
      return { kind: await stat(real, { bigint: true }), path: real }
    } catch (cause) {
      if (errorCode(cause) !== 'ENOENT' && errorCode(cause) !== 'ELOOP')
        this.#unlisted.push(`${path} (${errorCode(cause)})`)
      return { path }
    }
  }

  /** `false` when it was already scanned: a link may lead to a parent folder. */
  #enter(path: string, linked: boolean): boolean {
    if (this.#entered.includes(path)) return false
    if (linked) this.#entered.push(path)
    return true
  }
}

/** `undefined`: deleted since its folder was listed, or unreadable, which listing it reports. */
async function deviceOf(path: string): Promise<bigint | undefined> {
  return stat(path, { bigint: true }).then(
    ({ dev }) => dev,
    () => undefined,
  )
}

/**
 * Whether what led to another disk leads to none now, like the mount point of an unmounted disk.
 * @param device of that disk, on which the folder may have been emptied
 */
export async function isDiskMissing(path: string, device: bigint): Promise<boolean> {
  try {
    await lstat(path)
  } catch (error) {
    // The folder or link was removed, so its files are gone too.
    if (errorCode(error) === 'ENOENT') return false
    throw rootError(path, error)
  }
  try {
    const real = await realpath(path)
    const [{ dev }, above] = [await stat(real, { bigint: true }), await stat(dirname(real), { bigint: true })]
    return dev !== device && dev === above.dev && (await isEmptyFolder(real))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return true
    throw error instanceof SourceError ? error : rootError(path, error)
  }
}

async function withStatus({ path, relative }: Entry): Promise<ScannedFile | undefined> {
  try {
    return { path, relative, stat: await lstat(path, { bigint: true }) }
  } catch (cause) {
    // Deleted since its folder was listed.
    return errorCode(cause) === 'ENOENT' ? undefined : { path, relative, stat: errorCode(cause) }
  }
}

function rootError(root: string, cause: unknown): SourceError {
  const code = errorCode(cause)
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new SourceError('reconfigure', `${root} doesn't exist. Mount its disk, or choose another folder.`, { cause })
  if (code === 'EACCES' || code === 'EPERM')
    return new SourceError('reconfigure', `${root} can't be read (${code}). Allow recalld to read it.`, { cause })
  return new SourceError('retry', `${root} can't be read (${code}).`, { cause })
}
