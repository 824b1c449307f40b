import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CONNECTORS } from '../../connectors/index.ts'
import type { Memory, Upload } from '../../src/domain/memory.ts'
import { bindMemory } from '../../src/service/bind-memory.ts'
import type { SyncEnvironment } from '../../src/sync/connection.ts'
import type { RunReport } from '../../src/sync/run-report.ts'
import { syncConnection } from '../../src/sync/sync-connection.ts'
import { GithubServer } from '../kit/github-server.ts'
import { GithubWorld } from '../kit/github-world.ts'
import { slackServer } from '../kit/slack-server.ts'
import { SlackWorld } from '../kit/slack-world.ts'
import { type RunningService, startService } from '../kit/start-service.ts'
import { syncEnvironment } from '../kit/sync-environment.ts'
import { createCorpus } from './corpus.ts'
import type { Row } from './table.ts'

const corpus = createCorpus()
const DAY_MS = 86_400_000

/** A source on a local server, and what it holds. */
interface BenchSource {
  readonly connector: string
  readonly config: Record<string, unknown>
  /** What people count: messages, issues. */
  readonly noun: string
  readonly count: number
  readonly fewestRequests: number
  /** Sends again, without an SDK, what came since the last call; the time it took in ms. */
  replay(): Promise<number>
  close(): Promise<void>
}

/** Synchronizes sources from local servers into an embedded memory, until everything can be recalled. */
export async function measureSync(rows: Row[]): Promise<void> {
  for (const open of [slackSource, githubSource]) {
    const source = await open()
    await measureSource(source, rows)
    await source.close()
  }
  await measureMemory(rows)
}

async function measureSource(source: BenchSource, rows: Row[]): Promise<void> {
  const uploads: Upload[] = []
  const title = `${source.connector}, ${source.count.toLocaleString('en')} ${source.noun}`
  await using service = await startService({ settings: { maxUploadsWaitingPerAccount: 1_000_000 } })
  const memory = recording(
    bindMemory(service.service, () => service.service.authenticate(service.key)),
    uploads,
  )
  const start = performance.now()
  const first = await run(source, environmentOf(service, memory))
  await processed(service)
  const seconds = (performance.now() - start) / 1_000
  await source.replay()

  const documents = uploads.splice(0)
  const bareRate = await memorizeBare(documents)
  rows.push({
    what: `${title}: first run, until recallable`,
    budget: undefined,
    unit: 'items/s',
    measured: documents.length / seconds,
    baseline: bareRate,
    against: `the same ${documents.length.toLocaleString('en')} documents without a connector`,
  })
  rows.push({
    what: `${title}: requests of the first run`,
    budget: undefined,
    unit: 'requests',
    measured: first.requests,
    baseline: source.fewestRequests,
    against: 'the fewest possible',
  })
  const second = await run(source, environmentOf(service, memory))
  if (uploads.length > 0) throw new Error(`${title}: a run without changes memorized ${uploads.length} items`)
  const paging = await source.replay()
  rows.push({
    what: `${title}: run without changes, beyond the paging of its ${second.requests} requests`,
    budget: 2_000,
    unit: 'ms',
    measured: Math.max(0, second.duration_ms - paging),
    baseline: paging,
    against: 'the paging alone, without an SDK',
  })
}

function environmentOf(service: RunningService, memory: Memory): SyncEnvironment {
  return {
    ...syncEnvironment({ ledger: service.store.ledger(`account:${service.accountId}`), memory }),
    clock: () => new Date(),
    sleep: async (ms, signal) => void (await delay(ms, undefined, { signal })),
  }
}

async function run(source: BenchSource, environment: SyncEnvironment): Promise<RunReport> {
  const connector = await CONNECTORS[source.connector]?.()
  if (connector === undefined) throw new Error(`There is no connector ${source.connector}`)
  const config = connector.manifest.config.parse(source.config)
  const report = await syncConnection({ connector, config }, environment, { signal: new AbortController().signal })
  if (report.outcome !== 'ok') throw new Error(`${source.connector}: ${JSON.stringify(report)}`)
  return report
}

function recording(memory: Memory, uploads: Upload[]): Memory {
  return {
    ...memory,
    memorize(upload) {
      uploads.push(upload)
      return memory.memorize(upload)
    },
  }
}

async function processed(service: RunningService): Promise<void> {
  while ((await service.store.queue.depth()).waiting > 0) await delay(5)
}

/** Documents per second until recallable, when nothing but the memory works. */
async function memorizeBare(uploads: readonly Upload[]): Promise<number> {
  await using service = await startService({ settings: { maxUploadsWaitingPerAccount: 1_000_000 } })
  const memory = bindMemory(service.service, () => service.service.authenticate(service.key))
  const start = performance.now()
  for (let at = 0; at < uploads.length; at += 8) {
    await Promise.all(uploads.slice(at, at + 8).map((upload) => memory.memorize(upload)))
  }
  await processed(service)
  return (uploads.length / (performance.now() - start)) * 1_000
}

const CHANNELS = 10
const THREADS = 300
const MESSAGES = 10_000
const REPLIES = 25

/** Threads of 26 messages, and the rest alone, over half a year. */
async function slackSource(): Promise<BenchSource> {
  const world = new SlackWorld()
  const users = Array.from({ length: 20 }, (_, number) => world.addUser(`U${number}`, `Person ${number}`))
  const channels = Array.from({ length: CHANNELS }, (_, number) => world.addChannel(`C${number}`, `channel-${number}`))
  const begin = Date.now() - 180 * DAY_MS
  const said = (number: number, at: number) => ({
    user: users[number % users.length] ?? 'U0',
    text: corpus.text(number, 120),
    at: new Date(at),
  })
  let written = 0
  for (let thread = 0; thread < THREADS; thread++) {
    const channel = channels[thread % CHANNELS] ?? 'C0'
    const at = begin + thread * 13 * 3_600_000
    const root = world.post(channel, said(written++, at))
    for (let reply = 1; reply <= REPLIES; reply++) world.reply(channel, root, said(written++, at + reply * 60_000))
  }
  for (let alone = 0; written < MESSAGES; alone++) {
    world.post(channels[alone % CHANNELS] ?? 'C0', said(written++, begin + alone * 7_000_000))
  }
  const server = await slackServer(world)
  const perChannel = [...world.channels.values()].map(({ messages }) => Math.ceil(messages.length / 200))
  const pages = perChannel.reduce((sum, count) => sum + count, 0)
  return {
    connector: 'slack',
    config: { name: 'bench', token: server.token, api_url: server.url },
    noun: `messages in ${THREADS} threads`,
    count: MESSAGES,
    // Whose token, which channels, which people; then every page, and every thread once.
    fewestRequests: 3 + pages + THREADS,
    async replay() {
      const requests = server.log.splice(0)
      const start = performance.now()
      for (const { method, params } of requests) {
        const answer = await fetch(`${server.url}${method}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${server.token}` },
          body: new URLSearchParams(params),
        })
        await answer.json()
      }
      server.log.length = 0
      return performance.now() - start
    },
    close: async () => server[Symbol.asyncDispose](),
  }
}

const ISSUES = 2_000

/** A third of the issues has two comments. */
async function githubSource(): Promise<BenchSource> {
  const world = new GithubWorld()
  const repository = world.addRepository('acme/shop')
  for (let number = 1; number <= ISSUES; number++) {
    const issue = world.addIssue(repository, { title: corpus.text(number, 50), body: corpus.text(number, 600) })
    if (number % 3 !== 0) continue
    for (const reply of [1, 2]) world.comment(issue, corpus.text(number * 10 + reply, 300))
  }
  const server = await GithubServer.start({ world })
  const comments = Math.floor(ISSUES / 3) * 2
  return {
    connector: 'github',
    config: {
      name: 'bench',
      token: server.token,
      api_url: server.url,
      repositories: ['acme/shop'],
      kinds: ['issues', 'pull_requests'],
    },
    noun: 'issues',
    count: ISSUES,
    // Whose token, which repository; then every page of issues, of their comments, and of comments on lines.
    fewestRequests: 2 + Math.ceil(ISSUES / 100) + Math.ceil(comments / 100) + 1,
    async replay() {
      const requests = server.log.splice(0)
      const start = performance.now()
      for (const { path } of requests) {
        const answer = await fetch(new URL(path, server.url), { headers: { authorization: `token ${server.token}` } })
        await answer.arrayBuffer()
      }
      server.log.length = 0
      return performance.now() - start
    },
    close: async () => server[Symbol.asyncDispose](),
  }
}

/** In a process of its own, so that nothing else has taken memory before. */
async function measureMemory(rows: Row[]): Promise<void> {
  const script = fileURLToPath(new URL('sync-memory.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script])
  const { few, many } = JSON.parse(stdout)
  rows.push({
    what: 'run over 100,000 items: memory in use at its end',
    budget: few * 1.25,
    unit: 'MiB',
    measured: many,
    baseline: few,
    against: 'the same after 10,000 items',
  })
}
