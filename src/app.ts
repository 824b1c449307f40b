import { createServer } from './api/server.ts'
import type { ApiServer } from './api/server-types.ts'
import { claimHome } from './app/claim-home.ts'
import { localAddress } from './app/local-address.ts'
import { MODEL_FOLDER, openService } from './app/open-service.ts'
import type { RunningApp } from './cli/app-contract.ts'
import { usableCredentials, writeCredentials } from './config/credentials.ts'
import { homeFiles, prepareHome } from './config/home-folder.ts'
import type { Config } from './config.ts'
import { AppError } from './domain/errors.ts'
import type { Log } from './kit/log.ts'
import type { Service } from './service/service.ts'
import { createWorker } from './worker/worker.ts'

export interface AppOptions {
  readonly log: Log
  readonly version: string
  /** This process, for others that want the same home. */
  readonly pid: number
  /** For the account that the first start makes. */
  readonly userName: string
}

/** After a stop was asked for, so much longer items in work may finish; they are given back then. */
const WORKER_DRAIN_MS = 5_000

/**
 * Puts the parts together and starts them. When it resolves, the service answers; when it rejects, everything that was
 * opened is closed again.
 *
 * @throws AppError with a sentence for the person who starts it
 */
export async function startApp(config: Config, options: AppOptions): Promise<RunningApp> {
  const { log } = options
  await using stack = new AsyncDisposableStack()
  prepareHome(config.home)
  const files = homeFiles(config.home)
  const holder = { pid: options.pid, since: new Date().toISOString() }
  const lock = claimHome(files.lock, holder)
  stack.defer(() => lock.release())

  const { store, service } = await openService(config, log, stack)
  const worker = createWorker({ store, log, modelFolder: MODEL_FOLDER, threads: config.pipelineThreads, alone: true })
  stack.defer(() => worker.stop(WORKER_DRAIN_MS))
  const server = await createServer({ service, log, settings: serverSettings(config, options.version) })
  stack.defer(() => server.close())

  const address = await listen(server, config)
  lock.describe({ ...holder, address })
  // Made when the address is certain: a start that fails leaves no account whose key nobody has seen.
  const firstAccount = await makeFirstAccount(service, options.userName, config.timeZone)
  rememberAddress(files.credentials, address, firstAccount?.key)
  await worker.start()
  log.info({ address, home: config.home }, 'started')

  const running = stack.move()
  return {
    address,
    baseUrl: config.baseUrl ?? address,
    ...(firstAccount === undefined ? {} : { firstAccount }),
    stop: async () => {
      server.beginShutdown()
      await running.disposeAsync()
      log.info('stopped')
    },
  }
}

function serverSettings(config: Config, version: string) {
  const baseUrl = config.baseUrl ?? localAddress(config.host, config.port)
  return {
    baseUrl,
    version,
    rateLimitPerMinute: config.rateLimitPerMinute,
    metrics: config.metrics,
    maxConcurrentUploads: config.maxConcurrentUploads,
    allowedHosts: [
      ...config.allowedHosts,
      config.host,
      ...(config.baseUrl === undefined ? [] : [new URL(config.baseUrl).hostname]),
    ],
  }
}

async function listen(server: ApiServer, { host, port }: Config): Promise<string> {
  try {
    await server.listen({ host, port })
  } catch (cause) {
    throw new AppError('unavailable', listenProblem(host, port, cause), { cause })
  }
  const bound = server.server.address()
  if (bound === null || typeof bound === 'string') throw new AppError('internal', 'the server has no port')
  return localAddress(host, bound.port)
}

function listenProblem(host: string, port: number, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use: stop what uses it, or choose another with --port or RECALLD_PORT.`
    case 'EACCES':
      return `Port ${port} may not be used without more rights: choose one above 1023 with --port or RECALLD_PORT.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ERR_INVALID_URL':
      return `${host} is not an address of this machine: set --host or RECALLD_HOST to one, such as 127.0.0.1.`
    default:
      return `Cannot listen on ${host}, port ${port}: ${cause instanceof Error ? cause.message : cause}`
  }
}

async function makeFirstAccount(service: Service, userName: string, timeZone: string) {
  const accounts = await service.accounts.list()
  return accounts.length === 0 ? service.accounts.create({ name: userName, userName, timeZone }) : undefined
}

/** The command line on this machine finds the service wherever it was started last. */
function rememberAddress(file: string, address: string, newKey: string | undefined): void {
  const known = newKey === undefined ? usableCredentials(file) : undefined
  const apiKey = newKey ?? known?.apiKey
  if (apiKey !== undefined && known?.baseUrl !== address) writeCredentials(file, { baseUrl: address, apiKey })
}
