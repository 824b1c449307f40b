import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../lib/clock.ts'
import { sourceItemId } from './source-item-id.ts'

/**
 * Input from the socket and from standard input is stored in files before it is acknowledged or read: one record per
 * line. Each kind has one writer at a time, so only the newest file of a kind grows.
 */
export type SpoolKind = 'socket' | 'stdin'

/** Longest line, in bytes: that of the largest text the service accepts (specification 4.2). */
export const LONGEST_LINE = 10 * 1024 * 1024
/** A line in its record. */
export const LONGEST_RECORD = LONGEST_LINE + 64 * 1024
/** A file of this size is followed by a new one. */
const FULL_BYTES = 16 * 1024 * 1024
/** Owner only. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const CHANNEL = 'default'

const short = z.string().trim().min(1).max(500)

const streamEntry = z
  .strictObject({
    id: z.string().min(1).max(300).optional(),
    text: z.string().optional(),
    body: z.string().optional(),
    title: short.optional(),
    url: z
      .url({ protocol: /^https?$/ })
      .max(4_000)
      .optional(),
    when: z.union([z.iso.datetime({ offset: true }), z.iso.date()]).optional(),
    author: short.optional(),
    people: z.array(short).max(500).optional(),
    where: short.optional(),
    channel: z.string().min(1).max(100).optional(),
    deleted: z.literal(true).optional(),
  })
  .refine(({ id, deleted }) => !deleted || id !== undefined, 'deleted needs the id of the deleted entry')
  .refine(({ text, body, deleted }) => deleted || (text ?? body ?? '').trim() !== '', 'text must not be empty')
  .refine(({ text, body }) => text === undefined || body === undefined, 'set either text or body, not both')

export type StreamEntry = z.infer<typeof streamEntry>

const record = z.union([
  z.strictObject({ itemId: z.string(), at: z.iso.datetime(), entry: streamEntry }),
  /** A line that is not an entry: its number, and what is wrong. */
  z.strictObject({ itemId: z.string(), at: z.iso.datetime(), line: z.int(), wrong: z.string() }),
])

export type SpoolRecord = z.infer<typeof record>

/** The spool folder of a connection. @param spoolFolder of `SourceMachine` */
export function streamSpoolFolder(spoolFolder: string, connection: string): string {
  return join(spoolFolder, `stream-${connection}`)
}

/**
 * One line as received.
 * @param bytes `undefined`: it was too long
 * @returns an invalid line with its problem, without its contents
 */
export function readStreamLine(bytes: Uint8Array | undefined): StreamEntry | string {
  if (bytes === undefined) return `it is longer than ${LONGEST_LINE / 1024 / 1024} MB`
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The error's message would quote the line.
    return 'it is not a JSON object in UTF-8'
  }
  const read = streamEntry.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  return [issue?.path.join('.'), issue?.message].filter((part) => part).join(': ')
}

/** @param given the caller's id, if any */
export function streamItemId({ channel = CHANNEL, id }: StreamEntry, given: string): string {
  return sourceItemId('stream', channel, id ?? given)
}

/** An id that sorts by time. */
export function timeOrderedId(now: Date): string {
  return `${now.getTime().toString(36).padStart(9, '0')}${randomBytes(10).toString('hex')}`
}

/** The same for the same line. */
export function lineId(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32)
}

/** A line of a spool file; `undefined` when it is damaged. */
export function readSpoolRecord(bytes: Uint8Array | undefined): SpoolRecord | undefined {
  if (bytes === undefined) return undefined
  try {
    return record.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8'))).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** File names of a kind, oldest first. */
export async function spoolFiles(folder: string, kind: SpoolKind): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => name.startsWith(`${kind}-`) && name.endsWith('.jsonl')).sort()
}

export interface SpoolWriter {
  /** Resolves when the records are on disk. Records appended meanwhile are written together. */
  append(records: readonly SpoolRecord[]): Promise<void>
  /** Offset after the last record. */
  close(): Promise<void>
}

/**
 * Writes only new files, the first when there is something to write: an existing file may end with an incomplete line.
 */
export function createSpoolWriter(folder: string, kind: SpoolKind, clock: Clock): SpoolWriter {
  let file: { readonly handle: FileHandle; size: number } | undefined
  let next: { readonly lines: string[]; readonly written: Promise<void> } | undefined
  let last: Promise<unknown> = Promise.resolve()

  const closeFile = async () => {
    const { handle } = file ?? {}
    file = undefined
    await handle?.close()
  }

  const write = async (lines: readonly string[]) => {
    next = undefined
    const bytes = Buffer.from(lines.join(''), 'utf8')
    if (file !== undefined && file.size + bytes.length > FULL_BYTES) await closeFile()
    try {
      file ??= { handle: await newSpoolFile(folder, kind, clock), size: 0 }
      await file.handle.appendFile(bytes)
      await file.handle.datasync()
      file.size += bytes.length
    } catch (error) {
      // The file may end with an incomplete line.
      await closeFile()
      throw error
    }
  }

  return {
    append(records) {
      if (next === undefined) {
        const lines: string[] = []
        const written = last.then(() => write(lines))
        // The caller of append gets the error; the next batch starts with a new file.
        last = written.catch(() => undefined)
        next = { lines, written }
      }
      next.lines.push(...records.map((each) => `${JSON.stringify(each)}\n`))
      return next.written
    },
    async close() {
      await last
      await closeFile()
    },
  }
}

async function newSpoolFile(folder: string, kind: SpoolKind, clock: Clock): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  const newest = Number((await spoolFiles(folder, kind)).at(-1)?.match(/\d+/)?.[0] ?? 0)
  // Files keep their order even if the clock was set back.
  const time = Math.max(clock().getTime(), newest + 1)
  const handle = await open(join(folder, `${kind}-${String(time).padStart(15, '0')}.jsonl`), 'wx', FILE_MODE)
  const directory = await open(folder)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
  return handle
}
