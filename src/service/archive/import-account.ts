import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type Header } from 'tar-stream'
import type { z } from 'zod'
import type { ActivityActor } from '../../domain/activity.ts'
import { AppError } from '../../domain/errors.ts'
import { foldTag, MOST_TAGS } from '../../domain/tag.ts'
import type { MemoryEdit } from '../../store/edits/edits.ts'
import type { NameDecision } from '../../store/names/names.ts'
import type { ScopedStore } from '../../store/store.ts'
import { findAccount, newAccountRows } from '../accounts.ts'
import { SERVER } from '../activity.ts'
import type { ServiceContext } from '../service-context.ts'
import {
  ARCHIVE_FORMAT,
  ARCHIVE_HEAD,
  ARCHIVE_MANIFEST,
  ARCHIVE_VERSION,
  ARCHIVED_EDIT,
  ARCHIVED_GOLDEN,
  ARCHIVED_ITEM,
  ARCHIVED_NAME,
  type ArchivedEdit,
  type ArchivedItem,
  type ArchiveHead,
  type ArchiveManifest,
  ENTRY_NAME,
  MOST_ENTRY_BYTES,
  MOST_FILE_BYTES,
} from './archive-format.ts'

export interface ImportRequest {
  readonly file: string
  /** An existing account; absent: a new one with the exported name. */
  readonly into?: string
  /** As for keys. */
  readonly by?: ActivityActor
  /** A new account was created. Only `key` opens it, and `into` continues an interrupted import. */
  readonly onAccount?: (account: { readonly accountId: string; readonly key: string }) => void
  /** The archive is valid, and has this many items. */
  readonly onTotal?: (items: number) => void
  readonly onItem?: () => void
}

export interface ImportReport {
  readonly accountId: string
  /** For a new account; shown only here. */
  readonly key?: string
  /** New items; the worker extracts their memories. */
  readonly items: number
  /** Items that existed with the same bytes. */
  readonly unchanged: number
  /** Items that exist with different bytes; they stay. */
  readonly kept: readonly { readonly sourceType: string; readonly itemId: string }[]
  readonly goldenQuestions: number
}

/**
 * Imports the items of an archive, and its golden questions. The archive is read twice, so that nothing of a damaged
 * one is imported. A repeated import continues an interrupted one.
 * @throws AppError `invalid` when the archive is damaged; `not_found` without the file or the account
 */
export async function importAccount(context: ServiceContext, request: ImportRequest): Promise<ImportReport> {
  const { store, log } = context
  let head: ArchiveHead | undefined
  const takeHead = async (read: ArchiveHead) => {
    head = read
  }
  const { counts } = await readArchive(request.file, { head: takeHead })
  const { accountId, key } = await accountFor(context, request.into, head)
  if (key !== undefined) request.onAccount?.({ accountId, key })
  request.onTotal?.(counts.items)
  const scoped = store.scoped({ accountId, sources: 'all' })
  const { userId } = await findAccount(context, accountId)
  const asked = new Set((await scoped.golden.list()).map(({ question }) => question))
  const counted = { items: 0, unchanged: 0, goldenQuestions: 0 }
  const kept: { sourceType: string; itemId: string }[] = []
  await readArchive(request.file, {
    async item(item, body) {
      const outcome = await putArchived(context, scoped, { item, body, userId })
      if (outcome === 'created') counted.items += 1
      else if (outcome === 'same') counted.unchanged += 1
      else kept.push({ sourceType: item.source_type, itemId: item.item_id })
      if (outcome !== 'other') await addTags(scoped, item)
      request.onItem?.()
    },
    async row(table, row) {
      const edit = table === 'edits' ? ARCHIVED_EDIT.safeParse(row).data : undefined
      if (edit !== undefined) await scoped.edits.restore(restoredEdit(edit))
      const named = table === 'names' ? ARCHIVED_NAME.safeParse(row).data : undefined
      if (named !== undefined) await scoped.names.restore(restoredName(named))
      const question = table === 'golden' ? ARCHIVED_GOLDEN.safeParse(row).data : undefined
      if (question === undefined || asked.has(question.question)) return
      const items = question.items.map(({ item_id: itemId, source_type: sourceType }) => ({ itemId, sourceType }))
      await scoped.golden.add({ question: question.question, items })
      counted.goldenQuestions += 1
    },
  })
  context.activity.note(accountId, request.by ?? SERVER, { kind: 'account_imported', items: counted.items })
  log.info({ accountId, ...counted }, 'account imported')
  return { accountId, ...(key !== undefined && { key }), ...counted, kept }
}

/** As many as there is room for: an item that was there already may have tags of its own. */
async function addTags(scoped: ScopedStore, { item_id: itemId, source_type: sourceType, tags }: ArchivedItem) {
  if (tags.length === 0) return
  const ref = { itemId, sourceType }
  const known = (await scoped.findItem(ref))?.tags ?? []
  const folded = new Set(known.map(foldTag))
  const add = tags.filter((tag) => !folded.has(foldTag(tag))).slice(0, MOST_TAGS - known.length)
  if (add.length > 0) await scoped.tags.change([ref], { add, remove: [] })
}

function restoredEdit({ kind, source_type, item_id, passage, correction_id, by, at }: ArchivedEdit): MemoryEdit {
  return {
    ...{ kind, sourceType: source_type, itemId: item_id, by, at: new Date(at) },
    passage: Uint32Array.from(passage),
    ...(correction_id !== null && { [kind === 'note' ? 'note' : 'correction']: { itemId: correction_id } }),
  }
}

function restoredName({ name, merged_into, by, at }: z.infer<typeof ARCHIVED_NAME>): NameDecision {
  return { name, ...(merged_into !== null && { mergedInto: merged_into }), by, at: new Date(at) }
}

async function accountFor(
  context: ServiceContext,
  into: string | undefined,
  head: ArchiveHead | undefined,
): Promise<{ accountId: string; key?: string }> {
  if (into !== undefined) return { accountId: (await findAccount(context, into)).accountId }
  if (head === undefined) throw new Error('An archive without a head was read to its end')
  const { name, time_zone: timeZone } = head.account
  const { account, key } = newAccountRows(context, { name, userName: name, timeZone })
  await context.store.admin.createAccount(account)
  return { accountId: account.accountId, key }
}

async function putArchived(
  { newId }: ServiceContext,
  scoped: ScopedStore,
  { item, body, userId }: { readonly item: ArchivedItem; readonly body: Uint8Array; readonly userId: string },
): Promise<'created' | 'same' | 'other'> {
  const { item_id: itemId, source_type: sourceType } = item
  const { outcome } = await scoped.putItem({
    ...{ itemId, sourceType, userId, body },
    userName: item.user_name,
    fileName: item.file_name,
    contentType: item.content_type,
    bodyHash: item.sha256,
    executionId: newId(),
    onConflict: 'reject',
    ...(item.connector != null && { connector: item.connector }),
    came: { createdAt: new Date(item.created_at), uploadedAt: new Date(item.uploaded_at) },
  })
  if (outcome !== 'conflict') return 'created'
  return (await scoped.restoreBody({ itemId, sourceType, body, bodyHash: item.sha256 })) ? 'same' : 'other'
}

/** As provided by `tar-stream`; the chunks are bytes. */
type Entry = AsyncIterable<unknown> & { readonly header: Pick<Header, 'name' | 'type' | 'size'> }

/** The content of an archive, in reading order; each part is awaited before the next. */
interface ArchiveReader {
  head?(head: ArchiveHead): Promise<void>
  item?(item: ArchivedItem, body: Uint8Array): Promise<void>
  /** A line of another table. */
  row?(table: string, row: unknown): Promise<void>
}

/**
 * Reads an archive completely, one entry in memory, and writes nothing. File names in it are never opened.
 * @throws AppError `invalid` when it is truncated, modified, or not an account archive; `not_found` without a file
 */
export async function readArchive(file: string, reader: ArchiveReader): Promise<ArchiveManifest> {
  const contents = new ArchiveContents(reader)
  const entries = extract()
  const reading = (async () => {
    for await (const entry of entries) await contents.take(entry)
  })()
  const [read, fed] = await Promise.allSettled([reading, pipeline(createReadStream(file), createGunzip(), entries)])
  for (const result of [read, fed]) if (result.status === 'rejected') throw readable(result.reason)
  return contents.end()
}

function readable(error: unknown): Error {
  if (error instanceof AppError) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return new AppError('not_found', "This file doesn't exist.", { field: 'file', cause: error })
  if (code === 'EISDIR' || code === 'EACCES') {
    return new AppError('invalid', "This file can't be read.", { field: 'file', cause: error })
  }
  return damaged('it is incomplete, or not a .tar.gz file', error)
}

function damaged(what: string, cause?: unknown): AppError {
  return new AppError('invalid', `This export is damaged: ${what}. Nothing was imported.`, {
    field: 'file',
    cause,
  })
}

/** Checks each entry against its description. */
class ArchiveContents {
  readonly #reader: ArchiveReader
  readonly #seen = new Map<string, { readonly sha256: string; readonly bytes: number }>()
  /** Files named in the last page of items. */
  #awaited: ArchivedItem[] = []
  #items = 0
  #bytes = 0
  #manifest: ArchiveManifest | undefined

  constructor(reader: ArchiveReader) {
    this.#reader = reader
  }

  async take(entry: Entry): Promise<void> {
    const { name, type } = entry.header
    if (type !== 'file' || !ENTRY_NAME.test(name)) throw damaged(`it has an unexpected entry (${shown(name)})`)
    if (this.#manifest !== undefined) throw damaged('it has entries after its manifest')
    if (this.#seen.size === 0 && name !== 'archive.json') throw notOurs()
    const bytes = await entryBytes(entry, name.startsWith('files/') ? MOST_FILE_BYTES : MOST_ENTRY_BYTES)
    if (name.startsWith('files/')) return this.#file(name, bytes)
    const [missing] = this.#awaited
    if (missing !== undefined) throw damaged(`${missing.file} is missing`)
    if (this.#seen.has(name)) throw damaged(`${name} is in it twice`)
    if (name === 'manifest.json') {
      this.#manifest = parseEntry(ARCHIVE_MANIFEST, name, json(name, bytes))
      return
    }
    this.#seen.set(name, { sha256: hashOf(bytes), bytes: bytes.byteLength })
    if (name === 'archive.json') await this.#head(json(name, bytes))
    else if (name !== 'README.txt') await this.#lines(name, bytes)
  }

  /** @throws AppError when something is missing or differs */
  end(): ArchiveManifest {
    const manifest = this.#manifest
    if (this.#seen.size === 0) throw notOurs()
    if (manifest === undefined) throw damaged('it ends before its manifest')
    const { counts, entries } = manifest
    for (const [name, { sha256, bytes }] of this.#seen) {
      const said = entries[name]
      if (said?.sha256 !== sha256 || said.bytes !== bytes) throw damaged(`${name} doesn't match the manifest`)
    }
    for (const name of Object.keys(entries)) if (!this.#seen.has(name)) throw damaged(`${shown(name)} is missing`)
    if (counts.items !== this.#items || counts.bytes !== this.#bytes) {
      throw damaged(`it has ${this.#items} items, but the manifest says ${counts.items}`)
    }
    return manifest
  }

  async #head(content: unknown): Promise<void> {
    const head = ARCHIVE_HEAD.safeParse(content)
    if (!head.success) throw notOurs()
    if (head.data.version > ARCHIVE_VERSION) {
      throw new AppError(
        'invalid',
        `This export is from a newer version of recalld (format ${head.data.version}, this version reads ${ARCHIVE_VERSION}). Update recalld, then import it.`,
        { field: 'file' },
      )
    }
    await this.#reader.head?.(head.data)
  }

  async #lines(name: string, bytes: Uint8Array): Promise<void> {
    const [table = ''] = name.split('/', 1)
    for (const line of new TextDecoder().decode(bytes).split('\n')) {
      if (line === '') continue
      const row = json(name, line)
      if (table === 'items') this.#awaited.push(parseEntry(ARCHIVED_ITEM, name, row))
      else await this.#reader.row?.(table, row)
    }
  }

  async #file(name: string, bytes: Uint8Array): Promise<void> {
    const item = this.#awaited.shift()
    if (item?.file !== name) throw damaged(`${name} is in the wrong place`)
    if (item.size_bytes !== bytes.byteLength || item.sha256 !== hashOf(bytes)) {
      throw damaged(`${name} doesn't match its line in items`)
    }
    this.#items += 1
    this.#bytes += bytes.byteLength
    await this.#reader.item?.(item, bytes)
  }
}

function notOurs(): AppError {
  return new AppError(
    'invalid',
    `This file is not an account export (${ARCHIVE_FORMAT}). Choose one that was downloaded or exported from recalld.`,
    { field: 'file' },
  )
}

async function entryBytes(entry: Entry, most: number): Promise<Uint8Array> {
  // By its header, before any of it is buffered.
  if ((entry.header.size ?? 0) > most) throw damaged(`${shown(entry.header.name)} is larger than ${most} bytes`)
  const pieces: Uint8Array[] = []
  for await (const piece of entry as AsyncIterable<Uint8Array>) pieces.push(piece)
  return Buffer.concat(pieces)
}

function json(name: string, content: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof content === 'string' ? content : new TextDecoder().decode(content))
  } catch (cause) {
    throw damaged(`${name} is not JSON`, cause)
  }
}

function parseEntry<Schema extends z.ZodType>(schema: Schema, name: string, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw damaged(`${name} has a wrong ${issue?.path.join('.') || 'form'}`)
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** An untrusted name, made safe for a message. */
function shown(name: string): string {
  return JSON.stringify(name.slice(0, 100))
}
