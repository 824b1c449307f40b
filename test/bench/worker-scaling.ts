import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { sampleAccount, sampleUpload } from '../contract/store-samples.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { stopProcess } from './baselines.ts'
import type { Corpus } from './corpus.ts'
import { cpuSeconds } from './cpu-seconds.ts'
import { DelayedServer } from './delayed-server.ts'
import { inServer } from './in-server.ts'
import { sleep, timed } from './measure.ts'
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
  readonly corpus: Corpus
}

export interface WorkerFigures {
  readonly itemsPerSecond: number
  /** Milliseconds of processor time for each item. */
  readonly workerMs: number
  readonly serverMs: number
  readonly roundTrips: number
}

const TEXT_CHARACTERS = 2_000
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
  const workers = Array.from({ length: scaled.workers }, () => startWorker(home, env))
  stack.defer(async () => void (await Promise.all(workers.map(stopProcess))))
  await untilIdle(workers)
  return await emptyQueue(url.href, scaled, { workers, network })
}

async function fillQueue(url: string, { accounts, items, corpus }: ScaledWorkers): Promise<void> {
  const store = await openPostgresStore({ url, log: recordingLog().log })
  const ids = Array.from({ length: accounts }, (_, number) => `bench-${number}`)
  for (const id of ids) await store.admin.createAccount(sampleAccount(id))
  await timed(items, 8, async (number) => {
    const scoped = store.scoped({ accountId: ids[number % accounts] ?? '', sources: 'all' })
    await scoped.putItem(sampleUpload(`text-${number}`, corpus.text(number, TEXT_CHARACTERS)))
  })
  await store.close()
  await inServer(url, `update job set ready_at = queued_at + ${HELD_BACK_MS}`)
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
  url: string,
  { items, server }: ScaledWorkers,
  { workers, network }: { readonly workers: readonly ChildProcess[]; readonly network: DelayedServer },
): Promise<WorkerFigures> {
  const [row] = await inServer<{ data_directory: string }>(server, 'show data_directory')
  const postmaster = Number(readFileSync(join(row?.data_directory ?? '', 'postmaster.pid'), 'utf8').split('\n')[0])
  const before = { workers: spent(workers), server: cpuSeconds(postmaster), turns: network.roundTrips }
  await inServer(url, 'update job set ready_at = queued_at')
  const left = async () => Number((await inServer<{ n: string }>(url, 'select count(*) as n from job'))[0]?.n)
  while ((await left()) === items) await sleep(10)
  const started = performance.now()
  const first = items - (await left())
  while ((await left()) > 0) await sleep(50)
  const seconds = (performance.now() - started) / 1_000
  const [made] = await inServer<{ n: string }>(url, "select count(*) as n from item where state = 'ready'")
  if (Number(made?.n) !== items) throw new Error(`${made?.n} of ${items} items are ready`)
  return {
    itemsPerSecond: (items - first) / seconds,
    workerMs: ((spent(workers) - before.workers) / items) * 1_000,
    serverMs: ((cpuSeconds(postmaster) - before.server) / items) * 1_000,
    roundTrips: (network.roundTrips - before.turns) / items,
  }
}
