import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createZstdDecompress } from 'node:zlib'
import { parsedJson } from './tool-calls.ts'

/** A JSON object on a line of its own. */
export interface SessionLine {
  /** Offset of its first byte, uncompressed. */
  readonly offset: number
  /** Offset after its last byte. */
  readonly end: number
  readonly value: Readonly<Record<string, unknown>>
}

/** What could not be read of a file; for the log. */
export interface LineCounts {
  broken: number
  tooLong: number
}

/** Longest line that is read, in bytes: images and whole files are on one line. */
const LONGEST_LINE = 32 * 1024 * 1024
const NEWLINE = 10
const HEAD_BYTES = 1024

/**
 * The JSON objects of a file, one line at a time, so that memory is limited to the longest line. Lines that are not
 * JSON objects are counted. A last line without a line end is used only if it is complete, because it may be in the
 * middle of a write.
 * @param from offset of the first line to read
 */
export async function* readSessionLines(
  path: string,
  from: number,
  signal: AbortSignal,
  counts: LineCounts,
): AsyncGenerator<SessionLine> {
  const parsed = (bytes: Buffer, offset: number): SessionLine | undefined => {
    const value = parsedJson(bytes.toString('utf8'))
    return isObject(value) ? { offset, end: offset + bytes.length + 1, value } : undefined
  }
  for await (const { bytes, offset, isWhole } of linesOf(path, from, signal)) {
    if (bytes === undefined) {
      counts.tooLong++
      continue
    }
    const line = parsed(bytes, offset)
    if (line !== undefined) yield line
    else if (isWhole && !isBlank(bytes)) counts.broken++
  }
}

interface RawLine {
  /** Absent when the line is too long. */
  readonly bytes: Buffer | undefined
  readonly offset: number
  /** The line is complete. */
  readonly isWhole: boolean
}

async function* linesOf(path: string, from: number, signal: AbortSignal): AsyncGenerator<RawLine> {
  let pieces: Buffer[] = []
  let length = 0
  let offset = from
  const take = (piece: Buffer) => {
    length += piece.length
    if (length <= LONGEST_LINE) pieces.push(piece)
    else pieces = []
  }
  const line = (isWhole: boolean): RawLine => {
    const bytes = length <= LONGEST_LINE ? Buffer.concat(pieces) : undefined
    const read = { bytes, offset, isWhole }
    offset += length + 1
    pieces = []
    length = 0
    return read
  }
  for await (const chunk of bytesOf(path, from, signal)) {
    let at = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, at)) {
      take(chunk.subarray(at, end))
      yield line(true)
      at = end + 1
    }
    if (at < chunk.length) take(chunk.subarray(at))
  }
  if (length > 0) yield line(false)
}

/** The decompressed content of a compressed file (`.zst`). Then `from` must be 0. */
async function* bytesOf(path: string, from: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { start: from, signal, highWaterMark: 256 * 1024 })
  if (!path.endsWith('.zst')) return yield* file
  const plain = createZstdDecompress()
  // Without this, an error of the file would leave the reader waiting.
  file.on('error', (error) => plain.destroy(error))
  yield* file.pipe(plain)
}

/** A digest of the first and last kilobyte before `offset`, which changes when the file is rewritten. */
export async function fingerprint(path: string, offset: number): Promise<string> {
  await using file = await open(path)
  const hash = createHash('sha256')
  for (const start of [0, Math.max(0, offset - HEAD_BYTES)]) {
    const bytes = Buffer.alloc(Math.min(HEAD_BYTES, offset))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
    hash.update(bytes.subarray(0, bytesRead))
  }
  return hash.digest('hex').slice(0, 16)
}

/** The last kilobytes of a file as text. */
export async function tailOf(path: string, bytes: number): Promise<string> {
  await using file = await open(path)
  const { size } = await file.stat()
  const tail = Buffer.alloc(Math.min(bytes, size))
  await file.read(tail, 0, tail.length, size - tail.length)
  return tail.toString('utf8')
}

function isBlank(bytes: Buffer): boolean {
  return bytes.toString('latin1').trim() === ''
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
