import { createHash } from 'node:crypto'
import { AppError } from '../domain/errors.ts'
import type { BlobRef, Blobs, StoredBlob } from './bodies/bodies.ts'

/** The object references of the database. */
export interface BlobsOwner {
  readonly databaseId: string
  /** A sample of object keys; empty when the database refers to none. */
  someKeys(): Promise<readonly string[]>
  /** The person confirmed that this database takes over the storage. */
  readonly accepts: boolean
}

/** Prefix of the marker key, distinct from account ids; the id of the database follows. */
const MARKERS = 'database/'

/**
 * An object storage used by one database, which a marker in it names. An empty bucket or one of another database is treated
 * as unavailable, so that no object counts as lost and no foreign object is removed.
 */
export class BlobsOfDatabase implements Blobs {
  readonly place: string
  readonly #blobs: Blobs
  #owner: BlobsOwner | undefined
  #proven: Promise<void> | undefined

  constructor(blobs: Blobs) {
    this.#blobs = blobs
    this.place = blobs.place
  }

  /** Before the first call. */
  belongTo(owner: BlobsOwner): void {
    this.#owner = owner
  }

  /** @throws AppError `conflict` when it is not the storage that the database used before, `unavailable` when it can't be reached */
  prove(): Promise<void> {
    this.#proven ??= this.#prove().catch((error: unknown) => {
      this.#proven = undefined
      throw error
    })
    return this.#proven
  }

  async put(blob: BlobRef, body: Uint8Array): Promise<void> {
    await this.#ready()
    return this.#blobs.put(blob, body)
  }

  async get(blob: BlobRef, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    await this.#ready()
    return this.#blobs.get(blob, signal)
  }

  async remove(keys: readonly string[]): Promise<void> {
    await this.#ready()
    return this.#blobs.remove(keys)
  }

  async *list(prefix: string): AsyncGenerator<readonly StoredBlob[]> {
    await this.#ready()
    for await (const page of this.#blobs.list(prefix)) yield page.filter(({ key }) => !key.startsWith(MARKERS))
  }

  async check(): Promise<void> {
    await this.#ready()
    return this.#blobs.check()
  }

  close(): void {
    this.#blobs.close()
  }

  /** An unavailable storage is retried, so nothing fails permanently. */
  async #ready(): Promise<void> {
    try {
      await this.prove()
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error
      throw new AppError('unavailable', error.message, { ...(error.advice && { advice: error.advice }), cause: error })
    }
  }

  async #prove(): Promise<void> {
    const owner = this.#owner
    if (owner === undefined) throw new Error('which database these objects belong to is not known yet')
    const mark = MARKERS + owner.databaseId
    const marks = await this.#keys(MARKERS)
    if (marks.includes(mark)) return
    const known = await owner.someKeys()
    const isOwn = owner.accepts || (await this.#hasAny(known))
    if (!isOwn && (known.length > 0 || marks.length > 0)) throw this.#refusal(known.length > 0)
    const body = Buffer.from('The other objects here belong to the recalld database that this object is named after.\n')
    const sha256 = createHash('sha256').update(body).digest('hex')
    await this.#blobs.put({ key: mark, sha256, bytes: body.byteLength }, body)
    await this.#blobs.remove(marks)
  }

  async #hasAny(keys: readonly string[]): Promise<boolean> {
    for (const key of keys) if ((await this.#keys(key)).includes(key)) return true
    return false
  }

  async #keys(prefix: string): Promise<string[]> {
    const keys: string[] = []
    for await (const page of this.#blobs.list(prefix)) keys.push(...page.map(({ key }) => key))
    return keys
  }

  #refusal(isMissed: boolean): AppError {
    const why = isMissed ? "doesn't have the objects of this database" : 'belongs to another database'
    return new AppError(
      'conflict',
      `${this.place} ${why}. Set RECALLD_BLOB_URL to the previous bucket and prefix, or bring their objects back.`,
      { advice: { action: 'accept_storage' } },
    )
  }
}
