import { randomUUID } from 'node:crypto'
import { AppError } from '../../domain/errors.ts'
import type { Scope } from '../../domain/scope.ts'
import type { SourceType } from '../../domain/source-type.ts'
import type { Clock } from '../../lib/clock.ts'
import { sha256Hex } from '../../lib/files.ts'
import type { Log } from '../../lib/log.ts'
import type { ReleaseWhile } from '../../lib/semaphore.ts'
import type { Telemetry } from '../../lib/telemetry.ts'
import { isDamagedDatabase } from '../engine.ts'
import type { UploadedItem } from '../items/item-writes.ts'
import type { NewItem, PutOutcome } from '../items/items.ts'
import type { WriteCommandRunner } from '../write-commands.ts'
import type { BlobOptions, BlobRef, Blobs } from './bodies.ts'
import type { BlobOwner, StoredBody } from './body-writes.ts'

/**
 * Chat messages, mails and notes are smaller. Their index takes nine times their size, so moving them out would
 * hardly shrink the database, but each would cost one more request and commit (decision 20).
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

/** Message for the owner of the upload. */
export const DAMAGED_BODY = 'The file is damaged in the database. Upload it again or delete it.'

const LOST_BODY = 'The file is missing from the object storage. Upload it again or delete it.'

/** Stores and reads uploads: small ones in the database, large ones in the object storage if there is one. */
export class BodyStorage {
  readonly blobs: Blobs | undefined
  readonly leastBytes: number
  readonly #commands: WriteCommandRunner
  readonly #log: Log
  readonly #reports: DamageReports

  constructor(commands: WriteCommandRunner, options: BlobOptions | undefined, { log, meter, clock }: BodyReports) {
    this.blobs = options?.blobs
    this.leastBytes = options?.leastBytes ?? LEAST_BYTES
    this.#commands = commands
    this.#log = log
    this.#reports = new DamageReports({ commands, log, meter, clock })
  }

  /** Stores an upload; bytes for the object storage are written before the commit that refers to them. */
  put(scope: Scope, item: NewItem, releaseWhile: ReleaseWhile = (work) => work()): Promise<PutOutcome> {
    if (this.blobs !== undefined && item.body.byteLength >= this.leastBytes)
      return this.#putOutside({ blobs: this.blobs, scope, releaseWhile }, item)
    // The copy is transferred to the writer thread; the caller keeps the original.
    const body = new Uint8Array(item.body)
    return this.#commands.callWith([body.buffer], 'putItem', scope, uploadedItem(item, body, null))
  }

  /**
   * The bytes of an upload. If it is replaced or deleted meanwhile, `find` is called again.
   *
   * @throws AppError `unavailable`, or `damaged` when the bytes differ from the upload, which is also reported
   */
  async read(item: ItemRef, find: () => Promise<StoredBody | undefined>): Promise<Uint8Array | undefined> {
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
   * The bytes, verified by their hash; `undefined` when the object does not exist.
   *
   * @throws AppError `unavailable`, or `damaged`, which is also reported
   */
  async fetch(item: ItemRef, placed: StoredBody, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    const { blob } = placed
    try {
      if (blob !== undefined) return await this.required().get(blob, signal)
      if (await isWholeBody(placed)) return placed.body
      throw new AppError('damaged', DAMAGED_BODY)
    } catch (error) {
      if (error instanceof AppError && error.code === 'damaged') await this.report(item, error, blob?.key)
      throw error
    }
  }

  async #readable<Row>(item: ItemRef, find: () => Promise<Row>): Promise<Row> {
    try {
      return await find()
    } catch (cause) {
      if (!isDamagedDatabase(cause)) throw cause
      const error = new AppError('damaged', DAMAGED_BODY, { cause })
      await this.report(item, error)
      throw error
    }
  }

  /** @param key of the object that held the bytes; absent when they are in the database */
  report(item: ItemRef, error: AppError, key?: string): Promise<void> {
    return this.#reports.report(item, error, key)
  }

  /** Reports that the object of an item is missing and returns the error. */
  async lost(item: ItemRef, blob: BlobRef | undefined): Promise<AppError> {
    const error = new AppError('damaged', LOST_BODY)
    await this.report(item, error, blob?.key)
    return error
  }

  /** @throws AppError `unavailable` when no object storage is configured */
  required(): Blobs {
    if (this.blobs !== undefined) return this.blobs
    throw new AppError(
      'unavailable',
      'The file is in an object storage that is no longer configured. Set RECALLD_BLOB_URL to it.',
    )
  }

  /** Discards an object that no commit refers to. */
  async discard(owner: BlobOwner): Promise<void> {
    try {
      await this.#commands.call('discardBlob', owner)
    } catch (error) {
      this.#log.warn({ err: error }, 'an unused object is left for the cleanup')
    }
  }

  async #putOutside({ blobs, scope, releaseWhile }: Outside, item: NewItem): Promise<PutOutcome> {
    const { itemId, sourceType, bodyHash, onConflict } = item
    const key = newBlobKey(scope.accountId)
    const announced = await this.#commands.call(
      'announceItem',
      scope,
      { itemId, sourceType, bodyHash, onConflict },
      key,
    )
    if (announced.outcome !== 'awaited') return announced
    await releaseWhile(() => blobs.put({ key, sha256: bodyHash, bytes: item.body.byteLength }, item.body))
    let isUsed = false
    try {
      const outcome = await this.#commands.call('putItem', scope, uploadedItem(item, new Uint8Array(), key))
      isUsed = outcome.outcome === 'created' || outcome.outcome === 'replaced'
      return outcome
    } finally {
      if (!isUsed) await this.discard({ key, accountKey: announced.accountKey })
    }
  }
}

/** Names the account and nothing of the content. Never reused. */
export function newBlobKey(accountId: string): string {
  return `${accountId}/${randomUUID()}`
}

/** @param body empty when the bytes are in the object storage */
function uploadedItem(item: NewItem, body: Uint8Array, blobKey: string | null): UploadedItem {
  return { ...item, body, blobKey, sizeBytes: item.body.byteLength }
}

/** Whether bytes in the database match the upload. */
export async function isWholeBody({ body, bodyHash }: StoredBody): Promise<boolean> {
  return (await sha256Hex(body)) === bodyHash
}

/** The owner of the bytes. */
interface ItemRef {
  readonly accountId: string
  readonly sourceType: SourceType
  readonly itemId: string
}

interface ReportParts {
  readonly commands: WriteCommandRunner
  readonly log: Log
  readonly meter: Telemetry['meter']
  readonly clock: Clock
}

/** How many reported items are remembered, so that each is recorded as activity once. */
const MOST_NOTED = 10_000

/** Reports lost or changed bytes to the operator and to the owner of the item. */
class DamageReports {
  readonly #parts: ReportParts
  readonly #noted = new Set<string>()

  constructor(parts: ReportParts) {
    this.#parts = parts
  }

  /** @param key of the object that held the bytes; absent when they were in the database */
  async report({ accountId, sourceType, itemId }: ItemRef, error: AppError, key?: string): Promise<void> {
    const { commands, log, meter, clock } = this.#parts
    const where = key === undefined ? 'database' : 'storage'
    log.error(
      { err: error, accountId, sourceType, where, ...(key && { key }) },
      'the stored file of an item is damaged',
    )
    meter.count('recalld_bodies_damaged_total', { where })
    const id = JSON.stringify([accountId, sourceType, itemId])
    if (this.#noted.has(id)) return
    if (this.#noted.size >= MOST_NOTED) this.#noted.clear()
    this.#noted.add(id)
    const entry = { kind: 'item_damaged', source: sourceType, item_id: itemId } as const
    try {
      await commands.call('addActivity', [{ accountId, at: clock(), actor: { type: 'server' }, entry }])
    } catch (cause) {
      this.#noted.delete(id)
      log.warn({ err: cause }, "a damaged item couldn't be recorded as activity")
    }
  }
}
