import { CONNECTORS } from '../../connectors/index.ts'
import { PROVIDERS } from '../../connectors/providers.ts'
import type { ConnectorDocument, ProviderDocument } from '../config/documents.ts'
import { schemaFields } from '../config/field-schema.ts'
import type { Connector } from '../connector/connector.ts'
import type { OAuthProvider } from '../connector/oauth-provider.ts'
import { PART_NOUN } from '../domain/connector-listing.ts'
import type { Connector as WireConnector } from '../http/app/schemas/sources.ts'
import { connectionName } from '../sync/connection.ts'
import { type ConfiguredConnections, type ConnectorRegistry, standaloneConnection } from './configured-connections.ts'
import { newConnectionGrant } from './connection-status.ts'
import type { ConnectorView } from './sync-service.ts'

/** A connector as the app offers it. */
export function wireConnector(connector: Connector, providers: readonly OAuthProvider[]): WireConnector {
  const { id, title, auth, sourceTypes, deletions, schedule, documentation, listing, config } = connector.manifest
  const { standalone, takesPaths, needs, grant } = connectorView(connector, { connections: [], wrong: [] })
  const provider = providers.find((one) => one.id === grant?.provider)
  return {
    ...{ id, title, auth, needs, deletions, standalone },
    source_types: [...sourceTypes],
    takes_paths: takesPaths,
    takes_token: schemaFields(config).some(({ name }) => name === 'token'),
    grant:
      grant === undefined || provider === undefined
        ? null
        : { provider: grant.provider, family: grant.family, provider_title: provider.title },
    device: connector.deviceToken !== undefined || provider?.device === true,
    choosing: connector.choosing?.setting ?? null,
    importing: connector.importing?.setting ?? null,
    default_schedule: schedule,
    ...{ summary: listing.summary, icon: listing.icon, group: listing.group },
    part_noun: listing.partNoun ?? PART_NOUN,
    token_steps: [...(listing.tokenSteps ?? [])],
    secret: listing.secret ?? 'token',
    about: {
      item: documentation.item,
      removed: documentation.removed,
      api: documentation.api,
      limits: documentation.limits,
    },
  }
}

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
    ...(connector.importing?.setting === 'paths' && { takesFiles: true as const }),
    ...(listing.secret && { secret: listing.secret }),
    ...(connector.choosing && { choosing: connector.choosing.setting }),
    ...(listing.tokenSteps && { tokenSteps: listing.tokenSteps }),
    ...newConnectionGrant(connector),
  }
}

/** The connectors as config/README.md describes them, from their manifests. */
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

/** The providers as docs/connect/README.md describes them. */
export function providerDocuments(): Promise<ProviderDocument[]> {
  return Promise.all(
    Object.values(PROVIDERS).map(async (load) => {
      const { id, title, families, usualWay } = await load()
      return { id, title, families: families.map(({ connectors }) => connectors), usualWay }
    }),
  )
}
