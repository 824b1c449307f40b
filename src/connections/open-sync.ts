import { setTimeout as delay } from 'node:timers/promises'
import { schemaFields } from '../config/field-schema.ts'
import { serverAddress } from '../config/local-address.ts'
import type { Config } from '../config.ts'
import type { SourceMachine } from '../connector/connector.ts'
import type { AlertsOverview, AlertTests } from '../domain/alerts.ts'
import { AppError, locatedMessage } from '../domain/errors.ts'
import type { SourceType } from '../domain/source-type.ts'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Connection, SyncEnvironment } from '../sync/connection.ts'
import type { PreviewReport, RunReport } from '../sync/run-report.ts'
import { alertChannels } from './alerts/alert-channels.ts'
import { NO_ALERTS, readAlertRecord } from './alerts/alert-record.ts'
import { alertsOverview, testAlerts } from './alerts/source-alerts.ts'
import { checkSource, sourceChoices } from './check-source.ts'
import {
  type ConfiguredConnections,
  type ConnectorRegistry,
  configuredConnections,
  namedConnections,
} from './configured-connections.ts'
import { connectionAccess, connectionStatus, knownConnections } from './connection-status.ts'
import { connectorView } from './connector-view.ts'
import { type HomeConnectors, homeConnectors } from './home-connectors.ts'
import type { OAuthGrants } from './oauth/oauth-grants.ts'
import type { GrantParts } from './open-grants.ts'
import type { ProcessInfo } from './sync-environment.ts'
import type {
  ConnectionAccess,
  ConnectionStatus,
  ConnectorView,
  DeviceAuthorization,
  EntryChangeKind,
  SourceCheck,
  SourceChoices,
  SyncHome,
  SyncRunOptions,
  SyncService,
  SyncTarget,
} from './sync-service.ts'

export interface SyncOptions {
  readonly log: Log
  readonly processInfo: ProcessInfo
  /** Standard input, opened only for the connector that reads it. */
  readonly standardInput?: () => AsyncIterable<Uint8Array> | undefined
  readonly registry?: ConnectorRegistry
  readonly providers?: GrantParts['providers']
}

/** The home of a command. */
export interface HomeAccess {
  /** Whether it has a database. @throws AppError `conflict` when it had one that is now missing */
  exists(): boolean
  /** Opens it, and creates it like a first start if needed; `stack` closes it. */
  open(stack: AsyncDisposableStack): Promise<SyncHome>
}

/** The connector for entries from other programs. */
const READS_STANDARD_INPUT = 'stream'
const POLL_MS = 250

/**
 * Manual synchronization. The home, which is created if necessary, and the connections are opened when they are needed.
 */
export function openSync(config: Config, options: SyncOptions, homeAccess: HomeAccess): SyncService {
  return new HomeSync(config, options, homeAccess)
}

class HomeSync implements SyncService {
  readonly #config: Config
  readonly #options: SyncOptions
  readonly #homeAccess: HomeAccess
  readonly #stack = new AsyncDisposableStack()
  readonly #sourceTypes = new Set<SourceType>()
  #connectors: Promise<HomeConnectors> | undefined
  #connections: Promise<ConfiguredConnections> | undefined
  #opened: Promise<SyncHome> | undefined

  constructor(config: Config, options: SyncOptions, homeAccess: HomeAccess) {
    this.#config = config
    this.#options = options
    this.#homeAccess = homeAccess
  }

  async targets(names: readonly string[]): Promise<readonly SyncTarget[]> {
    const { connections, wrong } = names.length > 0 ? await this.#named(names) : await this.#configured()
    const chosen = names.length > 0 ? connections : connections.filter(isActive)
    return [
      ...chosen.map(({ connector: { manifest }, config: { name } }) => ({
        connector: manifest.id,
        name,
        title: manifest.title,
        ...(schemaFields(manifest.config).some((field) => field.name === 'exclude') && { canExclude: true }),
      })),
      ...wrong.map(({ connector, name, problem }) => ({ connector, name, mistake: locatedMessage(problem) })),
    ]
  }

  async run(target: SyncTarget, { signal, full, onProgress }: SyncRunOptions): Promise<RunReport> {
    const connection = await this.#connection(target)
    const { environment, note } = await this.#home()
    const { syncConnection } = await import('../sync/sync-connection.ts')
    for (const sourceType of connection.connector.manifest.sourceTypes) this.#sourceTypes.add(sourceType)
    const source = withInput(environment, connection, this.#options)
    const report = await syncConnection(connection, source, { signal, full, onProgress })
    note(report)
    return report
  }

  async preview(target: SyncTarget, { signal, full, onProgress }: SyncRunOptions): Promise<PreviewReport> {
    const connection = await this.#connection(target)
    const { environment } = await this.#home()
    const { previewConnection } = await import('../sync/preview.ts')
    // Standard input can be read only once, so a preview skips it.
    return previewConnection(connection, environment, { signal, full, onProgress })
  }

  async finish(signal: AbortSignal, onWaiting: (waiting: number) => void): Promise<void> {
    if (this.#opened === undefined) return
    const { backlog, work } = await this.#opened
    for (;;) {
      const { waiting, soon } = await backlog(this.#sourceTypes)
      onWaiting(waiting)
      if (waiting === 0 || !soon) return
      await work()
      await delay(POLL_MS, undefined, { signal })
    }
  }

  async status(): Promise<readonly ConnectionStatus[]> {
    const connections = await this.#configured()
    const ledger = this.#homeAccess.exists() ? (await this.#home()).environment.ledger : undefined
    const known = await knownConnections(connections, (await ledger?.listConnections()) ?? [], await this.#registry())
    return Promise.all(known.map((one) => connectionStatus(one, ledger, systemClock())))
  }

  async retry(names: readonly string[], { forgotten }: { readonly forgotten: boolean }): Promise<number> {
    if (!this.#homeAccess.exists()) return 0
    const { ledger } = (await this.#home()).environment
    if (names.length === 0) return ledger.retryItems(undefined, { forgotten })
    const rows = await ledger.listConnections()
    let retried = 0
    for (const name of names) {
      // Includes connections that are no longer configured.
      const found = rows.filter((row) => name === row.connector || name === `${row.connector}/${row.name}`)
      if (found.length === 0) await this.#named([name])
      for (const row of found) retried += await ledger.retryItems(row, { forgotten })
    }
    return retried
  }

  async connectors(): Promise<readonly ConnectorView[]> {
    const all = await this.#configured()
    const { registry, packages } = await this.#loaded()
    const views = await Promise.all(Object.values(registry).map(async (load) => connectorView(await load(), all)))
    return views.map((view) => {
      const from = packages.find(({ connectors }) => connectors.some(({ manifest }) => manifest.id === view.id))
      return from === undefined ? view : { ...view, package: { name: from.name, version: from.version } }
    })
  }

  async check(target: SyncTarget, signal = new AbortController().signal): Promise<SourceCheck> {
    return checkSource(await this.#connection(target), (await this.#home()).environment, signal)
  }

  async choices(target: SyncTarget, signal = new AbortController().signal): Promise<SourceChoices | undefined> {
    return sourceChoices(await this.#connection(target), (await this.#home()).environment, signal)
  }

  async note({ connector, name }: SyncTarget, kind: EntryChangeKind): Promise<void> {
    const { noteByHand } = await this.#home()
    noteByHand({ kind, connection: `${connector}/${name}` })
  }

  async authorize(id: string, options: DeviceAuthorization): Promise<string> {
    const registry = await this.#registry()
    const connector = Object.hasOwn(registry, id) ? await registry[id]?.() : undefined
    if (connector?.deviceToken === undefined) {
      throw new AppError('invalid', `${id} doesn't support the device flow. Leave --device out to use a token.`)
    }
    return connector.deviceToken(options)
  }

  async grants(): Promise<OAuthGrants> {
    return (await this.#home()).grants
  }

  async alerts(): Promise<AlertsOverview> {
    const record = this.#homeAccess.exists()
      ? await readAlertRecord((await this.#home()).environment.ledger)
      : NO_ALERTS
    return alertsOverview(alertChannels(this.#config), record)
  }

  testAlerts(): Promise<AlertTests> {
    return testAlerts(alertChannels(this.#config), serverAddress(this.#config), systemClock())
  }

  async access(): Promise<readonly ConnectionAccess[]> {
    return (await this.#configured()).connections.flatMap((connection) => connectionAccess(connection) ?? [])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Waits for an opening in progress, so that everything is closed.
    await Promise.allSettled([this.#opened])
    await this.#stack.disposeAsync()
  }

  #configured(): Promise<ConfiguredConnections> {
    this.#connections ??= this.#configuredAndPackages()
    return this.#connections
  }

  async #configuredAndPackages(): Promise<ConfiguredConnections> {
    const { registry, wrong } = await this.#loaded()
    const configured = await configuredConnections(this.#config.connectors, registry)
    return { ...configured, wrong: [...wrong, ...configured.wrong] }
  }

  #loaded(): Promise<HomeConnectors> {
    const { registry } = this.#options
    this.#connectors ??= registry
      ? Promise.resolve({ registry, packages: [], wrong: [] })
      : homeConnectors(this.#config)
    return this.#connectors
  }

  async #registry(): Promise<ConnectorRegistry> {
    return (await this.#loaded()).registry
  }

  #home(): Promise<SyncHome> {
    this.#opened ??= this.#homeAccess.open(this.#stack)
    return this.#opened
  }

  async #named(names: readonly string[]): Promise<ConfiguredConnections> {
    return namedConnections(names, await this.#configured(), await this.#registry())
  }

  async #connection({ connector, name, mistake }: SyncTarget): Promise<Connection> {
    if (mistake !== undefined) throw new AppError('invalid', mistake)
    const found = await this.#named([`${connector}/${name}`])
    const [connection] = found.connections
    if (connection === undefined)
      throw found.wrong[0]?.problem ?? new RangeError(`Connection ${connector}/${name} doesn't exist.`)
    return connection
  }
}

function isActive({ config }: Connection): boolean {
  return config.paused !== true
}

function withInput(environment: SyncEnvironment, { connector }: Connection, options: SyncOptions): SyncEnvironment {
  const standardInput = connector.manifest.id === READS_STANDARD_INPUT ? options.standardInput?.() : undefined
  const machine: SourceMachine = { ...environment.machine, ...(standardInput === undefined ? {} : { standardInput }) }
  return { ...environment, machine }
}
