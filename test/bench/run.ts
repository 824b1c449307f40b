import { parseArgs } from 'node:util'
import { BareFts5, startBareFastify } from './baselines.ts'
import { createCorpus } from './corpus.ts'
import { largePdf } from './large-pdf.ts'
import { percentile, sleep, timed } from './measure.ts'
import { recallInProcess } from './recall-in-process.ts'
import { type BenchServer, startServer } from './server.ts'
import { machine, type Row, writeTable } from './table.ts'

/**
 * Measures the budgets of the README on the machine it runs on, each beside its budget and as a ratio to a baseline of the same run.
 * `npm run bench` goes up to 100,000 memories; `npm run bench -- --memories 1000000` further; `--write` puts the table into the README.
 */
const { values: options } = parseArgs({
  options: { memories: { type: 'string', default: '100000' }, write: { type: 'boolean', default: false } },
})
const TEXT_CHARACTERS = 2_000
const QUERIES = 300

const corpus = createCorpus()
const rows: Row[] = []
const fts = new BareFts5()
const hello = await startBareFastify()
let server = await startServer()
let uploaded = 0

try {
  rows.push({
    what: 'start to first healthy answer',
    budget: 1500,
    unit: 'ms',
    measured: server.startMs,
    baseline: hello.startMs,
    against: 'bare Fastify hello',
  })
  await measureUploadToRecallable()
  const sizes = [10_000, 100_000, 1_000_000].filter((size) => size <= Number(options.memories))
  for (const size of sizes) await measureAt(size)
  await measurePdf()
} finally {
  await server.stop()
  await hello.stop()
  fts.close()
}
await writeTable(rows, { title: machine(), write: options.write, marker: 'bench' })

async function measureUploadToRecallable(): Promise<void> {
  const durations = await timed(60, 1, async (number) => {
    const word = `zebrafish${number}quux`
    await server.upload(
      `probe-${number}`,
      `${corpus.text(900_000_000 + number, TEXT_CHARACTERS - 60)}\n\nThe word of the day is ${word}.`,
      'text/plain',
    )
    uploaded++
    while (
      !(await server.recall(`word of the day ${word}`)).memories.some((memory) => memory.content.body?.includes(word))
    )
      await sleep(5)
  })
  const helloDurations = await timed(
    300,
    1,
    async () =>
      void (await (await fetch(hello.url, { method: 'POST', body: 'x'.repeat(TEXT_CHARACTERS) })).arrayBuffer()),
  )
  rows.push({
    what: 'upload of 2 KB to recallable, p95',
    budget: 500,
    unit: 'ms',
    measured: percentile(durations, 0.95),
    baseline: percentile(helloDurations, 0.95),
    against: 'bare Fastify hello with the same body',
  })
}

/** Grows the home to about `memories` memories by real uploads, then measures ingest, recall and memory. */
async function measureAt(memories: number): Promise<void> {
  const label = memories.toLocaleString('en')
  const perText = 3
  const goal = Math.ceil(memories / perText)
  const start = performance.now()
  const before = uploaded
  await timed(goal - uploaded, 24, async () => {
    const number = uploaded++
    await server.upload(`text-${number}`, corpus.text(number, TEXT_CHARACTERS), 'text/plain')
  })
  await settled()
  const rate = ((uploaded - before) / (performance.now() - start)) * 1000
  const ftsRate = fts.grow(corpus, goal, TEXT_CHARACTERS)
  const budget = memories >= 1_000_000 ? 100 : 200
  rows.push({
    what: `bulk ingest of 2 KB texts, durable, up to ${label} memories`,
    budget,
    unit: 'items/s',
    measured: rate,
    baseline: ftsRate,
    against: 'bare FTS5 inserts of the same texts',
  })

  await server.recall(corpus.question(999_999))
  const idle = await recalls(server)
  const baseline = fts.queryP50(corpus, QUERIES)
  const p50Budget = memories >= 1_000_000 ? 40 : 8
  rows.push({
    what: `recall over HTTP, ${label} memories, p50`,
    budget: p50Budget,
    unit: 'ms',
    measured: percentile(idle, 0.5),
    baseline,
    against: 'bare FTS5 query',
  })
  rows.push({
    what: `recall over HTTP, ${label} memories, p95`,
    budget: memories >= 1_000_000 ? undefined : 25,
    unit: 'ms',
    measured: percentile(idle, 0.95),
    baseline,
    against: 'bare FTS5 query, p50',
  })
  await measureRecallInProcess(memories, baseline)
  if (memories === 100_000) {
    await measureRecallWhileIngesting(percentile(idle, 0.95))
    rows.push({
      what: 'resident memory, right after ingesting 100,000 memories',
      budget: undefined,
      unit: 'MiB',
      measured: server.residentMiB().now,
    })
    server = await server.restart()
    await timed(20, 1, async (number) => void (await server.recall(corpus.question(number))))
    await sleep(5_000)
    rows.push({
      what: 'resident memory, idle with 100,000 memories',
      budget: 300,
      unit: 'MiB',
      measured: server.residentMiB().now,
    })
  }
}

/** Without HTTP, a second store on the same file. */
async function measureRecallInProcess(memories: number, baseline: number): Promise<void> {
  const durations = await recallInProcess(server.home, corpus, QUERIES)
  const label = memories.toLocaleString('en')
  rows.push({
    what: `recall in process, ${label} memories, p50`,
    budget: memories === 100_000 ? 5 : undefined,
    unit: 'ms',
    measured: percentile(durations, 0.5),
    baseline,
    against: 'bare FTS5 query',
  })
  rows.push({
    what: `recall in process, ${label} memories, p95`,
    budget: undefined,
    unit: 'ms',
    measured: percentile(durations, 0.95),
    baseline,
    against: 'bare FTS5 query, p50',
  })
}

async function recalls(target: BenchServer): Promise<number[]> {
  return timed(QUERIES, 1, async (number) => void (await target.recall(corpus.question(number))))
}

async function measureRecallWhileIngesting(idleP95: number): Promise<void> {
  let ingesting = true
  const ingest = timed(Number.MAX_SAFE_INTEGER, 16, async () => {
    if (!ingesting) throw new Error('done')
    const number = uploaded++
    await server.upload(`text-${number}`, corpus.text(number, TEXT_CHARACTERS), 'text/plain')
  }).catch((error: unknown) => {
    if (ingesting) throw error
  })
  await sleep(1_000)
  const busy = await recalls(server)
  ingesting = false
  await ingest
  await settled()
  rows.push({
    what: 'recall while ingesting at full speed, p95',
    budget: idleP95 * 3,
    unit: 'ms',
    measured: percentile(busy, 0.95),
    baseline: idleP95,
    against: 'the same, idle',
  })
}

async function measurePdf(): Promise<void> {
  // A home of its own: the peak of the process is that of the PDF.
  await server.stop()
  server = await startServer()
  const pdf = await largePdf(20 * 1024 * 1024 - 200_000)
  const before = await timed(100, 1, () => server.health())
  const [accept] = await timed(1, 1, () => server.upload('large-pdf', pdf, 'application/pdf'))
  const during: number[] = []
  while ((await server.settled()) < 1) during.push(...(await timed(20, 1, () => server.health())))
  rows.push({ what: '20 MB PDF: upload accepted', budget: undefined, unit: 'ms', measured: accept! })
  rows.push({
    what: '20 MB PDF: health while it is processed, p95',
    budget: undefined,
    unit: 'ms',
    measured: percentile(during, 0.95),
    baseline: percentile(before, 0.95),
    against: 'the same, idle',
  })
  rows.push({
    what: '20 MB PDF: peak resident memory',
    budget: 512,
    unit: 'MiB',
    measured: server.residentMiB().peak,
  })
  const failed = await server.failed()
  if (failed.length > 0) throw new Error(`items failed:\n${failed.join('\n')}`)
}

async function settled(): Promise<void> {
  while ((await server.settled()) < uploaded) await sleep(20)
}
