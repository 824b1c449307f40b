import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../lib/log.ts'
import type { BodyStorage } from './bodies/body-storage.ts'
import type { Db } from './schema.ts'
import type { WriteCommandRunner } from './write-commands.ts'

/** Interval for rows hidden by processes that were killed before removing them. */
const HIDDEN_SWEEP_MS = 60_000

/**
 * Removes hidden rows in batches, so that other writers run in between. However many callers request it, one sweep
 * runs, and continues until nothing hidden is left.
 */
export class HiddenRowSweeper {
  readonly #db: Db
  readonly #commands: WriteCommandRunner
  readonly #log: Log
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #again = false
  #stopped = false

  constructor(db: Db, commands: WriteCommandRunner, log: Log) {
    this.#db = db
    this.#commands = commands
    this.#log = log
  }

  /** Sweeps now, and every minute from now on. */
  async start(): Promise<void> {
    if (this.#timer === undefined && !this.#stopped) {
      this.#timer = setInterval(() => void this.sweep(), HIDDEN_SWEEP_MS)
      this.#timer.unref()
    }
    await this.sweep()
  }

  /**
   * Resolves when nothing is left to remove, or on failure: hidden rows stay hidden, and the next sweep tries again.
   */
  async sweep(): Promise<void> {
    this.#again = true
    this.#running ??= this.#run()
    await this.#running
  }

  /** Ends after the current batch. Call it before the connections are closed. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false
        const hidden = await this.#db.selectFrom('hidden_range').select('first_chunk_id').limit(1).executeTakeFirst()
        for (let more = hidden !== undefined; more && !this.#stopped; ) more = await this.#commands.call('sweepHidden')
      }
    } catch (error) {
      this.#log.error({ err: error }, "hidden rows couldn't be removed")
    } finally {
      // Checked here and not by the waiting caller, so that a request in between is not lost.
      this.#running = undefined
    }
  }
}

/** Much longer than any write of an object takes: its writer is dead. */
const ABANDONED_MS = 15 * 60_000

const BLOB_SWEEP_MS = 3 * 60_000

const BLOB_BATCH = 200

interface BlobSweeperParts {
  readonly db: Db
  readonly commands: WriteCommandRunner
  readonly bodies: BodyStorage
  readonly log: Log
}

/**
 * Removes unreferenced objects from the storage, and those left by killed writers. While the storage is unavailable,
 * they stay recorded for the next sweep.
 */
export class BlobSweeper {
  readonly #parts: BlobSweeperParts
  #running: Promise<void> | undefined
  #again = false
  #stopped = false
  #timer: NodeJS.Timeout | undefined

  constructor(parts: BlobSweeperParts) {
    this.#parts = parts
  }

  /** Sweeps now, and every few minutes from now on. */
  start(): void {
    if (this.#timer !== undefined || this.#stopped) return
    this.#timer = setInterval(() => this.sweep(), BLOB_SWEEP_MS)
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
   * Removes everything that can be removed now.
   * @throws AppError `unavailable`; what was removed before stays removed
   */
  async sweepNow(): Promise<void> {
    await this.#giveUpUnfinished()
    for (let keys = await this.#garbage(); keys.length > 0 && !this.#stopped; keys = await this.#garbage()) {
      await this.#remove(keys)
    }
  }

  /**
   * Removes a batch of one account. `waits`: nothing can be removed yet, because an object may still be being written.
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

  /** Ends after the current batch. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    try {
      // A request during a sweep may concern a later commit.
      while (this.#again && !this.#stopped) {
        this.#again = false
        await this.sweepNow()
      }
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'objects of deleted uploads remain in the object storage')
    } finally {
      this.#running = undefined
    }
  }

  async #giveUpUnfinished(): Promise<void> {
    while (await this.#parts.commands.call('discardUnfinished', ABANDONED_MS, BLOB_BATCH)) await delay(0)
  }

  async #garbage(accountKey?: number): Promise<string[]> {
    let garbage = this.#parts.db.selectFrom('blob_garbage').select('key').orderBy('at').limit(BLOB_BATCH)
    if (accountKey !== undefined) garbage = garbage.where('account_key', '=', accountKey)
    return (await garbage.execute()).map(({ key }) => key)
  }

  async #remove(keys: readonly string[]): Promise<void> {
    await this.#parts.bodies.required().remove(keys)
    await this.#parts.commands.call('forgetGarbage', keys)
  }
}
