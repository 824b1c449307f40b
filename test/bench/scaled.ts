import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { stopProcess } from './baselines.ts'
import { createCorpus } from './corpus.ts'
import { inServer } from './in-server.ts'
import { percentile, sleep, timed } from './measure.ts'
import { type BenchServer, startServer } from './server.ts'
import { startWorker } from './start-worker.ts'
import { machine, type Row, writeTable } from './table.ts'
import { measureWorkers } from './worker-scaling.ts'

/**
 * Measures many processes on one PostgreSQL: ingest with 1, 2 and 4 workers and recall with 1, 2 and 4 processes of the api,
 * each as a ratio to one, and the same on SQLite in one process. `--database` names a server where databases can be made;
 * `--items` says how many texts each step memorizes. With `--delay 6`, workers alone are measured, behind a network that
 * takes so many milliseconds for a round trip, with each number of `--accounts` and `--workers`, and `--items` for each worker.
 * `--worker-share 10` gives each of them 10 % of a processor, as if it had a small machine of its own, so that few processors
 * show what many workers add.
 */
const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    items: { type: 'string' },
    delay: { type: 'string' },
    'worker-share': { type: 'string' },
    accounts: { type: 'string', default: '1,4,64' },
    workers: { type: 'string', default: '1,2,4,8' },
  },
})
const { database: serverUrl } = options
if (serverUrl === undefined) throw new Error('--database postgres://user@host:5432/postgres is missing')
const ITEMS = Number(options.items ?? (options.delay === undefined ? 3_000 : 300))
const TEXT_CHARACTERS = 2_000
const RECALLS = 400
/** More at a time would be refused by one process, as an overload. */
const UPLOADERS = 8
/** As many as a process lets search at a time. */
const CLIENTS = 2
const corpus = createCorpus()
const rows: Row[] = []

if (options.delay === undefined) await compareProcesses(serverUrl)
else await compareWorkers(serverUrl, Number(options.delay))

async function compareProcesses(serverUrl: string): Promise<void> {
  const sqlite = await startServer()
  const alone = await measure([sqlite], 'SQLite, one process')
  await sqlite.stop()
  let one: Measured | undefined
  for (const processes of [1, 2, 4]) {
    const measured = await onPostgres(serverUrl, processes)
    one ??= measured
    const several = `${processes} ${processes === 1 ? 'process' : 'processes'} of each role`
    const against = processes === 1 ? 'SQLite, one process' : 'one process of each role'
    const baseline = processes === 1 ? alone : one
    rows.push(
      rate(`ingest of 2 KB texts on PostgreSQL, ${several}`, measured.ingest, baseline.ingest, against),
      rate(`recall on PostgreSQL, ${several}, 2 clients each`, measured.recalls, baseline.recalls, against),
      {
        what: `recall on PostgreSQL, ${several}, one client, p50`,
        budget: undefined,
        unit: 'ms',
        measured: measured.p50,
        baseline: baseline.p50,
        against,
      },
    )
  }
  await writeTable(rows, { title: `${machine()}, PostgreSQL too`, write: false, marker: 'bench scaled' })
}

/** One line for each number of accounts and workers. */
async function compareWorkers(server: string, delayMs: number): Promise<void> {
  for (const accounts of numbers(options.accounts)) {
    let one: number | undefined
    for (const workers of numbers(options.workers)) {
      const workerShare = options['worker-share'] === undefined ? undefined : Number(options['worker-share'])
      const texts = { items: ITEMS * workers, accounts, corpus }
      const figures = await measureWorkers({ server, delayMs, workers, workerShare, ...texts })
      one ??= figures.itemsPerSecond
      const rounded = Object.entries({ ...figures, ratio: figures.itemsPerSecond / one }).map(([name, value]) => {
        return [name, Math.round(value * 100) / 100]
      })
      process.stdout.write(`${JSON.stringify({ accounts, workers, delayMs, ...Object.fromEntries(rounded) })}\n`)
    }
  }
}

function numbers(list: string): number[] {
  return list.split(',').map(Number)
}

interface Measured {
  /** Items and requests a second. */
  readonly ingest: number
  readonly recalls: number
  readonly p50: number
}

function rate(what: string, measured: number, baseline: number, against: string): Row {
  return { what, budget: undefined, unit: 'items/s', measured, baseline, against }
}

async function measure(servers: readonly BenchServer[], what: string): Promise<Measured> {
  const [first] = servers
  if (first === undefined) throw new Error('no server')
  const of = (number: number) => servers[number % servers.length] ?? first
  const start = performance.now()
  await timed(ITEMS, UPLOADERS, (number) =>
    of(number).upload(`text-${number}`, corpus.text(number, TEXT_CHARACTERS), 'text/plain'),
  )
  while ((await first.settled()) < ITEMS) await sleep(20)
  const ingest = (ITEMS / (performance.now() - start)) * 1_000
  const ask = async (number: number) => void (await of(number).recall(corpus.question(number)))
  await timed(100, 4, ask)
  const single = await timed(RECALLS, 1, (number) => ask(1_000 + number))
  const before = performance.now()
  await timed(RECALLS, CLIENTS * servers.length, (number) => ask(5_000 + number))
  const recalls = (RECALLS / (performance.now() - before)) * 1_000
  const measured = { ingest, recalls, p50: percentile(single, 0.5) }
  process.stderr.write(`${what}: ${JSON.stringify(measured)}\n`)
  return measured
}

/** So many processes of the api and as many workers, over a database of their own. */
async function onPostgres(server: string, processes: number): Promise<Measured> {
  const name = `recalld_bench_${randomUUID().slice(0, 8)}`
  await inServer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const env = { RECALLD_DATABASE_URL: url.href, RECALLD_ROLES: 'api' }
  const servers: BenchServer[] = []
  const workers: ChildProcess[] = []
  try {
    for (let number = 0; number < processes; number++) {
      const server = await startServer(servers[0]?.home, env)
      servers.push(server)
      workers.push(startWorker(server.home, env))
    }
    return await measure(servers, `PostgreSQL, ${processes} of each`)
  } finally {
    for (const worker of workers) await stopProcess(worker)
    for (const one of servers) await one.stop()
    await inServer(server, `drop database ${name} with (force)`)
  }
}
