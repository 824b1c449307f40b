import { randomUUID } from 'node:crypto'
import { AppError } from '../../domain/errors.ts'
import type { Scope } from '../../domain/scope.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { ReleaseWhile } from '../../lib/semaphore.ts'
import { sha256Hex } from '../../lib/sha256-hex.ts'
import type { Telemetry } from '../../lib/telemetry.ts'
import type { BlobRef, Blobs } from '../blobs.ts'
import type { NewItem, PutOutcome } from '../store.ts'
import { DamageReports, type ReadItem } from './damage-reports.ts'
import { isDamagedDatabase } from './damaged-database.ts'
import type { IntentRunner } from './intent-runner.ts'
import type { PlacedBody } from './placed-body.ts'
import type { BlobOwner } from './write-blobs.ts'
import type { PlacedItem } from './write-items.ts'

/** Where the settings put the bytes of uploads. */
export interface BlobOptions {
  readonly blobs: Blobs
  /** Smaller ones stay in the database. */
  readonly leastBytes?: number
}

/**
 * Chat messages, mails and notes are smaller: what is made of a text takes nine times its bytes, so without those the database
 * would be hardly smaller, and each would cost a request and a commit more (decision 20).
 */
const LEAST_BYTES = 32 * 1024

interface Outside {
  readonly blobs: Blobs
  readonly scope: Scope
  readonly releaseWhile: ReleaseWhile
}

interface BodyReports {
  readonly log: Log
  readonly meter: Telemetry['meter']
  readonly clock: Clock
}

/** For the person whose upload it is. */
export const DAMAGED = 'The bytes of this file are damaged in the database; upload it again or delete it'
const LOST = 'The bytes of this file are not in the storage of objects any more; upload it again or delete it'

/** Puts the bytes of uploads into the database, or the large ones into a storage of objects, and gets them back. */
export class BodyStorage {
  readonly blobs: Blobs | undefined
  readonly leastBytes: number
  readonly #intents: IntentRunner
  readonly #log: Log
  readonly #reports: DamageReports

  constructor(intents: IntentRunner, options: BlobOptions | undefined, { log, meter, clock }: BodyReports) {
    this.blobs = options?.blobs
    this.leastBytes = options?.leastBytes ?? LEAST_BYTES
    this.#intents = intents
    this.#log = log
    this.#reports = new DamageReports({ intents, log, meter, clock })
  }

  /** Stores an upload: its bytes before the commit that refers to them, if they go elsewhere. */
  put(scope: Scope, item: NewItem, releaseWhile: ReleaseWhile = (work) => work()): Promise<PutOutcome> {
    if (this.blobs !== undefined && item.body.byteLength >= this.leastBytes)
      return this.#putOutside({ blobs: this.blobs, scope, releaseWhile }, item)
    // The copy moves to the thread that writes, and the caller keeps its own.
    const body = new Uint8Array(item.body)
    return this.#intents.callWith([body.buffer], 'putItem', scope, placedItem(item, body, null))
  }

  /**
   * The bytes of an upload that may be replaced or deleted at the same time: then `find` is asked again.
   *
   * @throws AppError `unavailable`, or `damaged` when these are not the bytes that were uploaded, which is reported, too
   */
  async read(item: ReadItem, find: () => Promise<PlacedBody | undefined>): Promise<Uint8Array | undefined> {
    for (let last: string | undefined; ; ) {
      const placed = await this.#readable(item, find)
      if (placed === undefined) return undefined
      const body = await this.fetch(item, placed)
      if (body !== undefined) return body
      const { blob } = placed
      if (blob?.key === last) throw await this.lost(item, blob)
      last = blob?.key
    }
  }

  /**
   * The bytes, proven by their hash; `undefined`: the object is not there, or not any more.
   *
   * @throws AppError `unavailable`, or `damaged`, which is reported, too
   */
  async fetch(item: ReadItem, placed: PlacedBody, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    const { blob } = placed
    try {
      if (blob !== undefined) return await this.required().get(blob, signal)
      if (await isWholeBody(placed)) return placed.body
      throw new AppError('damaged', DAMAGED)
    } catch (error) {
      if (error instanceof AppError && error.code === 'damaged') await this.report(item, error, blob?.key)
      throw error
    }
  }

  async #readable<Row>(item: ReadItem, find: () => Promise<Row>): Promise<Row> {
    try {
      return await find()
    } catch (cause) {
      if (!isDamagedDatabase(cause)) throw cause
      const error = new AppError('damaged', DAMAGED, { cause })
      await this.report(item, error)
      throw error
    }
  }

  /** @param key of the object that held the bytes; absent when they are in the database */
  report(item: ReadItem, error: AppError, key?: string): Promise<void> {
    return this.#reports.report(item, error, key)
  }

  /** The object of an item is gone, which is reported; the error says so. */
  async lost(item: ReadItem, blob: BlobRef | undefined): Promise<AppError> {
    const error = new AppError('damaged', LOST)
    await this.report(item, error, blob?.key)
    return error
  }

  /** @throws AppError `unavailable` when the settings name no storage */
  required(): Blobs {
    if (this.blobs !== undefined) return this.blobs
    throw new AppError(
      'unavailable',
      'These bytes lie in a storage of objects that RECALLD_BLOB_URL no longer names; set it',
    )
  }

  /** No commit refers to the object after all. */
  async discard(owner: BlobOwner): Promise<void> {
    try {
      await this.#intents.call('discardBlob', owner)
    } catch (error) {
      this.#log.warn({ err: error }, 'an object that is not needed is left to the sweep')
    }
  }

  async #putOutside({ blobs, scope, releaseWhile }: Outside, item: NewItem): Promise<PutOutcome> {
    const { itemId, sourceType, bodyHash, onConflict } = item
    const key = newBlobKey(scope.accountId)
    const announced = await this.#intents.call('announceItem', scope, { itemId, sourceType, bodyHash, onConflict }, key)
    if (announced.outcome !== 'awaited') return announced
    await releaseWhile(() => blobs.put({ key, sha256: bodyHash, bytes: item.body.byteLength }, item.body))
    let isUsed = false
    try {
      const outcome = await this.#intents.call('putItem', scope, placedItem(item, new Uint8Array(), key))
      isUsed = outcome.outcome === 'created' || outcome.outcome === 'replaced'
      return outcome
    } finally {
      if (!isUsed) await this.discard({ key, accountKey: announced.accountKey })
    }
  }
}

/** Says whose object it is, and nothing of what is in it. Never given out twice. */
export function newBlobKey(accountId: string): string {
  return `${accountId}/${randomUUID()}`
}

/** Only what is stored crosses to the thread that writes. */
function placedItem(item: NewItem, body: Uint8Array, blobKey: string | null): PlacedItem {
  const { itemId, sourceType, userId, userName, fileName, contentType, bodyHash, executionId, onConflict, came } = item
  const plain = { itemId, sourceType, userId, userName, fileName, contentType, body, bodyHash, executionId, onConflict }
  return { ...plain, blobKey, sizeBytes: item.body.byteLength, ...(came && { came }) }
}

/** Whether bytes in the database are those that were uploaded. */
export async function isWholeBody({ body, bodyHash }: PlacedBody): Promise<boolean> {
  return (await sha256Hex(body)) === bodyHash
}
