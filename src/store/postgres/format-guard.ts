import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../domain/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { Connections } from './connections.ts'

const LOOK_MS = 2_000

const RETRY_SECONDS = 30

/**
 * Stops a process whose database was migrated to a format that it can't use. Each transaction looks at its beginning, and a
 * migration waits for those that began before it; reads are refused from the next look on, within seconds.
 */
export class FormatGuard {
  /** The format that this version creates. */
  readonly known: number
  readonly #log: Log
  readonly #stopping = new AbortController()
  #refusal: AppError | undefined

  constructor(known: number, log: Log) {
    this.known = known
    this.#log = log
  }

  /** Of a query: the oldest format whose programs may use the tables, as far as it is newer than this version. */
  get needed(): string {
    return `(select coalesce(max(goes_with), 0) from recalld_format where version > ${this.known})`
  }

  /** @throws AppError `unavailable` when the tables are too new */
  require(needed: number): void {
    if (needed > this.known) throw this.#refuse(needed)
    if (this.#refusal !== undefined) this.#log.info('the database has a format again that this version supports')
    this.#refusal = undefined
  }

  /** Why nothing can be read. */
  get refusal(): AppError | undefined {
    return this.#refusal
  }

  /** Looks every few seconds, until `stop`. */
  watch(connections: Connections): void {
    void this.#watch(connections)
  }

  stop(): void {
    this.#stopping.abort()
  }

  async #watch(connections: Connections): Promise<void> {
    const { signal } = this.#stopping
    for (;;) {
      await delay(LOOK_MS, undefined, { ref: false, signal }).catch(() => undefined)
      if (signal.aborted) return
      try {
        await this.#look(connections)
      } catch (error) {
        if (error !== this.#refusal) this.#log.debug({ err: error }, 'the format of the database could not be read')
      }
    }
  }

  async #look(connections: Connections): Promise<void> {
    const connection = await connections.take()
    let broken = true
    try {
      const [row] = await connection.run(`select ${this.needed} as needed`)
      broken = false
      this.require(Number(row?.needed))
    } finally {
      connection.release(broken)
    }
  }

  #refuse(needed: number): AppError {
    if (this.#refusal === undefined) {
      this.#log.error(
        { known: this.known, needed },
        'a newer version migrated the database; this process must be updated',
      )
    }
    this.#refusal ??= new AppError(
      'unavailable',
      `The database was migrated by a newer version of recalld (this version supports format ${this.known}, the database needs ${needed}). Update this process.`,
      { retryAfterSeconds: RETRY_SECONDS },
    )
    return this.#refusal
  }
}
