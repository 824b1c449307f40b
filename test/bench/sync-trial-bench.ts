import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CONNECTORS } from '../../connectors/index.ts'
import type { Connector } from '../../src/connector/connector.ts'
import { bindMemory } from '../../src/service/bind-memory.ts'
import type { Connection, SyncEnvironment } from '../../src/sync/connection.ts'
import { Scheduler } from '../../src/sync/scheduler.ts'
import { syncUnlessElsewhere } from '../../src/sync/sync-connection.ts'
import { madeUpConnector } from '../lib/made-up-connector.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { type RunningService, startService } from '../lib/start-service.ts'
import { syncEnvironment } from '../lib/sync-environment.ts'
import type { Row } from './table.ts'
import type { ServedSource } from './trial-sources.ts'

/** Connections that are read quickly and often. */
const QUICK = ['calendar', 'tasks', 'feeds']
const QUICK_EVERY_MS = 60_000
/** Everything of the last 30 days is to be recallable after this. */
const RECENT_WITHIN_MS = 5 * 60_000
const LONGEST_MS = 4 * 60 * 60_000
const PROGRESS_EVERY_MS = 60_000

interface LongSource {
  readonly title: string
  readonly connection: Connection
  /** When the first run began, and when the last 30 days were memorized and could be recalled, in ms since the start. */
  begunMs?: number
  memorizedMs?: number
  recallableMs?: number
  endedMs?: number
}

/** The first syncs of one person's large sources at once, with quick ones beside them, at 80 ms an answer. */
export async function measureSyncTrial(size: number | 'whole'): Promise<Row[]> {
  await using stack = new AsyncDisposableStack()
  const service = stack.use(await startService({ settings: { maxUploadsWaitingPerAccount: 1_000_000 } }))
  const long = await Promise.all((await serveApart(size, stack)).map(openLong))
  const quick = QUICK.map((id): Connection => ({ connector: quickConnector(id), config: { name: 'quick' } }))
  const trial = new Trial(service, long)
  const before = process.memoryUsage().rss / 2 ** 20
  const scheduler = stack.adopt(trial.scheduler(quick), (one) => one.stop())
  await scheduler.start()
  await trial.untilEnded()
  const slowest = (of: (source: LongSource) => number | undefined) =>
    Math.max(...long.map((source) => of(source) ?? Number.POSITIVE_INFINITY))
  const all = long.map(({ title }) => title).join(', ')
  return [
    row(
      `first syncs at once (${all}): last 30 days of each memorized`,
      slowest(({ memorizedMs }) => memorizedMs),
      RECENT_WITHIN_MS,
    ),
    row(
      'the same: last 30 days of each recallable',
      slowest(({ recallableMs }) => recallableMs),
      RECENT_WITHIN_MS,
    ),
    ...long.map(({ title, begunMs = Number.NaN, recallableMs = Number.NaN }) =>
      row(
        `${title}, begun after ${Math.round(begunMs / 1_000)} s: last 30 days recallable`,
        recallableMs,
        RECENT_WITHIN_MS,
      ),
    ),
    row(
      'the same: all first syncs ended',
      slowest(({ endedMs }) => endedMs),
      undefined,
    ),
    row(
      `the same: quick sources every ${QUICK_EVERY_MS / 1_000} s, longest time between two runs`,
      trial.longestGapMs(),
      2 * QUICK_EVERY_MS,
    ),
    {
      what: 'the same: most resident memory; the local servers are another process',
      budget: undefined,
      unit: 'MiB',
      measured: process.resourceUsage().maxRSS / 2 ** 10,
      baseline: before,
      against: 'before they began',
    },
  ]
}

function row(what: string, measured: number, budget: number | undefined): Row {
  return { what, budget, unit: 'ms', measured }
}

/** Serves the sources in another process. */
async function serveApart(size: number | 'whole', stack: AsyncDisposableStack): Promise<readonly ServedSource[]> {
  const child = fork(fileURLToPath(new URL('trial-sources.ts', import.meta.url)), [String(size)])
  stack.defer(async () => {
    const ended = once(child, 'exit')
    child.disconnect()
    await ended
  })
  const [served] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The sources of the trial could not be served'))),
  ])
  return served as readonly ServedSource[]
}

async function openLong({ connector: id, title, config }: ServedSource): Promise<LongSource> {
  const connector = await CONNECTORS[id]?.()
  if (connector === undefined) throw new Error(`There is no connector ${id}`)
  return { title, connection: { connector, config: connector.manifest.config.parse(config) } }
}

function quickConnector(id: string): Connector {
  return madeUpConnector({ items: new Map([['one', 'A short text.']]) }, { id, title: id, provider: 'google' })
}

class Trial {
  readonly #service: RunningService
  readonly #long: readonly LongSource[]
  readonly #environment: SyncEnvironment
  readonly #began = performance.now()
  readonly #quickStarts = new Map<string, number[]>()

  constructor(service: RunningService, long: readonly LongSource[]) {
    this.#service = service
    this.#long = long
    const memory = bindMemory(service.service, () => service.service.authenticate(service.key))
    this.#environment = {
      ...syncEnvironment({ ledger: service.store.ledger(`account:${service.accountId}`), memory }),
      clock: () => new Date(),
      sleep: async (ms, signal) => void (await delay(ms, undefined, { signal }).catch(() => undefined)),
    }
  }

  scheduler(quick: readonly Connection[]): Scheduler {
    return new Scheduler({
      connections: [...this.#long.map(({ connection }) => connection), ...quick],
      ledger: this.#environment.ledger,
      lookMs: 2_000,
      run: (connection, signal, { yieldSignal, because }) => this.#run(connection, { signal, yieldSignal, because }),
      timeZone: 'UTC',
      clock: () => new Date(),
      log: recordingLog().log,
      startTimer: (callback, delayMs) => {
        const timer = setTimeout(callback, delayMs)
        return () => clearTimeout(timer)
      },
      random: () => 0,
      times: () => ({
        next: () => new Date((Math.floor(Date.now() / QUICK_EVERY_MS) + 1) * QUICK_EVERY_MS),
        intervalMs: () => QUICK_EVERY_MS,
      }),
    })
  }

  async #run(connection: Connection, options: Parameters<typeof syncUnlessElsewhere>[2]): Promise<boolean> {
    const long = this.#long.find((one) => one.connection === connection)
    const { id } = connection.connector.manifest
    if (long !== undefined) long.begunMs ??= this.#now()
    else this.#quickStarts.set(id, [...(this.#quickStarts.get(id) ?? []), this.#now()])
    const report = await syncUnlessElsewhere(connection, this.#environment, {
      ...options,
      onProgress: ({ recentDays }) => {
        if (recentDays !== undefined && long !== undefined) this.#recent(long)
      },
    })
    if (long !== undefined && report?.outcome === 'ok') {
      this.#recent(long)
      long.endedMs ??= this.#now()
    }
    return report !== undefined
  }

  #recent(long: LongSource): void {
    if (long.memorizedMs !== undefined) return
    long.memorizedMs = this.#now()
    void this.#processed(new Date()).then(() => {
      long.recallableMs = this.#now()
    })
  }

  /** Waits until everything recent that was memorized before this can be recalled. */
  async #processed(at: Date): Promise<void> {
    for (;;) {
      const { oldestAt } = (await this.#service.store.admin.stats()).turns.uploads
      if (oldestAt === undefined || oldestAt > at) return
      await delay(200)
    }
  }

  async untilEnded(): Promise<void> {
    let told = 0
    while (this.#long.some(({ endedMs, recallableMs }) => endedMs === undefined || recallableMs === undefined)) {
      if (this.#now() > LONGEST_MS)
        throw new Error(
          `The trial takes too long: ${JSON.stringify(this.#long.map(({ connection: _, ...times }) => times))}`,
        )
      await delay(1_000)
      if (this.#now() - told < PROGRESS_EVERY_MS) continue
      told = this.#now()
      await this.#tellProgress()
    }
  }

  /** Writes to stderr what has been reached, because the whole person takes an hour. */
  async #tellProgress(): Promise<void> {
    const { uploads } = (await this.#service.store.admin.stats()).turns
    const seconds = (ms: number | undefined) => (ms === undefined ? '-' : Math.round(ms / 1_000))
    const sources = this.#long.map(
      ({ connection, ...times }) =>
        `${connection.connector.manifest.id} ${seconds(times.recallableMs)}/${seconds(times.endedMs)}`,
    )
    const resident = Math.round(process.memoryUsage().rss / 2 ** 20)
    const state = `${uploads.waiting} uploads waiting, ${resident} MiB`
    console.error(`${seconds(this.#now())} s: ${state}; recent recallable / ended: ${sources.join(', ')}`)
  }

  longestGapMs(): number {
    const gaps = [...this.#quickStarts.values()].flatMap((starts) =>
      starts.map((at, index) => at - (starts[index - 1] ?? 0)),
    )
    return Math.max(...gaps)
  }

  #now(): number {
    return performance.now() - this.#began
  }
}
