import { randomUUID } from 'node:crypto'
import {
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresDialect,
  type PostgresPoolClient,
  type RawBuilder,
  replaceWithNoncontingentExpression,
  sql,
} from 'kysely'
import pg from 'pg'
import type { Log } from '../../lib/log.ts'
import type { Database, Db } from '../schema.ts'
import { asUnavailable, isBroken, NO_FREE_CONNECTION } from './unavailable.ts'

export interface ConnectionSettings {
  readonly url: string
  /** Maximum connections of this process. */
  readonly most: number
  /** The server ends a statement after this long. */
  readonly statementTimeoutMs: number
  /** Why nothing may be read now. */
  readonly refusal?: () => unknown
}

/** How long a caller waits for a free connection, and for the server to answer a new one. */
export const WAIT_MS = 5_000

const IDLE_TIMEOUT_MS = 30_000

/** The server ends a transaction whose process went silent after this long, and frees its locks. */
const IDLE_IN_TRANSACTION_MS = 60_000

/** The longest delay that a timer accepts. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/** One connection, reserved for one caller; it runs its statements in the order in which they are sent. */
export interface HeldConnection {
  readonly db: Db
  /** Runs statements without parameters in one round trip; returns the rows of the last one that has any. */
  run(sql: string): Promise<readonly Record<string, unknown>[]>
  /** Like `run` without a time limit; a server that falls silent is still noticed. */
  runLong(sql: string): Promise<void>
  /** @param broken the connection can't be used again */
  release(broken: boolean): void
}

/** Connections of this process to one server. */
export class Connections {
  /** Runs each statement on any free connection. */
  readonly db: Db
  readonly #pool: pg.Pool
  readonly #held = new WeakMap<pg.PoolClient, Db>()
  /** Only for connections that keep one server session. */
  readonly #names = new WeakMap<pg.ClientBase, PreparedNames>()

  constructor(settings: ConnectionSettings, log: Log) {
    this.#pool = new pg.Pool({
      connectionString: settings.url,
      application_name: 'recalld',
      max: settings.most,
      connectionTimeoutMillis: WAIT_MS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      statement_timeout: settings.statementTimeoutMs,
      // A server can vanish without closing the connection, as when the network is cut.
      query_timeout: settings.statementTimeoutMs + WAIT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      // Statements that are sent together make one round trip.
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: QUIET_MS,
      types: { getTypeParser },
      onConnect: (client) => this.#greet(client),
    })
    // An idle connection ended; the pool opens a new one when it needs it.
    this.#pool.on('error', (error) => log.warn({ err: error }, 'a connection to the database ended'))
    // A reserved connection ended between two statements; the next one fails. An unhandled error would end the process.
    this.#pool.on('connect', (client) => client.on('error', (error) => log.debug({ err: error }, 'a connection ended')))
    this.db = kyselyOver(async () => {
      const refusal = settings.refusal?.()
      if (refusal !== undefined) throw refusal
      const client = await this.#connect()
      let broken = false
      const query = queryOf(client, this.#names.get(client), (error) => {
        broken ||= isBroken(error)
      })
      return { query, release: () => client.release(broken) }
    })
  }

  /** @throws AppError `unavailable` when none is free in time or the server is unreachable */
  async take(withinMs = WAIT_MS): Promise<HeldConnection> {
    const client = await this.#connectWithin(withinMs)
    const known = this.#held.get(client)
    const db =
      known ??
      kyselyOver(async () => ({
        query: queryOf(client, this.#names.get(client)),
        release: () => undefined,
      }))
    if (known === undefined) this.#held.set(client, db)
    return {
      db,
      async run(sql) {
        const result: unknown = await client.query(sql).catch(rethrow)
        const results = (Array.isArray(result) ? result : [result]) as pg.QueryResult[]
        return results.findLast(({ rows }) => rows.length > 0)?.rows ?? []
      },
      async runLong(text) {
        const statement = { text, query_timeout: LONGEST_TIMEOUT_MS }
        await client.query(statement).catch(rethrow)
      },
      release: (broken) => client.release(broken),
    }
  }

  get stats(): { readonly inUse: number; readonly idle: number; readonly waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  /**
   * Behind a pooler, each statement may run in another session, so nothing is set or prepared. A pooler shows when the process
   * that opened the connection is not the one that answers.
   */
  async #greet(client: pg.ClientBase & { readonly processID?: number | null }): Promise<void> {
    await client.query(NOTICE_SILENCE)
    const direct = `select set_config('jit', 'off', false) where pg_backend_pid() = $1`
    const { rows } = await client.query(direct, [client.processID ?? 0])
    if (rows.length > 0) this.#names.set(client, new PreparedNames())
  }

  #connect(): Promise<pg.PoolClient> {
    return this.#pool.connect().catch(rethrow)
  }

  /** For callers who have used up part of their waiting time. */
  async #connectWithin(withinMs: number): Promise<pg.PoolClient> {
    const connecting = this.#connect()
    let isLate = false
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        isLate = true
        reject(noConnection())
      }, withinMs)
    })
    // A connection that arrives later goes back to the pool.
    connecting.then(
      (client) => isLate && client.release(),
      () => undefined,
    )
    return Promise.race([connecting, late]).finally(() => clearTimeout(timer))
  }
}

/** None was free in time. */
export function noConnection(): unknown {
  return asUnavailable(new Error(NO_FREE_CONNECTION))
}

function kyselyOver(connect: () => Promise<PostgresPoolClient>): Db {
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool: { connect, end: async () => undefined, options: {} } }),
    // PostgreSQL rejects `in ()`.
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  })
}

function queryOf(
  client: pg.PoolClient,
  names: PreparedNames | undefined,
  onError?: (error: unknown) => void,
): PostgresPoolClient['query'] {
  const query = async (text: string, values: readonly unknown[]) => {
    try {
      const name = names?.of(text)
      return await client.query({ text, values: values.map(toStorable), ...(name !== undefined && { name }) })
    } catch (error) {
      onError?.(error)
      throw asUnavailable(error)
    }
  }
  // The types of Kysely also expect cursors, which nothing uses.
  return query as unknown as PostgresPoolClient['query']
}

function rethrow(error: unknown): never {
  throw asUnavailable(error)
}

/** PostgreSQL text can't hold the zero character, which sources send; it becomes the replacement character. */
function toStorable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toStorable)
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{FFFD}') : value
}

const BYTES = 17

const BIGINT = 20

const NUMERIC = 1700

/** Parses numbers as numbers, because none exceeds 2^53, and bytes as plain arrays. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === BIGINT || oid === NUMERIC) return Number
  // `\\x` and two digits per byte. Copied to be aligned, because features are read as 4-byte numbers.
  if (oid === BYTES) return (value) => new Uint8Array(Buffer.from(value.slice(2), 'hex'))
  return pg.types.getTypeParser(oid, format as 'text')
}

/** See `prepared`. */
export const PREPARED_MARK = '/* prepared */'

/** The server keeps each one per connection. A few dozen statements are marked; more would be a mistake. */
const MOST_NAMES = 100

/**
 * Marks a statement as one that the server keeps prepared, because planning a join takes as long as running it.
 * Only for statements whose best plan doesn't depend on their values.
 */
export function prepared<Value>(part: RawBuilder<Value>): RawBuilder<Value> {
  return sql`${part} ${sql.raw(PREPARED_MARK)}`
}

/** The names of the marked statements of one connection; the same text has the same name. */
class PreparedNames {
  // Unique, in case several connections share a session after all.
  readonly #prefix = `recalld_${randomUUID()}`
  readonly #names = new Map<string, string>()

  /** @returns `undefined` for a statement that is not marked */
  of(text: string): string | undefined {
    if (!text.includes(PREPARED_MARK)) return undefined
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= MOST_NAMES) return known
    const name = `${this.#prefix}_${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}

/** Either end notices within this time that the other one is gone without closing the connection. */
const SILENT_MS = 25_000

/** The part of that time before the first keepalive probe. */
const QUIET_MS = 10_000

const QUESTIONS = 3

/**
 * Statements that make the server drop a connection whose client machine is gone. By default that takes two hours, in which
 * the session counts towards `max_connections` and keeps its locks. Statements, because poolers reject these parameters
 * when a connection opens.
 */
export const NOTICE_SILENCE = [
  `set tcp_keepalives_idle = ${QUIET_MS / 1_000}`,
  `set tcp_keepalives_interval = ${(SILENT_MS - QUIET_MS) / QUESTIONS / 1_000}`,
  `set tcp_keepalives_count = ${QUESTIONS}`,
  `set tcp_user_timeout = ${SILENT_MS}`,
].join('; ')
