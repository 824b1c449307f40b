import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { openPromise } from 'yauzl'
import { SourceError } from '../../src/connector/source-error.ts'

/** A file that may hold an exported chat, in a folder or in an archive. */
export interface MessengerFile {
  /** Path of the file or archive. */
  readonly path: string
  /** Changes when it is written. */
  readonly stamp: string
  readonly writtenAt: number
  readonly app: 'whatsapp' | 'telegram'
  /** What its name says about the chat: `WhatsApp Chat with Priya`. */
  readonly label: string
  /** @throws SourceError `skip` when it is damaged or too large */
  read(): Promise<string>
}

/** A larger one would not fit into the memory. */
const MOST_BYTES = 256 * 1024 * 1024
const MOST_DEPTH = 3

/** Every candidate in the folders, the newest first. */
export async function messengerFiles(folders: readonly string[]): Promise<MessengerFile[]> {
  const files: MessengerFile[] = []
  for (const folder of folders) for await (const file of filesBelow(folder, 0)) files.push(file)
  return files.sort((a, b) => b.writtenAt - a.writtenAt || (a.path < b.path ? -1 : 1))
}

async function* filesBelow(folder: string, depth: number): AsyncGenerator<MessengerFile> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new SourceError('reconfigure', `${folder} can't be read. Check paths.`, { cause })
  })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && depth < MOST_DEPTH) yield* filesBelow(path, depth + 1)
    if (!entry.isFile()) continue
    const inside = /\.zip$/i.test(entry.name) ? await namesInArchive(path) : [entry.name]
    for (const name of inside) {
      const app = appOf(name)
      if (app === undefined) continue
      const found = await stat(path, { bigint: true })
      const isArchive = inside[0] !== entry.name
      yield {
        path,
        stamp: `${found.ino}-${found.size}-${found.mtimeNs}`,
        writtenAt: found.mtime.getTime(),
        app,
        label: labelOf(isArchive ? entry.name : name, path),
        read: () => (isArchive ? archivedText(path, name) : fileText(path, Number(found.size))),
      }
    }
  }
}

function appOf(name: string): MessengerFile['app'] | undefined {
  if (basename(name) === 'result.json') return 'telegram'
  return /(?:^|\/)(?:_chat|[^/]*whatsapp[^/]*)\.txt$/i.test(name) ? 'whatsapp' : undefined
}

/** `_chat.txt` says nothing, but the folder or archive it is in does. */
function labelOf(name: string, path: string): string {
  return name === '_chat.txt' ? basename(dirname(path)) : basename(name, extname(name))
}

async function fileText(path: string, size: number): Promise<string> {
  if (size > MOST_BYTES) throw tooLarge(path)
  return readFile(path, 'utf8')
}

/** None for an archive that is still being downloaded: its stamp changes when it is whole. */
async function namesInArchive(path: string): Promise<string[]> {
  try {
    const zip = await openPromise(path, { autoClose: false, lazyEntries: true })
    try {
      const names: string[] = []
      for await (const entry of zip.eachEntry()) if (appOf(entry.fileName) !== undefined) names.push(entry.fileName)
      return names
    } finally {
      zip.close()
    }
  } catch (error) {
    if (error instanceof Error) return []
    throw error
  }
}

async function archivedText(path: string, name: string): Promise<string> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true })
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== name) continue
      if (entry.uncompressedSize > MOST_BYTES) throw tooLarge(path)
      const chunks: Uint8Array[] = []
      for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(Buffer.from(chunk))
      return Buffer.concat(chunks).toString('utf8')
    }
    return ''
  } finally {
    zip.close()
  }
}

function tooLarge(path: string): SourceError {
  return new SourceError('skip', `${path} is larger than 256 MB. Export fewer chats at once.`, { tooLarge: true })
}
