import { createHash } from 'node:crypto'
import { lstat, readFile, realpath } from 'node:fs/promises'
import { basename, dirname, extname, isAbsolute, join, relative as pathBetween, sep } from 'node:path'
import { z } from 'zod'
import type {
  Change,
  CheckContext,
  Context,
  ItemRef,
  Partition,
  SourceItem,
  SourceType,
  StoredRef,
} from '../../src/connector/connector.ts'
import { IMAGE_EXTENSIONS, imageType } from '../../src/connector/readable-file.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import {
  errorCode,
  isDiskMissing,
  isEmptyFolder,
  realRoot,
  rootStatus,
  type ScanNotes,
  type ScannedFile,
  type ScanRules,
  scanFiles,
} from './file-scan.ts'
import {
  contentTypeOf,
  expandedPath,
  type FolderSettings,
  isEntered,
  isSelected,
  selectionRules,
  sizeLimit,
} from './file-selection.ts'
import { isGitIgnoredBelow } from './git-ignore.ts'

/** What a file connector reads. */
export interface FolderKind {
  readonly sourceType: SourceType
  /** In lower case, with the dot. */
  readonly extensions: ReadonlySet<string>
  /** Also images, where text in them is read. */
  readonly readsImages?: true
  /** Relative to the user's home; read if they exist and the configuration lists none. */
  readonly standardPaths: readonly string[]
}

const otherDisk = z.strictObject({
  /** Below the folder, with `/`. */
  relative: z.string(),
  /** Device number. */
  device: z.string(),
})
type OtherDisk = z.infer<typeof otherDisk>

/** Progress of a full scan. The scan itself needs no cursor: its consumer knows the revisions of the items. */
export interface FolderCursor {
  /** Device number of the folder's disk. */
  readonly device: string
  /** Folders and links in it that led to other disks. */
  readonly disks?: readonly OtherDisk[] | undefined
}

/** What the manifests of folders have in common. */
export const FOLDER_MANIFEST = {
  auth: 'none',
  cursor: z.strictObject({ device: z.string(), disks: z.array(otherDisk).readonly().optional() }),
  schedule: '*/15 * * * *',
  deletions: 'inventory',
  inventoryEveryMs: 0,
  vanished: 'forget',
  provider: 'files',
  version: 1,
  selection: ({ paths, include, exclude, max_mb, follow_links, gitignore, images }: FolderSettings) => ({
    paths,
    include,
    exclude,
    max_mb,
    follow_links,
    gitignore,
    ...(images === false && { images }),
  }),
} as const

type FolderContext = CheckContext<FolderSettings>
type FolderRunContext = FolderContext & Pick<Context<FolderSettings>, 'warn'>

/** The folders of a connection, each a partition. Reads the current files and keeps no state between calls. */
export interface FolderSource {
  /** @throws SourceError `reconfigure` when there is nothing to read */
  partitions(context: FolderContext): Promise<Partition[]>
  changes(
    partition: Partition,
    cursor: FolderCursor | undefined,
    context: FolderRunContext,
    lastCursor?: FolderCursor,
  ): AsyncGenerator<Change<FolderCursor>>
  read(ref: StoredRef, context: FolderContext): Promise<SourceItem | undefined>
  inventory(partition: Partition, context: FolderContext): AsyncGenerator<ItemRef>
}

export function folderSource(kind: FolderKind): FolderSource {
  const rulesOf = (context: FolderContext) => {
    return selectionRules(context.config, new Set([...kind.extensions, ...imagesOf(kind, context)]))
  }

  async function* taken(root: string, context: FolderContext, notes?: ScanNotes) {
    // An empty file is skipped; it may be about to be written.
    for await (const file of scanFiles(root, rulesOf(context), context.signal, notes))
      if (typeof file.stat === 'string' || file.stat.size > (isImage(file.path) ? SMALLEST_IMAGE : 0n)) yield file
  }

  return {
    partitions: async (context) => (await rootsOf(kind, context)).map(partitionOf(context)),

    async *changes(partition, cursor, context, lastCursor) {
      const last = cursor ?? lastCursor
      const root = await realRoot(await pathOf(partition, kind, context))
      const { dev } = await rootStatus(root)
      const device = String(dev)
      // A mount point without its disk is an empty folder on another disk.
      if (last !== undefined && last.device !== device && (await isEmptyFolder(root)))
        throw new SourceError('reconfigure', `${root} is empty and on a different disk than before. Mount its disk.`)
      for (const disk of last?.disks ?? []) await requireDisk(disk, root, rulesOf(context))
      const disks: OtherDisk[] = []
      let [ignored, found] = [0, 0]
      const notes = {
        onGitIgnored: () => void ignored++,
        onOtherDisk: (relative: string, of: bigint) => void disks.push({ relative, device: String(of) }),
      }
      for await (const file of taken(root, context, notes)) {
        found++
        yield changeOf(file, root, kind.sourceType, context)
      }
      if (last !== undefined && last.device !== device && found === 0)
        throw new SourceError(
          'reconfigure',
          `${root} is on a different disk than before, with nothing to sync. Mount its disk, or remove it from paths.`,
        )
      if (ignored > 0) context.warn(gitIgnoredSentence(partition.title, ignored))
      yield { type: 'checkpoint', cursor: { device, ...(disks.length > 0 && { disks }) } }
    },

    async read(ref, context) {
      const path = (await rootsOf(kind, context)).find((root) => partitionId(root) === ref.partition.id)
      if (path === undefined || ref.locator === undefined) return undefined
      const root = await forItem(() => realRoot(path))
      const file = await fileAt(ref.locator, root, rulesOf(context))
      if (file === undefined) return absent(root)
      const change = changeOf(file, root, kind.sourceType, context)
      if (change.type === 'failed') throw change.error
      return { ...change.item, title: ref.title ?? change.item.title }
    },

    async *inventory(partition, context) {
      const root = await realRoot(await pathOf(partition, kind, context))
      for await (const file of taken(root, context)) yield refOf(file, kind.sourceType)
    },
  }
}

/** @throws SourceError `reconfigure` when a disk is missing that the settings still include */
async function requireDisk({ relative, device }: OtherDisk, root: string, rules: ScanRules): Promise<void> {
  const path = join(root, relative)
  if (isEntered(relative, rules) && (await isDiskMissing(path, BigInt(device))))
    throw new SourceError(
      'reconfigure',
      `${path} leads to a disk that is missing. Mount it, or remove the folder or link.`,
    )
}

/** Folders inside others, and duplicates, are skipped, so that no file is read twice. */
async function rootsOf({ standardPaths }: FolderKind, { config, machine }: FolderContext): Promise<string[]> {
  const found: { path: string; real: string }[] = []
  for (const path of config.paths ?? standardPaths) {
    const root = { path: expandedPath(path, machine.userHome), real: '' }
    root.real = await realpath(root.path).catch(() => root.path)
    if (config.paths !== undefined || (await isThere(root.path))) found.push(root)
  }
  if (found.length === 0)
    throw new SourceError(
      'reconfigure',
      `None of the folders ${standardPaths.join(', ')} exists. Set paths to the folders to sync.`,
    )
  const first = found.filter((root, at) => found.findIndex(({ real }) => real === root.real) === at)
  return first.filter(({ real }) => !first.some((other) => isWithin(real, other.real))).map(({ path }) => path)
}

/** A link with an unmounted target still counts as existing, so that its items are not forgotten. */
async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    return errorCode(error) !== 'ENOENT'
  }
}

function isWithin(path: string, folder: string): boolean {
  return path !== folder && path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}

function partitionOf({ machine: { userHome } }: FolderContext) {
  return (root: string): Partition => ({
    id: partitionId(root),
    title: isWithin(root, userHome) ? `~${root.slice(userHome.length)}` : root,
  })
}

/** Uses the configured path, so that the id is known while the folder is missing. */
function partitionId(root: string): string {
  return `folder:${hashOf(root)}`
}

async function pathOf({ id, title }: Partition, kind: FolderKind, context: FolderContext): Promise<string> {
  const path = (await rootsOf(kind, context)).find((root) => partitionId(root) === id)
  if (path === undefined) throw new SourceError('skip', `${title} is no longer in paths.`)
  return path
}

function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32)
}

function refOf({ path, relative }: ScannedFile, sourceType: SourceType) {
  return { sourceType, itemId: sourceItemId('file', hashOf(path)), locator: path, title: relative }
}

type FileChange = Extract<Change<FolderCursor>, { type: 'item' | 'failed' }>

function changeOf(file: ScannedFile, root: string, sourceType: SourceType, context: FolderContext): FileChange {
  const ref = refOf(file, sourceType)
  const { stat, path } = file
  if (typeof stat === 'string') return { type: 'failed', ref, error: unreadable(path, stat) }
  if (UNREAD_IMAGES.has(extname(path).toLowerCase())) {
    const error = new SourceError('skip', `${path} can't be read: HEIC images are not supported. Export it as JPEG.`)
    return { type: 'failed', ref, error }
  }
  const limit = sizeLimit(path, context.config)
  if (stat.size > limit.bytes) {
    const size = (Number(stat.size) / 1024 / 1024).toFixed(1)
    const error = new SourceError('skip', `${path} is ${size} MB. The limit is ${limit.words}.`, {
      tooLarge: true,
    })
    return { type: 'failed', ref, error }
  }
  const item = {
    ...ref,
    // Includes the change time, which no program can set: copy programs set the modification time, and permissions only
    // affect the change time.
    revision: `${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}:${stat.ino}`,
    // Some file systems return 1970 instead.
    ...(stat.birthtimeMs > 0n && { createdAt: stat.birthtime }),
    updatedAt: stat.mtime,
    body: async () => {
      if (isImage(path) && context.machine.imageReader !== 'ready') throw noImageReader(context)
      return readContent(path, root)
    },
    fileName: basename(path),
    contentType: contentTypeOf(path),
  }
  return { type: 'item', item }
}

async function readContent(path: string, root: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path)
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return absent(root)
    throw unreadable(path, errorCode(cause), cause)
  }
}

/** Icons and the like are never read. */
const SMALLEST_IMAGE = 4_096n
const UNREAD_IMAGES: ReadonlySet<string> = new Set(['.heic', '.heif'])

/** Also where text in images is off, so that images that were read before stay. */
function imagesOf({ readsImages }: FolderKind, { config, machine }: FolderContext): readonly string[] {
  if (readsImages !== true || config.images === false) return []
  return machine.imageReader === undefined ? IMAGE_EXTENSIONS : [...IMAGE_EXTENSIONS, ...UNREAD_IMAGES]
}

function isImage(path: string): boolean {
  return imageType(path) !== undefined || UNREAD_IMAGES.has(extname(path).toLowerCase())
}

/** Without a path, so that `status` counts all images as one reason. */
function noImageReader({ machine }: FolderContext): SourceError {
  const sentence =
    machine.imageReader === undefined
      ? 'Text in images is off. Remove "ocr: off" from config.yaml, restart recalld, and run "recalld retry" (or set images to false).'
      : 'Text in images needs the program tesseract. Install it, restart recalld, and run "recalld retry" (or set images to false).'
  return new SourceError('skip', sentence)
}

function gitIgnoredSentence(folder: string, count: number): string {
  return count === 1
    ? `Git ignores one file or folder in ${folder}, so it is not synced. Set gitignore to false to sync it.`
    : `Git ignores ${count} files and folders in ${folder}, so they are not synced. Set gitignore to false to sync them.`
}

/** The file of an item, if it is still selected. */
async function fileAt(path: string, root: string, rules: ScanRules): Promise<ScannedFile | undefined> {
  const between = pathBetween(root, path).replaceAll(sep, '/')
  // The target of a link is elsewhere.
  const isLinked = between.startsWith('../') || isAbsolute(between)
  const selected = isLinked ? rules.followLinks && rules.takes(basename(path)) : isSelected(between, rules)
  if (!selected || (rules.honoursGitIgnore && (await isGitIgnoredBelow(isLinked ? dirname(path) : root, path))))
    return undefined
  try {
    const stat = await lstat(path, { bigint: true })
    return stat.isFile() && stat.size > 0n ? { path, relative: between, stat } : undefined
  } catch (cause) {
    return errorCode(cause) === 'ENOENT' ? undefined : { path, relative: between, stat: errorCode(cause) }
  }
}

/** A file only counts as deleted while its folder exists. @throws SourceError `retry` when the folder is empty */
async function absent(root: string): Promise<undefined> {
  if (await forItem(() => isEmptyFolder(root)))
    throw new SourceError('retry', `${root} is empty. Mount its disk, or remove it from paths.`)
  return undefined
}

/** An error of a folder ends its scan; an error of one of its files is retried later. */
async function forItem<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    throw cause instanceof SourceError ? new SourceError('retry', cause.message, { cause }) : cause
  }
}

/** Permanent errors: the file is not read again until it changes. */
const REFUSALS = new Set(['EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG'])

function unreadable(path: string, code: string, cause?: unknown): SourceError {
  const message = `${path} can't be read (${code}). Allow recalld to read it, or add it to exclude.`
  return new SourceError(REFUSALS.has(code) ? 'skip' : 'retry', message, { cause })
}
