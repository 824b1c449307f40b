import type { Kysely } from 'kysely'
import type { Log } from '../../lib/log.ts'
import type { IntentRunner } from './intent-runner.ts'
import type { Database } from './schema.ts'

/** Of what others hid that were killed before they had removed it. */
const SWEEP_MS = 60_000

/**
 * Removes rows that no item shows, a batch at a time, so that other writers get their turn. However many ask for it,
 * one sweep runs, and goes on until nothing of what they hid is left.
 */
export class Sweeper {
  readonly #db: Kysely<Database>
  readonly #intents: IntentRunner
  readonly #log: Log
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #again = false
  #stopped = false

  constructor(db: Kysely<Database>, intents: IntentRunner, log: Log) {
    this.#db = db
    this.#intents = intents
    this.#log = log
  }

  /** Sweeps now, and every minute from now on. */
  async start(): Promise<void> {
    if (this.#timer === undefined && !this.#stopped) {
      this.#timer = setInterval(() => void this.sweep(), SWEEP_MS)
      this.#timer.unref()
    }
    await this.sweep()
  }

  /** Resolves when nothing is left to remove, or when that failed: what is hidden stays hidden, and the next one tries. */
  async sweep(): Promise<void> {
    this.#again = true
    this.#running ??= this.#run()
    await this.#running
  }

  /** Ends after the batch in work. Call it before the connections are closed. */
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
        for (let more = hidden !== undefined; more && !this.#stopped; ) more = await this.#intents.call('sweepHidden')
      }
    } catch (error) {
      this.#log.error({ err: error }, 'hidden rows could not be removed')
    } finally {
      // Here and not in whoever waits, so that nobody who comes between is forgotten.
      this.#running = undefined
    }
  }
}
