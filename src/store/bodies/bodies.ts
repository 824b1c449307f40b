import type { NewItem } from '../items/items.ts'

/** Storage of uploaded bytes over all accounts, for operators. */
export interface Bodies {
  /** Location of the object storage; absent when the settings name none. */
  readonly place: string | undefined
  /** Counts and sizes from the database. */
  stats(): Promise<BodyStats>
  /** Keys of some objects that the database refers to; none when it refers to none. */
  someKeys(): Promise<readonly string[]>
  /** Writes, reads and removes an object of the storage. @throws AppError `unavailable` */
  checkPlace(): Promise<void>
  /**
   * Moves the bytes of older uploads, the small ones excepted, a batch a step, beside whatever else goes on. What was cut
   * off, another call goes on with. Tells how many were moved with each step. After the last step to the database, the objects
   * that nothing refers to any more are removed.
   *
   * @throws AppError `unavailable`; what was moved before stays moved
   */
  move(to: 'storage' | 'database'): AsyncIterable<{ readonly items: number; readonly bytes: number }>
  /**
   * Compares the storage, key by key, with what the database knows of it.
   *
   * @throws AppError `unavailable`
   */
  compare(): Promise<BodyComparison>
  /**
   * Compares a few uploads whose bytes are in the database with their hashes; those that differ are reported.
   *
   * @param after what the step before returned as `next`; 0 for the first
   */
  verify(after: number): Promise<VerifiedBodies>
  /** Removes from the storage what `compare` found that nothing refers to. */
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
  /** Absent: these were the last. */
  readonly next: number | undefined
}

export interface BodyComparison {
  readonly objects: number
  readonly bytes: number
  /** Uploads whose object is not there. */
  readonly missing: readonly { readonly accountId: string; readonly itemId: string; readonly sourceType: string }[]
  /** Keys of objects that nothing refers to, written before the last hour. */
  readonly stray: readonly string[]
}

/** The bytes of an item that may be there, once more. */
export type SameBody = Pick<NewItem, 'itemId' | 'sourceType' | 'body' | 'bodyHash'>

/** Of one account. */
export interface RestorableBodies {
  /** Puts bytes there again that the storage lost or changed, as `putItem` does. Whether they are those of the item. */
  restoreBody(same: SameBody): Promise<boolean>
}

/**
 * A storage of objects for the bytes of large uploads, beside the database. It knows no transactions: who writes or removes
 * an object is told by the database, before it is written and after nothing refers to it any more.
 *
 * Every method rejects with `unavailable` when the storage is away, too slow or refuses, with a sentence that says which.
 */
export interface Blobs {
  /** Location of the storage, for people; no secrets. */
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

/** Where the settings put the bytes of uploads. */
export interface BlobOptions {
  readonly blobs: Blobs
  /** Smaller ones stay in the database. */
  readonly leastBytes?: number
}
