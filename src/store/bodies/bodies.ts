import type { NewItem } from '../items/items.ts'

/** Storage of uploaded bytes over all accounts, for operators. */
export interface Bodies {
  /** Location of the object storage; absent when the settings name none. */
  readonly place: string | undefined
  /** Counts and sizes from the database. */
  stats(): Promise<BodyStats>
  /** A sample of the object keys in the database; empty when there are none. */
  someKeys(): Promise<readonly string[]>
  /** Writes, reads and removes an object of the storage. @throws AppError `unavailable` */
  checkPlace(): Promise<void>
  /**
   * Moves the files of older uploads, except small ones, in batches while the service runs. An interrupted
   * move is continued by the next call. Yields the number moved per step. After the last step to the database, objects
   * without references are removed.
   *
   * @throws AppError `unavailable`; what was moved before stays moved
   */
  move(to: 'storage' | 'database'): AsyncIterable<{ readonly items: number; readonly bytes: number }>
  /**
   * Compares the keys in the storage with those in the database.
   *
   * @throws AppError `unavailable`
   */
  compare(): Promise<BodyComparison>
  /**
   * Checks a batch of uploads in the database against their hashes and reports those that differ.
   *
   * @param after `next` of the previous step; 0 for the first
   */
  verify(after: number): Promise<VerifiedBodies>
  /** Removes the unreferenced objects that `compare` found. */
  removeStray(keys: readonly string[]): Promise<void>
}

export interface BodyStats {
  /** Uploads whose bytes are in the database. */
  readonly inDatabase: { readonly items: number; readonly bytes: number }
  readonly inStorage: { readonly items: number; readonly bytes: number }
  /** Objects that are being written, or whose writer was killed. */
  readonly unfinished: number
  /** Objects of deleted and replaced uploads that are still to be removed from the storage. */
  readonly garbage: number
}

export interface VerifiedBodies {
  readonly checked: number
  readonly damaged: readonly { readonly accountId: string; readonly itemId: string; readonly sourceType: string }[]
  /** Absent after the last step. */
  readonly next: number | undefined
}

export interface BodyComparison {
  readonly objects: number
  readonly bytes: number
  /** Uploads whose object is missing. */
  readonly missing: readonly { readonly accountId: string; readonly itemId: string; readonly sourceType: string }[]
  /** Keys of unreferenced objects that are older than an hour. */
  readonly stray: readonly string[]
}

/** The bytes of an item that may already exist. */
export type SameBody = Pick<NewItem, 'itemId' | 'sourceType' | 'body' | 'bodyHash'>

/** Of one account. */
export interface RestorableBodies {
  /** Restores bytes that were lost or changed, like `putItem`. Returns whether they match the item. */
  restoreBody(same: SameBody): Promise<boolean>
}

/**
 * An object storage for large uploads. It has no transactions, so the database
 * records an object before it is written, and until it is removed.
 *
 * Every method rejects with `unavailable` and the reason when the storage is down, too slow or refuses.
 */
export interface Blobs {
  /** Location of the storage, for people; no secrets. */
  readonly place: string
  /** Resolves when all bytes are stored. If it rejects, they may still be stored, now or later. */
  put(blob: BlobRef, body: Uint8Array): Promise<void>
  /**
   * The stored bytes, verified by their hash; `undefined` when there is no such object. Rejects with `damaged` when
   * the hash differs.
   */
  get(blob: BlobRef, signal?: AbortSignal): Promise<Uint8Array | undefined>
  /** Missing objects count as removed. */
  remove(keys: readonly string[]): Promise<void>
  /** Objects by key prefix, in pages, ordered by key. */
  list(prefix: string): AsyncIterable<readonly StoredBlob[]>
  /** Writes, reads and removes a test object. */
  check(): Promise<void>
  /** Ends its connections. */
  close(): void
}

export interface BlobRef {
  /** `<account id>/<random>`; globally unique. */
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

/** Where uploads are stored. */
export interface BlobOptions {
  readonly blobs: Blobs
  /** Smaller ones stay in the database. */
  readonly leastBytes?: number
}
