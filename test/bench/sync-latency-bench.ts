import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { CONNECTORS } from '../../connectors/index.ts'
import { syncConnection } from '../../src/sync/sync-connection.ts'
import { startService } from '../lib/start-service.ts'
import { syncEnvironment } from '../lib/sync-environment.ts'
import { DelayedServer } from './delayed-server.ts'
import { forgetfulMemory } from './forgetful-memory.ts'
import type { BenchSource, OpenBenchSource } from './sync-sources/bench-source.ts'
import { emailBench } from './sync-sources/email-bench.ts'
import { gdocsBench } from './sync-sources/gdocs-bench.ts'
import { githubPullsBench } from './sync-sources/github-bench.ts'
import { outlookBench } from './sync-sources/outlook-bench.ts'
import { slackBench } from './sync-sources/slack-bench.ts'
import type { Row } from './table.ts'

/** What an answer of a provider takes from a European home. */
const LATENCY_MS = 80

interface Quota {
  /** Requests that are under way at once at most. */
  readonly atOnce: number
  /** Of the API that the source asks most, where more are refused; a minute's worth may come at once. */
  readonly perMinute?: number
}

interface LatencySource {
  readonly open: OpenBenchSource
  readonly share: number
  readonly quota: Quota
}

const SOURCES: readonly LatencySource[] = [
  // Slack promises 50 a minute for each method, and allows bursts.
  { open: slackBench, share: 1, quota: { atOnce: 16 } },
  { open: githubPullsBench, share: 1, quota: { atOnce: 8, perMinute: 900 } },
  { open: emailBench, share: 0.2, quota: { atOnce: 12, perMinute: 600 } },
  { open: gdocsBench, share: 0.3, quota: { atOnce: 8 } },
  { open: outlookBench, share: 1, quota: { atOnce: 4 } },
]

/** First runs when each answer takes 80 ms, against one request at a time and against what the quota of the API allows. */
export async function measureSyncAtLatency(share: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const { open, quota, ...own } of SOURCES) {
    const source = await open(share * own.share)
    try {
      rows.push(...(await measureSource(source, quota)))
    } finally {
      await source.close()
    }
  }
  return rows
}

async function measureSource(source: BenchSource, quota: Quota): Promise<Row[]> {
  await using stack = new AsyncDisposableStack()
  const service = stack.use(await startService({ work: false }))
  const config = await behindLatency(source.config, stack)
  const connector = await CONNECTORS[source.connector]?.()
  if (connector === undefined) throw new Error(`There is no connector ${source.connector}`)
  const environment = {
    ...syncEnvironment({ ledger: service.store.ledger(randomUUID()), memory: forgetfulMemory() }),
    clock: () => new Date(),
    sleep: async (ms: number, signal: AbortSignal) => void (await delay(ms, undefined, { signal })),
  }
  const connection = { connector, config: connector.manifest.config.parse(config) }
  const start = performance.now()
  const report = await syncConnection(connection, environment, { signal: new AbortController().signal })
  const measured = performance.now() - start
  if (report.outcome !== 'ok') throw new Error(`${source.connector}: ${JSON.stringify(report)}`)
  const what = `${source.connector}, ${source.count.toLocaleString('en')} ${source.noun}: first run at ${LATENCY_MS} ms an answer`
  const serial = (source.oneByOne ?? report.requests) * LATENCY_MS
  return [
    {
      what: `${what}, ${report.requests.toLocaleString('en')} requests`,
      budget: Math.max(serial / 8, floorMs(report.requests, quota)),
      unit: 'ms',
      measured,
      baseline: serial,
      against: source.oneByOne === undefined ? 'one request at a time' : 'one request at a time, and for one item',
    },
    {
      what: `${what}, against its quota`,
      budget: undefined,
      unit: 'ms',
      measured,
      baseline: floorMs(report.requests, quota),
      against: `the floor by its quota, ${quota.atOnce} at once`,
    },
  ]
}

function floorMs(requests: number, { atOnce, perMinute }: Quota): number {
  const beyond = perMinute === undefined ? 0 : Math.max(0, requests - perMinute)
  return Math.max((requests * LATENCY_MS) / atOnce, (beyond / (perMinute ?? 1)) * 60_000)
}

/** The configuration with each local address behind a slow network. */
export async function behindLatency(config: Record<string, unknown>, stack: AsyncDisposableStack) {
  let text = JSON.stringify(config)
  const ports = new Set([...text.matchAll(/http:\/\/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port)))
  for (const port of ports) {
    const { port: delayed } = stack.use(await DelayedServer.start(port, LATENCY_MS))
    text = text.replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${delayed}`)
  }
  return JSON.parse(text) as Record<string, unknown>
}
