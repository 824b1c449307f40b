import { schemaFields } from '../config/field-schema.ts'
import type { Connector } from '../connector/connector.ts'
import type { OAuthProvider } from '../connector/oauth-provider.ts'
import { PART_NOUN } from '../domain/connector-listing.ts'
import type { Connector as WireConnector } from '../http/app/schemas/sources.ts'
import { connectorView } from './connector-view.ts'
import { scheduleWords } from './schedule-text.ts'

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
    default_schedule: schedule,
    schedule_words: scheduleWords(schedule),
    ...{ summary: listing.summary, icon: listing.icon, group: listing.group },
    part_noun: listing.partNoun ?? PART_NOUN,
    token_steps: [...(listing.tokenSteps ?? [])],
    about: {
      item: documentation.item,
      removed: documentation.removed,
      api: documentation.api,
      limits: documentation.limits,
    },
  }
}
