import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Log } from '../../lib/log.ts'
import type { SqlEngine } from '../engine.ts'
import type { Db } from '../schema.ts'
import { postgresEngine } from './postgres-engine.ts'

const LOOK_MS = 1_000

interface DataServer {
  readonly server: string
  readonly group: number
  readonly answers: boolean
}

/** Whether the items of accounts are distributed by Citus over several servers. */
export async function isDistributed(db: Db): Promise<boolean> {
  const citus = await sql`select from pg_extension where extname = 'citus'`.execute(db)
  if (citus.rows.length === 0) return false
  const { rows } = await sql`select from pg_dist_partition where logicalrelid = 'item'::regclass`.execute(db)
  return rows.length > 0
}

/**
 * The servers with the items of accounts. One that is down must not stop the accounts on the others, so workers claim nothing
 * of accounts on it; the log says when one goes and comes back.
 */
export class DataServers {
  readonly #db: Db
  readonly #log: Log
  readonly #stopping = new AbortController()
  #away: readonly DataServer[] = []

  constructor(db: Db, log: Log) {
    this.#db = db
    this.#log = log
  }

  /** Looks now and every second, until `stop`. */
  async start(): Promise<void> {
    await this.#look()
    void this.#watch()
  }

  stop(): void {
    this.#stopping.abort()
  }

  isReachable(account: RawBuilder<unknown>): RawBuilder<SqlBool> {
    if (this.#away.length === 0) return sql`true`
    const groups = this.#away.map(({ group }) => group)
    return sql`(
      select groupid from pg_dist_placement
      where shardid = get_shard_id_for_distribution_column('item', ${account})
    ) <> all(${groups}::int[])`
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping
    for (;;) {
      await delay(LOOK_MS, undefined, { ref: false, signal }).catch(() => undefined)
      if (signal.aborted) return
      await this.#look().catch((error: unknown) => {
        this.#log.debug({ err: error }, 'the servers with the items could not be looked at')
      })
    }
  }

  async #look(): Promise<void> {
    const { rows } = await sql<DataServer>`
      select nodename || ':' || nodeport as server, groupid as group,
        citus_check_connection_to_node(nodename, nodeport) as answers
      from pg_dist_node where noderole = 'primary' and shouldhaveshards`.execute(this.#db)
    const away = rows.filter(({ answers }) => !answers)
    const before = new Set(this.#away.map(({ server }) => server))
    const now = new Set(away.map(({ server }) => server))
    for (const server of now.difference(before)) {
      this.#log.error({ server }, 'a database server does not answer: its accounts wait for it')
    }
    for (const server of before.difference(now)) this.#log.info({ server }, 'a database server answers again')
    this.#away = away
  }
}

/** Runs the statements of PostgreSQL where the items of each account are on one of several servers. */
export function distributedEngine(servers: DataServers): SqlEngine {
  return {
    ...postgresEngine,
    isDistributed: true,
    isReachable: (account) => servers.isReachable(account),
    // As `currval`, which Citus accepts in no update.
    lastCommitNumber: sql`last_commit_number()`,
  }
}
