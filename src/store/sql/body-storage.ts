import { randomUUID } from 'node:crypto'
import { AppError } from '../../domain/errors.ts'
import type { Scope } from '../../domain/scope.ts'
import type { Log } from '../../kit/log.ts'
import type { Aside } from '../../kit/places.ts'
import type { Telemetry } from '../../kit/telemetry.ts'
import type { BlobRef, Blobs } from '../blobs.ts'
import type { NewItem, PutOutcome } from '../store.ts'
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
  readonly aside: Aside
}

interface BodyReports {
  readonly log: Log
  readonly meter: Telemetry['meter']
}

/** For the person whose upload it is. */
export const LOST = 'The bytes of this file are not in the storage of objects any more; upload it again or delete it'

/** Puts the bytes of uploads into the database, or the large ones into a storage of objects, and gets them back. */
export class BodyStorage {
  readonly blobs: Blobs | undefined
  readonly leastBytes: number
  readonly #intents: IntentRunner
  readonly #log: Log
  readonly #meter: Telemetry['meter']

  constructor(intents: IntentRunner, options: BlobOptions | undefined, { log, meter }: BodyReports) {
    this.blobs = options?.blobs
    this.leastBytes = options?.leastBytes ?? LEAST_BYTES
    this.#intents = intents
    this.#log = log
    this.#meter = meter
  }

  /** Stores an upload: its bytes before the commit that refers to them, if they go elsewhere. */
  put(scope: Scope, item: NewItem, aside: Aside = (work) => work()): Promise<PutOutcome> {
    if (this.blobs !== undefined && item.body.byteLength >= this.leastBytes)
      return this.#putOutside({ blobs: this.blobs, scope, aside }, item)
    // The copy moves to the thread that writes, and the caller keeps its own.
    const body = new Uint8Array(item.body)
    return this.#intents.callWith([body.buffer], 'putItem', scope, placedItem(item, body, null))
  }

  /**
   * The bytes of an upload that may be replaced or deleted at the same time: then `find` is asked again.
   *
   * @throws AppError `unavailable`, or `damaged` when the storage lost or changed the bytes, which is told to the log, too
   */
  async read(find: () => Promise<PlacedBody | undefined>): Promise<Uint8Array | undefined> {
    for (let last: string | undefined; ; ) {
      const placed = await find()
      if (placed?.blob === undefined) return placed?.body
      const body = await this.#get(this.required(), placed.blob)
      if (body !== undefined) return body
      if (placed.blob.key === last) throw this.#damaged(placed.blob, new AppError('damaged', LOST))
      last = placed.blob.key
    }
  }

  async #get(blobs: Blobs, blob: BlobRef): Promise<Uint8Array | undefined> {
    try {
      return await blobs.get(blob)
    } catch (error) {
      throw error instanceof AppError && error.code === 'damaged' ? this.#damaged(blob, error) : error
    }
  }

  /** Whoever asked for the bytes can only upload them again; whoever runs the storage must know. */
  #damaged({ key }: BlobRef, error: AppError): AppError {
    this.#log.error({ err: error, key }, 'the bytes of an item cannot be had from the storage of objects any more')
    this.#meter.count('recalld_blobs_damaged_total', {})
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

  async #putOutside({ blobs, scope, aside }: Outside, item: NewItem): Promise<PutOutcome> {
    const { itemId, sourceType, bodyHash, onConflict } = item
    const key = newBlobKey(scope.accountId)
    const announced = await this.#intents.call('announceItem', scope, { itemId, sourceType, bodyHash, onConflict }, key)
    if (announced.outcome !== 'awaited') return announced
    await aside(() => blobs.put({ key, sha256: bodyHash, bytes: item.body.byteLength }, item.body))
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
