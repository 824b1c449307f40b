import { randomUUID } from 'node:crypto'
import type { RunningApp } from '../administration/administration.ts'
import { fillVectors } from '../administration/embedding-overview.ts'
import { watchGolden } from '../administration/golden-runs.ts'
import { keepIntegrity } from '../administration/integrity.ts'
import { regenerateKey } from '../administration/regenerate-key.ts'
import { resumeDeletions } from '../administration/resume-deletions.ts'
import { keepRetention } from '../administration/retention.ts'
import { settingsService } from '../administration/settings-service.ts'
import { claimRoles } from '../config/claim-home.ts'
import { type ConnectionLimits, connectionLimits, mostDatabaseConnections } from '../config/connection-limits.ts'
import { usableCredentials, writeCredentials } from '../config/credentials.ts'
import { oidcSection } from '../config/file-section.ts'
import type { Role } from '../config/home-folder.ts'
import { type HomeFiles, homeFiles, prepareHome } from '../config/home-folder.ts'
import { localAddress } from '../config/local-address.ts'
import { type Config, SETTINGS } from '../config.ts'
import { configuredConnections, connectionsOfHome } from '../connections/configured-connections.ts'
import type { ProcessSurroundings } from '../connections/sync-environment.ts'
import { locatedMessage } from '../domain/errors.ts'
import { appRoutes } from '../http/app/app-routes.ts'
import { mcpRoutes } from '../http/mcp/mcp-routes.ts'
import { readService } from '../http/rest/metrics.ts'
import { createServer } from '../http/rest/server.ts'
import { packagePath } from '../lib/files.ts'
import type { Log } from '../lib/log.ts'
import { lockHolder } from '../lib/process-lock.ts'
import { measuredModels } from '../models/configured/measured-models.ts'
import { MODEL_FOLDER } from '../models/static/static-embedder.ts'
import { createLiveEvents } from '../service/live-events.ts'
import type { Service } from '../service/service.ts'
import { createWorker } from '../worker/worker.ts'
import { startRefiner } from './background-work.ts'
import { fenceKeys } from './fence-keys.ts'
import { firstLink, makeFirstAccount } from './first-start.ts'
import { listen, openProbes } from './listen.ts'
import { startModels, startThroughOutages } from './open-models.ts'
import { openService } from './open-service.ts'
import { openSources } from './open-sources.ts'
import { openTelemetry } from './open-telemetry.ts'
import { sessionSettings } from './session-settings.ts'

export interface AppOptions {
  readonly log: Log
  readonly version: string
  /** This process and its machine. The name is for the account that the first start makes. */
  readonly surroundings: ProcessSurroundings
  /** A database that is away is waited for until it is aborted. Absent: not at all. */
  readonly patience?: AbortSignal | undefined
  /** The database that is there, or is made, is this home's from now on. */
  readonly acceptDatabase?: boolean
}

/** Where the build puts the pages of the web app. */
const WEB_FOLDER = 'dist/web'
/** After a stop was asked for, so much longer items in work may finish; they are given back then. */
const WORKER_DRAIN_MS = 5_000
/** So much longer a language model may take for an answer that somebody waits for. */
const ANSWER_DRAIN_MS = 3_000
/** And then so long until it is written and sent. */
const LAST_ANSWER_MS = 500

/** One start, however often it begins. */
interface Start {
  /** Tells it from those of other processes. */
  readonly starter: string
  /** What is made once and shown once, whichever try made it. */
  readonly made: { -readonly [Thing in 'firstAccount' | 'firstLink']?: RunningApp[Thing] }
}

/**
 * Puts the parts together and starts those that the roles name. When it resolves, the service answers; when it rejects,
 * everything that was opened is closed again.
 *
 * @throws AppError with a sentence for the person who starts it
 */
export async function startApp(config: Config, options: AppOptions): Promise<RunningApp> {
  const { log, patience } = options
  const once: Start = { starter: randomUUID(), made: {} }
  const start = () => startOnce(config, options, once)
  return patience === undefined || config.databaseUrl === undefined
    ? start()
    : startThroughOutages(start, { log, patience })
}

async function startOnce(config: Config, options: AppOptions, { starter, made }: Start): Promise<RunningApp> {
  const { log, surroundings } = options
  // Before anything is opened: what too few files would break later is refused with a sentence now.
  const limits = connectionLimits(surroundings.openFileLimit, mostDatabaseConnections(config))
  const has = (role: Role) => config.roles.includes(role)
  const { connections, wrong } = await configuredConnections(has('scheduler') ? config.connectors : undefined)
  // A mistake in one connection keeps neither the others nor the service from running; `recalld status` names it.
  for (const { connector, name, problem } of wrong) log.error({ connector, name }, locatedMessage(problem))
  await using stack = new AsyncDisposableStack()
  prepareHome(config.home)
  const files = homeFiles(config.home)
  const holder = { pid: surroundings.pid, since: new Date().toISOString() }
  const lock = claimRoles(files, holder, config)
  stack.defer(() => lock.release())

  const { version } = options
  const telemetry = await openTelemetry({ config, env: surroundings.env, version, log }, stack)
  const models = measuredModels(await startModels(config, log, stack), telemetry)
  const stopping = new AbortController()
  const live = createLiveEvents()
  const settings = serverSettings(config, version, limits)
  const { allowedHosts } = settings
  let opened: Service | undefined
  let isStopping = false
  const isAlive = { worker: () => false, scheduler: () => true }
  const probes = { config, service: () => opened, telemetry, log, allowedHosts, isStopping: () => isStopping, isAlive }
  // Told while a database is waited for, so that nobody starts this process anew meanwhile.
  const readiness = await openProbes(probes, stack)
  const { store, service, embedder } = await openService(config, log, stack, models, {
    stopping: stopping.signal,
    live,
    telemetry,
    patience: options.patience,
    acceptDatabase: options.acceptDatabase ?? false,
  })
  opened = service
  stack.defer(() => {
    opened = undefined
  })
  telemetry.metrics.readWith('service', (meter) => readService(service, meter))
  const threads = config.pipelineThreads
  const isAlone = !store.capabilities.manyPerRole
  const worker = has('worker')
    ? createWorker({
        ...{ store, log, telemetry, modelFolder: MODEL_FOLDER, threads, alone: isAlone },
        fences: fenceKeys(config, log),
      })
    : undefined
  stack.defer(() => worker?.stop(WORKER_DRAIN_MS))
  isAlive.worker = () => worker?.isAlive ?? false
  const { metrics, tracer } = telemetry
  const isBare = !has('api')
  const limitedConnections = connectionsOfHome(config, surroundings.env)
  const requestCounts = isAlone ? undefined : store.admin
  const server =
    has('api') || has('mcp')
      ? await createServer({ service, log, settings, metrics, readiness, tracer, isBare, requestCounts })
      : undefined
  stack.defer(() => server?.close())
  // Stops before all of the others, which what it runs needs.
  const runsHere = has('scheduler')
  const sources = openSources({ config, store, service, live, log, telemetry, surroundings, runsHere }, stack)
  isAlive.scheduler = () => sources.isAlive()
  if (server !== undefined) {
    const { mcpTools: tools } = config
    const { userName } = surroundings
    mcpRoutes(server, { service, log, tools, userName, version, allowedHosts })
  }
  if (server !== undefined && has('api')) {
    appRoutes(server, {
      service,
      live,
      log,
      folder: packagePath(WEB_FOLDER),
      version,
      baseUrl: settings.baseUrl,
      keysService: { regenerate: (ref) => regenerateKey(service, ref, { credentials: files.credentials }) },
      settingsService: settingsService(
        { config, store, version, env: surroundings.env, connections: limitedConnections },
        stack,
      ),
      sourcesService: sources.sources,
      grantsService: sources.grants,
      sessions: sessionSettings(config, log),
      oidc: oidcSection(config.oidc),
    })
  }

  const address =
    server === undefined ? addressElsewhere(config, files) : await listen(server, { ...config, setting: 'port' })
  lock.describe(server === undefined ? holder : { ...holder, address })
  // Made when the address is certain: a start that fails leaves no account whose key nobody has seen.
  const { timeZone } = config
  const { acceptDatabase = false } = options
  const firstAccount = await makeFirstAccount(service, {
    userName: surroundings.userName,
    timeZone,
    files,
    acceptDatabase,
  })
  const ofApi = has('api') ? address : addressElsewhere(config, files)
  if (firstAccount !== undefined) made.firstAccount = firstAccount
  if (has('api') || firstAccount !== undefined) rememberAddress(files.credentials, ofApi, firstAccount?.key)
  const { credentials } = files
  const baseUrl = config.baseUrl ?? address
  const link = has('api') ? await firstLink({ service, store, credentials, baseUrl, starter }) : undefined
  if (link !== undefined) made.firstLink = link
  if (worker !== undefined) await startRefiner({ language: models.language, store, log, telemetry }, stack)
  await worker?.start()
  if (worker !== undefined) {
    await fillVectors({ config, store, embedder: models.embedding, log }, stack)
    const by = { version, pipelineVersion: worker.pipelineVersion }
    watchGolden({ store, service, log, by, builtInSpace: embedder.space.id }, stack)
    resumeDeletions({ service, log }, stack)
    keepIntegrity({ store, activity: service.activity, log }, stack)
    keepRetention({ config, store, service, log, connections: limitedConnections }, stack)
  }
  await sources.start(connections)
  log.info({ address, home: config.home, roles: config.roles }, 'started')

  const running = stack.move()
  return {
    address,
    baseUrl,
    ...made,
    stop: async () => {
      isStopping = true
      server?.beginShutdown()
      setTimeout(() => stopping.abort(), ANSWER_DRAIN_MS).unref()
      // Beside the answers that are waited for; the stack waits for its end, and says when it fails.
      void Promise.allSettled([worker?.stop(WORKER_DRAIN_MS)])
      await running.disposeAsync()
      log.info('stopped')
    },
  }
}

/** Where the API of this home answers, or would. */
function addressElsewhere({ host, port }: Config, files: HomeFiles): string {
  return lockHolder(files.locks.api)?.address ?? localAddress(host, port || SETTINGS.port.default)
}

function serverSettings(config: Config, version: string, limits: ConnectionLimits) {
  const baseUrl = config.baseUrl ?? localAddress(config.host, config.port)
  return {
    baseUrl,
    version,
    rateLimitPerMinute: config.rateLimitPerMinute,
    metrics: config.metrics,
    maxConcurrentUploads: config.maxConcurrentUploads,
    maxConnections: limits.perProcess,
    maxConnectionsPerAddress: limits.perAddress,
    drainMs: ANSWER_DRAIN_MS + LAST_ANSWER_MS,
    trustedProxies: config.trustedProxies,
    allowedHosts: [
      ...config.allowedHosts,
      config.host,
      ...(config.baseUrl === undefined ? [] : [new URL(config.baseUrl).hostname]),
    ],
  }
}

/** The command line on this machine finds the service wherever it was started last. */
function rememberAddress(file: string, address: string, newKey: string | undefined): void {
  const known = newKey === undefined ? usableCredentials(file) : undefined
  const apiKey = newKey ?? known?.apiKey
  if (apiKey !== undefined && known?.baseUrl !== address) writeCredentials(file, { baseUrl: address, apiKey })
}
