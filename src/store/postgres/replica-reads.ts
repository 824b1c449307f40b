import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  replaceWithNoncontingentExpression,
} from 'kysely'
import type { Log } from '../../lib/log.ts'
import type { Database, Db } from '../schema.ts'
import { isAway } from './unavailable.ts'

/** An unreachable replica is left alone for this long. */
const LEFT_ALONE_MS = 10_000

export interface ReplicaReads {
  readonly replica: Db
  readonly primary: Db
  readonly log: Log
  /** Whether the replica is not too far behind. */
  isUsable(): boolean
}

/**
 * Runs single read statements on a replica, and on the primary when the replica is unreachable or too far behind, cancels the
 * statement because the primary changed its rows ("conflict with recovery"), or lacks a table.
 */
export function replicaReads(reads: ReplicaReads): Db {
  const driver = new ReplicaDriver(reads)
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  })
}

/** Uses the connections of the two servers and has none of its own, so it has no transactions. */
class ReplicaDriver extends DummyDriver {
  readonly #connection: DatabaseConnection
  readonly #reads: ReplicaReads
  /** In terms of `performance.now()`; `undefined` while the replica is reachable. */
  #leftAloneUntil: number | undefined

  constructor(reads: ReplicaReads) {
    super()
    this.#reads = reads
    this.#connection = {
      executeQuery: <Row>(query: CompiledQuery) => this.#execute(query) as Promise<QueryResult<Row>>,
      streamQuery: refuse,
    }
  }

  async #execute(query: CompiledQuery): Promise<QueryResult<unknown>> {
    if (this.#reads.isUsable() && performance.now() >= (this.#leftAloneUntil ?? 0)) {
      try {
        const result = await this.#reads.replica.executeQuery(query)
        this.#answered()
        return result
      } catch (error) {
        this.#failed(error)
      }
    }
    return this.#reads.primary.executeQuery(query)
  }

  #answered(): void {
    if (this.#leftAloneUntil === undefined) return
    this.#leftAloneUntil = undefined
    this.#reads.log.info('the replica is available again')
  }

  #failed(error: unknown): void {
    if (!isAway(error)) {
      this.#reads.log.debug({ err: error }, 'the replica could not answer; using the main server')
      return
    }
    if (this.#leftAloneUntil === undefined) {
      this.#reads.log.warn({ err: error }, 'the replica is unavailable; recall uses the main server')
    }
    this.#leftAloneUntil = performance.now() + LEFT_ALONE_MS
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  override async beginTransaction(): Promise<void> {
    refuse()
  }
}

function refuse(): never {
  throw new Error('A replica answers single statements')
}
