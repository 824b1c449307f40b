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
import { asUnavailable, isBroken } from './unavailable.ts'

interface ConnectionSettings {
  readonly url: string
  /** Most connections of this process. */
  readonly most: number
  /** After so long a statement is ended by the server. */
  readonly statementTimeoutMs: number
}

/** How long a caller waits for a free connection, and for the server to answer a new one. */
export const WAIT_MS = 5_000

const IDLE_TIMEOUT_MS = 30_000

/** A transaction whose process went silent gives its locks back after so long. */
const IDLE_IN_TRANSACTION_MS = 60_000

/** The most that a timer takes. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/** One connection that is held by somebody: statements go one after another. */
export interface HeldConnection {
  readonly db: Db
  /** Simple statements without parameters, in one round trip; rows of the last one that has some. */
  run(sql: string): Promise<readonly Record<string, unknown>[]>
  /** As `run`, however long it takes; a server that falls silent is still noticed. */
  runLong(sql: string): Promise<void>
  /** @param broken it cannot be used again */
  release(broken: boolean): void
}

/** Connections of this process to one server. */
export class Connections {
  /** Each statement on whichever connection is free. */
  readonly db: Db
  readonly #pool: pg.Pool
  readonly #held = new WeakMap<pg.PoolClient, Db>()
  /** Of those that lead to one session of the server as long as they last. */
  readonly #names = new WeakMap<pg.ClientBase, PreparedNames>()

  constructor(settings: ConnectionSettings, log: Log) {
    this.#pool = new pg.Pool({
      connectionString: settings.url,
      application_name: 'recalld',
      max: settings.most,
      connectionTimeoutMillis: WAIT_MS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      statement_timeout: settings.statementTimeoutMs,
      // The server may be gone without a word, as when the network is cut: then nobody waits for ever.
      query_timeout: settings.statementTimeoutMs + WAIT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: QUIET_MS,
      types: { getTypeParser },
      onConnect: (client) => this.#greet(client),
    })
    // Of a connection that nobody uses: the next one that is asked for is a new one.
    this.#pool.on('error', (error) => log.warn({ err: error }, 'a connection to the database ended'))
    // Of one that is held, between two statements: the next one fails. An error that nobody hears ends the process.
    this.#pool.on('connect', (client) => client.on('error', (error) => log.debug({ err: error }, 'a connection ended')))
    this.db = kyselyOver(async () => {
      const client = await this.#connect()
      let broken = false
      const query = queryOf(client, this.#names.get(client), (error) => {
        broken ||= isBroken(error)
      })
      return { query, release: () => client.release(broken) }
    })
  }

  /** @throws AppError `unavailable` when none is free in time, or the server is away */
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
   * Behind a pooler a statement may meet another session than the one before, so nothing is set or prepared in it; then the
   * process that said hello is not the one that answers.
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

  /** For whoever has waited for something else before. */
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
    // One that comes later is for others.
    connecting.then(
      (client) => isLate && client.release(),
      () => undefined,
    )
    return Promise.race([connecting, late]).finally(() => clearTimeout(timer))
  }
}

/** None was free in time. */
export function noConnection(): unknown {
  return asUnavailable(new Error('timeout exceeded when trying to connect'))
}

function kyselyOver(connect: () => Promise<PostgresPoolClient>): Db {
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool: { connect, end: async () => undefined, options: {} } }),
    // `in ()` is no syntax here.
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
  // Without cursors, which nobody uses.
  return query as unknown as PostgresPoolClient['query']
}

function rethrow(error: unknown): never {
  throw asUnavailable(error)
}

/** Text of PostgreSQL holds no zero character; sources send some. It is shown as one that could not be read. */
function toStorable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toStorable)
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{FFFD}') : value
}

const BYTES = 17

const BIGINT = 20

const NUMERIC = 1700

/** Numbers as numbers: none of ours is beyond 2^53. Bytes as plain arrays. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === BIGINT || oid === NUMERIC) return Number
  // `\\x` and two digits for each byte; aligned, because features are read as numbers of four bytes.
  if (oid === BYTES) return (value) => new Uint8Array(Buffer.from(value.slice(2), 'hex'))
  return pg.types.getTypeParser(oid, format as 'text')
}

const PREPARED_MARK = '/* prepared */'

/** Each is kept by the server for each connection. A few dozen statements are marked; more would come of a mistake. */
const MOST_NAMES = 100

/**
 * Marks a statement, by a part of it, as one that the server keeps prepared: planning a join takes as long as running it.
 * Only for statements whose best plan is the same whatever their values are.
 */
export function prepared<Value>(part: RawBuilder<Value>): RawBuilder<Value> {
  return sql`${part} ${sql.raw(PREPARED_MARK)}`
}

/** Names of one connection for the statements that are marked, the same for the same text. */
class PreparedNames {
  // Nobody else's, should several connections share a session after all.
  readonly #prefix = `recalld_${randomUUID()}`
  readonly #names = new Map<string, string>()

  /** @returns `undefined` where the statement is not to be kept */
  of(text: string): string | undefined {
    if (!text.includes(PREPARED_MARK)) return undefined
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= MOST_NAMES) return known
    const name = `${this.#prefix}_${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}

/** So soon one end notices that nothing comes from the other any more, not even that it ended. */
const SILENT_MS = 25_000

/** Of that, how long nothing has to be said before the first question. */
const QUIET_MS = 10_000

const QUESTIONS = 3

/**
 * Statements that make the server give a connection up when the machine at the other end is gone. By default that takes two
 * hours, in which its session keeps its place among `max_connections`, and what it had locked. As statements, because
 * poolers refuse such parameters when a connection is made.
 */
export const NOTICE_SILENCE = [
  `set tcp_keepalives_idle = ${QUIET_MS / 1_000}`,
  `set tcp_keepalives_interval = ${(SILENT_MS - QUIET_MS) / QUESTIONS / 1_000}`,
  `set tcp_keepalives_count = ${QUESTIONS}`,
  `set tcp_user_timeout = ${SILENT_MS}`,
].join('; ')
