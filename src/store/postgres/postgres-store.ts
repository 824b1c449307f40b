import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Telemetry } from '../../lib/telemetry.ts'
import { moduleUrl, SMALL_YOUNG_GENERATION } from '../../lib/worker-thread.ts'
import type { BlobOptions } from '../bodies/bodies.ts'
import { ChangeNotifications } from '../change-notifications.ts'
import { createStore } from '../create-store.ts'
import { requireIdentity } from '../database-identity.ts'
import type { SqlEngine } from '../engine.ts'
import type { BackupAnswer, BackupStart } from '../move/file-backup-thread.ts'
import type { Db } from '../schema.ts'
import type { Store } from '../store.ts'
import type { Searched } from '../store-parts.ts'
import { type ConnectionSettings, Connections } from './connections.ts'
import { DataServers, distributedEngine, isDistributed } from './data-servers.ts'
import { FormatGuard } from './format-guard.ts'
import { migrate } from './migrate.ts'
import { NotificationChannel } from './notification-channel.ts'
import { postgresCandidates } from './postgres-candidates.ts'
import { postgresEngine } from './postgres-engine.ts'
import { ReplicaLag } from './replica-lag.ts'
import { replicaReads } from './replica-reads.ts'
import { DatabaseClock, Transactions } from './transactions.ts'
import { isAway } from './unavailable.ts'
import { VectorGraphs } from './vector-graphs.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host/database`. */
  readonly url: string
  /** A replica, for the heavy part of recall. */
  readonly replicaUrl?: string | undefined
  /** A replica that is further behind is left out. */
  readonly mostReplicaLagMs?: number
  /** The server itself when `url` is a pooler, for the one connection that receives notifications. */
  readonly directUrl?: string | undefined
  /** Maximum connections of this process to each server. */
  readonly mostConnections?: number
  readonly statementTimeoutMs?: number
  readonly log: Log
  /** Replaces the clock of the database. */
  readonly clock?: Clock
  readonly telemetry?: Telemetry
  readonly bodies?: BlobOptions
  /** Id that the database must have; otherwise opening rejects with `conflict` and creates no table. */
  readonly expects?: string | undefined
  /** Folder with other migrations, to open the database as an older or newer version would. */
  readonly migrations?: string
}

const MOST_CONNECTIONS = 10

const STATEMENT_TIMEOUT_MS = 30_000

const MOST_REPLICA_LAG_MS = 10_000

/** After this time the primary is queried, because a person waits. */
const REPLICA_TIMEOUT_MS = 5_000

/**
 * Opens a database of PostgreSQL 15 or later with pgvector 0.8 or later, and creates and migrates its tables. Any number of
 * processes can do so. Rejects with `unavailable` when it can't be used or a newer version wrote it.
 */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { log, mostConnections: most = MOST_CONNECTIONS, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options
  let guard: FormatGuard | undefined
  const limits = { most, statementTimeoutMs, refusal: () => guard?.refusal }
  const primary = new Connections({ url: options.url, ...limits }, log)
  try {
    if (options.expects !== undefined) await requireDatabase(primary, options.expects)
    const format = await migrate(primary, options.migrations === undefined ? {} : { folder: options.migrations })
    guard = new FormatGuard(format, log)
  } catch (error) {
    await primary.close()
    throw error
  }
  guard.watch(primary)
  const replica = openReplica(options, primary, limits)
  await replica?.lag.start()
  const notifications = new ChangeNotifications()
  const channel = new NotificationChannel(options.directUrl ?? options.url, notifications, log)
  notifications.relayTo(channel)
  await channel.open()
  const servers = (await isDistributed(primary.db)) ? new DataServers(primary.db, log) : undefined
  await servers?.start()
  return assembleStore(primary, replica, { notifications, channel, guard, servers, options })
}

interface Replica {
  readonly connections: Connections
  readonly lag: ReplicaLag
}

function openReplica(
  { replicaUrl: url, mostReplicaLagMs: mostLagMs = MOST_REPLICA_LAG_MS, log }: PostgresOptions,
  primary: Connections,
  { statementTimeoutMs, ...shared }: Omit<ConnectionSettings, 'url'>,
): Replica | undefined {
  if (url === undefined) return undefined
  const limits = { ...shared, statementTimeoutMs: Math.min(statementTimeoutMs, REPLICA_TIMEOUT_MS) }
  const connections = new Connections({ url, ...limits }, log)
  return { connections, lag: new ReplicaLag({ primary: primary.db, replica: connections.db, mostLagMs, log }) }
}

interface StoreParts {
  readonly notifications: ChangeNotifications
  readonly channel: NotificationChannel
  readonly guard: FormatGuard
  /** Where the items are on several servers. */
  readonly servers: DataServers | undefined
  readonly options: PostgresOptions
}

function assembleStore(
  primary: Connections,
  replica: Replica | undefined,
  { notifications, channel, guard, servers, options }: StoreParts,
): Store {
  const { db } = primary
  const databaseClock = new DatabaseClock()
  const engine = servers === undefined ? postgresEngine : distributedEngine(servers)
  const transactions = new Transactions(primary, engine, databaseClock, { clock: options.clock, guard })
  const graphs = new VectorGraphs({
    url: options.directUrl ?? options.url,
    db,
    commands: transactions,
    log: options.log,
  })
  return createStore({
    capabilities: { engine: 'postgres', manyPerRole: true },
    engine,
    db,
    commands: transactions,
    searchOn: searchOn(db, replica, { engine, notifications, log: options.log }),
    notifications,
    clock: options.clock ?? databaseClock.now,
    log: options.log,
    accountKey: createAccountKeys(primary),
    activeSpace: () => readActiveSpace(db),
    async changeMark() {
      // Only transactions that write get a number, so readers don't change it.
      const { rows } = await sql<{ mark: string }>`select pg_current_snapshot()::text as mark`.execute(db)
      return rows[0]?.mark ?? ''
    },
    async check() {
      await transactions.call('ping')
    },
    stats: () => ({
      connections: primary.stats,
      ...(replica && { replica: { lagMs: replica.lag.lagMs, isUsed: replica.lag.isUsable } }),
    }),
    telemetry: options.telemetry,
    bodies: options.bodies,
    // `pg_amcheck` and checksums of pages are the server's.
    pageProblems: async () => [],
    // A graph is an index of one table on one server.
    ...(servers === undefined && { beginUpkeep: () => graphs.start() }),
    backup: (file) => backUpToFile(options.url, resolve(file)),
    async close() {
      guard.stop()
      servers?.stop()
      await graphs.stop()
      await channel.close()
      replica?.lag.stop()
      await replica?.connections.close()
      await primary.close()
    },
  })
}

async function readActiveSpace(db: Db) {
  const space = db.selectFrom('space').select(['space_id', 'background']).where('state', '=', 'active')
  const row = await space.executeTakeFirst()
  return row && { spaceId: row.space_id, background: row.background ?? 0 }
}

/** The replica, unless it has not replayed yet what is known to have changed in the account. */
function searchOn(
  primary: Db,
  replica: Replica | undefined,
  {
    engine,
    notifications,
    log,
  }: { readonly engine: SqlEngine; readonly notifications: ChangeNotifications; readonly log: Log },
): (accountId: string) => Searched {
  const own = { db: primary, candidates: postgresCandidates(primary, engine.isDistributed) }
  if (replica === undefined) return () => own
  const { connections, lag } = replica
  const db = replicaReads({ replica: connections.db, primary, log, isUsable: () => lag.isUsable })
  const replicated = { db, candidates: postgresCandidates(db, engine.isDistributed) }
  notifications.onItems((accountId) => lag.noteChange(accountId))
  return (accountId) => (lag.hasReplayed(accountId) ? replicated : own)
}

/** Keys and sessions of a deleted account end at once; running requests lose access to its data within this time. */
const ACCOUNT_KEY_MS = 1_000

/** Cached briefly, because each query reads it several times. */
function createAccountKeys({ db }: Connections): (accountId: string) => Promise<number | undefined> {
  const known = new Map<string, { readonly key: number; readonly until: number }>()
  return async (accountId) => {
    const last = known.get(accountId)
    if (last !== undefined && last.until > performance.now()) return last.key
    known.delete(accountId)
    const row = await db
      .selectFrom('account')
      .select('account_key')
      .where('account_id', '=', accountId)
      .where('deleting_since', 'is', null)
      .executeTakeFirst()
    if (row !== undefined) known.set(accountId, { key: row.account_key, until: performance.now() + ACCOUNT_KEY_MS })
    return row?.account_key
  }
}

const TRY_EVERY_MS = 1_000

const LOG_EVERY_MS = 30_000

/**
 * Opens the store as `openPostgresStore` does, and waits for a server that is unreachable, starting or out of connections;
 * the log says so. Permanent failures (password, database name, newer format) reject at once.
 *
 * @throws the reason of `stop` as soon as that is aborted
 */
export async function openPostgresStoreWhenReachable(options: PostgresOptions, stop: AbortSignal): Promise<Store> {
  const database = databaseAddress(options.url)
  let loggedAt = Number.NEGATIVE_INFINITY
  for (;;) {
    try {
      const store = await openUnlessStopped(options, stop)
      if (loggedAt > 0) options.log.info({ database }, 'the database is available')
      return store
    } catch (error) {
      if (stop.aborted || !isAway(error)) throw error
      if (performance.now() - loggedAt >= LOG_EVERY_MS) {
        loggedAt = performance.now()
        options.log.warn({ database, err: error }, 'waiting for the database')
      }
    }
    await delay(TRY_EVERY_MS, undefined, { signal: stop }).catch(() => stop.throwIfAborted())
  }
}

async function openUnlessStopped(options: PostgresOptions, stop: AbortSignal): Promise<Store> {
  stop.throwIfAborted()
  const stopped = Promise.withResolvers<never>()
  const onAbort = () => stopped.reject(stop.reason)
  stop.addEventListener('abort', onAbort, { once: true })
  const opening = openPostgresStore(options)
  try {
    return await Promise.race([opening, stopped.promise])
  } catch (error) {
    // A store that opens after the stop has no owner.
    opening.then(
      (store) => store.close(),
      () => undefined,
    )
    throw error
  } finally {
    stop.removeEventListener('abort', onAbort)
  }
}

/** The address without user and password. */
function databaseAddress(url: string): string {
  if (!URL.canParse(url)) return 'unknown'
  const { host, pathname, searchParams } = new URL(url)
  return `${searchParams.get('host') ?? host}${pathname}`
}

/**
 * Checks that it is the expected database before any table is created in it.
 *
 * @throws AppError `conflict` when it is another one, `unavailable` when it can't be reached
 */
async function requireDatabase(connections: Connections, expected: string): Promise<void> {
  const connection = await connections.take()
  let broken = true
  let found: string | undefined
  try {
    const [row] = await connection.run("select to_regclass('database_identity') is not null as made")
    const [held] = row?.made === true ? await connection.run('select database_id from database_identity') : []
    found = typeof held?.database_id === 'string' ? held.database_id : undefined
    broken = false
  } finally {
    connection.release(broken)
  }
  requireIdentity(expected, found, 'The database in PostgreSQL')
}

/**
 * Copies a snapshot of a PostgreSQL database into a new SQLite file and compares both. Uploads in a bucket stay there. Runs
 * on a thread, because the full-text index is built again.
 *
 * @throws AppError `unavailable` when the copy is incomplete; there is no file then
 */
function backUpToFile(url: string, file: string): Promise<void> {
  const start: BackupStart = { url, file }
  const worker = new Worker(moduleUrl(import.meta.url, '../move/file-backup-thread'), {
    workerData: start,
    name: 'backup',
    resourceLimits: SMALL_YOUNG_GENERATION,
  })
  return new Promise((resolve, reject) => {
    worker.once('message', ({ problem }: BackupAnswer) => {
      if (problem === undefined) resolve()
      else reject(new AppError('unavailable', problem))
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new AppError('unavailable', 'The backup did not finish.')))
  })
}
