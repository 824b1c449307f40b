import { CONNECTORS } from '../../connectors/index.ts'
import type { ConnectorDocument } from '../config/documents.ts'
import { schemaFields } from '../config/field-schema.ts'
import type { ConnectorRegistry } from './connections.ts'

/** What config/README.md tells of the connectors, from their manifests. */
export function connectorDocuments(registry: ConnectorRegistry = CONNECTORS): Promise<ConnectorDocument[]> {
  return Promise.all(
    Object.values(registry).map(async (load) => {
      const { id, title, schedule, deletions, documentation, config, grant } = (await load()).manifest
      const settings = config.safeParse({ name: 'me' })
      const scopes = grant !== undefined && settings.success ? grant.scopes(settings.data) : []
      return { id, title, schedule, deletions, ...documentation, scopes, fields: schemaFields(config) }
    }),
  )
}
