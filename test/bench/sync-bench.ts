import { setTimeout as delay } from 'node:timers/promises'
import { CONNECTORS } from '../../connectors/index.ts'
import type { Memory, Upload } from '../../src/domain/memory.ts'
import { bindMemory } from '../../src/service/bind-memory.ts'
import type { Ledger } from '../../src/store/ledger/ledger.ts'
import type { SyncEnvironment } from '../../src/sync/connection.ts'
import type { RunReport } from '../../src/sync/run-report.ts'
import { syncConnection } from '../../src/sync/sync-connection.ts'
import { type RunningService, startService } from '../lib/start-service.ts'
import { syncEnvironment } from '../lib/sync-environment.ts'
import type { BenchSource, OpenBenchSource } from './sync-sources/bench-source.ts'
import { calendarBench } from './sync-sources/calendar-bench.ts'
import { emailBench } from './sync-sources/email-bench.ts'
import { gdocsBench } from './sync-sources/gdocs-bench.ts'
import { githubBench } from './sync-sources/github-bench.ts'
import { outlookBench } from './sync-sources/outlook-bench.ts'
import { slackBench } from './sync-sources/slack-bench.ts'
import { WORK_SOURCES } from './sync-sources/work-bench.ts'
import type { Row } from './table.ts'

/** Every source that is measured, in the order of the rows. */
export const SYNC_SOURCES: Readonly<Record<string, OpenBenchSource>> = {
  slack: slackBench,
  github: githubBench,
  email: emailBench,
  calendar: calendarBench,
  gdocs: gdocsBench,
  'ms-outlook': outlookBench,
  ...WORK_SOURCES,
}

/** Synchronizes a source from a local server into an embedded memory, until everything can be recalled. */
export async function measureSync(open: OpenBenchSource, share: number): Promise<Row[]> {
  const source = await open(share)
  try {
    return await measureSource(source)
  } finally {
    await source.close()
  }
}

async function measureSource(source: BenchSource): Promise<Row[]> {
  const uploads: Upload[] = []
  const title = `${source.connector}, ${source.count.toLocaleString('en')} ${source.noun}`
  await using service = await startService({ settings: { maxUploadsWaitingPerAccount: 1_000_000 } })
  const memory = recording(
    bindMemory(service.service, () => service.service.authenticate(service.key)),
    uploads,
  )
  const environment = environmentOf(service.store.ledger(`account:${service.accountId}`), memory)
  const start = performance.now()
  const first = await run(source, environment)
  await processed(service)
  const seconds = (performance.now() - start) / 1_000
  await source.replay()

  const documents = uploads.splice(0)
  const second = await run(source, environment)
  if (uploads.length > 0) throw new Error(`${title}: a run without changes memorized ${uploads.length} items`)
  const paging = await source.replay()
  return [
    {
      what: `${title}: first run, until recallable`,
      budget: undefined,
      unit: 'items/s',
      measured: documents.length / seconds,
      baseline: await memorizeBare(documents),
      against: `the same ${documents.length.toLocaleString('en')} documents without a connector`,
    },
    {
      what: `${title}: requests of the first run`,
      budget: undefined,
      unit: 'requests',
      measured: first.requests,
      baseline: source.fewestRequests,
      against: 'the fewest possible',
    },
    {
      what: `${title}: run without changes, beyond the paging of its ${second.requests} requests`,
      budget: 2_000,
      unit: 'ms',
      measured: Math.max(0, second.duration_ms - paging),
      baseline: paging,
      against: 'the paging alone, without an SDK',
    },
  ]
}

/** A run into this memory, in real time. */
export function environmentOf(ledger: Ledger, memory: Memory): SyncEnvironment {
  return {
    ...syncEnvironment({ ledger, memory }),
    clock: () => new Date(),
    sleep: async (ms, signal) => void (await delay(ms, undefined, { signal })),
  }
}

/** One run, which must succeed. */
export async function run(
  source: Pick<BenchSource, 'connector' | 'config'>,
  environment: SyncEnvironment,
): Promise<RunReport> {
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
