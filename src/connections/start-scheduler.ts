import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Meter } from '../lib/meter.ts'
import type { Service } from '../service/service.ts'
import type { Connection, SyncEnvironment } from '../sync/connection.ts'
import { connectionName } from '../sync/connection-name.ts'
import { createScheduler, type Scheduler } from '../sync/scheduler.ts'
import { readConnections } from './connection-metrics.ts'
import type { LiveRuns } from './live-runs.ts'
import { noteSyncRun } from './note-sync-run.ts'
import { createStreamSockets } from './stream-sockets.ts'

export type RunningScheduler = Pick<Scheduler, 'replace' | 'runNow' | 'abort' | 'standing' | 'isAlive'>

/** Has gauges set before the numbers of this process are read. */
interface MetricsReader {
  readWith(part: string, read: (meter: Meter) => Promise<void> | void): void
}

export interface SchedulerParts {
  readonly environment: SyncEnvironment
  /** Of the memory; absent for that of a service elsewhere. */
  readonly accountId: string | undefined
  readonly service: Service
  readonly runs: LiveRuns
  readonly log: Log
  readonly metrics?: MetricsReader | undefined
  /** No other process can run connections of this memory. */
  readonly isAlone: boolean
}

/** How the holders of its runs begin in leases. */
export const SCHEDULER = 'scheduler'
/** How soon a run begins that somebody asked for in another process. */
const LOOK_MS = 2_000

/**
 * Runs connections on their schedules, and by hand, until `stack` is disposed.
 *
 * @param connections those that are not paused
 * @throws SourceError when a socket that a connection listens on cannot be opened
 */
export async function startScheduler(
  connections: readonly Connection[],
  { environment, accountId, service, runs, log, metrics, isAlone }: SchedulerParts,
  stack: AsyncDisposableStack,
): Promise<RunningScheduler> {
  const { spoolFolder, userHome } = environment.machine
  const sockets = stack.use(createStreamSockets({ spoolFolder, userHome, clock: systemClock, log }))
  await sockets.listenFor(connections)
  const scheduler = createScheduler({
    connections,
    ledger: environment.ledger,
    ...(isAlone && { former: SCHEDULER }),
    lookMs: LOOK_MS,
    run: (connection, signal, { byHand, full, because }) => {
      const { connector, name } = connectionName(connection)
      return runs.follow(`${connector}/${name}`, async (onProgress) => {
        const { syncUnlessElsewhere } = await import('../sync/sync-connection.ts')
        const options = { signal, full, settle: !byHand, because, onProgress }
        const report = await syncUnlessElsewhere(connection, environment, options)
        if (report !== undefined && accountId !== undefined) noteSyncRun(service, accountId, report)
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
  return {
    ...{ runNow: scheduler.runNow.bind(scheduler), abort: scheduler.abort.bind(scheduler) },
    standing: scheduler.standing.bind(scheduler),
    isAlive: scheduler.isAlive.bind(scheduler),
    async replace(changed) {
      running = changed
      await scheduler.replace(changed)
      try {
        await sockets.listenFor(changed)
      } catch (error) {
        log.error({ err: error }, 'a socket of the stream could not be opened')
      }
    },
  }
}
