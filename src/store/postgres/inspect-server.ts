import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { packagePath } from '../../lib/files.ts'
import { asUnavailable } from './unavailable.ts'

/** The versions and the state of a database server. */
export interface ServerFacts {
  /** `15.20` */
  readonly version: string
  /** Version of pgvector; `undefined` when the database doesn't have it. */
  readonly vector: string | undefined
  /** Format of the tables; 0 before they are created. */
  readonly format: number
  /** Format that this version creates. */
  readonly knownFormat: number
  readonly connections: { readonly most: number; readonly used: number }
  /** How far the server's clock is ahead of this machine's, in milliseconds. */
  readonly clockAheadMs: number
  /** Whether the user can create tables, as new versions need. */
  readonly mayCreate: boolean
  /** Whether it is a read-only replica. */
  readonly isReplica: boolean
  /** How much it has written, or replayed as a replica: a position in the write-ahead log. */
  readonly position: number
  readonly lag: ReplicationLag | undefined
}

/** Of a replica, compared with a position of its primary. */
export interface ReplicationLag {
  /** At least so long; within two seconds exactly. */
  readonly ms: number
  /** Whether it is connected to a server that sends it changes. */
  readonly isReceiving: boolean
}

const TIMEOUT_MS = 5_000

/**
 * Reads the state of a server without changing anything.
 *
 * @param primary what its primary had written, to measure how far a replica is behind
 * @throws AppError `unavailable` when it doesn't answer
 */
export async function inspectServer(url: string, primary?: Pick<ServerFacts, 'position'>): Promise<ServerFacts> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'recalld doctor',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  // The query reports a lost connection.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await readFacts(client, primary)
  } catch (error) {
    throw asUnavailable(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function readFacts(client: pg.Client, primary: Pick<ServerFacts, 'position'> | undefined): Promise<ServerFacts> {
  const { rows } = await client.query<Record<string, string | boolean | null>>(`
    select
      current_setting('server_version') as version,
      (select extversion from pg_extension where extname = 'vector') as vector,
      to_regclass('recalld_format') is not null as is_made,
      -- For other users only the database is visible.
      (select count(*) from pg_stat_activity where datname is not null
        and coalesce(backend_type, 'client backend') = 'client backend') as used,
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        -- Since PostgreSQL 16.
        - coalesce(current_setting('reserved_connections', true), '0')::integer as most,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
      pg_is_in_recovery() as is_replica, ${POSITION} as position`)
  const [row = {}] = rows
  const format =
    row.is_made === true ? await client.query('select max(version) as format from recalld_format') : undefined
  return {
    version: String(row.version).split(' ')[0] ?? '',
    vector: typeof row.vector === 'string' ? row.vector : undefined,
    format: Number(format?.rows[0]?.format ?? 0),
    knownFormat: readdirSync(packagePath('src/store/migrations/postgres')).length,
    connections: { most: Number(row.most), used: Number(row.used) },
    clockAheadMs: await clockAhead(client),
    mayCreate: row.may_create === true,
    isReplica: row.is_replica === true,
    position: Number(row.position ?? 0),
    lag: row.is_replica === true && primary !== undefined ? await measureLag(client, primary.position) : undefined,
  }
}

/** A replica also tells that it is not behind when it receives nothing, so it is compared with its primary. */
const POSITION =
  "(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end - '0/0'::pg_lsn)"

const LAG_WAIT_MS = 2_000

const LAG_LOOK_MS = 50

/** Waits shortly until the replica has replayed this position. */
async function measureLag(client: pg.Client, position: number): Promise<ReplicationLag> {
  const began = performance.now()
  for (let looks = 0; ; looks++) {
    const { rows } = await client.query(`
      select ${POSITION} as position, exists (select from pg_stat_wal_receiver) as is_receiving,
        coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000, 0) as last`)
    const waited = performance.now() - began
    const isReceiving = rows[0]?.is_receiving === true
    if (Number(rows[0]?.position ?? 0) >= position) return { ms: looks === 0 ? 0 : Math.round(waited), isReceiving }
    if (waited > LAG_WAIT_MS) return { ms: Math.round(Math.max(waited, Number(rows[0]?.last))), isReceiving }
    await delay(LAG_LOOK_MS)
  }
}

/** From the fastest of several queries, assuming that half of its time is the way to the server. */
async function clockAhead(client: pg.Client): Promise<number> {
  let best = { tookMs: Number.POSITIVE_INFINITY, aheadMs: 0 }
  for (let times = 0; times < 3; times++) {
    const began = performance.now()
    const { rows } = await client.query('select extract(epoch from clock_timestamp()) * 1000 as now')
    const tookMs = performance.now() - began
    if (tookMs < best.tookMs) best = { tookMs, aheadMs: Math.round(Number(rows[0]?.now) + tookMs / 2 - Date.now()) }
  }
  return best.aheadMs
}

const OLDEST_MAJOR = 15

/** The first version with iterative scans, which filtered searches need. */
const OLDEST_VECTOR = [0, 8] as const

/**
 * The parts of a database server that are too old for the store, one sentence each.
 *
 * @param version of the server, as `15.20`
 * @param vector version of pgvector, as `0.8.0`; `undefined` when the database doesn't have it yet
 */
export function outdatedServer({ version, vector }: { version: string; vector: string | undefined }): string[] {
  const problems: string[] = []
  if (Number.parseInt(version, 10) < OLDEST_MAJOR) {
    problems.push(`PostgreSQL ${version} is too old. Upgrade the server to ${OLDEST_MAJOR} or later.`)
  }
  if (vector !== undefined && isOldVector(vector)) {
    const update = '"alter extension vector update" after installing it'
    problems.push(`pgvector ${vector} is too old: version ${OLDEST_VECTOR.join('.')} or later is needed, ${update}.`)
  }
  return problems
}

function isOldVector(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < OLDEST_VECTOR[0] || (major === OLDEST_VECTOR[0] && minor < OLDEST_VECTOR[1])
}
