import { hkdfSync } from 'node:crypto'
import { PROVIDERS } from '../../connectors/providers.ts'
import { type HomeFiles, homeFiles, secretKeyFile } from '../config/home-folder.ts'
import { serverAddress } from '../config/local-address.ts'
import type { Config } from '../config.ts'
import { alertChannels } from '../connections/alerts/alert-channels.ts'
import type { AlertParts } from '../connections/alerts/source-alerts.ts'
import { type RunningAlerts, startAlerts } from '../connections/alerts/start-alerts.ts'
import type { ConnectorRegistry, WrongConnection } from '../connections/configured-connections.ts'
import { grantsService } from '../connections/grants-service.ts'
import { homeMemory } from '../connections/home-memory.ts'
import { dropUnusedImports } from '../connections/imports/drop-unused.ts'
import { ImportFiles } from '../connections/imports/import-files.ts'
import { secretKey } from '../connections/oauth/secret-key.ts'
import type { GrantParts } from '../connections/open-grants.ts'
import { liveRuns } from '../connections/run-activity.ts'
import { type SourceSettings, sourceSettings } from '../connections/source-settings.ts'
import { type SourcesContext, type SourcesHome, sharedConnections } from '../connections/sources-context.ts'
import type { GrantsService, SourcesService } from '../connections/sources-contract.ts'
import { sourcesService } from '../connections/sources-service.ts'
import { type RunningScheduler, SCHEDULER, startScheduler } from '../connections/start-scheduler.ts'
import { homeGrants, type ProcessInfo, syncEnvironment } from '../connections/sync-environment.ts'
import { watchOtherProcesses } from '../connections/watch-other-processes.ts'
import type { OAuthProvider } from '../connector/oauth-provider.ts'
import { AppError, locatedMessage } from '../domain/errors.ts'
import { systemClock } from '../lib/clock.ts'
import { followFile } from '../lib/follow-file.ts'
import type { Log } from '../lib/log.ts'
import type { LiveEvents } from '../service/live-events.ts'
import type { Service } from '../service/service.ts'
import type { ConnectionName } from '../store/ledger/ledger.ts'
import type { Store } from '../store/store.ts'
import type { Connection } from '../sync/connection.ts'
import type { WantedRun } from '../sync/scheduler.ts'
import type { ProcessTelemetry } from './open-telemetry.ts'

export interface SourcesParts {
  readonly config: Config
  readonly store: Store
  readonly service: Service
  readonly live: LiveEvents
  readonly log: Log
  /** Absent: no metrics. */
  readonly telemetry?: ProcessTelemetry
  readonly processInfo: ProcessInfo
  /** Whether this process has the scheduler role. */
  readonly runsHere: boolean
  readonly registry: ConnectorRegistry
  /** Connector packages that could not be loaded. */
  readonly wrongPackages?: readonly WrongConnection[]
  readonly providers?: GrantParts['providers']
}

/** The connections of this home: run here, if this process has the scheduler role, and managed in the web app. */
interface RunningSources {
  readonly sources: SourcesService
  readonly grants: GrantsService
  /**
   * Runs the active connections on their schedules, and follows changes of config.yaml.
   * @throws AppError when they cannot be run, for example without a key
   */
  start(connections: readonly Connection[]): Promise<void>
  /** Whether the scheduler is running; true also without connections. */
  isAlive(): boolean
}

/** @param parentStack stops what runs, and closes what was opened */
export function openSources(parts: SourcesParts, parentStack: AsyncDisposableStack): RunningSources {
  const context = new RunningSourcesContext(parts)
  parentStack.defer(() => context.close())
  return {
    sources: sourcesService(context),
    grants: grantsService(context),
    isAlive: () => context.scheduler()?.isAlive() ?? true,
    start: (connections) => context.start(connections),
  }
}

class RunningSourcesContext implements SourcesContext {
  readonly config: Config
  readonly files: HomeFiles
  readonly service: Service
  readonly log: Log
  readonly registry: ConnectorRegistry
  readonly settings: SourceSettings
  readonly imports: ImportFiles
  readonly runsHere: boolean
  readonly #parts: SourcesParts
  readonly #stopping = new AbortController()
  /** A separate stack, because requests may open something after the start. */
  readonly #stack = new AsyncDisposableStack()
  readonly #openHome: () => Promise<SourcesHome>
  #scheduler: RunningScheduler | undefined
  #alerts: RunningAlerts | undefined
  #lastChange: Promise<unknown> = Promise.resolve()

  constructor(parts: SourcesParts) {
    const { config, service, log, processInfo, runsHere, registry, wrongPackages: wrong = [] } = parts
    this.#parts = parts
    this.config = config
    this.files = homeFiles(config.home)
    this.service = service
    this.log = log
    this.registry = registry
    this.settings = sourceSettings({ file: this.files.config, env: processInfo.env, registry, wrong })
    this.imports = new ImportFiles(this.files, config.maxImportMb * 1024 * 1024)
    this.runsHere = runsHere
    this.#openHome = lazyHome(parts, this.#stack)
  }

  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  providers(): Promise<readonly OAuthProvider[]> {
    return Promise.all(Object.values(this.#parts.providers ?? PROVIDERS).map((load) => load()))
  }

  home(): Promise<SourcesHome> {
    return this.#openHome()
  }

  scheduler(): RunningScheduler | undefined {
    return this.#scheduler
  }

  async runSoon(name: ConnectionName, run: WantedRun): Promise<boolean> {
    if (this.runsHere) return this.#scheduler?.runNow(name, run) !== 'unknown'
    const { ledger } = (await this.home()).environment
    await ledger.updateConnection(name, { asked: run.full ? 'full' : 'changes' })
    return true
  }

  async reload(): Promise<void> {
    if (this.runsHere) {
      const { connections, wrong } = await this.settings.connectionsIn(this.settings.read().text)
      for (const { connector, name, problem } of wrong) this.log.error({ connector, name }, locatedMessage(problem))
      await this.#run(connections)
    }
    await this.publish()
  }

  serialize<T>(work: () => Promise<T>): Promise<T> {
    const change = this.#lastChange.then(work)
    this.#lastChange = change.catch(() => undefined)
    return change
  }

  async publish(): Promise<void> {
    const { accountId } = await this.home()
    if (accountId !== undefined) this.#parts.live.publish({ type: 'sources' }, accountId)
  }

  async start(connections: readonly Connection[]): Promise<void> {
    const { config, store, live } = this.#parts
    if (this.runsHere || config.roles.includes('api')) await noteSecretKey(this.#parts)
    // Read before the start; if config.yaml changed since, the scheduler already has newer connections.
    if (this.runsHere) await this.serialize(async () => this.#scheduler ?? this.#runOrWait(connections))
    // The page keeps showing these settings while the file has an error.
    await this.settings.current()
    if (config.roles.includes('api')) {
      const { imports, log, settings } = this
      dropUnusedImports({ imports, log, config: () => settings.read().text }, this.#stack)
    }
    followConfig(this.files.config, this, this.#stack)
    watchOtherProcesses({ store, live, log: this.log, home: () => this.home() }, this.#stack)
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#lastChange
    await this.#stack.disposeAsync()
  }

  async #run(connections: readonly Connection[]): Promise<void> {
    const { service, log, telemetry, store } = this.#parts
    const active = connections.filter((connection) => connection.config.paused !== true)
    const { environment, accountId, runs, shared } = await this.home()
    await shared.note(connections)
    if (this.#scheduler !== undefined) {
      await this.#scheduler.replace(active)
      return this.#alerts?.look()
    }
    const isAlone = !store.capabilities.manyPerRole
    const alerts = startAlerts(await this.#alertParts(), this.#stack)
    this.#alerts = alerts
    const onRun = () => alerts.look()
    this.#scheduler = await startScheduler(
      active,
      { environment, accountId, service, runs, log, metrics: telemetry?.metrics, onRun, isAlone },
      this.#stack,
    )
    log.info({ connections: active.length }, 'running connectors')
  }

  async #alertParts(): Promise<AlertParts> {
    const { config, registry, log } = this
    const { environment, accountId } = await this.home()
    return {
      ...{ registry, log, clock: systemClock, tasks: this.#parts.store.dailyTasks },
      ...{ ledger: environment.ledger, memoryId: accountId ?? 'remote', address: serverAddress(config) },
      channels: alertChannels(config),
      configured: async () => (await this.settings.current()).configured,
    }
  }

  /** Without active connections no memory is needed: its problem is reported when the first one is added. */
  async #runOrWait(connections: readonly Connection[]): Promise<void> {
    try {
      await this.#run(connections)
    } catch (error) {
      const isNeeded = connections.some((connection) => connection.config.paused !== true)
      if (!(error instanceof AppError) || isNeeded) throw error
      this.log.warn({ err: error }, "connectors can't run yet")
    }
  }
}

function lazyHome(parts: SourcesParts, stack: AsyncDisposableStack): () => Promise<SourcesHome> {
  const { config, live, processInfo, runsHere } = parts
  const { env, userName } = processInfo
  let opened: Promise<SourcesHome> | undefined
  const open = async (): Promise<SourcesHome> => {
    const home = await homeMemory({ ...parts, env, userName }, stack)
    const role = runsHere ? SCHEDULER : 'app'
    const environment = await syncEnvironment({ ...parts, config, home, role }, stack)
    const { accountId } = home
    const { oauthGrants: grants, consents } = homeGrants({ ...parts, home, role })
    return {
      ...{ accountId, grants, consents },
      environment,
      shared: sharedConnections(environment.ledger, parts.log),
      runs: liveRuns(live, accountId),
    }
  }
  return async () => {
    opened ??= open()
    try {
      return await opened
    } catch (error) {
      opened = undefined
      // Not `unauthenticated`, which would make the app sign the person out.
      if (error instanceof AppError && error.code === 'unauthenticated') {
        throw new AppError('conflict', error.message, error.advice && { advice: error.advice })
      }
      throw error
    }
  }
}

function followConfig(file: string, context: SourcesContext, stack: AsyncDisposableStack): void {
  const reload = () => {
    context
      .serialize(() => context.reload())
      .catch((error: unknown) => context.log.error({ err: error }, 'config.yaml could not be reloaded'))
  }
  stack.use(followFile(file, reload))
}

/** The ledger for facts without an account. */
const LEDGER = 'server'
const FACT = 'secret key'

/**
 * Warns when the previous process had a different secret key: neither can decrypt the other's data, and people are
 * signed out at random. Only a fingerprint of the key is stored.
 */
async function noteSecretKey({ config, store, log }: { config: Config; store: Store; log: Log }): Promise<void> {
  if (!store.capabilities.manyPerRole) return
  const keyFile = secretKeyFile(config)
  const key = secretKey(keyFile, log).forOpening()
  if (key === undefined) return
  const mine = Buffer.from(hkdfSync('sha256', key, '', 'recalld fingerprint', 16)).toString('hex')
  const ledger = store.ledger(LEDGER)
  const known = await ledger.readFact(FACT)
  if (known === mine) return
  if (known !== undefined) {
    log.warn(
      { file: keyFile.file },
      'the secret key differs from the one of the process started before; set the same RECALLD_SECRET_KEY_FILE everywhere',
    )
  }
  await ledger.writeFact(FACT, mine)
}
