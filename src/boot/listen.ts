import { localAddress } from '../config/local-address.ts'
import { flagName, variableName } from '../config/setting.ts'
import type { Config } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { createProbeServer } from '../http/rest/probe-server.ts'
import type { ApiServer } from '../http/rest/server-types.ts'
import type { Log } from '../lib/log.ts'
import { createReadiness, type Readiness, type ReadinessCheck, serviceChecks } from '../service/health.ts'
import type { Service } from '../service/service.ts'
import type { ProcessTelemetry } from './open-telemetry.ts'

interface ProbeParts {
  readonly config: Config
  /** Absent until the store is open, and after it is closed. */
  readonly service: () => Service | undefined
  readonly telemetry: ProcessTelemetry
  readonly log: Log
  readonly allowedHosts: readonly string[]
  readonly isStopping: () => boolean
  /** Of the roles of this process. */
  readonly isAlive: Readonly<Record<'worker' | 'scheduler', () => boolean>>
}

const LOOPS = {
  worker: 'the worker is not reading the queue',
  scheduler: 'the scheduler is not running',
} as const

const NO_STORE = 'the store is not open'

/**
 * Readiness of this process, by its roles; also served at `metrics_port` if set, even while waiting for the store.
 * @param stack ends the listener @throws AppError `unavailable` when the port cannot be used
 */
export async function openProbes(parts: ProbeParts, stack: AsyncDisposableStack): Promise<Readiness> {
  const { config, telemetry, log, allowedHosts } = parts
  const { metrics } = telemetry
  const readiness = createReadiness(checksOf(parts))
  metrics.readWith('readiness', async (meter) => {
    for (const [check, problem] of await readiness.check()) {
      meter.set('recalld_ready', { check }, problem === undefined ? 1 : 0)
    }
  })
  if (config.metricsPort === 0) return readiness
  const visibleTo = config.metrics
  const service = {
    health: async () => opened(parts).health(),
    hasDiskSpace: async () => opened(parts).hasDiskSpace(),
  }
  const server = createProbeServer({ service, readiness, metrics, visibleTo, allowedHosts, log })
  stack.defer(() => server.close())
  const address = await listen(server, { host: config.host, port: config.metricsPort, setting: 'metricsPort' })
  log.info({ address }, 'serving metrics, health and readiness')
  return readiness
}

function opened({ service }: ProbeParts): Service {
  const found = service()
  if (found === undefined) throw new AppError('unavailable', 'The store is not open', { retryAfterSeconds: 5 })
  return found
}

function checksOf(parts: ProbeParts): Readonly<Record<string, ReadinessCheck>> {
  const { config, isStopping, isAlive } = parts
  const ofService = (check: 'store' | 'disk' | 'queue') => () => {
    const service = parts.service()
    return service === undefined ? NO_STORE : serviceChecks(service)[check]()
  }
  const loop = (role: 'worker' | 'scheduler') =>
    config.roles.includes(role) ? { [role]: () => (isAlive[role]() ? undefined : LOOPS[role]) } : {}
  return {
    shutdown: () => (isStopping() ? 'the process is shutting down' : undefined),
    store: ofService('store'),
    disk: ofService('disk'),
    // Only processes that accept uploads need room for them.
    ...(config.roles.includes('api') && { queue: ofService('queue') }),
    ...loop('worker'),
    ...loop('scheduler'),
  }
}

interface Endpoint {
  readonly host: string
  readonly port: number
  /** The setting with the port. */
  readonly setting: 'port' | 'metricsPort'
}

/** @returns the address, with the actual port @throws AppError `unavailable`, naming the setting to change */
export async function listen(server: ApiServer, endpoint: Endpoint): Promise<string> {
  const { host, port } = endpoint
  try {
    await server.listen({ host, port })
  } catch (cause) {
    throw new AppError('unavailable', listenProblem(endpoint, cause), { cause })
  }
  const bound = server.server.address()
  if (bound === null || typeof bound === 'string') throw new AppError('internal', 'the server has no port')
  return localAddress(host, bound.port)
}

function listenProblem({ host, port, setting }: Endpoint, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  const names = `${flagName(setting)} or ${variableName(setting)}`
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is already in use. Stop the other program, or choose another port with ${names}.`
    case 'EACCES':
      return `Port ${port} requires elevated privileges. Choose one above 1023 with ${names}.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ERR_INVALID_URL':
      return `${host} is not an address of this machine. Set --host or RECALLD_HOST to one, such as 127.0.0.1.`
    default:
      return `Can't listen on ${host}, port ${port}: ${cause instanceof Error ? cause.message : cause}`
  }
}
