import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { ActivityActor } from '../../domain/activity.ts'
import { AppError } from '../../domain/errors.ts'
import type { LibraryRef, StoredItem } from '../../store/library/library.ts'
import type { ScopedStore } from '../../store/store.ts'
import { findAccount } from '../accounts.ts'
import { SERVER } from '../activity.ts'
import type { ServiceContext } from '../service-context.ts'
import { accountRows, storedItems } from './account-rows.ts'
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  ARCHIVED_ITEM,
  type ArchivedItemLine,
  type ArchiveHead,
  ArchiveWriter,
  TABLES,
} from './archive-format.ts'

export interface ExportRequest {
  readonly account?: string
  /** As for keys. */
  readonly by?: ActivityActor
  /** Another item was written. */
  readonly onItem?: () => void
  /** The bytes of this item are lost or damaged; everything else is exported. */
  readonly onMissing?: (ref: LibraryRef) => void
}

export interface AccountExport {
  readonly fileName: string
  /** Number of items at the start. */
  readonly items: number
  /** The archive, created while it is read; destroying it stops the export. */
  readonly stream: Readable
}

/** Items are read together up to this size, then written. */
const GROUP_BYTES = 8 * 1024 * 1024
const GROUP_ITEMS = 200

/** All data of an account as one stream, in bounded memory. */
export async function exportAccount(context: ServiceContext, request: ExportRequest): Promise<AccountExport> {
  const account = await findAccount(context, request.account)
  const { accountId, name, timeZone, plan, createdAt } = account
  const { store, clock, log } = context
  const scoped = store.scoped({ accountId, sources: 'all' })
  const madeAt = clock()
  const head: ArchiveHead = {
    ...{ format: ARCHIVE_FORMAT, version: ARCHIVE_VERSION, made_at: madeAt.toISOString() },
    account: {
      ...{ id: accountId, name, time_zone: timeZone, plan },
      created_at: createdAt.toISOString(),
    },
  }
  const writer = new ArchiveWriter(madeAt)
  const write = async () => {
    await writer.entry('archive.json', `${JSON.stringify(head, null, 2)}\n`)
    await writer.entry('README.txt', readme(head))
    const { bytes, missing } = await writeItems(writer, scoped, request)
    for (const [table, rows] of Object.entries(accountRows(store, accountId))) {
      await writer.table(table as (typeof TABLES)[number], rows())
    }
    // If the account is deleted meanwhile, the archive would be incomplete; an account that is being deleted is not
    // found.
    if ((await store.admin.findAccount(accountId)) === undefined) {
      throw new AppError('not_found', 'The account was deleted during the export', { field: 'account' })
    }
    const counts = Object.fromEntries(TABLES.map((table) => [table, writer.count(table)]))
    const items = writer.count('items')
    const { entries } = writer
    const manifest = {
      ...{ format: ARCHIVE_FORMAT, version: ARCHIVE_VERSION },
      counts: { items, bytes, missing: missing.length, ...counts },
      missing: missing.map(({ itemId, sourceType }) => ({ item_id: itemId, source_type: sourceType })),
      entries,
    }
    await writer.file('manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
    writer.end()
    context.activity.note(accountId, request.by ?? SERVER, { kind: 'account_exported', items })
    log.info({ accountId, items, missing: missing.length }, 'account exported')
  }
  // Fails before the stream starts if possible.
  const { items } = await scoped.holdings()
  const gzip = createGzip()
  // The reader of the stream gets a failure as its error.
  pipeline(writer.stream, gzip).catch(() => undefined)
  // Also when the reader is gone.
  gzip.on('error', () => undefined)
  gzip.once('close', () => writer.fail(new Error('the reader of the archive is gone')))
  write().catch((error: unknown) => {
    log.warn({ err: error, accountId }, 'account export ended early')
    writer.fail(error)
  })
  return { fileName: `recalld-${accountId}-${madeAt.toISOString().slice(0, 10)}.tar.gz`, items, stream: gzip }
}

/** Returns the number of bytes, and the items with lost or damaged bytes. */
async function writeItems(
  writer: ArchiveWriter,
  scoped: ScopedStore,
  { onItem, onMissing }: ExportRequest,
): Promise<{ readonly bytes: number; readonly missing: readonly LibraryRef[] }> {
  const missing: LibraryRef[] = []
  let group: { line: ArchivedItemLine; body: Uint8Array }[] = []
  let [inGroup, all, number] = [0, 0, 0]
  const flush = async () => {
    await writer.lines(
      'items',
      group.map(({ line }) => line),
    )
    for (const { line, body } of group) {
      await writer.file(line.file, body)
      onItem?.()
    }
    all += inGroup
    inGroup = 0
    group = []
  }
  for await (const item of storedItems(scoped)) {
    // Deleted meanwhile, if it has none.
    const body = await scoped.readBody(item).catch(damagedBody)
    if (body === undefined) continue
    if (body === 'damaged') {
      missing.push(item)
      onMissing?.(item)
      onItem?.()
      continue
    }
    group.push({ line: lineOf(item, body, ++number), body })
    inGroup += body.byteLength
    if (inGroup >= GROUP_BYTES || group.length >= GROUP_ITEMS) await flush()
  }
  await flush()
  return { bytes: all, missing }
}

/** Lost files must not prevent exporting the rest. */
function damagedBody(error: unknown): 'damaged' {
  if (error instanceof AppError && error.code === 'damaged') return 'damaged'
  throw error
}

/**
 * With the hash of the exported bytes, which may have been replaced since the listing.
 * @throws AppError `internal` when an import would reject it
 */
function lineOf(item: StoredItem, body: Uint8Array, number: number): ArchivedItemLine {
  const ending = /\.[a-z0-9]{1,10}$/.exec(item.fileName.toLowerCase())?.[0] ?? ''
  const line: ArchivedItemLine = {
    item_id: item.itemId,
    source_type: item.sourceType,
    file: `files/${String(number).padStart(9, '0')}${ending}`,
    sha256: createHash('sha256').update(body).digest('hex'),
    size_bytes: body.byteLength,
    file_name: item.fileName,
    content_type: item.contentType,
    user_name: item.userName,
    created_at: item.createdAt.toISOString(),
    uploaded_at: item.uploadedAt.toISOString(),
    tags: [...item.tags],
    connector: item.connector ?? null,
    title: item.title ?? null,
    url: item.url ?? null,
    told_from: item.statedFrom?.toISOString() ?? null,
    told_until: item.statedUntil?.toISOString() ?? null,
  }
  const [issue] = ARCHIVED_ITEM.safeParse(line).error?.issues ?? []
  if (issue === undefined) return line
  const sentence = `${item.sourceType}/${item.itemId} can't be exported: its ${issue.path.join('.')} is invalid.`
  throw new AppError('internal', sentence, { field: 'account' })
}

function readme({ made_at, account }: ArchiveHead): string {
  return `Everything that recalld kept of the account ${account.name} (${account.id}), as it was at ${made_at}.

items/*.jsonl     a line of JSON for each item: what it is, where its bytes are (file) and their SHA-256
files/            the items, byte for byte as they were uploaded
memories/*.jsonl  what was made of them, for people and other programs; an import makes them again
golden, edits (corrections, notes, pins and hidden memories), names (merged and split), activity, usage, people, keys (names only), connections and ledger (what came from where): a line for each
manifest.json     counts, the SHA-256 of every file but those in files/, and the items whose bytes were lost (missing)

"recalld accounts import FILE" brings it back.
`
}
