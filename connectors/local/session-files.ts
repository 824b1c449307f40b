import { stat } from 'node:fs/promises'
import { z } from 'zod'
import type { Change, Context, Partition, SourceItem, StoredRef } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { accountPart, sourceItemId } from '../../src/connector/source-item-id.ts'
import type { AgentConfig } from './agent-settings.ts'
import { fingerprint, type LineCounts, readSessionLines, type SessionLine, tailOf } from './session-lines.ts'
import type { SessionPart } from './session-message.ts'
import { type AgentTool, type SegmentStart, segmentItem, segmentsOf } from './session-segments.ts'
import { parsedJson } from './tool-calls.ts'

/** A file with one session, one JSON object per line. */
export interface SessionFile {
  /** Unique within its partition. */
  readonly key: string
  readonly sessionId: string
  /** Possible paths; the first existing one is read. */
  readonly paths: readonly string[]
  readonly isSubAgent?: boolean
}

/** The file format of a tool. */
export interface FileTool extends AgentTool {
  list(partition: Partition, context: Context<AgentConfig>): Promise<readonly SessionFile[]>
  /** Reads one session from its beginning, or from the start of a segment. */
  reader(config: AgentConfig, file: SessionFile): SessionReader
  /** The identity of a line, when sessions repeat lines of earlier ones. */
  lineId?(line: SessionLine): string | undefined
}

export interface SessionReader {
  /** The lines in chronological order; without it, file order. */
  arrange?(lines: AsyncIterable<SessionLine>): AsyncIterable<ArrangedLine>
  parts(line: SessionLine): SessionPart[]
  /** The following lines can be read without the earlier ones. */
  isSettled(): boolean
}

export interface ArrangedLine extends SessionLine {
  /** Everything before it in the file was already yielded. */
  readonly isInOrder?: boolean
}

const startSchema = z.object({
  number: z.int().min(1),
  offset: z.int().min(0),
  title: z.string().optional(),
  rank: z.int().optional(),
  folder: z.string().optional(),
  parent: z.string().optional(),
})
const copiedSchema = z.array(z.tuple([z.int(), z.int()]))
const fileState = z.object({
  /** Inode, size and time of the file, which are the same when nothing was written. */
  stamp: z.string(),
  /** Where the open segment begins. */
  start: startSchema,
  /** Digest of the content before it. */
  before: z.string(),
  copied: copiedSchema.optional(),
})
type FileState = z.infer<typeof fileState>

export const sessionFilesCursor = z.object({ files: z.record(z.string(), fileState) })
export type SessionFilesCursor = z.infer<typeof sessionFilesCursor>

const locatorSchema = z.object({ file: z.string(), segment: z.int(), copied: copiedSchema.optional() })

/** A cursor lists every file, so it is not saved after each of them. */
const FILES_PER_CHECKPOINT = 20
/** A file that moves while it is opened is searched for again. */
const ATTEMPTS = 3
/** How much of a session's end is searched for its last time. */
const TAIL_BYTES = 65_536
const START: SegmentStart & { offset: number } = { number: 1, offset: 0 }

interface FoundFile extends SessionFile {
  readonly path: string
  readonly stamp: string
  readonly bornAt: Date
  readonly writtenAt: Date
}

/** What is new in the sessions of a partition: for an extended session, its last segment. */
export async function* sessionFileChanges(
  tool: FileTool,
  partition: Partition,
  cursor: SessionFilesCursor | undefined,
  context: Context<AgentConfig>,
): AsyncGenerator<Change<SessionFilesCursor>> {
  const found = await foundFiles(await tool.list(partition, context))
  const known = cursor?.files ?? {}
  const files: Record<string, FileState> = {}
  for (const { key } of found) if (known[key]) files[key] = known[key]
  const { since } = context.config
  const changed = found.filter(
    ({ key, stamp, writtenAt }) => known[key]?.stamp !== stamp && !(since && writtenAt < since),
  )
  const starts = new Map<string, FileState>()
  for (const file of changed) {
    const state = known[file.key]
    if (state && (await continues(file, state).catch(() => false))) starts.set(file.key, state)
  }
  const copied = await copiesIn(tool, found, changed, starts, files, context)
  let sinceCheckpoint = 0
  for (const file of changed) {
    context.signal.throwIfAborted()
    const state = starts.get(file.key)
    const ranges = state?.copied ?? copied.get(file.key)
    let start: SegmentStart & { offset: number } = state?.start ?? START
    try {
      for await (const segment of fileSegments(tool, file, start, ranges, context)) {
        const { offset } = segment.start
        if (offset !== undefined) start = { ...segment.start, offset }
        const item = segmentItem(segment, session(file, segment.number, ranges), tool, context)
        if (item) yield { type: 'item', item }
      }
      const before = file.path.endsWith('.zst') ? '' : await fingerprint(file.path, start.offset)
      files[file.key] = {
        stamp: file.stamp,
        start,
        before,
        ...(ranges?.length && { copied: ranges.map(([from, to]) => [from, to]) }),
      }
    } catch (error) {
      const failed = failure(error, file, start.number, ranges, tool, context)
      // Damaged files are read again when they change.
      if (failed.error.remedy === 'skip') files[file.key] = { stamp: file.stamp, start: START, before: '' }
      yield failed
    }
    if (++sinceCheckpoint % FILES_PER_CHECKPOINT === 0) yield { type: 'checkpoint', cursor: { files: { ...files } } }
  }
  yield { type: 'checkpoint', cursor: { files } }
}

/** A segment as it is now; `undefined` when its session no longer exists. */
export async function readSessionFile(
  tool: FileTool,
  ref: StoredRef,
  context: Context<AgentConfig>,
): Promise<SourceItem | undefined> {
  const located = locatorSchema.safeParse(parsedJson(ref.locator ?? ''))
  if (!located.success) return undefined
  const { file: key, segment: number, copied } = located.data
  const listed = await tool.list(ref.partition, context)
  const [file] = await foundFiles(listed.filter((file) => file.key === key))
  if (file === undefined) return undefined
  for await (const segment of fileSegments(tool, file, START, copied, context)) {
    if (segment.number === number) return segmentItem(segment, session(file, number, copied), tool, context)
  }
  return undefined
}

async function foundFiles(files: readonly SessionFile[]): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  for (const file of files) {
    const there = await located(file)
    if (there) found.push(there)
  }
  return found
}

async function located(file: SessionFile): Promise<FoundFile | undefined> {
  for (const path of file.paths) {
    const stats = await stat(path, { bigint: true }).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw new SourceError('retry', `${path} can't be read.`, { cause: error })
    })
    if (!stats?.isFile()) continue
    const stamp = `${stats.ino}-${stats.size}-${stats.mtimeNs}`
    return { ...file, path, stamp, bornAt: stats.birthtime, writtenAt: stats.mtime }
  }
  return undefined
}

/** Whether the content read so far is unchanged. */
async function continues(file: FoundFile, { start, before }: FileState): Promise<boolean> {
  return !file.path.endsWith('.zst') && before === (await fingerprint(file.path, start.offset))
}

/** For each new file, the lines that it repeats from earlier sessions. */
async function copiesIn(
  tool: FileTool,
  found: readonly FoundFile[],
  changed: readonly FoundFile[],
  starts: ReadonlyMap<string, FileState>,
  files: Readonly<Record<string, FileState>>,
  { signal, log }: Context<AgentConfig>,
): Promise<ReadonlyMap<string, CopiedRanges>> {
  const copied = new Map<string, CopiedRanges>()
  const lineId = tool.lineId?.bind(tool)
  const fresh = changed.filter(({ key }) => !starts.has(key))
  if (lineId === undefined || fresh.length === 0) return copied
  const isFresh = new Set(fresh.map(({ key }) => key))
  // A session may hold the lines of its sub-agents, which are read only from the files of those.
  const ids = { ofSessions: new Set<string>(), ofSubAgents: new Set<string>() }
  for (const file of [...found.filter(({ key }) => !isFresh.has(key)), ...(await oldestFirst(fresh))]) {
    const taken = file.isSubAgent ? ids.ofSubAgents : ids.ofSessions
    try {
      const ranges = isFresh.has(file.key) ? undefined : (files[file.key]?.copied ?? [])
      if (ranges === undefined) copied.set(file.key, await copiedRanges(file.path, taken, lineId, signal))
      else for await (const id of ownIds(file.path, ranges, lineId, signal)) taken.add(id)
    } catch (error) {
      // Unreadable files are skipped here; reading them reports the error.
      if (signal.aborted || !isSystemError(error)) throw error
      log.debug({ session: file.sessionId, code: error.code }, "a session can't be read")
    }
  }
  return copied
}

/**
 * By creation time of the files; if those are within a second of each other, as after restoring a backup, by their last
 * entry.
 */
async function oldestFirst(files: readonly FoundFile[]): Promise<FoundFile[]> {
  const keyed = await Promise.all(
    files.map(async (file) => {
      const tail = await tailOf(file.path, TAIL_BYTES).catch(() => '')
      const last = [...tail.matchAll(/"timestamp":\s?"([^"]{1,40})"/g)].at(-1)?.[1] ?? ''
      return { file, order: [String(Math.floor(file.bornAt.getTime() / 1000)).padStart(12, '0'), last, file.key] }
    }),
  )
  const byOrder = (a: readonly string[], b: readonly string[]) => {
    const at = a.findIndex((part, index) => part !== b[index])
    return at < 0 ? 0 : (a[at] ?? '') < (b[at] ?? '') ? -1 : 1
  }
  return keyed.sort((a, b) => byOrder(a.order, b.order)).map(({ file }) => file)
}

async function* fileSegments(
  tool: FileTool,
  file: FoundFile,
  start: SegmentStart & { offset: number },
  copied: CopiedRanges | undefined,
  context: Context<AgentConfig>,
) {
  const counts: LineCounts = { broken: 0, tooLong: 0 }
  const lines = ownLines(linesOf(file, start.offset, counts, context), copied ?? [])
  yield* segmentsOf(partsOf(tool.reader(context.config, file), lines), start)
  if (counts.broken + counts.tooLong === 0) return
  context.log.debug({ session: file.sessionId, ...counts }, 'lines of a session were skipped')
}

async function* linesOf(file: FoundFile, from: number, counts: LineCounts, context: Context<AgentConfig>) {
  let current = file
  for (let attempt = 1; ; attempt++) {
    let hasBegun = false
    try {
      for await (const line of readSessionLines(current.path, from, context.signal, counts)) {
        hasBegun = true
        yield line
      }
      return
    } catch (error) {
      // It may have been compressed or moved since the listing.
      const moved = isMissing(error) && !hasBegun && attempt < ATTEMPTS ? await located(file) : undefined
      if (moved === undefined || (from > 0 && moved.path.endsWith('.zst'))) throw error
      current = moved
    }
  }
}

async function* ownLines(lines: AsyncIterable<SessionLine>, copied: CopiedRanges) {
  for await (const line of lines) {
    if (!copied.some(([from, to]) => line.offset >= from && line.offset < to)) yield line
  }
}

async function* partsOf(reader: SessionReader, lines: AsyncIterable<SessionLine>): AsyncGenerator<SessionPart> {
  const arranged: AsyncIterable<ArrangedLine> = reader.arrange?.(lines) ?? lines
  for await (const line of arranged) {
    const canBegin = (line.isInOrder ?? true) && reader.isSettled()
    let isFirst = true
    for (const part of reader.parts(line)) {
      yield part.type === 'message' && isFirst && canBegin ? { ...part, offset: line.offset } : part
      if (part.type === 'message') isFirst = false
    }
  }
}

function session(file: FoundFile, segment: number, copied: CopiedRanges | undefined) {
  const locator = JSON.stringify({ file: file.key, segment, ...(copied?.length && { copied }) })
  return { id: file.sessionId, locator, createdAt: file.bornAt }
}

function failure(
  error: unknown,
  file: FoundFile,
  segment: number,
  copied: CopiedRanges | undefined,
  tool: FileTool,
  context: Context<AgentConfig>,
): Extract<Change<never>, { type: 'failed' }> {
  if (context.signal.aborted || !isSystemError(error)) throw error
  const part = { name: 's', value: String(segment).padStart(4, '0') }
  const itemId = sourceItemId(tool.prefix, accountPart(context.account.account), file.sessionId, part)
  const { locator } = session(file, segment, copied)
  const ref = { sourceType: tool.sourceType, itemId, locator, title: file.key }
  const reason = error instanceof SourceError ? error.message : `${file.path} can't be read (${String(error.code)}).`
  // File system errors may pass; decompression errors do not.
  const remedy = error instanceof SourceError || 'syscall' in error ? 'retry' : 'skip'
  return { type: 'failed', ref, error: new SourceError(remedy, reason, { cause: error }) }
}

function isMissing(error: unknown): boolean {
  return isSystemError(error) && error.code === 'ENOENT'
}

/** A file system error, a decompression error, or a `SourceError`. */
function isSystemError(error: unknown): error is Error & { code: unknown } {
  return error instanceof Error && 'code' in error
}

/** Byte ranges of lines that another session had first: from, to (exclusive); in order. */
type CopiedRanges = readonly (readonly [number, number])[]

/** A locator holds at most 4,000 characters. Repeated lines form one range, or two if a new line is between them. */
const MOST_RANGES = 50

type LineId = (line: SessionLine) => string | undefined

/** Names of the lines that a session did not repeat. */
async function* ownIds(
  path: string,
  copied: CopiedRanges,
  lineId: LineId,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for await (const line of readSessionLines(path, 0, signal, { broken: 0, tooLong: 0 })) {
    const id = lineId(line)
    const isCopied = copied.some(([from, to]) => line.offset >= from && line.offset < to)
    if (id !== undefined && !isCopied) yield id
  }
}

/** The session's lines that are already in `taken`; the others are added to it. */
async function copiedRanges(
  path: string,
  taken: Set<string>,
  lineId: LineId,
  signal: AbortSignal,
): Promise<[number, number][]> {
  const ranges: [number, number][] = []
  const own = new Set<string>()
  let isOpen = false
  for await (const line of readSessionLines(path, 0, signal, { broken: 0, tooLong: 0 })) {
    const id = lineId(line)
    if (id === undefined) continue
    const last = ranges.at(-1)
    if (!taken.has(id)) {
      own.add(id)
      isOpen = false
    } else if (isOpen && last) last[1] = line.end
    else if (ranges.length < MOST_RANGES) {
      ranges.push([line.offset, line.end])
      isOpen = true
    }
  }
  for (const id of own) taken.add(id)
  return ranges
}
