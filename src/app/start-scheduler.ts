import { systemClock } from '../kit/clock.ts'
import type { Service } from '../service/service.ts'
import type { Connection } from '../sync/connection.ts'
import { createScheduler } from '../sync/scheduler.ts'
import { homeMemory } from './home-memory.ts'
import { openStreamSockets } from './stream-sockets.ts'
import { type EnvironmentParts, syncEnvironment } from './sync-environment.ts'

/** The lock of this role lets one process of a home have it. */
const SCHEDULER = 'scheduler'

/**
 * Runs the connections that are not paused on their schedules, until `stack` is disposed.
 *
 * @throws AppError `unauthenticated` when there is no key to memorize with
 */
export async function startScheduler(
  connections: readonly Connection[],
  parts: Omit<EnvironmentParts, 'home' | 'role'> & { readonly service: Service },
  stack: AsyncDisposableStack,
): Promise<void> {
  const active = connections.filter(({ config }) => config.paused !== true)
  if (active.length === 0) return
  const { syncConnection } = await import('../sync/sync-connection.ts')
  const { config, log, surroundings } = parts
  const { env, userName } = surroundings
  const home = await homeMemory({ ...parts, env, userName }, stack)
  const environment = await syncEnvironment({ ...parts, home, role: SCHEDULER }, stack)
  const { spoolFolder, userHome } = environment.machine
  await openStreamSockets(active, { spoolFolder, userHome, clock: systemClock, log }, stack)
  const scheduler = createScheduler({
    connections: active,
    ledger: environment.ledger,
    holder: SCHEDULER,
    run: (connection, signal) => syncConnection(connection, environment, { signal, settle: true }),
    timeZone: config.timeZone,
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
  log.info({ connections: active.length, memory: home.memoryId }, 'connectors are run')
}
