import { CONNECTORS } from '../../connectors/index.ts'
import { PROVIDERS } from '../../connectors/providers.ts'
import type { ConnectorDocument, ProviderDocument } from '../config/documents.ts'
import { schemaFields } from '../config/field-schema.ts'
import type { ConnectorRegistry } from './configured-connections.ts'

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

/** What docs/connect/README.md tells of the providers. */
export function providerDocuments(): Promise<ProviderDocument[]> {
  return Promise.all(
    Object.values(PROVIDERS).map(async (load) => {
      const { id, title, families, usualWay } = await load()
      return { id, title, families: families.map(({ connectors }) => connectors), usualWay }
    }),
  )
}
