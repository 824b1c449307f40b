import { schemaFields } from '../config/field-schema.ts'
import type { Connector } from '../connector/connector.ts'
import { connectionName } from '../sync/connection-name.ts'
import { type ConfiguredConnections, standaloneConnection } from './configured-connections.ts'
import { newConnectionGrant } from './connection-access.ts'
import type { ConnectorView } from './sync-service.ts'

/** A connector as people choose it. */
export function connectorView(connector: Connector, { connections, wrong }: ConfiguredConnections): ConnectorView {
  const { id, title, auth, documentation, listing } = connector.manifest
  return {
    id,
    title,
    auth,
    configured: [...connections.map(connectionName), ...wrong]
      .filter((one) => one.connector === id)
      .map(({ name }) => name),
    standalone: standaloneConnection(connector) !== undefined,
    takesPaths: schemaFields(connector.manifest.config).some(({ name }) => name === 'paths'),
    needs: documentation.needs,
    ...(listing.tokenSteps && { tokenSteps: listing.tokenSteps }),
    ...newConnectionGrant(connector),
  }
}
