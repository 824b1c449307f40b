import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { openPromise } from 'yauzl'
import { SourceError } from '../../src/connector/source-error.ts'

/** A file with conversations, in a folder or in an archive. */
export interface ExportFile {
  /** Path of the file or archive. */
  readonly path: string
  /** Changes when it is written. */
  readonly stamp: string
  readonly writtenAt: Date
  /** The texts of the conversation files in it, one after the other. */
  read(): AsyncGenerator<AsyncIterable<Uint8Array>>
}

/**
 * `conversations.json`, and `conversations-000.json` of large accounts; of Google Takeout the activity with Gemini, whose
 * file has a name in the person's language.
 */
const CONVERSATIONS = /(?:^|\/)conversations(?:[-_]\d+)?\.json$|\/gemini[^/]*\/[^/]+\.json$/i
/** Folders inside a folder of exports that are looked into. */
const MOST_DEPTH = 3

/** Every export in the folders, and among the files, the newest first. Archives that hold none are left out. */
export async function exportFiles(paths: readonly string[]): Promise<ExportFile[]> {
  const files: ExportFile[] = []
  for (const path of paths) {
    const found = (await stat(path)).isFile() ? filesAt(path) : filesBelow(path, 0)
    for await (const file of found) files.push(file)
  }
  return files.sort((a, b) => b.writtenAt.getTime() - a.writtenAt.getTime() || (a.path < b.path ? -1 : 1))
}

async function* filesBelow(folder: string, depth: number): AsyncGenerator<ExportFile> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new SourceError('reconfigure', `${folder} can't be read. Check paths.`, { cause })
  })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && depth < MOST_DEPTH) yield* filesBelow(path, depth + 1)
    if (entry.isFile()) yield* filesAt(path)
  }
}

/** The file itself, if it is an export. */
async function* filesAt(path: string): AsyncGenerator<ExportFile> {
  const isArchive = /\.zip$/i.test(path)
  if (!isArchive && !CONVERSATIONS.test(path.replaceAll(sep, '/'))) return
  const found = await stat(path, { bigint: true })
  const stamp = `${found.ino}-${found.size}-${found.mtimeNs}`
  const base = { path, stamp, writtenAt: found.mtime }
  if (!isArchive) yield { ...base, read: () => fileText(path) }
  else if (await holdsConversations(path)) yield { ...base, read: () => archivedTexts(path) }
}

async function* fileText(path: string): AsyncGenerator<AsyncIterable<Uint8Array>> {
  yield createReadStream(path)
}

async function* archivedTexts(path: string): AsyncGenerator<AsyncIterable<Uint8Array>> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true })
  try {
    for await (const entry of zip.eachEntry()) {
      if (CONVERSATIONS.test(entry.fileName)) yield await zip.openReadStreamPromise(entry)
    }
  } finally {
    zip.close()
  }
}

/** `false` also for an archive that is still being downloaded: its stamp changes when it is whole. */
async function holdsConversations(path: string): Promise<boolean> {
  try {
    const zip = await openPromise(path, { autoClose: false, lazyEntries: true })
    try {
      for await (const entry of zip.eachEntry())
        if (CONVERSATIONS.test(entry.fileName) && !entry.isEncrypted()) return true
      return false
    } finally {
      zip.close()
    }
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}
