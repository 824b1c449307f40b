import { createHash } from 'node:crypto'
import type { ItemDocument } from '../connector/document.ts'
import { AppError } from '../domain/errors.ts'
import type { Memory, Upload } from '../domain/memory.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { LedgerRef } from '../store/ledger/ledger.ts'
import type { SyncEnvironment } from './connection.ts'
import { EndOfRun } from './end-of-run.ts'

/** Longest page of the specification. */
const LIST_PAGE = 10_000
const MOST_TRIES = 4
const FIRST_PAUSE_MS = 1_000
/** A server without `on_conflict` is tried again after a week: it may have been updated. */
const ASK_AGAIN_MS = 7 * 24 * 60 * 60_000
const USER_FACT = 'memory.user_id'
const NO_REPLACE_FACT = 'memory.no_replace_since'

/**
 * The memory as a run uses it. Waits while the memory is busy, up to the run's patience; ends the run when it is
 * unavailable. An error of one item is thrown as an `AppError`.
 */
export class MemoryPort {
  readonly #memory: Memory
  readonly #environment: SyncEnvironment
  readonly #signal: AbortSignal
  #userId: string | undefined
  #replaces = true
  /** Stored ids by source type; read once, when needed. */
  readonly #held = new Map<SourceType, Promise<Set<string>>>()

  private constructor(environment: SyncEnvironment, signal: AbortSignal) {
    this.#memory = environment.memory
    this.#environment = environment
    this.#signal = signal
  }

  static async open(environment: SyncEnvironment, signal: AbortSignal): Promise<MemoryPort> {
    const port = new MemoryPort(environment, signal)
    port.#userId = await environment.ledger.readFact(USER_FACT)
    const since = await environment.ledger.readFact(NO_REPLACE_FACT)
    port.#replaces = since === undefined || Date.parse(since) + ASK_AGAIN_MS <= environment.clock().getTime()
    return port
  }

  /** Whether the server supports replacing, as far as is known. */
  get replaces(): boolean {
    return this.#replaces
  }

  /** Before the source is read: without a writable memory, no requests to the source are wasted. */
  async prove(sourceTypes: readonly SourceType[]): Promise<void> {
    for (const sourceType of sourceTypes) {
      try {
        await this.#call(() => this.#memory.list({ sourceType, limit: 1 }))
      } catch (error) {
        // Not an error of an item: the address or the key is wrong.
        throw error instanceof AppError ? new EndOfRun('attention', error.message, { cause: error }) : error
      }
    }
  }

  /** `conflict`: the memory has the item, and does not replace it. */
  async memorize(
    ref: LedgerRef,
    document: ItemDocument,
    { connector, priority }: Required<Pick<Upload, 'connector' | 'priority'>>,
  ): Promise<'memorized' | 'conflict'> {
    const { userName } = this.#environment
    const onConflict = this.#replaces ? 'replace' : 'reject'
    const upload = {
      body: document.bytes,
      fileName: document.fileName,
      contentType: document.contentType,
      itemId: ref.itemId,
      sourceType: ref.sourceType,
      userName,
      connector,
      priority,
      onConflict,
    } as const
    try {
      const { user_id } = await this.#call(() => this.#memory.memorize(upload))
      await this.#requireUser(user_id)
    } catch (error) {
      if (!hasCode(error, 'conflict')) throw error
      if (onConflict === 'replace') await this.#doesNotReplace()
      return 'conflict'
    }
    this.#whenListed(ref.sourceType, (ids) => ids.add(ref.itemId))
    return 'memorized'
  }

  /** `absent`: it was already gone before the first attempt to delete it. */
  async forget({ sourceType, itemId }: LedgerRef): Promise<'deleted' | 'absent'> {
    let tries = 0
    try {
      await this.#call(() => {
        tries++
        return this.#memory.forget({ sourceType, itemId })
      })
    } catch (error) {
      if (!hasCode(error, 'not_found')) throw error
      // An earlier attempt may have deleted it, with a lost response.
      return tries === 1 ? 'absent' : 'deleted'
    } finally {
      this.#whenListed(sourceType, (ids) => ids.delete(itemId))
    }
    return 'deleted'
  }

  /**
   * Whether the memory has an item. Lists the ids of its source type once; missing ones are checked individually,
   * because pages may have shifted during the listing.
   */
  async holds(ref: LedgerRef): Promise<boolean> {
    let listed = this.#held.get(ref.sourceType)
    if (listed === undefined) {
      listed = this.#list(ref.sourceType)
      this.#held.set(ref.sourceType, listed)
      listed.catch(() => this.#held.delete(ref.sourceType))
    }
    return (await listed).has(ref.itemId) || (await this.#download(ref)) !== undefined
  }

  /** SHA-256 of the stored version of an item, hexadecimal. */
  async storedHash(ref: LedgerRef): Promise<string | undefined> {
    const body = await this.#download(ref)
    return body && createHash('sha256').update(body).digest('hex')
  }

  async #download({ sourceType, itemId }: LedgerRef): Promise<Uint8Array | undefined> {
    try {
      const { body } = await this.#call(() => this.#memory.download({ sourceType, itemId }))
      return body
    } catch (error) {
      if (hasCode(error, 'not_found')) return undefined
      throw error
    }
  }

  #whenListed(sourceType: SourceType, change: (ids: Set<string>) => unknown): void {
    // Who asked for the list learns of its failure.
    this.#held.get(sourceType)?.then(change, () => undefined)
  }

  async #list(sourceType: SourceType): Promise<Set<string>> {
    const ids = new Set<string>()
    for (let offset = 0; ; offset += LIST_PAGE) {
      const { files, total } = await this.#call(() => this.#memory.list({ sourceType, limit: LIST_PAGE, offset }))
      for (const { item_id } of files) ids.add(item_id)
      if (files.length === 0 || offset + files.length >= total) return ids
    }
  }

  async #doesNotReplace(): Promise<void> {
    if (!this.#replaces) return
    this.#replaces = false
    await this.#environment.ledger.writeFact(NO_REPLACE_FACT, this.#environment.clock().toISOString())
  }

  /** Ids and phases of the ledger belong to one user's memory; they must not be applied to another's. */
  async #requireUser(userId: string): Promise<void> {
    if (this.#userId === userId) return
    if (this.#userId === undefined) {
      this.#userId = userId
      return this.#environment.ledger.writeFact(USER_FACT, userId)
    }
    const message =
      `This key belongs to user ${userId}, but this home was synced for user ` +
      `${this.#userId}. Use a key of that user, or a separate home.`
    throw new EndOfRun('attention', message)
  }

  async #call<T>(call: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      if (this.#signal.aborted) throw new EndOfRun('aborted', '')
      try {
        return await call()
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        await this.#afterError(error, tries)
      }
    }
  }

  /** Returns when the call should be repeated. */
  async #afterError(error: AppError, tries: number): Promise<void> {
    const { clock, sleep, random, patienceMs } = this.#environment
    if (error.code === 'unauthenticated' || error.code === 'forbidden' || error.code === 'payment_required') {
      throw new EndOfRun('attention', error.message, { cause: error })
    }
    if (error.code !== 'rate_limited' && error.code !== 'unavailable') throw error
    const retryAfter = error.retryAfterSeconds
    const pause =
      retryAfter === undefined
        ? Math.ceil(FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + random() / 2))
        : retryAfter * 1_000
    if (tries >= MOST_TRIES || pause > patienceMs) {
      const waits = retryAfter !== undefined || error.code === 'rate_limited'
      throw new EndOfRun(waits ? 'waiting' : 'partial', error.message, {
        nextRunAt: waits ? new Date(clock().getTime() + pause) : undefined,
        cause: error,
      })
    }
    await sleep(pause, this.#signal)
  }
}

function hasCode(error: unknown, code: AppError['code']): boolean {
  return error instanceof AppError && error.code === code
}
