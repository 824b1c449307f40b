import { copyFileSync, readFileSync, statSync } from 'node:fs'
import { endianness } from 'node:os'
import { AppError } from '../../domain/errors.ts'

// The format of the log: https://sqlite.org/fileformat2.html#walformat
const MAGIC = 0x377f0682
const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** Longer logs are not checked; SQLite shortens the log to 64 MiB whenever it can. */
const MOST_BYTES = 1024 * 1024 * 1024

/**
 * SQLite stops reading a log at the first frame with a wrong checksum and overwrites the rest. After a crash, the rest is an
 * unacknowledged commit. If a later commit follows, it was flushed and acknowledged, so the frame is damaged.
 *
 * @param accept continue without the unreadable part; the log is kept next to the database
 * @throws AppError `conflict` when acknowledged commits would be lost; nothing is changed
 */
export function requireIntactLog(database: string, accept: boolean): void {
  const file = `${database}-wal`
  if (!isDamagedLog(file)) return
  if (accept) {
    copyFileSync(file, `${file}.damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`)
    return
  }
  throw new AppError(
    'conflict',
    `${file} is damaged. Opening the database would lose its latest changes, so restore a backup. The damaged file is kept in any case.`,
    { advice: { action: 'restore_backup' } },
  )
}

/** Checks twice, because another process may restart the log meanwhile. */
function isDamagedLog(file: string): boolean {
  return hasGap(file) && hasGap(file)
}

function hasGap(file: string): boolean {
  const before = statSync(file, { throwIfNoEntry: false, bigint: true })
  if (before === undefined || before.size <= HEADER_BYTES || before.size > MOST_BYTES) return false
  const bytes = readFileSync(file)
  // Another process is writing the log, so it is in use and not left over from a crash.
  if (statSync(file, { throwIfNoEntry: false, bigint: true })?.mtimeNs !== before.mtimeNs) return false
  return hasGapIn(bytes)
}

function hasGapIn(bytes: Buffer): boolean {
  if (endianness() !== 'LE' || bytes.readUInt32BE(0) !== MAGIC) return bytes.readUInt32BE(0) >>> 1 !== MAGIC >>> 1
  const aligned = new Uint8Array(bytes)
  const words = new Uint32Array(aligned.buffer, 0, aligned.byteLength >>> 2)
  let sum: Checksum = checksum(words, 0, 6, [0, 0])
  if (!isSum(bytes, 24, sum)) return true
  const frameBytes = FRAME_HEADER_BYTES + bytes.readUInt32BE(8)
  const isOfThisLog = (at: number) => bytes.compare(bytes, 16, 24, at + 8, at + 16) === 0
  let at = HEADER_BYTES
  for (; at + frameBytes <= bytes.length; at += frameBytes) {
    const start = at / 4
    const inHeader = checksum(words, start, start + 2, sum)
    const whole = checksum(words, start + FRAME_HEADER_BYTES / 4, start + frameBytes / 4, inHeader)
    if (!isOfThisLog(at) || !isSum(bytes, at + 16, whole)) break
    sum = whole
  }
  return hasCommitBeforeOthers(bytes, { from: at, frameBytes, isOfThisLog })
}

/** Whether a commit and at least one further frame were written after the offset at which reading ends. */
function hasCommitBeforeOthers(
  bytes: Buffer,
  { from, frameBytes, isOfThisLog }: { from: number; frameBytes: number; isOfThisLog: (at: number) => boolean },
): boolean {
  let hasCommit = false
  for (let at = from; at + frameBytes <= bytes.length; at += frameBytes) {
    if (!isOfThisLog(at) && at > from) continue
    if (hasCommit) return true
    hasCommit = bytes.readUInt32BE(at + 4) !== 0
  }
  return false
}

type Checksum = readonly [number, number]

function checksum(words: Uint32Array, from: number, to: number, [first, second]: Checksum): Checksum {
  let [a, b] = [first, second]
  for (let i = from; i < to; i += 2) {
    a = (a + words[i]! + b) >>> 0
    b = (b + words[i + 1]! + a) >>> 0
  }
  return [a, b]
}

function isSum(bytes: Buffer, at: number, [first, second]: Checksum): boolean {
  return bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second
}
