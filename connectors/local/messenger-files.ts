import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { openPromise } from 'yauzl'
import type { SourceMachine } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { permitted } from './disk-access.ts'
import { databaseStamp } from './sqlite-copy.ts'

interface WrittenFile {
  /** Path of the file or archive. */
  readonly path: string
  /** Changes when it is written. */
  readonly stamp: string
  readonly writtenAt: number
}

/** A file that may hold exported chats, in a folder or in an archive. */
export interface MessengerText extends WrittenFile {
  readonly app: 'whatsapp' | 'telegram' | 'signal'
  /** What its name says about the chat: `WhatsApp Chat with Priya`. */
  readonly label: string
  /** @throws SourceError `skip` when it is damaged or too large */
  read(): Promise<string>
}

/** The database of Messages, in use or a copy. */
export interface MessagesDatabase extends WrittenFile {
  readonly app: 'imessage'
  /** Databases of Contacts, which name its phone numbers. */
  readonly addressBooks: readonly string[]
}

export type MessengerFile = MessengerText | MessagesDatabase

/** A larger one would not fit into the memory. */
const MOST_BYTES = 256 * 1024 * 1024
const MOST_DEPTH = 3

/** Pictures and recordings beside the messages, by the thousand. */
const ATTACHMENTS: Readonly<Record<string, string>> = { 'chat.db': 'Attachments', 'main.jsonl': 'files' }

/** Every candidate in the folders, and among the files, the newest first. */
export async function messengerFiles(paths: readonly string[], machine: SourceMachine): Promise<MessengerFile[]> {
  const files: (MessengerText | WrittenFile)[] = []
  for (const path of paths) {
    await permitted(path, machine, async () => {
      const found = (await stat(path)).isFile() ? filesAt(path) : filesBelow(path, 0)
      for await (const file of found) files.push(file)
    })
  }
  const books = files.filter(({ path }) => isAddressBook(basename(path)))
  const addressBooks = books.map(({ path }) => path).sort()
  const named = books.map(({ stamp }) => stamp).sort()
  return files
    .flatMap((file): MessengerFile[] => {
      if ('app' in file) return [file]
      if (books.includes(file)) return []
      return [{ ...file, app: 'imessage', addressBooks, stamp: [file.stamp, ...named].join(' ') }]
    })
    .sort((a, b) => b.writtenAt - a.writtenAt || (a.path < b.path ? -1 : 1))
}

async function* filesBelow(folder: string, depth: number): AsyncGenerator<MessengerText | WrittenFile> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new SourceError('reconfigure', `${folder} can't be read. Check paths.`, { cause })
  })
  const beside = new Set(entries.map(({ name }) => ATTACHMENTS[name]))
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && depth < MOST_DEPTH && !beside.has(entry.name)) yield* filesBelow(path, depth + 1)
    if (entry.isFile()) yield* filesAt(path)
  }
}

function filesAt(path: string): AsyncGenerator<MessengerText | WrittenFile> {
  const name = basename(path)
  return isDatabase(name) ? databaseFile(path) : textFiles(path, name)
}

async function* databaseFile(path: string): AsyncGenerator<WrittenFile> {
  const [stamp, { mtimeMs }] = await Promise.all([databaseStamp(path), stat(path)])
  if (stamp !== undefined) yield { path, stamp, writtenAt: mtimeMs }
}

async function* textFiles(path: string, fileName: string): AsyncGenerator<MessengerText> {
  const inside = /\.zip$/i.test(fileName) ? await namesInArchive(path) : [fileName]
  for (const name of inside) {
    const app = appOf(name)
    if (app === undefined) continue
    const found = await stat(path, { bigint: true })
    const isArchive = name !== fileName
    yield {
      path,
      stamp: `${found.ino}-${found.size}-${found.mtimeNs}`,
      writtenAt: found.mtime.getTime(),
      app,
      label: labelOf(isArchive ? fileName : name, path),
      read: () => (isArchive ? archivedText(path, name) : fileText(path, Number(found.size))),
    }
  }
}

/** `chat.db` on a Mac, `sms.db` in a backup of an iPhone. */
function isDatabase(name: string): boolean {
  return name === 'chat.db' || name === 'sms.db' || isAddressBook(name)
}

function isAddressBook(name: string): boolean {
  return /^AddressBook-v\d+\.abcddb$/.test(name)
}

function appOf(name: string): MessengerText['app'] | undefined {
  if (basename(name) === 'result.json') return 'telegram'
  if (basename(name) === 'main.jsonl') return 'signal'
  return /(?:^|\/)(?:_chat|[^/]*whatsapp[^/]*)\.txt$/i.test(name) ? 'whatsapp' : undefined
}

/** `_chat.txt` says nothing, but the folder or archive it is in does. */
function labelOf(name: string, path: string): string {
  return name === '_chat.txt' ? basename(dirname(path)) : basename(name, extname(name))
}

async function fileText(path: string, size: number): Promise<string> {
  if (size > MOST_BYTES) throw tooLarge()
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
      if (entry.uncompressedSize > MOST_BYTES) throw tooLarge()
      const chunks: Uint8Array[] = []
      for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(Buffer.from(chunk))
      return Buffer.concat(chunks).toString('utf8')
    }
    return ''
  } finally {
    zip.close()
  }
}

function tooLarge(): SourceError {
  return new SourceError('skip', 'The file is larger than 256 MB. Export fewer chats at once.', { tooLarge: true })
}
