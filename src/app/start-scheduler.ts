import { systemClock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { Service } from '../service/service.ts'
import type { Connection, SyncEnvironment } from '../sync/connection.ts'
import { connectionName } from '../sync/connection-name.ts'
import { createScheduler, type Scheduler } from '../sync/scheduler.ts'
import type { LiveRuns } from './live-runs.ts'
import { noteSyncRun } from './note-sync-run.ts'
import { createStreamSockets } from './stream-sockets.ts'

export type RunningScheduler = Pick<Scheduler, 'replace' | 'runNow' | 'abort' | 'standing'>

export interface SchedulerParts {
  readonly environment: SyncEnvironment
  /** Of the memory; absent for that of a service elsewhere. */
  readonly accountId: string | undefined
  readonly service: Service
  readonly runs: LiveRuns
  readonly log: Log
}

/** How the holders of its runs begin in leases; the lock of this role lets one process of a home have it. */
export const SCHEDULER = 'scheduler'

/**
 * Runs connections on their schedules, and by hand, until `stack` is disposed.
 *
 * @param connections those that are not paused
 * @throws SourceError when a socket that a connection listens on cannot be opened
 */
export async function startScheduler(
  connections: readonly Connection[],
  { environment, accountId, service, runs, log }: SchedulerParts,
  stack: AsyncDisposableStack,
): Promise<RunningScheduler> {
  const { spoolFolder, userHome } = environment.machine
  const sockets = stack.use(createStreamSockets({ spoolFolder, userHome, clock: systemClock, log }))
  await sockets.listenFor(connections)
  const scheduler = createScheduler({
    connections,
    ledger: environment.ledger,
    holder: SCHEDULER,
    run: async (connection, signal, { byHand, full }) => {
      const { connector, name } = connectionName(connection)
      await runs.follow(`${connector}/${name}`, async (onProgress) => {
        const { syncConnection } = await import('../sync/sync-connection.ts')
        const report = await syncConnection(connection, environment, { signal, full, settle: !byHand, onProgress })
        if (accountId !== undefined) noteSyncRun(service, accountId, report)
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
  await scheduler.start()
  return {
    ...{ runNow: scheduler.runNow.bind(scheduler), abort: scheduler.abort.bind(scheduler) },
    standing: scheduler.standing.bind(scheduler),
    async replace(changed) {
      await scheduler.replace(changed)
      try {
        await sockets.listenFor(changed)
      } catch (error) {
        log.error({ err: error }, 'a socket of the stream could not be opened')
      }
    },
  }
}
