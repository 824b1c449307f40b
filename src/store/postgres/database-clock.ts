import type { Clock } from '../../lib/clock.ts'

/** The time of the database, which all machines share: leases hold whatever their own clocks say. */
export class DatabaseClock {
  #aheadMs = 0

  /** @param databaseMs as the server told it a moment ago */
  note(databaseMs: number): void {
    this.#aheadMs = databaseMs - Date.now()
  }

  /** The time of the server, as far as it was heard of. */
  readonly now: Clock = () => new Date(Date.now() + this.#aheadMs)
}

/** Milliseconds since the epoch, as the server has it at this moment and not at the beginning of the transaction. */
export const DATABASE_NOW = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now;'
