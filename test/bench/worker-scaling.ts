import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { sampleAccount, sampleUpload } from '../contract/store-samples.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { stopProcess } from './baselines.ts'
import type { Corpus } from './corpus.ts'
import { cpuSeconds, machineSeconds } from './cpu-seconds.ts'
import { DelayedServer } from './delayed-server.ts'
import { inServer } from './in-server.ts'
import { sleep, timed } from './measure.ts'
import { ProcessorShare, type ShareUse } from './processor-share.ts'
import { startWorker } from './start-worker.ts'

export interface ScaledWorkers {
  /** A server on this machine where databases can be made. */
  readonly server: string
  /** Between a request to the server and its answer, in milliseconds. */
  readonly delayMs: number
  readonly accounts: number
  readonly workers: number
  /** Texts of 2 KB, spread over the accounts. */
  readonly items: number
  /** Percent of one processor that each worker gets; all it can when absent. */
  readonly workerShare?: number | undefined
  readonly corpus: Corpus
}

export interface WorkerFigures {
  /** While a tenth to nine tenths of the items were made. */
  readonly itemsPerSecond: number
  /** Milliseconds of processor time for each item. */
  readonly workerMs: number
  readonly serverMs: number
  readonly roundTrips: number
  /** Sessions of the database that waited for a lock, on average. */
  readonly lockWaits: number
  /** How busy the whole machine was, with everything else on it. */
  readonly busyPercent: number
  /** With a share: what the workers used of theirs together, and how often they had to stop for it. */
  readonly sharePercent?: number
  readonly throttledPercent?: number
}

const TEXT_CHARACTERS = 2_000
/** Texts for each worker that are made before, at full speed: a new process is slow. */
const WARM_UP = 60
/** The first and last items, while not all workers have work. */
const EDGE = 0.1
/** Less than what counts as a clock that was set back. */
const HELD_BACK_MS = 9 * 60_000

/** Fills a queue, starts the workers behind a slow network, and measures how long they take to empty it. */
export async function measureWorkers(scaled: ScaledWorkers): Promise<WorkerFigures> {
  const name = `recalld_bench_${randomUUID().slice(0, 8)}`
  await inServer(scaled.server, `create database ${name}`)
  const url = new URL(scaled.server)
  url.pathname = `/${name}`
  const home = mkdtempSync(join(tmpdir(), 'recalld-bench-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rmSync(home, { recursive: true, force: true }))
  stack.defer(async () => void (await inServer(scaled.server, `drop database ${name} with (force)`)))
  await fillQueue(url.href, scaled)
  const network = stack.use(await DelayedServer.start(Number(url.port), scaled.delayMs))
  const delayed = new URL(url)
  delayed.port = String(network.port)
  const env = { RECALLD_DATABASE_URL: delayed.href }
  const running = startWorkers(stack, home, env, scaled)
  await untilIdle(running.workers)
  const database = new pg.Client({ connectionString: url.href })
  await database.connect()
  stack.defer(() => database.end())
  await warmUp(database, scaled)
  for (const share of running.shares) share.limit(scaled.workerShare ?? 100)
  return await emptyQueue(database, scaled, { ...running, network })
}

interface Running {
  readonly workers: readonly ChildProcess[]
  /** One for each worker, or none. */
  readonly shares: readonly ProcessorShare[]
}

function startWorkers(
  stack: AsyncDisposableStack,
  home: string,
  env: Readonly<Record<string, string>>,
  { workers: count, workerShare }: ScaledWorkers,
): Running {
  const shares: ProcessorShare[] = []
  const workers: ChildProcess[] = []
  for (let number = 0; number < count; number++) {
    const share = workerShare === undefined ? undefined : ProcessorShare.create(`recalld-${randomUUID().slice(0, 8)}`)
    if (share !== undefined) shares.push(stack.use(share))
    const worker = startWorker(home, env)
    stack.defer(() => stopProcess(worker))
    workers.push(worker)
    share?.add(worker.pid ?? 0)
  }
  return { workers, shares }
}

async function fillQueue(url: string, { accounts, items, workers, corpus }: ScaledWorkers): Promise<void> {
  const store = await openPostgresStore({ url, log: recordingLog().log })
  const ids = Array.from({ length: accounts }, (_, number) => `bench-${number}`)
  for (const id of ids) await store.admin.createAccount(sampleAccount(id))
  await timed(items + workers * WARM_UP, 8, async (number) => {
    const scoped = store.scoped({ accountId: ids[number % accounts] ?? '', sources: 'all' })
    await scoped.putItem(sampleUpload(`text-${number}`, corpus.text(number, TEXT_CHARACTERS)))
  })
  await store.close()
  await inServer(url, `update job set ready_at = queued_at + ${HELD_BACK_MS}`)
}

async function warmUp(database: pg.Client, { items, workers }: ScaledWorkers): Promise<void> {
  const first = `select job_id from job order by job_id limit ${workers * WARM_UP}`
  await database.query(`update job set ready_at = queued_at where job_id in (${first})`)
  while ((await waiting(database)).items > items) await sleep(50)
}

interface Waiting {
  readonly items: number
  /** Sessions that wait for a lock. */
  readonly sessions: number
}

async function waiting(database: pg.Client): Promise<Waiting> {
  const locks = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  const { rows } = await database.query(`select (select count(*) from job) as items, (${locks}) as sessions`)
  return { items: Number(rows[0]?.items), sessions: Number(rows[0]?.sessions) }
}

/** Until all have loaded what they need and wait for work. */
async function untilIdle(workers: readonly ChildProcess[]): Promise<void> {
  for (let last = 0; ; ) {
    await sleep(2_000)
    if (workers.some(({ exitCode }) => exitCode !== null)) throw new Error('a worker ended')
    const now = spent(workers)
    if (now - last < 0.05 * workers.length && now > workers.length) return
    last = now
  }
}

function spent(processes: readonly ChildProcess[]): number {
  return processes.reduce((sum, { pid }) => sum + cpuSeconds(pid ?? 0), 0)
}

async function emptyQueue(
  database: pg.Client,
  { items, server, workerShare }: ScaledWorkers,
  { workers, shares, network }: Running & { readonly network: DelayedServer },
): Promise<WorkerFigures> {
  const [row] = await inServer<{ data_directory: string }>(server, 'show data_directory')
  const postmaster = Number(readFileSync(join(row?.data_directory ?? '', 'postmaster.pid'), 'utf8').split('\n')[0])
  const look = async () => ({
    ...{ left: await waiting(database), at: performance.now(), machine: machineSeconds(), trips: network.roundTrips },
    ...{ workers: spent(workers), server: cpuSeconds(postmaster), use: sum(shares.map(({ use }) => use)) },
  })
  await database.query('update job set ready_at = queued_at')
  while ((await waiting(database)).items > items * (1 - EDGE)) await sleep(10)
  const begun = await look()
  let now = begun
  const waits: number[] = []
  for (; now.left.items > items * EDGE; now = await look()) {
    waits.push(now.left.sessions)
    await sleep(50)
  }
  while ((await waiting(database)).items > 0) await sleep(50)
  const { rows } = await database.query("select count(*) as n from item where state <> 'ready'")
  if (Number(rows[0]?.n) !== 0) throw new Error(`${rows[0]?.n} items are not ready`)
  const seconds = (now.at - begun.at) / 1_000
  const made = begun.left.items - now.left.items
  const workerSeconds = now.workers - begun.workers
  const busy = now.machine.busy - begun.machine.busy
  return {
    itemsPerSecond: made / seconds,
    workerMs: (workerSeconds / made) * 1_000,
    serverMs: ((now.server - begun.server) / made) * 1_000,
    roundTrips: (now.trips - begun.trips) / made,
    lockWaits: waits.reduce((all, one) => all + one, 0) / waits.length,
    busyPercent: (busy / (busy + now.machine.idle - begun.machine.idle)) * 100,
    ...(workerShare !== undefined && {
      sharePercent: (workerSeconds / seconds / workers.length / workerShare) * 10_000,
      throttledPercent: ((now.use.throttled - begun.use.throttled) / (now.use.periods - begun.use.periods)) * 100,
    }),
  }
}

function sum(uses: readonly ShareUse[]): ShareUse {
  return uses.reduce((all, one) => ({ periods: all.periods + one.periods, throttled: all.throttled + one.throttled }), {
    periods: 0,
    throttled: 0,
  })
}
