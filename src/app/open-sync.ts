import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { CONNECTORS } from '../../connectors/index.ts'
import type { ConnectorView, SyncDesk, SyncRunOptions, SyncTarget } from '../cli/sync-contract.ts'
import { schemaFields } from '../config/field-schema.ts'
import { homeFiles } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import type { Connector, Requests, SourceMachine } from '../connector/connector.ts'
import { AppError } from '../domain/errors.ts'
import type { SourceType } from '../domain/source-type.ts'
import { systemClock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { ConnectionName, ConnectionRow } from '../store/ledger.ts'
import type { Connection, SyncEnvironment } from '../sync/connection.ts'
import { connectionAccess, newConnectionGrant } from './connection-access.ts'
import { connectionStatus, type KnownConnection } from './connection-status.ts'
import {
  type ConfiguredConnections,
  type ConnectorRegistry,
  configuredConnections,
  standaloneConnection,
} from './connections.ts'
import type { GrantParts } from './open-grants.ts'
import type { ProcessSurroundings } from './sync-environment.ts'
import { openSyncHome, type SyncHome } from './sync-home.ts'
import { namedConnections } from './sync-targets.ts'

export interface SyncOptions {
  readonly log: Log
  readonly surroundings: ProcessSurroundings
  /** What is piped into the command; asked for by the connector that reads it, and by nothing else. */
  readonly standardInput?: () => AsyncIterable<Uint8Array> | undefined
  readonly registry?: ConnectorRegistry
  readonly providers?: GrantParts['providers']
}

/** The connector that takes what other programs send. */
const READS_STANDARD_INPUT = 'stream'
const POLL_MS = 250

/**
 * Synchronization by hand. The home is opened, and made where there is none, by what needs it; config.yaml is read by
 * what needs that.
 */
export function openSync(config: Config, options: SyncOptions): SyncDesk {
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
    opened ??= openSyncHome(config, options, stack)
    return opened
  }
  const isMade = () => existsSync(homeFiles(config.home).database)
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
      const { environment } = await home()
      const { syncConnection } = await import('../sync/sync-connection.ts')
      for (const sourceType of connection.connector.manifest.sourceTypes) sourceTypes.add(sourceType)
      return syncConnection(connection, withInput(environment, connection, options), { signal, full, onProgress })
    },
    async preview(target, { signal, full, onProgress }: SyncRunOptions) {
      const connection = await oneOf(target)
      const { environment } = await home()
      const { previewConnection } = await import('../sync/preview-connection.ts')
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
      const ledger = isMade() ? (await home()).environment.ledger : undefined
      const known = await knownConnections(connections, (await ledger?.listConnections()) ?? [], registry)
      return Promise.all(known.map((one) => connectionStatus(one, ledger, systemClock())))
    },
    async retry(names, { forgotten }) {
      if (!isMade()) return 0
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
      return Promise.all(Object.values(registry).map(async (load) => viewOf(await load(), all)))
    },
    async check(target, signal = new AbortController().signal) {
      const { connector, config: settings } = await oneOf(target)
      const { environment } = await home()
      const { clock, log, machine, grants, userName, timeZone } = environment
      const requests = unbudgeted(signal)
      const context = { config: settings, clock, log, signal, requests, grants, machine, userName, timeZone }
      const { account, title = account, warnings = [] } = await connector.check(context)
      const ref = refOf({ connector, config: settings })
      const known = (await environment.ledger.listConnections()).find((row) => nameOf(row) === nameOf(ref))
      if (known?.account !== undefined && known.account !== account) {
        throw new AppError('invalid', otherAccount(nameOf(ref), title, known.accountTitle ?? known.account))
      }
      return { account: title, warnings }
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

/** Those that are configured in the order of config.yaml, those that are wrong there, then those that only the ledger knows. */
async function knownConnections(
  { connections, wrong }: ConfiguredConnections,
  rows: readonly ConnectionRow[],
  registry: ConnectorRegistry,
): Promise<KnownConnection[]> {
  const rest = new Map(rows.map((row) => [`${row.connector}/${row.name}`, row]))
  const rowOf = (name: string) => {
    const row = rest.get(name)
    rest.delete(name)
    return row
  }
  const manifestOf = async (id: string) => {
    const load = Object.hasOwn(registry, id) ? registry[id] : undefined
    return load === undefined ? undefined : (await load()).manifest
  }
  const known = connections.map((connection): KnownConnection => {
    return {
      ref: refOf(connection),
      connection,
      manifest: connection.connector.manifest,
      row: rowOf(nameOf(refOf(connection))),
    }
  })
  for (const { connector, name, problem } of wrong) {
    const row = rowOf(`${connector}/${name}`)
    known.push({ ref: { connector, name }, connection: undefined, manifest: await manifestOf(connector), row, problem })
  }
  for (const row of rest.values()) {
    const ref = { connector: row.connector, name: row.name }
    known.push({ ref, connection: undefined, manifest: await manifestOf(row.connector), row })
  }
  return known
}

function viewOf(connector: Connector, { connections, wrong }: ConfiguredConnections): ConnectorView {
  const { id, title, auth, documentation } = connector.manifest
  return {
    id,
    title,
    auth,
    configured: [...connections.map(refOf), ...wrong].filter((one) => one.connector === id).map(({ name }) => name),
    standalone: standaloneConnection(connector) !== undefined,
    takesPaths: schemaFields(connector.manifest.config).some(({ name }) => name === 'paths'),
    needs: documentation.needs,
    ...newConnectionGrant(connector),
  }
}

function otherAccount(name: string, now: string, before: string): string {
  return `The access is to ${now}, but ${name} was read as ${before} until now, and what was read belongs to that account: give this one a connection with another --name.`
}

/** For the few requests that a person waits for. */
export function unbudgeted(signal: AbortSignal): Requests {
  return {
    call: (_, send) => send(signal),
    holdUntil: () => Promise.resolve(),
    spaceOut: () => Promise.resolve(),
  }
}

function isActive({ config }: Connection): boolean {
  return config.paused !== true
}

function refOf({ connector, config }: Connection) {
  return { connector: connector.manifest.id, name: config.name }
}

function nameOf({ connector, name }: ConnectionName): string {
  return `${connector}/${name}`
}

function withInput(environment: SyncEnvironment, { connector }: Connection, options: SyncOptions): SyncEnvironment {
  const standardInput = connector.manifest.id === READS_STANDARD_INPUT ? options.standardInput?.() : undefined
  const machine: SourceMachine = { ...environment.machine, ...(standardInput === undefined ? {} : { standardInput }) }
  return { ...environment, machine }
}
