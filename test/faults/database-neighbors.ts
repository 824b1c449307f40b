import { setTimeout as delay } from 'node:timers/promises'
import type { OwnPostgres } from '../lib/own-postgres.ts'
import { type PgBouncer, startPgBouncer } from '../lib/pgbouncer.ts'
import type { Pause } from './run-network.ts'

/** Ends with what it broke whole again. */
type Fault = (random: () => number, pause: Pause) => Promise<void>

/** As docs/scaling.md sets them for a pooler, which drops those of sessions. */
const TIMEOUTS = [
  "alter role recalld set statement_timeout = '30s'",
  "alter role recalld set idle_in_transaction_session_timeout = '60s'",
]
const COPY_AGAIN_MS = 500

/** A replica for recall, and PgBouncer, where it is installed, between the server and some of the processes. */
export class DatabaseNeighbors implements AsyncDisposable {
  readonly replica: OwnPostgres
  readonly pooler: PgBouncer | undefined
  readonly #postgres: OwnPostgres

  private constructor(postgres: OwnPostgres, replica: OwnPostgres, pooler: PgBouncer | undefined) {
    this.#postgres = postgres
    this.replica = replica
    this.pooler = pooler
  }

  static async start(postgres: OwnPostgres): Promise<DatabaseNeighbors> {
    await using stack = new AsyncDisposableStack()
    for (const timeout of TIMEOUTS) await postgres.query(timeout)
    const replica = stack.use(await postgres.replica())
    const pooler = await startPgBouncer(postgres.url)
    if (pooler === undefined) console.warn('PgBouncer is not installed, so no process uses it')
    stack.move()
    return new DatabaseNeighbors(postgres, replica, pooler)
  }

  /** By name; what begins with "database" is never done to it while something else is. */
  get faults(): Readonly<Record<string, Fault>> {
    const { pooler } = this
    return {
      'database replica stopped': async (random, pause) => {
        await this.replica.stop('fast')
        await pause(random() * 10_000)
        await this.replica.start()
      },
      // It answers meanwhile, with what it had, and never catches up.
      'database replica without its log': async (random, pause) => {
        await this.replica.stop('fast')
        await this.#postgres.loseLog()
        await this.replica.start()
        await pause(5_000 + random() * 15_000)
        await this.#copyAgain()
      },
      ...(pooler !== undefined && {
        'pooler killed': async (random, pause) => {
          await pooler.kill()
          await pause(random() < 0.5 ? 0 : random() * 10_000)
          await pooler.start()
        },
      }),
    }
  }

  /** Ends the connections that the pooler keeps for later. */
  async endPooler(): Promise<void> {
    await this.pooler?.kill()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pooler?.[Symbol.asyncDispose]()
    await this.replica.end()
  }

  /** Other faults may end its connections meanwhile. */
  async #copyAgain(): Promise<void> {
    for (;;) {
      try {
        return await this.replica.copy(this.#postgres)
      } catch {
        await delay(COPY_AGAIN_MS)
      }
    }
  }
}
