import type { ConnectionName, ConnectionRow } from '../store/ledger/ledger.ts'
import { connectionName } from '../sync/connection-name.ts'
import type { ConfiguredConnections, ConnectorRegistry } from './configured-connections.ts'
import type { KnownConnection } from './connection-status.ts'

/** Those that are configured in the order of config.yaml, those that are wrong there, then those that only the ledger knows. */
export async function knownConnections(
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
      ref: connectionName(connection),
      connection,
      manifest: connection.connector.manifest,
      row: rowOf(nameOf(connectionName(connection))),
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

function nameOf({ connector, name }: ConnectionName): string {
  return `${connector}/${name}`
}
