/**
 * A storage of objects for the bytes of large uploads, beside the database. It knows no transactions: who writes or removes
 * an object is told by the database, before it is written and after nothing refers to it any more.
 *
 * Every method rejects with `unavailable` when the storage is away, too slow or refuses, with a sentence that says which.
 */
export interface Blobs {
  /** What it is and where, for people; no secrets. */
  readonly place: string
  /** Resolves when all bytes are stored. When it rejects they may be, or may come to be. */
  put(blob: BlobRef, body: Uint8Array): Promise<void>
  /**
   * The bytes that were put, proven by their hash; `undefined` when there is no such object. Rejects with `damaged` when
   * the object holds something else.
   */
  get(blob: BlobRef, signal?: AbortSignal): Promise<Uint8Array | undefined>
  /** Those that do not exist are removed too. */
  remove(keys: readonly string[]): Promise<void>
  /** Objects whose keys begin so, a page at a time, in the order of their keys. */
  list(prefix: string): AsyncIterable<readonly StoredBlob[]>
  /** Writes, reads and removes an object of its own. */
  check(): Promise<void>
  /** Ends its connections. */
  close(): void
}

export interface BlobRef {
  /** `<account id>/<random>`; unique for ever. */
  readonly key: string
  /** Lowercase hexadecimal. */
  readonly sha256: string
  readonly bytes: number
}

export interface StoredBlob {
  readonly key: string
  readonly bytes: number
  readonly at: Date
}
