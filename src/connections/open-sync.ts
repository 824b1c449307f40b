import { setTimeout as delay } from 'node:timers/promises'
import { CONNECTORS } from '../../connectors/index.ts'
import type { Config } from '../config.ts'
import type { SourceMachine } from '../connector/connector.ts'
import { AppError } from '../domain/errors.ts'
import type { SourceType } from '../domain/source-type.ts'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Connection, SyncEnvironment } from '../sync/connection.ts'
import { checkSource } from './check-source.ts'
import {
  type ConfiguredConnections,
  type ConnectorRegistry,
  configuredConnections,
  namedConnections,
} from './configured-connections.ts'
import { connectionAccess, connectionStatus, knownConnections } from './connection-status.ts'
import { connectorView } from './connector-view.ts'
import type { GrantParts } from './open-grants.ts'
import type { ProcessSurroundings } from './sync-environment.ts'
import type { SyncHome, SyncRunOptions, SyncService, SyncTarget } from './sync-service.ts'

export interface SyncOptions {
  readonly log: Log
  readonly surroundings: ProcessSurroundings
  /** What is piped into the command; asked for by the connector that reads it, and by nothing else. */
  readonly standardInput?: () => AsyncIterable<Uint8Array> | undefined
  readonly registry?: ConnectorRegistry
  readonly providers?: GrantParts['providers']
}

/** The home that a command works with. */
export interface HomeAccess {
  /** Whether it has a database. @throws AppError `conflict` when it had one and it is gone */
  exists(): boolean
  /** Opens it, and creates it as a first start does where there is none; `stack` closes it. */
  open(stack: AsyncDisposableStack): Promise<SyncHome>
}

/** The connector that takes what other programs send. */
const READS_STANDARD_INPUT = 'stream'
const POLL_MS = 250

/**
 * Synchronization by hand. The home is opened, and made where there is none, by what needs it; config.yaml is read by
 * what needs that.
 */
export function openSync(config: Config, options: SyncOptions, homeAccess: HomeAccess): SyncService {
  const { registry = CONNECTORS } = options
  const stack = new AsyncDisposableStack()
  let connections: Promise<ConfiguredConnections> | undefined
  let opened: Promise<SyncHome> | undefined
  const sourceTypes = new Set<SourceType>()
  const configured = () => {
    connections ??= configuredConnections(config.connectors, registry)
    return connections
  }
  const home = () => {
    opened ??= homeAccess.open(stack)
    return opened
  }
  const named = async (names: readonly string[]) => namedConnections(names, await configured(), registry)
  const oneOf = async ({ connector, name, mistake }: SyncTarget): Promise<Connection> => {
    if (mistake !== undefined) throw new AppError('invalid', mistake)
    const found = await named([`${connector}/${name}`])
    const [connection] = found.connections
    if (connection === undefined) throw found.wrong[0]?.problem ?? new RangeError(`no connection ${connector}/${name}`)
    return connection
  }

  return {
    async targets(names) {
      const { connections, wrong } = names.length > 0 ? await named(names) : await configured()
      const chosen = names.length > 0 ? connections : connections.filter(isActive)
      return [
        ...chosen.map(({ connector: { manifest }, config: { name } }) => ({
          connector: manifest.id,
          name,
          title: manifest.title,
        })),
        ...wrong.map(({ connector, name, problem }) => ({ connector, name, mistake: problem.message })),
      ]
    },
    async run(target, { signal, full, onProgress }: SyncRunOptions) {
      const connection = await oneOf(target)
      const { environment, note } = await home()
      const { syncConnection } = await import('../sync/sync-connection.ts')
      for (const sourceType of connection.connector.manifest.sourceTypes) sourceTypes.add(sourceType)
      const source = withInput(environment, connection, options)
      const report = await syncConnection(connection, source, { signal, full, onProgress })
      note(report)
      return report
    },
    async preview(target, { signal, full, onProgress }: SyncRunOptions) {
      const connection = await oneOf(target)
      const { environment } = await home()
      const { previewConnection } = await import('../sync/preview.ts')
      // What is piped in can be read once: a preview leaves it.
      return previewConnection(connection, environment, { signal, full, onProgress })
    },
    async finish(signal, onWaiting) {
      if (opened === undefined) return
      const { backlog, work } = await opened
      for (;;) {
        const { waiting, soon } = await backlog(sourceTypes)
        onWaiting(waiting)
        if (waiting === 0 || !soon) return
        await work()
        await delay(POLL_MS, undefined, { signal })
      }
    },
    async status() {
      const connections = await configured()
      const ledger = homeAccess.exists() ? (await home()).environment.ledger : undefined
      const known = await knownConnections(connections, (await ledger?.listConnections()) ?? [], registry)
      return Promise.all(known.map((one) => connectionStatus(one, ledger, systemClock())))
    },
    async retry(names, { forgotten }) {
      if (!homeAccess.exists()) return 0
      const { ledger } = (await home()).environment
      if (names.length === 0) return ledger.retryItems(undefined, { forgotten })
      const rows = await ledger.listConnections()
      let retried = 0
      for (const name of names) {
        // Also what is not configured any more.
        const found = rows.filter((row) => name === row.connector || name === `${row.connector}/${row.name}`)
        if (found.length === 0) await named([name])
        for (const row of found) retried += await ledger.retryItems(row, { forgotten })
      }
      return retried
    },
    async connectors() {
      const all = await configured()
      return Promise.all(Object.values(registry).map(async (load) => connectorView(await load(), all)))
    },
    async check(target, signal = new AbortController().signal) {
      return checkSource(await oneOf(target), (await home()).environment, signal)
    },
    async note({ connector, name }, kind) {
      const { noteByHand } = await home()
      noteByHand({ kind, connection: `${connector}/${name}` })
    },
    async authorize(id, options) {
      const connector = Object.hasOwn(registry, id) ? await registry[id]?.() : undefined
      if (connector?.deviceToken === undefined) {
        throw new AppError('invalid', `${id} cannot be connected by device flow: leave --device out to use a token.`)
      }
      return connector.deviceToken(options)
    },
    grants: async () => (await home()).grants,
    async access() {
      return (await configured()).connections.flatMap((connection) => connectionAccess(connection) ?? [])
    },
    [Symbol.asyncDispose]: async () => {
      // What is being opened is opened to its end, so that it can be closed.
      await Promise.allSettled([opened])
      await stack.disposeAsync()
    },
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
