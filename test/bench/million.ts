import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stopProcess } from './baselines.ts'
import { createCorpus } from './corpus.ts'
import { cpuSeconds } from './cpu-seconds.ts'
import { inServer } from './in-server.ts'
import { percentile, sleep, timed } from './measure.ts'
import { type BenchServer, startServer } from './server.ts'
import { startWorker } from './start-worker.ts'

/**
 * Fills one account on PostgreSQL by real uploads until it holds so many memories, and measures what that costs and how long recall takes then.
 * A run that was stopped goes on when it is started again with the same database and home. The server must run on this machine.
 */
const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    home: { type: 'string' },
    memories: { type: 'string', default: '1000000' },
    workers: { type: 'string', default: '2' },
  },
})
const { database = '', home = '' } = options
if (database === '' || home === '') {
  throw new Error('--database postgres://user@host:5432/an_empty_database and --home FOLDER are needed')
}
const MEMORIES = Number(options.memories)
const TEXT_CHARACTERS = 8_000
/** Uploads between two looks at how many memories there are. */
const PORTION = 1_000
const QUERIES = 300
/** As many as a process lets search at a time. */
const CLIENTS = 2
const corpus = createCorpus()
mkdirSync(home, { recursive: true })
const env = { RECALLD_DATABASE_URL: database, RECALLD_ROLES: 'api' }

const postmaster = await postmasterPid()
const server = await startServer(home, env)
const workers = Array.from({ length: Number(options.workers) }, () => startWorker(home, env))
try {
  await load(server)
  report('sizes', await sizes())
  await inServer(database, 'vacuum analyze')
  await measureRecall(server)
  await measureIngest(server)
} finally {
  for (const worker of workers) await stopProcess(worker)
  await server.stop()
}

async function load(target: BenchServer): Promise<void> {
  const atStart = await held()
  if (atStart.memories >= MEMORIES) return
  const before = spent()
  const start = performance.now()
  let { items, memories } = atStart
  while (memories < MEMORIES) {
    const first = items
    await timed(PORTION, 16, (number) =>
      target.upload(`text-${first + number}`, corpus.text(first + number, TEXT_CHARACTERS), 'text/plain'),
    )
    while ((await target.settled()) < first + PORTION) await sleep(50)
    ;({ items, memories } = await held())
    process.stderr.write(`${memories.toLocaleString('en')} memories of ${items.toLocaleString('en')} texts\n`)
  }
  const added = memories - atStart.memories
  const seconds = (performance.now() - start) / 1_000
  const after = spent()
  report('load', {
    memories: added,
    texts: items - atStart.items,
    seconds: Math.round(seconds),
    memoriesPerSecond: Math.round(added / seconds),
    cpuSecondsOfRecalld: Math.round(after.recalld - before.recalld),
    cpuSecondsOfPostgres: Math.round(after.postgres - before.postgres),
  })
}

async function measureRecall(target: BenchServer): Promise<void> {
  const ask = async (number: number) => void (await target.recall(corpus.question(number)))
  await timed(100, 2, ask)
  const before = spent()
  const single = await timed(QUERIES, 1, (number) => ask(1_000 + number))
  const after = spent()
  const start = performance.now()
  await timed(QUERIES * 2, CLIENTS, (number) => ask(5_000 + number))
  const perSecond = (QUERIES * 2 * 1_000) / (performance.now() - start)
  report('recall', {
    p50: Math.round(percentile(single, 0.5) * 10) / 10,
    p95: Math.round(percentile(single, 0.95) * 10) / 10,
    perSecondOf2Clients: Math.round(perSecond * 10) / 10,
    cpuMsOfRecalld: Math.round(((after.recalld - before.recalld) / QUERIES) * 1_000),
    cpuMsOfPostgres: Math.round(((after.postgres - before.postgres) / QUERIES) * 1_000),
    residentMiB: target.residentMiB(),
  })
}

/** What an upload costs once everything is there. */
async function measureIngest(target: BenchServer): Promise<void> {
  const { items, memories } = await held()
  const before = spent()
  const start = performance.now()
  await timed(PORTION, 16, (number) =>
    target.upload(`text-${items + number}`, corpus.text(items + number, TEXT_CHARACTERS), 'text/plain'),
  )
  while ((await target.settled()) < items + PORTION) await sleep(50)
  const seconds = (performance.now() - start) / 1_000
  const after = spent()
  const added = (await held()).memories - memories
  report('ingest', {
    memoriesPerSecond: Math.round(added / seconds),
    cpuMsOfRecalldPerMemory: Math.round(((after.recalld - before.recalld) / added) * 10_000) / 10,
    cpuMsOfPostgresPerMemory: Math.round(((after.postgres - before.postgres) / added) * 10_000) / 10,
  })
}

async function held(): Promise<{ items: number; memories: number }> {
  const [row] = await inServer<{ items: string; memories: string }>(
    database,
    'select (select count(*) from item) as items, (select count(*) from memory) as memories',
  )
  return { items: Number(row?.items), memories: Number(row?.memories) }
}

/** Processor time so far, in seconds. */
function spent(): { recalld: number; postgres: number } {
  const recalld = [server.pid, ...workers.map((worker) => worker.pid ?? 0)]
  return { recalld: recalld.reduce((sum, pid) => sum + cpuSeconds(pid), 0), postgres: cpuSeconds(postmaster) }
}

async function sizes(): Promise<Record<string, unknown>> {
  const rows = await inServer<{ name: string; table: string; indexes: string }>(
    database,
    `select relname as name, pg_table_size(oid) as table, pg_indexes_size(oid) as indexes from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_total_relation_size(oid) > 10000000
     order by pg_total_relation_size(oid) desc`,
  )
  const [whole] = await inServer<{ bytes: string }>(database, 'select pg_database_size(current_database()) as bytes')
  const megabytes = (bytes: string | undefined) => Math.round(Number(bytes) / 1e6)
  return {
    ...(await held()),
    wholeMB: megabytes(whole?.bytes),
    tables: rows.map((row) => `${row.name}: ${megabytes(row.table)} + ${megabytes(row.indexes)} MB of indexes`),
  }
}

async function postmasterPid(): Promise<number> {
  const [row] = await inServer<{ data_directory: string }>(database, 'show data_directory')
  return Number(readFileSync(join(row?.data_directory ?? '', 'postmaster.pid'), 'utf8').split('\n')[0])
}

function report(what: string, figures: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify({ what, ...figures })}\n`)
}
