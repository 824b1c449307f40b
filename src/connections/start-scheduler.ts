import { z } from 'zod'
import { streamSpoolFolder } from '../connector/stream-spool.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Meter } from '../lib/telemetry.ts'
import type { Service } from '../service/service.ts'
import type { ConnectionRow, Ledger } from '../store/ledger/ledger.ts'
import { type Connection, connectionName, type SyncEnvironment } from '../sync/connection.ts'
import { Scheduler } from '../sync/scheduler.ts'
import { createStreamListener } from '../sync/stream-listener.ts'
import { type LiveRuns, noteSyncRun } from './run-activity.ts'
import { createSourceListeners } from './source-listeners.ts'

export type RunningScheduler = Pick<Scheduler, 'replace' | 'runNow' | 'abort' | 'runState' | 'isAlive'>

/** Sets gauges before the metrics of this process are read. */
interface MetricsReader {
  readWith(part: string, read: (meter: Meter) => Promise<void> | void): void
}

interface SchedulerParts {
  readonly environment: SyncEnvironment
  /** Of the memory; absent for another service. */
  readonly accountId: string | undefined
  readonly service: Service
  readonly runs: LiveRuns
  readonly log: Log
  readonly metrics?: MetricsReader | undefined
  /** A run ended. */
  readonly onRun: () => void
  /** No other process can run connections of this memory. */
  readonly isAlone: boolean
}

/** Prefix of the lease holders of its runs. */
export const SCHEDULER = 'scheduler'
/** Interval of polling for runs requested in another process. */
const LOOK_MS = 2_000

/**
 * Runs connections on their schedules and on request, until `stack` is disposed.
 * @param connections those that are not paused
 * @throws SourceError when a socket that a connection listens on cannot be opened
 */
export async function startScheduler(
  connections: readonly Connection[],
  { environment, accountId, service, runs, log, metrics, onRun, isAlone }: SchedulerParts,
  stack: AsyncDisposableStack,
): Promise<RunningScheduler> {
  const { spoolFolder, userHome } = environment.machine
  const sockets = stack.use(createStreamSockets({ spoolFolder, userHome, clock: systemClock, log }))
  await sockets.listenFor(connections)
  const listeners = stack.use(notedListeners({ environment, accountId, service, onRun }))
  const scheduler = new Scheduler({
    connections,
    ledger: environment.ledger,
    ...(isAlone && { former: SCHEDULER }),
    lookMs: LOOK_MS,
    run: (connection, signal, { byHand, full, because, yieldSignal }) => {
      const { connector, name } = connectionName(connection)
      return runs.follow(`${connector}/${name}`, async (onProgress) => {
        const { syncUnlessElsewhere } = await import('../sync/sync-connection.ts')
        const options = { signal, full, settle: !byHand, because, yieldSignal, onProgress }
        const report = await syncUnlessElsewhere(connection, environment, options)
        if (report !== undefined && accountId !== undefined) noteSyncRun(service, accountId, report)
        onRun()
        return report !== undefined
      })
    },
    timeZone: environment.timeZone,
    clock: systemClock,
    log,
    startTimer: (callback, delayMs) => {
      const timer = setTimeout(callback, delayMs)
      return () => clearTimeout(timer)
    },
    random: Math.random,
  })
  stack.defer(() => scheduler.stop())
  const startedAt = systemClock()
  let running = connections
  metrics?.readWith('connections', (meter) =>
    readConnections(running, environment.ledger, { meter, startedAt, now: systemClock() }),
  )
  await scheduler.start()
  await listeners.listenFor(connections)
  return {
    ...{ runNow: scheduler.runNow.bind(scheduler), abort: scheduler.abort.bind(scheduler) },
    runState: scheduler.runState.bind(scheduler),
    isAlive: scheduler.isAlive.bind(scheduler),
    async replace(changed) {
      running = changed
      await scheduler.replace(changed)
      await listeners.listenFor(changed)
      try {
        await sockets.listenFor(changed)
      } catch (error) {
        log.error({ err: error }, 'the stream socket could not be opened')
      }
    },
  }
}

/** Listeners whose runs are recorded as activity. */
function notedListeners({
  environment,
  accountId,
  service,
  onRun,
}: Pick<SchedulerParts, 'environment' | 'accountId' | 'service' | 'onRun'>) {
  return createSourceListeners({
    environment,
    read: async (connection, pushed, signal) => {
      const { syncUnlessElsewhere } = await import('../sync/sync-connection.ts')
      const report = await syncUnlessElsewhere(connection, environment, { signal, settle: true, pushed })
      if (report !== undefined && accountId !== undefined) noteSyncRun(service, accountId, report)
      onRun()
      return report
    },
  })
}

/** From the connector `stream`, whose schema has validated it. */
const withSocket = z.object({ socket: z.union([z.string(), z.number()]) })

/** The sockets of the connector `stream`; all are closed when disposed. */
interface StreamSockets extends AsyncDisposable {
  /**
   * Listens on the `socket` of each of these connections, and nowhere else. Acknowledged lines are in the spool, and
   * memorized by the next run of the connection.
   * @throws SourceError `reconfigure` when a socket cannot be opened; the previous ones stay open
   */
  listenFor(connections: readonly Connection[]): Promise<void>
}

function createStreamSockets(parts: {
  readonly spoolFolder: string
  readonly userHome: string
  readonly clock: Clock
  readonly log: Log
}): StreamSockets {
  const { spoolFolder, userHome, clock, log } = parts
  const open = new Map<string, { readonly socket: string | number; close(): Promise<void> }>()
  const closeAllBut = async (wanted: ReadonlyMap<string, string | number>) => {
    for (const [name, { socket, close }] of open) {
      if (wanted.get(name) === socket) continue
      open.delete(name)
      await close()
    }
  }
  return {
    async listenFor(connections) {
      const wanted = new Map(connections.flatMap((connection) => socketOf(connection, userHome)))
      await closeAllBut(wanted)
      for (const [name, socket] of wanted) {
        if (open.has(name)) continue
        const folder = streamSpoolFolder(spoolFolder, name)
        const listener = await createStreamListener({ socket, spoolFolder: folder, clock, log })
        open.set(name, { socket, close: () => listener.close() })
        log.info({ connector: 'stream', name }, 'stream listening')
      }
    },
    [Symbol.asyncDispose]: () => closeAllBut(new Map()),
  }
}

function socketOf({ connector, config }: Connection, userHome: string): [name: string, socket: string | number][] {
  const data = connector.manifest.id === 'stream' ? withSocket.safeParse(config).data : undefined
  if (data === undefined) return []
  const { socket } = data
  return [[config.name, typeof socket === 'string' ? socket.replace(/^~(?=\/)/, () => userHome) : socket]]
}

/**
 * Sets the gauges of the connections that run here, by connector, with the worst value of several.
 * @param startedAt start of this process: connections without a successful run count from here
 */
async function readConnections(
  connections: readonly Connection[],
  ledger: Pick<Ledger, 'listConnections'>,
  { meter, startedAt, now }: { readonly meter: Meter; readonly startedAt: Date; readonly now: Date },
): Promise<void> {
  const rows = await ledger.listConnections()
  for (const [connector, ofConnector] of Map.groupBy(connections.map(connectionName), (name) => name.connector)) {
    const known = ofConnector.map(({ name }) => rows.find((row) => row.connector === connector && row.name === name))
    const successes = known.map((row) => (row?.lastSuccessAt ?? startedAt).getTime())
    const due = known.flatMap((row) => row?.nextRunAt?.getTime() ?? [])
    meter.set('recalld_sync_connections', { connector }, ofConnector.length)
    meter.set('recalld_sync_attention', { connector }, known.filter(needsPerson).length)
    meter.set('recalld_sync_last_success_timestamp_seconds', { connector }, Math.min(...successes) / 1_000)
    if (due.length === 0) continue
    meter.set('recalld_sync_next_run_seconds', { connector }, (Math.min(...due) - now.getTime()) / 1_000)
  }
}

function needsPerson(row: ConnectionRow | undefined): boolean {
  return row?.outcome === 'attention'
}
