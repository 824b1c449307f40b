import { z } from 'zod'
import { sinceField } from '../../src/connector/connection-fields.ts'
import type { Connector, Context, Partition } from '../../src/connector/connector.ts'
import { pathFields } from '../../src/connector/readable-file.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { type DriveCursor, driveChanges, driveCursor, readDriveItem } from './drive-changes.ts'
import type { DriveSource } from './drive-item.ts'
import { graphAccount } from './graph-account.ts'
import { GraphGateway } from './graph-gateway.ts'
import { microsoftFields } from './microsoft-config.ts'

/** With a shorter wait, a document in progress would be memorized many times. */
const QUIET_PERIOD_MS = 10 * 60_000
const SCOPES = ['Files.Read']

const oneDriveConfig = z.strictObject({ ...microsoftFields(), ...pathFields(), since: sinceField() })

type OneDriveConfig = z.infer<typeof oneDriveConfig>

const driveAnswer = z.looseObject({ id: z.string().min(1), name: z.string().nullish() })

/** Files in the person's own OneDrive. */
export const msOneDrive: Connector<OneDriveConfig, DriveCursor> = {
  manifest: {
    id: 'ms-onedrive',
    title: 'OneDrive',
    sourceTypes: ['ms-onedrive'],
    auth: 'oauth',
    config: oneDriveConfig,
    cursor: driveCursor,
    schedule: '*/15 * * * *',
    deletions: 'feed',
    exactFeed: true,
    inventoryEveryMs: 0,
    vanished: 'forget',
    provider: 'microsoft',
    version: 1,
    quietPeriodMs: QUIET_PERIOD_MS,
    selection: ({ include, exclude, since }) => ({ include, exclude, since }),
    grant: { provider: 'microsoft', family: 'graph', scopes: () => SCOPES },
    listing: {
      summary: 'Office, PDF and text files in your drive.',
      icon: 'cloud',
      group: 'Microsoft',
    },
    documentation: {
      item: 'one file with text: Office, OpenDocument, PDF, Markdown, HTML, text',
      removed:
        'deleted files at the next sync; files in a folder renamed into or out of an excluded one with `recalld sync ms-onedrive --full`',
      needs: '`recalld connect microsoft`; the permission Files.Read',
      api: 'Microsoft Graph v1.0: root/delta, content from its pre-signed address',
      cursor: 'nextLink and deltaLink of the drive',
      limits: 'SharePoint resource units; `Retry-After` is respected; text files up to 10 MB, PDFs up to 20 MB',
      verified: 'local fake server with working deltas; recorded responses',
    },
  },

  check: (context) => graphAccount(gatewayOf(context)),

  async *partitions(context) {
    const { id, name } = await ownDrive(gatewayOf(context))
    yield { id, title: name || 'OneDrive' }
  },

  changes: (partition, cursor, context) => driveChanges(sourceOf(partition, context), cursor),

  async read({ partition, locator }, context) {
    const [, , id] = locator?.split(' ') ?? []
    return id === undefined ? undefined : readDriveItem(sourceOf(partition, context), id)
  },
}

async function ownDrive(gateway: GraphGateway) {
  try {
    return await gateway.get(driveAnswer, '/me/drive')
  } catch (error) {
    if (!(error instanceof SourceError) || error.remedy !== 'skip') throw error
    const remedy = 'open OneDrive once in a browser to create it, or remove this connection'
    throw new SourceError('reconfigure', `The account has no readable OneDrive: ${remedy}. ${error.message}`, {
      cause: error,
    })
  }
}

function gatewayOf(context: Parameters<typeof msOneDrive.check>[0]): GraphGateway {
  return new GraphGateway(context, { workload: 'files', scopes: SCOPES })
}

function sourceOf({ id, title }: Partition, context: Context<OneDriveConfig>): DriveSource {
  const { include, exclude, since } = context.config
  return {
    driveId: id,
    title,
    sourceType: 'ms-onedrive',
    prefix: 'msdrive',
    rules: { include, exclude },
    since,
    gateway: gatewayOf(context),
  }
}
