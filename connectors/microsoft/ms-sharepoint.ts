import type { Connector } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { graphAccount, isPersonalAccount } from './graph-account.ts'
import { GraphGateway } from './graph-gateway.ts'
import { readOfSite, siteChanges } from './sharepoint-changes.ts'
import {
  type SharePointConfig,
  type SharePointCursor,
  sharePointConfig,
  sharePointCursor,
} from './sharepoint-config.ts'
import { sitePartitions } from './sharepoint-sites.ts'

/** With a shorter wait, a document in progress would be memorized many times. */
const QUIET_PERIOD_MS = 10 * 60_000
const SCOPES = ['Sites.Read.All']

/** Files, pages and lists of SharePoint sites. */
export const msSharePoint: Connector<SharePointConfig, SharePointCursor> = {
  manifest: {
    id: 'ms-sharepoint',
    title: 'SharePoint',
    sourceTypes: ['ms-sharepoint'],
    auth: 'oauth',
    config: sharePointConfig,
    cursor: sharePointCursor,
    schedule: '*/30 * * * *',
    deletions: 'feed',
    exactFeed: true,
    inventoryEveryMs: 0,
    vanished: 'forget',
    provider: 'microsoft',
    version: 1,
    quietPeriodMs: QUIET_PERIOD_MS,
    selection: ({ include, exclude, since, pages, lists }) => ({ include, exclude, since, pages, lists }),
    grant: { provider: 'microsoft', family: 'graph', scopes: () => SCOPES },
    listing: {
      summary: 'Files, pages and lists of the sites you follow.',
      icon: 'cloud',
      group: 'Microsoft',
    },
    documentation: {
      item: 'one file with text; one published page; one entry of a list in `lists`',
      removed:
        'at the next sync, also everything in sites you no longer follow; files in a folder renamed into or out of an excluded one with `recalld sync ms-sharepoint --full`',
      needs:
        "`recalld connect ms-sharepoint`; the permission Sites.Read.All, which often needs an administrator's consent",
      api: 'Microsoft Graph v1.0: root/delta of each library, site pages, list items/delta',
      cursor: 'nextLink and deltaLink of each library and list; a digest of each page',
      limits: 'SharePoint resource units; `Retry-After` is respected; text files up to 10 MB, PDFs up to 20 MB',
      verified: 'local fake server with working deltas; recorded responses',
    },
  },

  async check(context) {
    const account = await graphAccount(gatewayOf(context))
    if (!isPersonalAccount(account)) return account
    const remedy = 'connect a work or school account, or remove this connection'
    throw new SourceError('reconfigure', `Personal accounts don't have SharePoint: ${remedy}.`)
  },
  partitions: (context) => sitePartitions(context.config, gatewayOf(context)),
  changes: (partition, cursor, context) => siteChanges(partition, cursor, context, gatewayOf(context)),
  async read({ partition, locator }, context) {
    return locator === undefined ? undefined : readOfSite({ partition, locator }, context, gatewayOf(context))
  },
}

function gatewayOf(context: Parameters<typeof msSharePoint.check>[0]): GraphGateway {
  return new GraphGateway(context, { workload: 'files', scopes: SCOPES })
}
