import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { LOOPBACK, type NetworkHost } from '../lib/network-host.ts'
import { distribute, OwnCitus } from '../lib/own-citus.ts'
import { KEEPS_NO_LOG, OwnPostgres } from '../lib/own-postgres.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { until } from '../lib/until.ts'
import { DatabaseNeighbors } from './database-neighbors.ts'
import { MadeUpSources } from './made-up-sources.ts'
import { DATABASE, RUN, type RunNetwork, STORAGE } from './run-network.ts'
import type { S3Trouble } from './s3-process.ts'
import { ServiceProcess } from './service-process.ts'

const PROCESSES = { api: 2, worker: 3, scheduler: 2 } as const
/** Of each process; one more of each listens. */
const CONNECTIONS = 5
const MOST_CONNECTIONS = 64
const BLOB_PORT = /(?<=endpoint=http:\/\/[\d.]+:)\d+/

/** Names of all processes of recalld in a run. */
export const PROCESS_NAMES: readonly string[] = Object.entries(PROCESSES).flatMap(([role, count]) =>
  Array.from({ length: count }, (_, n) => `${role}-${n + 1}`),
)

/** Many processes of recalld over one database and one storage of objects, with a network between them. */
export interface FaultCluster extends AsyncDisposable {
  readonly folder: string
  readonly postgres: OwnPostgres
  /** Where items are on several servers: `postgres` is the coordinator then. */
  readonly citus: OwnCitus | undefined
  /** Only on loopback. */
  readonly neighbors: DatabaseNeighbors | undefined
  readonly processes: readonly ServiceProcess[]
  readonly sources: MadeUpSources
  readonly network: RunNetwork
  /** For the checks, past the faults of the network. */
  readonly blobUrl: string
  /** Of the account that the first process made. */
  readonly key: string
  trouble(trouble: S3Trouble): void
}

/**
 * @param network closed with the cluster
 * @param onCitus whether items are on several servers; there is neither a replica nor PgBouncer then
 */
export async function openFaultCluster(network: RunNetwork, onCitus = false): Promise<FaultCluster> {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'recalld-faults-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  stack.use(network)
  const settings = { ...KEEPS_NO_LOG, max_connections: String(MOST_CONNECTIONS) }
  const citus = onCitus ? stack.use(await startCitus()) : undefined
  const postgres = citus?.coordinator ?? stack.use(await OwnPostgres.start(settings, network.place(DATABASE)))
  const isLoopback = network.place(DATABASE) === LOOPBACK && citus === undefined
  const neighbors = isLoopback ? stack.use(await DatabaseNeighbors.start(postgres)) : undefined
  const { child: s3, url: blobUrl } = await startS3(network.place(STORAGE))
  stack.defer(() => void s3.kill())
  const sources = stack.use(await MadeUpSources.open(join(folder, 'sources'), network.place(RUN).host))
  const blobPort = Number(BLOB_PORT.exec(blobUrl)?.[0])
  const env = {
    RECALLD_BLOB_URL: blobUrl.replace(BLOB_PORT, String(await network.port(STORAGE, blobPort))),
    RECALLD_DATABASE_CONNECTIONS: String(CONNECTIONS),
    RECALLD_RATE_LIMIT_PER_MINUTE: '1000000',
    RECALLD_LOG_FORMAT: 'json',
    RECALLD_SECRET_KEY_FILE: join(folder, 'secret.key'),
  }
  writeFileSync(env.RECALLD_SECRET_KEY_FILE, Buffer.alloc(32, 7), { mode: 0o600 })
  const processes: ServiceProcess[] = []
  for (const name of PROCESS_NAMES) {
    const home = join(folder, name)
    mkdirSync(home, { mode: 0o700 })
    writeFileSync(join(home, 'config.yaml'), sources.config, { mode: 0o600 })
    const database = await databaseOf(name, { postgres, neighbors, network })
    processes.push(
      new ServiceProcess({
        ...{ name, home, role: roleOf(name), place: network.place(name), port: await freePort() },
        logFile: join(folder, `${name}.log`),
        env: { ...env, ...database },
      }),
    )
  }
  stack.defer(async () => void (await Promise.all(processes.map((one) => one.stop()))))
  const key = await startAll(processes)
  const owned = stack.move()
  return {
    ...{ folder, postgres, citus, neighbors, processes, sources, network, blobUrl, key },
    trouble: (trouble) => void s3.send(trouble),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** With tables that are distributed. */
async function startCitus(): Promise<OwnCitus> {
  const citus = await OwnCitus.start()
  const store = await openPostgresStore({ url: citus.url, log: recordingLog().log })
  await store.close()
  await distribute(citus.url)
  return citus
}

/** How a process reaches the database: every second one of a role by PgBouncer, and all search in the replica. */
async function databaseOf(
  name: string,
  { postgres, neighbors, network }: Pick<FaultCluster, 'postgres' | 'neighbors' | 'network'>,
): Promise<Readonly<Record<string, string>>> {
  const pooler = name.endsWith('-2') ? neighbors?.pooler : undefined
  const database = new URL(postgres.url)
  database.port = String(await network.port(name, pooler?.port ?? Number(database.port)))
  return {
    RECALLD_DATABASE_URL: database.href,
    ...(neighbors && { RECALLD_DATABASE_REPLICA_URL: neighbors.replica.url }),
    ...(pooler && { RECALLD_DATABASE_DIRECT_URL: postgres.url }),
  }
}

function roleOf(name: string): ServiceProcess['role'] {
  return name.startsWith('api') ? 'api' : name.startsWith('worker') ? 'worker' : 'scheduler'
}

/** The first one makes the account. @returns its key */
async function startAll(processes: readonly ServiceProcess[]): Promise<string> {
  const [first, ...others] = processes
  if (first === undefined) throw new Error('there are no processes')
  first.start()
  await until(async () => /rk_[\w-]+/.test(first.greeting))
  const key = /rk_[\w-]+/.exec(first.greeting)?.[0] ?? ''
  for (const other of others) other.start()
  await until(async () => others.every(({ greeting }) => greeting !== ''))
  return key
}

async function startS3({
  host,
  launcher,
}: NetworkHost): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const file = fileURLToPath(new URL('./s3-process.ts', import.meta.url))
  const [program = '', ...args] = [...launcher, process.execPath, file, host]
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [url] = await once(child, 'message')
  return { child, url: String(url) }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('there is no free port')
  return address.port
}
