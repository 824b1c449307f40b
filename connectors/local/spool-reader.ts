import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { byteLines } from '../../src/connector/byte-lines.ts'
import {
  LONGEST_RECORD,
  readSpoolRecord,
  type SpoolKind,
  type SpoolRecord,
  spoolFiles,
} from '../../src/connector/stream-spool.ts'

/** The position up to which files of one kind were read. */
export interface SpoolPosition {
  readonly file: string
  /** In bytes. */
  readonly offset: number
}

export interface SpooledRecord {
  /** `undefined`: damaged. */
  readonly record: SpoolRecord | undefined
  /** The positions of the record and of the next one. */
  readonly from: SpoolPosition
  readonly to: SpoolPosition
}

/** The records of a kind after a position, in order of arrival. */
export async function* spooledRecords(
  folder: string,
  kind: SpoolKind,
  after: SpoolPosition | undefined,
): AsyncGenerator<SpooledRecord> {
  for (const file of await spoolFiles(folder, kind)) {
    if (after !== undefined && file < after.file) continue
    const begin = file === after?.file ? after.offset : 0
    const bytes = createReadStream(join(folder, file), { start: begin })
    for await (const lines of byteLines(bytes, LONGEST_RECORD)) {
      // An incomplete line was never acknowledged: it is still being written, or the process crashed.
      for (const { bytes: line, start, end, isWhole } of lines)
        if (isWhole)
          yield {
            record: readSpoolRecord(line),
            from: { file, offset: begin + start },
            to: { file, offset: begin + end },
          }
    }
  }
}

/** The record at a position; `undefined` when the file was deleted or is damaged. */
export async function spooledRecordAt(
  folder: string,
  { file, offset }: SpoolPosition,
): Promise<SpoolRecord | undefined> {
  const kind: SpoolKind = file.startsWith('stdin-') ? 'stdin' : 'socket'
  if (!(await spoolFiles(folder, kind)).includes(file)) return undefined
  for await (const { record } of spooledRecords(folder, kind, { file, offset })) return record
  return undefined
}

/** Deletes files that were read completely and not written to since an instant. Never the newest, which may grow. */
export async function dropReadFiles(folder: string, kind: SpoolKind, read: SpoolPosition, before: Date): Promise<void> {
  for (const file of await spoolFiles(folder, kind)) {
    if (file >= read.file) return
    const { mtime } = await stat(join(folder, file))
    if (mtime < before) await rm(join(folder, file), { force: true })
  }
}
