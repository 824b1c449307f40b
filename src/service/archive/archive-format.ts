import { createHash } from 'node:crypto'
import { pack } from 'tar-stream'
import { z } from 'zod'
import { CONNECTOR_NAME_MAX_CHARACTERS } from '../../domain/connector-name.ts'
import { itemIdProblem } from '../../domain/identifiers.ts'
import { isSourceType, type SourceType } from '../../domain/source-type.ts'
import { MOST_TAGS, TAG_MAX_CHARACTERS } from '../../domain/tag.ts'

/**
 * An account as a file: a tar archive, compressed by gzip.
 *
 *     archive.json            what it is, and of which account; the first entry
 *     README.txt              the same for people
 *     items/000001.jsonl      a line for each item; the files that it names follow at once, in the same order
 *     files/000000001.md      the bytes of an upload
 *     memories/000001.jsonl   and the other tables, a line for each row
 *     manifest.json           counts, and the hash of every entry but those of `files/`, which `items/` has; the last entry
 *
 * Raised when an older program would misread it.
 */
export const ARCHIVE_VERSION = 3
export const ARCHIVE_FORMAT = 'recalld-account'

/** Lines of one entry that is not an upload. */
export const MOST_ENTRY_BYTES = 64 * 1024 * 1024
/** Larger than any upload. */
export const MOST_FILE_BYTES = 64 * 1024 * 1024

const OF_MEMORY = ['memories', 'golden', 'edits', 'names'] as const
const OF_ACCOUNT = ['people', 'keys', 'activity', 'usage', 'connections', 'ledger'] as const
export const TABLES = [...OF_MEMORY, ...OF_ACCOUNT] as const
export type ArchiveTable = (typeof TABLES)[number]

/** All entry names of an archive. */
export const ENTRY_NAME = new RegExp(
  `^(archive\\.json|README\\.txt|manifest\\.json|(items|${TABLES.join('|')})/\\d{6,9}\\.jsonl|files/\\d{9,12}(\\.[a-z0-9]{1,10})?)$`,
)

const HASH = z.string().regex(/^[0-9a-f]{64}$/)
const text = (most: number) => z.string().max(most)
const time = z.iso.datetime()
/** Its length is counted as `checkedTag` counts it. */
const TAG = z.string().refine((tag) => [...tag].length <= TAG_MAX_CHARACTERS, 'is too long')

export const ARCHIVE_HEAD = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  version: z.int().min(1),
  made_at: time,
  account: z.object({
    id: text(200),
    name: text(1_000),
    time_zone: text(100),
    plan: text(200),
    created_at: time,
  }),
})
export type ArchiveHead = z.infer<typeof ARCHIVE_HEAD>

/** The fields of an item that an import needs. */
export const ARCHIVED_ITEM = z.object({
  item_id: z.string().refine((id) => itemIdProblem(id) === undefined, 'is not an item ID'),
  source_type: z.custom<SourceType>((name) => typeof name === 'string' && isSourceType(name), 'is not a source type'),
  file: z.string().regex(/^files\//),
  sha256: HASH,
  size_bytes: z.int().min(0).max(MOST_FILE_BYTES),
  file_name: text(2_000),
  content_type: text(500),
  user_name: text(2_000),
  created_at: time,
  uploaded_at: time,
  /** Absent from archives of older versions. */
  tags: z.array(TAG).max(MOST_TAGS).default([]),
  /** Archives of earlier versions have none. */
  connector: text(CONNECTOR_NAME_MAX_CHARACTERS).nullish(),
})
export type ArchivedItem = z.infer<typeof ARCHIVED_ITEM>

/** Its line; other fields are informational and not validated. */
export interface ArchivedItemLine extends ArchivedItem {
  readonly title: string | null
  readonly url: string | null
  readonly told_from: string | null
  readonly told_until: string | null
}

export const ARCHIVED_GOLDEN = z.object({
  question: text(100_000),
  items: z.array(z.object({ item_id: z.string(), source_type: ARCHIVED_ITEM.shape.source_type })),
})

const PASSAGE = z.array(z.uint32()).max(100_000)

/** Since version 2. */
export const ARCHIVED_EDIT = z.object({
  kind: z.enum(['correction', 'note', 'pin', 'hide']),
  source_type: ARCHIVED_ITEM.shape.source_type,
  item_id: text(2_000),
  passage: PASSAGE,
  correction_id: text(2_000).nullable(),
  by: text(2_000),
  at: time,
})

/** Since version 3. */
export const ARCHIVED_NAME = z.object({
  name: text(2_000),
  merged_into: text(2_000).nullable(),
  by: text(2_000),
  at: time,
})

export type ArchivedEdit = z.infer<typeof ARCHIVED_EDIT>

export const ARCHIVE_MANIFEST = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  version: z.int(),
  counts: z.object({ items: z.int(), bytes: z.int() }).catchall(z.int()),
  entries: z.record(z.string(), z.object({ sha256: HASH, bytes: z.int() })),
})
export type ArchiveManifest = z.infer<typeof ARCHIVE_MANIFEST>

/** Beyond it, further lines go to another entry. */
const PART_BYTES = 4 * 1024 * 1024

/** Writes entries one after another, at the reader's speed; keeps one in memory. */
export class ArchiveWriter {
  readonly #pack = pack()
  readonly #madeAt: Date
  readonly #entries: Record<string, ArchiveManifest['entries'][string]> = {}
  readonly #counts = new Map<string, number>()
  readonly #parts = new Map<string, number>()

  constructor(madeAt: Date) {
    this.#madeAt = madeAt
    // The error reaches both the pending entry and the reader of the output.
    this.#pack.on('error', () => undefined)
  }

  get stream() {
    return this.#pack
  }

  get entries(): ArchiveManifest['entries'] {
    return this.#entries
  }

  count(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  /** A file of an item, described by its line. */
  async file(name: string, bytes: Uint8Array): Promise<void> {
    const header = { name, size: bytes.byteLength, mtime: this.#madeAt, mode: 0o600 }
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    await new Promise<void>((done, reject) => {
      const ended = () => reject(new Error('the reader of the archive is gone'))
      if (this.#pack.destroyed) return ended()
      this.#pack.once('close', ended)
      const entry = this.#pack.entry(header, content, (error) => {
        this.#pack.off('close', ended)
        if (error == null) done()
        else reject(error)
      })
      entry.on('error', reject)
    })
  }

  /** Any other entry, with its hash for the manifest. */
  async entry(name: string, content: string): Promise<void> {
    const bytes = Buffer.from(content)
    this.#entries[name] = { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.byteLength }
    await this.file(name, bytes)
  }

  /** The next entry with this name, with a line for each row. */
  async lines(folder: string, rows: readonly unknown[]): Promise<void> {
    if (rows.length === 0) return
    const part = (this.#parts.get(folder) ?? 0) + 1
    this.#parts.set(folder, part)
    this.#counts.set(folder, this.count(folder) + rows.length)
    const name = `${folder}/${String(part).padStart(6, '0')}.jsonl`
    await this.entry(name, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }

  /** A whole table, in as many entries as needed. */
  async table(name: ArchiveTable, rows: AsyncIterable<unknown>): Promise<void> {
    let waiting: unknown[] = []
    let bytes = 0
    for await (const row of rows) {
      waiting.push(row)
      bytes += JSON.stringify(row).length
      if (bytes < PART_BYTES) continue
      await this.lines(name, waiting)
      waiting = []
      bytes = 0
    }
    await this.lines(name, waiting)
  }

  end(): void {
    this.#pack.finalize()
  }

  fail(error: unknown): void {
    this.#pack.destroy(error instanceof Error ? error : new Error(String(error)))
  }
}
