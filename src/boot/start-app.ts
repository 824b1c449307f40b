import { randomUUID } from 'node:crypto'
import type { RunningApp } from '../administration/administration.ts'
import { embeddingChoices } from '../administration/embedding-choice.ts'
import { homeModelJobs } from '../administration/embedding-model-jobs.ts'
import { fillVectors } from '../administration/embedding-overview.ts'
import { watchGolden } from '../administration/golden-runs.ts'
import { scheduleIntegrityChecks } from '../administration/integrity.ts'
import { languageModelChoices } from '../administration/language-model-choice.ts'
import { regenerateKey } from '../administration/regenerate-key.ts'
import { rerankerChoices } from '../administration/reranker-choice.ts'
import { resumeDeletions } from '../administration/resume-deletions.ts'
import { scheduleRetention } from '../administration/retention.ts'
import { settingsService } from '../administration/settings-service.ts'
import { claimRoles } from '../config/claim-home.ts'
import { type ConnectionLimits, connectionLimits, maxDatabaseConnections } from '../config/connection-limits.ts'
import { usableCredentials, writeCredentials } from '../config/credentials.ts'
import { oidcSection } from '../config/file-section.ts'
import type { Role } from '../config/home-folder.ts'
import { type HomeFiles, homeFiles, prepareHome } from '../config/home-folder.ts'
import { localAddress } from '../config/local-address.ts'
import { type Config, SETTINGS } from '../config.ts'
import { configuredConnections, connectionsOfHome } from '../connections/configured-connections.ts'
import { type HomeConnectors, homeConnectors } from '../connections/home-connectors.ts'
import type { ProcessInfo } from '../connections/sync-environment.ts'
import { locatedMessage } from '../domain/errors.ts'
import { appRoutes } from '../http/app/app-routes.ts'
import { mcpRoutes } from '../http/mcp/mcp-routes.ts'
import { agentRequests } from '../http/oauth/agent-requests.ts'
import { oauthRoutes } from '../http/oauth/oauth-routes.ts'
import { readService } from '../http/rest/metrics.ts'
import { createServer } from '../http/rest/server.ts'
import type { ApiServer } from '../http/rest/server-types.ts'
import { packagePath } from '../lib/files.ts'
import type { Log } from '../lib/log.ts'
import { lockHolder } from '../lib/process-lock.ts'
import { offeredTools } from '../mcp/mcp-context.ts'
import { measuredModels, measuredRerankers } from '../models/configured/measured-models.ts'
import { PluggedIn } from '../models/configured/plugged-in.ts'
import { MODEL_FOLDER } from '../models/static/static-embedder.ts'
import { pipelineVersion } from '../pipeline/pipeline-version.ts'
import { createLiveEvents } from '../service/live-events.ts'
import type { Service } from '../service/service.ts'
import { laneThreads } from '../worker/lane-threads.ts'
import { createWorker, type Worker } from '../worker/worker.ts'
import { startRefiner } from './background-work.ts'
import { fenceKeys } from './fence-keys.ts'
import { createFirstAccount, firstLink } from './first-start.ts'
import { listen, openProbes } from './listen.ts'
import { retryWhileUnavailable, startModels, watchModels } from './open-models.ts'
import { openOAuth, protectedResource } from './open-oauth.ts'
import { openService } from './open-service.ts'
import { openSources } from './open-sources.ts'
import { openTelemetry } from './open-telemetry.ts'
import { sessionSettings } from './session-settings.ts'

export interface AppOptions {
  readonly log: Log
  readonly version: string
  /** Facts about this process and machine. The name is used for the account of the first start. */
  readonly processInfo: ProcessInfo
  /** Wait for an unreachable database until this aborts. Absent: do not wait. */
  readonly patience?: AbortSignal | undefined
  /** Use the database that is found or created for this home from now on. */
  readonly acceptDatabase?: boolean
}

/** Where the build puts the pages of the web app. */
const WEB_FOLDER = 'dist/web'
/** Time for items in progress to finish after a stop is requested; then they are returned to the queue. */
const WORKER_DRAIN_MS = 5_000
/** Time for a language model to finish an answer that somebody waits for. */
const ANSWER_DRAIN_MS = 3_000
/** Time after that to write and send the answer. */
const LAST_ANSWER_MS = 500

/** Shared by the attempts of one start. */
interface Start {
  /** Distinguishes this start from those of other processes. */
  readonly starter: string
  /** What is created and shown only once, by any attempt. */
  readonly made: { -readonly [Thing in 'firstAccount' | 'firstLink']?: RunningApp[Thing] }
}

/**
 * Creates the parts of the program and starts those that the roles need. When it resolves, the service is running; when
 * it rejects, everything it opened is closed again.
 * @throws AppError with a message for the person who starts it
 */
export async function startApp(config: Config, options: AppOptions): Promise<RunningApp> {
  const { log, patience } = options
  const once: Start = { starter: randomUUID(), made: {} }
  const start = () => startOnce(config, options, once)
  return patience === undefined || config.databaseUrl === undefined
    ? start()
    : retryWhileUnavailable(start, { log, patience })
}

async function startOnce(config: Config, options: AppOptions, once: Start): Promise<RunningApp> {
  const { log, processInfo } = options
  // Checked first, because too few files would fail later.
  const limits = connectionLimits(processInfo.openFileLimit, maxDatabaseConnections(config))
  const connectors = await loadConnectors(config, log)
  const { connections, wrong } = await configuredConnections(
    config.roles.includes('scheduler') ? config.connectors : undefined,
    connectors.registry,
  )
  // An error in one connection stops neither the others nor the service; `recalld status` reports it.
  for (const { connector, name, problem } of wrong) log.error({ connector, name }, locatedMessage(problem))
  await using stack = new AsyncDisposableStack()
  const app = await openShared(config, options, { limits, connectors }, stack)
  const worker = openWorker(app, stack)
  const server = await openServer(app, stack)
  const sources = openConnections(app, stack)
  if (server !== undefined) addRoutes(server, app, { sources, worker }, stack)
  const address = await startServer(server, app)
  const baseUrl = config.baseUrl ?? address
  await startAccount(app, { address, baseUrl, once })
  if (worker !== undefined) await startBackgroundWork(worker, app, stack)
  await sources.start(connections)
  log.info({ address, home: config.home, roles: config.roles }, 'started')

  const running = stack.move()
  return {
    address,
    baseUrl,
    ...once.made,
    stop: async () => {
      app.state.isStopping = true
      server?.beginShutdown()
      setTimeout(() => app.stopping.abort(), ANSWER_DRAIN_MS).unref()
      // Runs beside the service; the stack waits for its end, and reports failures.
      void Promise.allSettled([worker?.stop(WORKER_DRAIN_MS)])
      await running.disposeAsync()
      log.info('stopped')
    },
  }
}

/** A package that cannot be loaded stops neither the others nor the service. */
async function loadConnectors(config: Config, log: Log): Promise<HomeConnectors> {
  const loaded = await homeConnectors(config)
  for (const { name, version, connectors } of loaded.packages) {
    const ids = connectors.map(({ manifest }) => manifest.id)
    log.info({ package: name, version, connectors: ids }, 'loaded a connector package, which runs with your rights')
  }
  for (const { problem } of loaded.wrong) log.error(problem.message)
  return loaded
}

type App = Awaited<ReturnType<typeof openShared>>
type Sources = ReturnType<typeof openSources>

/** What every role needs: the claimed home, telemetry, models, probes, and the service over the store. */
async function openShared(
  config: Config,
  options: AppOptions,
  { limits, connectors }: { readonly limits: ConnectionLimits; readonly connectors: HomeConnectors },
  stack: AsyncDisposableStack,
) {
  const { log, processInfo, version } = options
  const has = (role: Role) => config.roles.includes(role)
  prepareHome(config.home)
  const files = homeFiles(config.home)
  const holder = { pid: processInfo.pid, since: new Date().toISOString() }
  const lock = claimRoles(files, holder, config)
  stack.defer(() => lock.release())
  const telemetry = await openTelemetry({ config, env: processInfo.env, version, log }, stack)
  const { opened, openedRerankers, ...started } = await startModels(config, log, stack)
  const models = measuredModels(started, telemetry)
  const plugged = new PluggedIn(models.embedding)
  const pluggedLanguage = new PluggedIn(models.language)
  const pluggedRerankers = new PluggedIn(openedRerankers && measuredRerankers(openedRerankers.rerankers, telemetry))
  const configWatch = watchModels(
    {
      ...{ config, files, log, telemetry, env: processInfo.env },
      ...{ plugged, pluggedLanguage, pluggedRerankers, opened, openedRerankers },
    },
    stack,
  )
  const stopping = new AbortController()
  const live = createLiveEvents()
  const settings = serverSettings(config, version, limits)
  const state: AppState = { service: undefined, isStopping: false }
  const isAlive = { worker: () => false, scheduler: () => true }
  // Answers probes while waiting for the database, so that an orchestrator does not restart this process.
  const readiness = await openProbes(
    {
      ...{ config, telemetry, log, allowedHosts: settings.allowedHosts, isAlive },
      service: () => state.service,
      isStopping: () => state.isStopping,
    },
    stack,
  )
  const { store, service, embedder } = await openService(config, log, stack, models, {
    stopping: stopping.signal,
    ...{ live, telemetry, plugged, pluggedLanguage, pluggedRerankers },
    patience: options.patience,
    acceptDatabase: options.acceptDatabase ?? false,
  })
  state.service = service
  stack.defer(() => {
    state.service = undefined
  })
  telemetry.metrics.readWith('service', (meter) => readService(service, meter))
  const limitedConnections = connectionsOfHome(config, processInfo.env, connectors.registry)
  return {
    ...{ config, options, log, processInfo, version, has, files, holder, lock, telemetry, stopping, live },
    ...{ plugged, pluggedLanguage, pluggedRerankers, configWatch, connectors },
    ...{ settings, state, isAlive, readiness, store, service, embedder, limitedConnections },
    isAlone: !store.capabilities.manyPerRole,
    pipelineVersion: pipelineVersion(embedder.space.id),
  }
}

interface AppState {
  /** Absent until the store is open, and after it is closed. */
  service: Service | undefined
  isStopping: boolean
}

/** Created here and started last, so that it stops after everything opened later. */
function openWorker(app: App, stack: AsyncDisposableStack): Worker | undefined {
  const { config, store, log, telemetry, isAlone, pipelineVersion } = app
  const worker = app.has('worker')
    ? createWorker({
        ...{
          store,
          log,
          telemetry,
          modelFolder: MODEL_FOLDER,
          threads: laneThreads(config.pipelineThreads),
          alone: isAlone,
        },
        pipelineVersion,
        ...(config.ocr === 'auto' && { ocrLanguages: config.ocrLanguages }),
        fences: fenceKeys(config, log),
      })
    : undefined
  stack.defer(() => worker?.stop(WORKER_DRAIN_MS))
  app.isAlive.worker = () => worker?.isAlive ?? false
  return worker
}

async function openServer(app: App, stack: AsyncDisposableStack): Promise<ApiServer | undefined> {
  const { service, log, settings, readiness, has, isAlone, store } = app
  const { metrics, tracer } = app.telemetry
  const isBare = !has('api')
  const requestCounts = isAlone ? undefined : store.admin
  const server =
    has('api') || has('mcp')
      ? await createServer({ service, log, settings, metrics, readiness, tracer, isBare, requestCounts })
      : undefined
  stack.defer(() => server?.close())
  return server
}

/** Opened last, so that it stops first: its runs need the rest. */
function openConnections(app: App, stack: AsyncDisposableStack): Sources {
  const { config, store, service, live, log, telemetry, processInfo } = app
  const runsHere = app.has('scheduler')
  const { registry, wrong: wrongPackages } = app.connectors
  const sources = openSources(
    { ...{ config, store, service, live, log, telemetry, processInfo, runsHere }, registry, wrongPackages },
    stack,
  )
  app.isAlive.scheduler = () => sources.isAlive()
  return sources
}

interface Parts {
  readonly sources: Sources
  readonly worker: Worker | undefined
}

function addRoutes(server: ApiServer, app: App, { sources, worker }: Parts, stack: AsyncDisposableStack): void {
  const { config, service, live, log, version, settings, store, processInfo, files } = app
  const tools = offeredTools(config.mcpTools, config.mcpWrite === 'on')
  const { userName, env, spareResources } = processInfo
  const oauth = protectedResource(config, app.has('api'))
  mcpRoutes(server, { service, log, tools, userName, version, allowedHosts: settings.allowedHosts, oauth })
  if (!app.has('api')) return
  const sessions = sessionSettings(config, log)
  const oauthServer = openOAuth(config, { service, log, sessions })
  oauthRoutes(server, oauthServer)
  const modelJobs = homeModelJobs({ ...app, env, spareResources, look: app.configWatch.look })
  appRoutes(server, {
    service,
    live,
    log,
    folder: packagePath(WEB_FOLDER),
    version,
    baseUrl: settings.baseUrl,
    keysService: { regenerate: (ref) => regenerateKey(service, ref, { credentials: files.credentials }) },
    settingsService: settingsService(
      {
        ...{ config, store, version, env, connections: app.limitedConnections, modelJobs },
        languageModels: languageModelChoices({ files, env, look: app.configWatch.look }),
        embeddings: embeddingChoices({ files, env, spaces: store.spaces, jobs: modelJobs }),
        rerankers: rerankerChoices({ files, env, look: app.configWatch.look }),
        language: () => app.pluggedLanguage.current,
        ranking: () => app.pluggedRerankers.current ?? {},
      },
      stack,
    ),
    sourcesService: sources.sources,
    grantsService: sources.grants,
    agentRequests: agentRequests(oauthServer, service.agents),
    warmUp: async () => worker?.warmUp(),
    sessions,
    oidc: oidcSection(config.oidc),
  })
  modelJobs.resume()
}

/** Returns the address of this process, or of the API of this home. */
async function startServer(server: ApiServer | undefined, { config, files, lock, holder }: App): Promise<string> {
  const address =
    server === undefined ? addressElsewhere(config, files) : await listen(server, { ...config, setting: 'port' })
  lock.describe(server === undefined ? holder : { ...holder, address })
  return address
}

/**
 * Creates the first account and its sign-up link if needed. This happens once the address is known, so that a failed
 * start leaves no account with a lost key.
 */
async function startAccount(
  { config, options, processInfo, service, store, files, has }: App,
  { address, baseUrl, once }: { readonly address: string; readonly baseUrl: string; readonly once: Start },
): Promise<void> {
  const { userName } = processInfo
  const { timeZone } = config
  const { acceptDatabase = false } = options
  const firstAccount = await createFirstAccount(service, { userName, timeZone, files, acceptDatabase })
  const apiAddress = has('api') ? address : addressElsewhere(config, files)
  if (firstAccount !== undefined) once.made.firstAccount = firstAccount
  const { credentials } = files
  if (has('api') || firstAccount !== undefined) rememberAddress(credentials, apiAddress, firstAccount?.key)
  const { starter } = once
  const link = has('api') ? await firstLink({ service, store, credentials, baseUrl, starter }) : undefined
  if (link !== undefined) once.made.firstLink = link
}

async function startBackgroundWork(worker: Worker, app: App, stack: AsyncDisposableStack): Promise<void> {
  const { config, store, service, log, telemetry, plugged, pluggedLanguage, embedder, version, pipelineVersion } = app
  await startRefiner({ language: pluggedLanguage, store, log, telemetry }, stack)
  await worker.start()
  await fillVectors({ config, store, plugged, log }, stack)
  const by = { version, pipelineVersion }
  watchGolden({ store, service, log, by, builtInSpace: embedder.space.id }, stack)
  resumeDeletions({ service, log }, stack)
  scheduleIntegrityChecks({ store, activity: service.activity, log }, stack)
  scheduleRetention({ config, store, service, log, connections: app.limitedConnections }, stack)
}

/** The address of the API of this home, which another process may serve. */
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

/** The command line on this machine uses the service that was started last. */
function rememberAddress(file: string, address: string, newKey: string | undefined): void {
  const known = newKey === undefined ? usableCredentials(file) : undefined
  const apiKey = newKey ?? known?.apiKey
  if (apiKey !== undefined && known?.baseUrl !== address) writeCredentials(file, { baseUrl: address, apiKey })
}
