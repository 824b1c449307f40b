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

/** So long a replica that is away is not asked. */
const LEFT_ALONE_MS = 10_000

/**
 * Single statements that read, answered by a replica. What it cannot answer, the first server is asked: because it is away,
 * because the first one changed what the statement read ("conflict with recovery"), or because it is behind and lacks a table.
 */
export function replicaReads(replica: Db, primary: Db, log: Log): Db {
  const driver = new ReplicaDriver(replica, primary, log)
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

/** Connections are those of the two servers: of its own it has none, and so no transactions. */
class ReplicaDriver extends DummyDriver {
  readonly #connection: DatabaseConnection
  readonly #replica: Db
  readonly #primary: Db
  readonly #log: Log
  /** Of `performance.now()`; `undefined` while the replica is there. */
  #leftAloneUntil: number | undefined

  constructor(replica: Db, primary: Db, log: Log) {
    super()
    this.#replica = replica
    this.#primary = primary
    this.#log = log
    this.#connection = {
      executeQuery: <Row>(query: CompiledQuery) => this.#execute(query) as Promise<QueryResult<Row>>,
      streamQuery: refuse,
    }
  }

  async #execute(query: CompiledQuery): Promise<QueryResult<unknown>> {
    if (performance.now() >= (this.#leftAloneUntil ?? 0)) {
      try {
        const result = await this.#replica.executeQuery(query)
        this.#answered()
        return result
      } catch (error) {
        this.#failed(error)
      }
    }
    return this.#primary.executeQuery(query)
  }

  #answered(): void {
    if (this.#leftAloneUntil === undefined) return
    this.#leftAloneUntil = undefined
    this.#log.info('the replica is there again')
  }

  #failed(error: unknown): void {
    if (!isAway(error)) {
      this.#log.debug({ err: error }, 'the replica could not answer; the first server is asked')
      return
    }
    if (this.#leftAloneUntil === undefined) {
      this.#log.warn({ err: error }, 'the replica is away; recall goes on from the first server')
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
