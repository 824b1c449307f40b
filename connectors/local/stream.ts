import { createHash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { byteLines } from '../../src/connector/byte-lines.ts'
import { connectionFields } from '../../src/connector/connection-fields.ts'
import type { Change, ConnectionConfig, Connector, Context, SourceItem } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import { startOfZonedDay } from '../../src/connector/source-time.ts'
import {
  createSpoolWriter,
  LONGEST_LINE,
  lineId,
  readStreamLine,
  type SpoolKind,
  type SpoolRecord,
  type StreamEntry,
  streamItemId,
  streamSpoolFolder,
} from '../../src/connector/stream-spool.ts'
import {
  dropReadFiles,
  type SpooledRecord,
  type SpoolPosition,
  spooledRecordAt,
  spooledRecords,
} from './spool-reader.ts'

const LONGEST_TITLE = 80

interface Received {
  readonly itemId: string
  readonly at: string
  readonly kind: SpoolKind
  readonly locator: string
}

/** The item of an entry. */
function streamItem(entry: StreamEntry, { itemId, at, kind, locator }: Received, timeZone: string): SourceItem {
  const body = entry.text ?? entry.body ?? ''
  const { url, author, people, where } = entry
  // Entries from a file are not recent; those from the socket just happened.
  const arrived = kind === 'socket' ? new Date(at) : undefined
  const statedAt = entry.when === undefined ? arrived : instantOf(entry.when, timeZone)
  return {
    sourceType: 'stream',
    itemId,
    locator,
    title: entry.title ?? firstLine(body),
    // Includes the time, so that a deleted entry can be restored unchanged.
    revision: createHash('sha256')
      .update(`${at}\n${JSON.stringify(entry)}`)
      .digest('hex')
      .slice(0, 32),
    ...(url !== undefined && { url }),
    ...(author !== undefined && { author }),
    ...(people !== undefined && { people }),
    ...(where !== undefined && { where }),
    ...(statedAt && { createdAt: statedAt }),
    ...(arrived && { updatedAt: arrived }),
    body,
  }
}

/** A day without a time is in the person's time zone. */
function instantOf(when: string, timeZone: string): Date {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(when) ?? []
  if (day === undefined) return new Date(when)
  return startOfZonedDay({ year: Number(year), month: Number(month), day: Number(day) }, timeZone)
}

function firstLine(text: string): string {
  const line =
    text
      .trim()
      .split('\n', 1)[0]
      ?.replace(/^#+\s+/, '')
      .trim() ?? ''
  const characters = [...line]
  return characters.length > LONGEST_TITLE ? `${characters.slice(0, LONGEST_TITLE - 1).join('')}…` : line || 'Entry'
}

interface StreamConfig extends ConnectionConfig {
  readonly socket?: string | number | undefined
}

const position = z.strictObject({ file: z.string(), offset: z.int().min(0) }).optional()
const cursor = z.strictObject({ stdin: position, socket: position })
type StreamCursor = z.infer<typeof cursor>

const KINDS = ['stdin', 'socket'] as const
const EACH_CHECKPOINT = 100
/** Failed entries are retried for five days, and later on request; they are kept until then. */
const KEPT_MS = 14 * 86_400_000

/** Everything else: lines of JSON, from standard input or a socket. */
export const stream: Connector<StreamConfig, StreamCursor> = {
  manifest: {
    id: 'stream',
    title: 'Stream',
    sourceTypes: ['stream'],
    auth: 'none',
    config: z.strictObject({
      ...connectionFields(),
      socket: z
        .union([
          z.string().refine((path) => path.startsWith('~/') || isAbsolute(path), 'must be absolute, or start with ~/'),
          z.int().min(1).max(65_535),
        ])
        .optional()
        .describe('Where recalld listens for lines: path of a Unix socket (0600), or a port on 127.0.0.1.'),
    }),
    cursor,
    schedule: '* * * * *',
    deletions: 'feed',
    inventoryEveryMs: 0,
    vanished: 'keep',
    provider: 'stream',
    version: 1,
    quietPeriodMs: 0,
    selection: () => null,
    listing: {
      summary: 'Anything your own programs send as lines of JSON.',
      icon: 'radio',
      group: 'Other',
    },
    documentation: {
      item: 'one line of JSON; a later line with the same `id` replaces it',
      removed: 'by a line with its `id` and `"deleted": true`',
      api: 'lines of JSON, from standard input or a socket',
      cursor: 'position in the spool',
      limits: 'lines of at most 10 MB',
      verified: 'pipes and sockets on this machine',
      needs: 'nothing for `recalld sync stream < file`; `socket` to listen',
    },
  },

  check: () => Promise.resolve({ account: 'local' }),

  async *partitions({ config }) {
    yield { id: 'spool', title: config.name }
  },

  async *changes(_partition, from, context) {
    await takeStandardInput(context)
    const folder = folderOf(context)
    const read: { -readonly [Kind in keyof StreamCursor]: StreamCursor[Kind] } = { ...from }
    for (const kind of KINDS) {
      const after = from?.[kind]
      if (after !== undefined) await dropReadFiles(folder, kind, after, new Date(context.clock().getTime() - KEPT_MS))
      let count = 0
      for await (const spooled of spooledRecords(folder, kind, after)) {
        context.signal.throwIfAborted()
        yield changeOf(spooled, kind, context.timeZone)
        read[kind] = spooled.to
        count += 1
        if (count % EACH_CHECKPOINT === 0) yield { type: 'checkpoint', cursor: { ...read } }
      }
    }
    yield { type: 'checkpoint', cursor: { ...read } }
  },

  async read({ locator, title }, context) {
    const from = positionOf(locator)
    const record = from && (await spooledRecordAt(folderOf(context), from))
    if (from === undefined || record === undefined)
      throw new SourceError('skip', `${title ?? 'This entry'} is no longer stored. Send it again.`)
    const change = changeOf({ record, from }, spoolKind(from), context.timeZone)
    if (change.type === 'failed') throw change.error
    return change.type === 'item' ? change.item : undefined
  },
}

function folderOf({ machine, config }: Context<StreamConfig>): string {
  return streamSpoolFolder(machine.spoolFolder, config.name)
}

function spoolKind({ file }: SpoolPosition): SpoolKind {
  return file.startsWith('stdin-') ? 'stdin' : 'socket'
}

function positionOf(locator = ''): SpoolPosition | undefined {
  const [, file, offset] = /^((?:stdin|socket)-\d+\.jsonl):(\d+)$/.exec(locator) ?? []
  return file === undefined ? undefined : { file, offset: Number(offset) }
}

/** Standard input can be read only once, so it is saved to the spool first; an interrupted run loses nothing. */
async function takeStandardInput(context: Context<StreamConfig>): Promise<void> {
  const { machine, clock, signal } = context
  if (machine.standardInput === undefined) return
  const writer = createSpoolWriter(folderOf(context), 'stdin', clock)
  try {
    let number = 0
    for await (const lines of byteLines(machine.standardInput, LONGEST_LINE)) {
      signal.throwIfAborted()
      const records = lines.flatMap(({ bytes }) => {
        number += 1
        return recordOf(bytes, number, clock().toISOString()) ?? []
      })
      if (records.length > 0) await writer.append(records)
    }
  } finally {
    await writer.close()
  }
}

/** `undefined` for an empty line. */
function recordOf(bytes: Uint8Array | undefined, line: number, at: string): SpoolRecord | undefined {
  if (bytes !== undefined && Buffer.from(bytes).toString('latin1').trim() === '') return undefined
  const entry = readStreamLine(bytes)
  const id = bytes === undefined ? `line-${line}` : lineId(bytes)
  if (typeof entry !== 'string') return { itemId: streamItemId(entry, id), at, entry }
  return { itemId: sourceItemId('stream', 'wrong', id), at, line, wrong: entry }
}

function changeOf(
  { record, from }: Pick<SpooledRecord, 'record' | 'from'>,
  kind: SpoolKind,
  timeZone: string,
): Exclude<Change<StreamCursor>, { type: 'checkpoint' }> {
  const locator = `${from.file}:${from.offset}`
  if (record === undefined) {
    const itemId = sourceItemId('stream', 'wrong', locator)
    return failed(itemId, locator, `${from.file} at ${from.offset}`, 'it is damaged. Send the entry again')
  }
  const { itemId, at } = record
  if ('wrong' in record) return failed(itemId, locator, `line ${record.line} of standard input`, record.wrong)
  if (record.entry.deleted) return { type: 'gone', ref: { sourceType: 'stream', itemId, locator } }
  return { type: 'item', item: streamItem(record.entry, { itemId, at, kind, locator }, timeZone) }
}

function failed(itemId: string, locator: string, title: string, problem: string) {
  const error = new SourceError('skip', `It can't be synced: ${problem}.`)
  return { type: 'failed' as const, ref: { sourceType: 'stream' as const, itemId, locator, title }, error }
}
