import { createServer } from './api/server.ts'
import type { ApiServer } from './api/server-types.ts'
import { claimHome } from './app/claim-home.ts'
import { configuredConnections } from './app/connections.ts'
import { fillVectors } from './app/fill-vectors.ts'
import { makeFirstAccount } from './app/first-account.ts'
import { firstLink } from './app/first-link.ts'
import { localAddress } from './app/local-address.ts'
import { mcpDoor } from './app/mcp-door.ts'
import { MODEL_FOLDER, openService } from './app/open-service.ts'
import { openSources } from './app/open-sources.ts'
import { regenerateKey } from './app/regenerate-key.ts'
import { sessionSettings } from './app/session-settings.ts'
import { settingsDesk } from './app/settings-desk.ts'
import { startModels } from './app/start-models.ts'
import { startRefiner } from './app/start-refiner.ts'
import type { ProcessSurroundings } from './app/sync-environment.ts'
import { watchGolden } from './app/watch-golden.ts'
import { appDoor } from './app-api/app-door.ts'
import type { RunningApp } from './cli/app-contract.ts'
import { usableCredentials, writeCredentials } from './config/credentials.ts'
import { type HomeFiles, homeFiles, prepareHome } from './config/home-folder.ts'
import { oidcSection } from './config/oidc-section.ts'
import type { Role } from './config/role.ts'
import { type Config, SETTINGS } from './config.ts'
import { AppError } from './domain/errors.ts'
import type { Log } from './kit/log.ts'
import { packagePath } from './kit/package-root.ts'
import { lockHolder } from './kit/process-lock.ts'
import { createLiveEvents } from './service/live-events.ts'
import { createWorker } from './worker/worker.ts'

export interface AppOptions {
  readonly log: Log
  readonly version: string
  /** This process and its machine. The name is for the account that the first start makes. */
  readonly surroundings: ProcessSurroundings
}

/** Where the build puts the pages of the web app. */
const WEB_FOLDER = 'dist/web'
/** After a stop was asked for, so much longer items in work may finish; they are given back then. */
const WORKER_DRAIN_MS = 5_000
/** So much longer a language model may take for an answer that somebody waits for. */
const ANSWER_DRAIN_MS = 3_000

/**
 * Puts the parts together and starts those that the roles name. When it resolves, the service answers; when it rejects,
 * everything that was opened is closed again.
 *
 * @throws AppError with a sentence for the person who starts it
 */
export async function startApp(config: Config, options: AppOptions): Promise<RunningApp> {
  const { log, surroundings } = options
  const has = (role: Role) => config.roles.includes(role)
  const { connections, wrong } = await configuredConnections(has('scheduler') ? config.connectors : undefined)
  // A mistake in one connection keeps neither the others nor the service from running; `recalld status` names it.
  for (const { connector, name, problem } of wrong) log.error({ connector, name }, problem.message)
  await using stack = new AsyncDisposableStack()
  prepareHome(config.home)
  const files = homeFiles(config.home)
  const holder = { pid: surroundings.pid, since: new Date().toISOString() }
  const lock = claimHome(files, holder, config.roles)
  stack.defer(() => lock.release())

  const models = await startModels(config, log, stack)
  const stopping = new AbortController()
  const live = createLiveEvents()
  const { store, service, embedder } = await openService(config, log, stack, models, {
    stopping: stopping.signal,
    live,
  })
  const threads = config.pipelineThreads
  const worker = has('worker')
    ? createWorker({ store, log, modelFolder: MODEL_FOLDER, threads, alone: true })
    : undefined
  stack.defer(() => worker?.stop(WORKER_DRAIN_MS))
  const settings = serverSettings(config, options.version)
  const server = has('api') ? await createServer({ service, log, settings }) : undefined
  stack.defer(() => server?.close())
  // Stops before all of the others, which what it runs needs.
  const runsHere = has('scheduler')
  const sources = openSources({ config, store, service, live, log, surroundings, runsHere }, stack)
  if (server !== undefined) {
    const { mcpTools: tools } = config
    const { userName } = surroundings
    appDoor(server, {
      service,
      live,
      log,
      folder: packagePath(WEB_FOLDER),
      version: options.version,
      baseUrl: settings.baseUrl,
      keysDesk: { regenerate: (ref) => regenerateKey(service, ref, { credentials: files.credentials }) },
      settingsDesk: settingsDesk({ config, store, version: options.version }, stack),
      sourcesDesk: sources.desk,
      grantsDesk: sources.grants,
      sessions: sessionSettings(files, log),
      oidc: oidcSection(config.oidc),
    })
    mcpDoor(server, { service, log, tools, userName, version: options.version, allowedHosts: settings.allowedHosts })
  }

  const address = server === undefined ? addressElsewhere(config, files) : await listen(server, config)
  lock.describe(server === undefined ? holder : { ...holder, address })
  // Made when the address is certain: a start that fails leaves no account whose key nobody has seen.
  const { timeZone } = config
  const firstAccount = await makeFirstAccount(service, { userName: surroundings.userName, timeZone })
  if (server !== undefined || firstAccount !== undefined) rememberAddress(files.credentials, address, firstAccount?.key)
  const link =
    server && (await firstLink(service, { credentials: files.credentials, baseUrl: config.baseUrl ?? address }))
  if (worker !== undefined) await startRefiner({ language: models.language, store, log }, stack)
  await worker?.start()
  if (worker !== undefined) {
    await fillVectors({ config, store, embedder: models.embedding, log }, stack)
    const by = { version: options.version, madeBy: worker.madeBy }
    watchGolden({ store, service, log, by, builtInSpace: embedder.space.id }, stack)
  }
  await sources.start(connections)
  log.info({ address, home: config.home, roles: config.roles }, 'started')

  const running = stack.move()
  return {
    address,
    baseUrl: config.baseUrl ?? address,
    ...(firstAccount === undefined ? {} : { firstAccount }),
    ...(link === undefined ? {} : { firstLink: link }),
    stop: async () => {
      server?.beginShutdown()
      setTimeout(() => stopping.abort(), ANSWER_DRAIN_MS).unref()
      await running.disposeAsync()
      log.info('stopped')
    },
  }
}

/** Where the API of this home answers, or would. */
function addressElsewhere({ host, port }: Config, files: HomeFiles): string {
  return lockHolder(files.locks.api)?.address ?? localAddress(host, port || SETTINGS.port.default)
}

function serverSettings(config: Config, version: string) {
  const baseUrl = config.baseUrl ?? localAddress(config.host, config.port)
  return {
    baseUrl,
    version,
    rateLimitPerMinute: config.rateLimitPerMinute,
    metrics: config.metrics,
    maxConcurrentUploads: config.maxConcurrentUploads,
    trustedProxies: config.trustedProxies,
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

/** The command line on this machine finds the service wherever it was started last. */
function rememberAddress(file: string, address: string, newKey: string | undefined): void {
  const known = newKey === undefined ? usableCredentials(file) : undefined
  const apiKey = newKey ?? known?.apiKey
  if (apiKey !== undefined && known?.baseUrl !== address) writeCredentials(file, { baseUrl: address, apiKey })
}
