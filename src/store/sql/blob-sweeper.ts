import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Log } from '../../lib/log.ts'
import type { BodyStorage } from './body-storage.ts'
import type { IntentRunner } from './intent-runner.ts'
import type { Database } from './schema.ts'

/** Longer than any write of an object can take, several times over: its writer is dead, and nothing of it is under way. */
export const ABANDONED_MS = 15 * 60_000
const SWEEP_MS = 3 * 60_000
const BATCH = 200

interface Parts {
  readonly db: Kysely<Database>
  readonly intents: IntentRunner
  readonly bodies: BodyStorage
  readonly log: Log
}

/**
 * Removes objects that nothing refers to from the storage, and what killed writers left. While the storage is away they
 * are kept in mind, and tried again with the next sweep.
 */
export class BlobSweeper {
  readonly #parts: Parts
  #running: Promise<void> | undefined
  #again = false
  #stopped = false
  #timer: NodeJS.Timeout | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Sweeps now, and every few minutes from now on. */
  start(): void {
    if (this.#timer !== undefined || this.#stopped) return
    this.#timer = setInterval(() => this.sweep(), SWEEP_MS)
    this.#timer.unref()
    this.sweep()
  }

  /** In the background; a failure goes to the log. */
  sweep(): void {
    if (this.#parts.bodies.blobs === undefined) return
    this.#again = true
    this.#running ??= this.#run()
  }

  /**
   * Removes all that there is to remove by now.
   *
   * @throws AppError `unavailable`; what was removed before stays removed
   */
  async sweepNow(): Promise<void> {
    await this.#giveUpUnfinished()
    for (let keys = await this.#garbage(); keys.length > 0 && !this.#stopped; keys = await this.#garbage()) {
      await this.#remove(keys)
    }
  }

  /**
   * Removes some of what there is of one account. `waits`: nothing, for now, as an object of it may be being written.
   *
   * @throws AppError `unavailable`
   */
  async removeOf(accountKey: number): Promise<'removed' | 'waits'> {
    await this.#giveUpUnfinished()
    const keys = await this.#garbage(accountKey)
    if (keys.length > 0) {
      await this.#remove(keys)
      return 'removed'
    }
    const unfinished = this.#parts.db.selectFrom('blob_write').select('key').where('account_key', '=', accountKey)
    return (await unfinished.limit(1).executeTakeFirst()) === undefined ? 'removed' : 'waits'
  }

  /** Ends after the batch in work. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    try {
      // What is asked for while this runs may be in a commit that it has not seen.
      while (this.#again && !this.#stopped) {
        this.#again = false
        await this.sweepNow()
      }
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'objects of deleted uploads are still to be removed from the storage')
    } finally {
      this.#running = undefined
    }
  }

  async #giveUpUnfinished(): Promise<void> {
    while (await this.#parts.intents.call('discardUnfinished', ABANDONED_MS, BATCH)) await delay(0)
  }

  async #garbage(accountKey?: number): Promise<string[]> {
    let garbage = this.#parts.db.selectFrom('blob_garbage').select('key').orderBy('at').limit(BATCH)
    if (accountKey !== undefined) garbage = garbage.where('account_key', '=', accountKey)
    return (await garbage.execute()).map(({ key }) => key)
  }

  async #remove(keys: readonly string[]): Promise<void> {
    await this.#parts.bodies.required().remove(keys)
    await this.#parts.intents.call('forgetGarbage', keys)
  }
}
