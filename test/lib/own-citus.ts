import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { packagePath } from '../../src/lib/files.ts'
import { CLEAR } from './clear-tables.ts'
import { OwnPostgres } from './own-postgres.ts'

const SPACES = "select inhrelid::regclass::text as name from pg_inherits where inhparent = to_regclass('embedding')"
const WORKERS = 2
const SHARDS = 8
/** Of each server, and of a replica of one. */
export const CITUS_SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: '200',
  'citus.node_conninfo': 'sslmode=disable',
  'citus.node_connection_timeout': '5000',
}

/** A coordinator and two workers of Citus on loopback, with an extension "vector" in the database "postgres" of each. */
export class OwnCitus implements AsyncDisposable {
  readonly coordinator: OwnPostgres
  readonly workers: readonly OwnPostgres[]
  readonly #stack: AsyncDisposableStack

  private constructor(coordinator: OwnPostgres, workers: readonly OwnPostgres[], stack: AsyncDisposableStack) {
    this.coordinator = coordinator
    this.workers = workers
    this.#stack = stack
  }

  /** Why tests leave it out, in a sentence; `undefined` when there can be one. */
  static get leftOut(): string | undefined {
    const reason = OwnPostgres.leftOut
    if (reason !== undefined) return reason
    const bin = process.env.RECALLD_TEST_POSTGRES_BIN ?? ''
    const library = execFileSync(join(bin, 'pg_config'), ['--pkglibdir'], { encoding: 'utf8' }).trim()
    return existsSync(join(library, 'citus.so')) ? undefined : 'this PostgreSQL has no extension "citus"'
  }

  static async start(): Promise<OwnCitus> {
    await using stack = new AsyncDisposableStack()
    const servers: OwnPostgres[] = []
    for (let n = 0; n <= WORKERS; n++) {
      const server = stack.use(await OwnPostgres.start(CITUS_SETTINGS))
      await server.query('create extension citus')
      await server.query('create extension vector')
      servers.push(server)
    }
    const [coordinator, ...workers] = servers as [OwnPostgres, ...OwnPostgres[]]
    await coordinator.query(`select citus_set_coordinator_host('127.0.0.1', ${portOf(coordinator)})`)
    for (const worker of workers) await coordinator.query(`select citus_add_node('127.0.0.1', ${portOf(worker)})`)
    return new OwnCitus(coordinator, workers, stack.move())
  }

  get url(): string {
    return this.coordinator.url
  }

  /** Makes another database of the coordinator one that could distribute tables, if it had workers. */
  async addTo(database: string): Promise<void> {
    await run(this.coordinator.urlOf(database), 'create extension citus')
  }

  /** Takes all rows out of the tables of a store. */
  async clear(): Promise<void> {
    // Not by `CLEAR`, which switches off the trigger by which Citus forgets tables.
    for (const { name } of await this.coordinator.query(SPACES)) await this.coordinator.query(`drop table ${name}`)
    await this.coordinator.query(CLEAR)
  }

  /** Copies all rows to the coordinator, where any statement can be asked. @returns an address that shows the copies */
  async gathered(): Promise<string> {
    await this.coordinator.query('create schema gathered')
    const distributed = "select logicalrelid::regclass::text as name from pg_dist_partition where partmethod = 'h'"
    for (const { name } of await this.coordinator.query(distributed)) {
      await this.coordinator.query(`create table gathered.${name} as select * from ${name}`)
    }
    return `${this.url}&options=${encodeURIComponent('-c search_path=gathered,public')}`
  }

  /** The worker with the items of an account. */
  async workerOf(accountId: string): Promise<OwnPostgres> {
    const [row] = await this.coordinator.query(`
      select nodeport from pg_dist_placement join pg_dist_node using (groupid)
      where shardid = (
        select get_shard_id_for_distribution_column('item', account_key) from account where account_id = '${accountId}'
      )`)
    const worker = this.workers.find((one) => portOf(one) === row?.nodeport)
    if (worker === undefined) throw new Error(`No worker has the account ${accountId}`)
    return worker
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }
}

export function portOf(server: OwnPostgres): number {
  return Number(new URL(server.url).port)
}

/** Runs `config/postgres/distribute-by-account.sql` as psql does, but for what it says of psql's own settings. */
export async function distribute(url: string, shards = SHARDS): Promise<void> {
  const recipe = readFileSync(packagePath('config/postgres/distribute-by-account.sql'), 'utf8')
  const statements = recipe.replace(/^ *\\.*$/gm, '').replaceAll(":'shards'", `'${shards}'`)
  await run(url, statements)
}

async function run(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}
