import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { stopProcess } from './baselines.ts'
import { createCorpus } from './corpus.ts'
import { inServer } from './in-server.ts'
import { sleep, timed } from './measure.ts'
import { type Call, OfferedLoad, type Outcome } from './offered-load.ts'
import { resident } from './resident.ts'
import { type BenchServer, startServer } from './server.ts'
import { startWorker } from './start-worker.ts'

/**
 * Asks more of recalld than it can do, for a long time, and measures what it does then: first how much it can (recalls and uploads at the same time),
 * then half of that for comparison, then `--times` as much for `--minutes`, then half again until all is as before. With `--database`, a server where databases can
 * be made, so many processes of api and worker as `--processes` says; without it one process on SQLite.
 */
const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    processes: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '30' },
    times: { type: 'string', default: '2' },
    /** For what is measured before and after. */
    seconds: { type: 'string', default: '60' },
  },
})
const TEXT_CHARACTERS = 2_000
const TEXTS_AT_FIRST = 3_000
const CALIBRATION_MS = Number(options.seconds) * 1_000
/** What may wait: what half a minute can do. So a queue that was filled to the brim is worked off within a minute. */
const WAITING_SECONDS = 30
const ANSWER_TIMEOUT_MS = 30_000
const corpus = createCorpus()

let texts = 0
let acknowledged = 0

interface Service {
  readonly servers: readonly BenchServer[]
  readonly workers: readonly ChildProcess[]
  end(): Promise<void>
}

interface Rates {
  readonly recalls: number
  readonly uploads: number
}

const calibrated = await withService({}, calibrate)
report('capacity', calibrated)
const waiting = Math.ceil(calibrated.uploads * WAITING_SECONDS)
const limits = {
  RECALLD_MAX_UPLOADS_WAITING: String(waiting),
  RECALLD_MAX_UPLOADS_WAITING_PER_ACCOUNT: String(Math.ceil(waiting * 0.9)),
}
texts = 0
acknowledged = 0
await withService(limits, overload)

async function overload(service: Service): Promise<void> {
  await fill(service)
  let times = 0.5
  const recalls = new OfferedLoad(
    () => calibrated.recalls * times,
    (number) => recall(service, number),
  )
  const uploads = new OfferedLoad(
    () => calibrated.uploads * times,
    () => upload(service),
  )
  recalls.start()
  uploads.start()
  await sleep(10_000)
  recalls.take()
  uploads.take()
  await sleep(CALIBRATION_MS)
  const before = { recalls: recalls.take(), uploads: uploads.take(), ...(await standing(service)) }
  report('half of the capacity', before)

  times = Number(options.times)
  for (let minute = 1; minute <= Number(options.minutes); minute++) {
    await sleep(60_000)
    report(`minute ${minute} of ${times} times the capacity`, {
      recalls: recalls.take(),
      uploads: uploads.take(),
      ...(await standing(service)),
    })
  }

  times = 0.5
  report('recovery', { seconds: await recovered(service, before.recalls, { recalls, uploads }) })
  await sleep(CALIBRATION_MS)
  report('half of the capacity, afterwards', {
    recalls: recalls.take(),
    uploads: uploads.take(),
    ...(await standing(service)),
  })
  await Promise.all([recalls.stop(), uploads.stop()])
  await settled(service, acknowledged)
  report('every acknowledged upload is there', { acknowledged, items: await items(service) })
}

/** Seconds until for three seconds nothing was refused, answers took at most half as long again as before, and the queue was short. */
async function recovered(
  service: Service,
  before: Outcome,
  { recalls, uploads }: { recalls: OfferedLoad; uploads: OfferedLoad },
): Promise<number> {
  const start = performance.now()
  let goodSince = start
  while (performance.now() - goodSince < 3_000) {
    await sleep(1_000)
    const [asked, sent] = [recalls.take(), uploads.take()]
    const { waiting } = await standing(service)
    const refused = [asked, sent].some(({ refused429, refused503, failed }) => refused429 + refused503 + failed > 0)
    if (refused || asked.p50 > before.p50 * 1.5 || waiting > calibrated.uploads) goodSince = performance.now()
    if (performance.now() - start > 10 * 60_000) throw new Error('not recovered in 10 minutes')
  }
  return Math.round((goodSince - start) / 100) / 10
}

/** Recalls and uploads a second that end while as many of both are asked as it takes, and no more uploads than are made into memories. */
async function calibrate(service: Service): Promise<Rates> {
  await fill(service)
  const end = performance.now() + CALIBRATION_MS
  const before = await items(service)
  let recalls = 0
  const asking = Array.from({ length: 2 * service.servers.length }, async (_, lane) => {
    for (let number = lane * 100_000; performance.now() < end; number++) {
      if ((await recall(service, number)).status === 200) recalls += 1
    }
  })
  const uploading = Array.from({ length: 2 }, async () => {
    while (performance.now() < end) {
      if (acknowledged - (await items(service)) < 50) await timed(10, 10, async () => void (await upload(service)))
      else await sleep(10)
    }
  })
  await Promise.all([...asking, ...uploading])
  const seconds = CALIBRATION_MS / 1_000
  return { recalls: recalls / seconds, uploads: ((await items(service)) - before) / seconds }
}

async function fill(service: Service): Promise<void> {
  await timed(TEXTS_AT_FIRST, 16, async () => {
    if ((await upload(service)).status !== 200) await sleep(200)
  })
  await settled(service, acknowledged)
}

async function settled(service: Service, all: number): Promise<void> {
  while ((await items(service)) < all) await sleep(100)
}

/** Items that are made, or failed. A server that refuses is asked again. */
async function items(service: Service): Promise<number> {
  while (true) {
    try {
      return await serverOf(service, 0).settled()
    } catch (error) {
      if (!String(error).includes(' 503 ')) throw error
      await sleep(200)
    }
  }
}

async function standing(service: Service) {
  const { servers, workers } = service
  return {
    waiting: acknowledged - (await items(service)),
    residentMiB: {
      api: servers.map(({ pid }) => resident(pid).now),
      workers: workers.map(({ pid }) => resident(pid ?? 0).now),
      loadGenerator: Math.round(process.memoryUsage.rss() / 2 ** 20),
    },
  }
}

function serverOf({ servers }: Service, number: number): BenchServer {
  const server = servers[number % servers.length]
  if (server === undefined) throw new Error('no server')
  return server
}

async function recall(service: Service, number: number): Promise<Call> {
  const form = new FormData()
  form.set('text', corpus.question(number))
  return call(serverOf(service, number), '/v1/memories/recall', form)
}

async function upload(service: Service): Promise<Call> {
  const number = texts++
  const form = new FormData()
  form.set('user_name', 'Ada')
  form.set('item_id', `text-${number}`)
  form.set('file', new Blob([corpus.text(number, TEXT_CHARACTERS)], { type: 'text/plain' }), `text-${number}`)
  const answer = await call(serverOf(service, number), '/v1/memorize', form)
  if (answer.status === 200) acknowledged += 1
  return answer
}

async function call({ url, key }: BenchServer, pathname: string, body: FormData): Promise<Call> {
  const response = await fetch(url + pathname, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body,
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  })
  await response.arrayBuffer()
  return { status: response.status, retryAfter: response.headers.get('retry-after') }
}

async function withService<Result>(
  limits: Readonly<Record<string, string>>,
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const service = options.database === undefined ? await onSqlite(limits) : await onPostgres(options.database, limits)
  try {
    return await work(service)
  } finally {
    await service.end()
  }
}

async function onSqlite(limits: Readonly<Record<string, string>>): Promise<Service> {
  const server = await startServer(undefined, limits)
  return { servers: [server], workers: [], end: () => server.stop() }
}

async function onPostgres(database: string, limits: Readonly<Record<string, string>>): Promise<Service> {
  const name = `recalld_bench_${randomUUID().slice(0, 8)}`
  await inServer(database, `create database ${name}`)
  const url = new URL(database)
  url.pathname = `/${name}`
  const env = { ...limits, RECALLD_DATABASE_URL: url.href, RECALLD_ROLES: 'api' }
  const servers: BenchServer[] = []
  const workers: ChildProcess[] = []
  for (let number = 0; number < Number(options.processes); number++) {
    const server = await startServer(servers[0]?.home, env)
    servers.push(server)
    workers.push(startWorker(server.home, env))
  }
  return {
    servers,
    workers,
    async end() {
      for (const worker of workers) await stopProcess(worker)
      for (const server of servers.toReversed()) await server.stop()
      await inServer(database, `drop database ${name} with (force)`)
    },
  }
}

/** One line of JSON; numbers with one digit. */
function report(what: string, figures: object): void {
  const short = (_: string, value: unknown) => (typeof value === 'number' ? Math.round(value * 10) / 10 : value)
  process.stdout.write(`${JSON.stringify({ what, ...figures }, short)}\n`)
}
