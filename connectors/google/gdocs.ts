import type { Change, Connector, Context, Partition } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { DriveApi } from './drive-api.ts'
import { driveChanges, driveInventory, readDriveItem } from './drive-changes.ts'
import { drivePartitions, driveRun, openDriveSource } from './drive-source.ts'
import { DRIVE_NEED, type GdocsConfig, type GdocsCursor, gdocsConfig, gdocsCursor } from './gdocs-config.ts'
import { googleAccount, googleGateway } from './google-gateway.ts'
import { connectionAccount } from './google-rows.ts'

const DAY_MS = 24 * 60 * 60_000

/** Documents, spreadsheets, presentations and readable files of Google Drive. */
export const gdocs: Connector<GdocsConfig, GdocsCursor> = {
  manifest: {
    id: 'gdocs',
    title: 'Google Docs and Drive',
    sourceTypes: ['gdocs'],
    auth: 'oauth',
    config: gdocsConfig,
    cursor: gdocsCursor,
    schedule: '*/15 * * * *',
    // In addition to the changes, because Drive may report a deleted folder without its files.
    deletions: 'inventory',
    exactFeed: true,
    inventoryEveryMs: 7 * DAY_MS,
    vanished: 'forget',
    provider: 'google',
    // Reads a minute and person. https://developers.google.com/workspace/docs/api/limits, .../sheets/api/limits
    quotas: {
      'Google Docs': { perMinute: 300 },
      'Google Sheets': { perMinute: 60 },
      'Google Slides': { perMinute: 600 },
    },
    version: 1,
    quietPeriodMs: 10 * 60_000,
    selection: ({ since, kinds, folders, exclude, shared_drives, shared_with_me, comments }) => ({
      since: since?.toISOString(),
      kinds,
      folders,
      exclude,
      shared_drives,
      shared_with_me,
      comments,
    }),
    grant: { provider: 'google', family: DRIVE_NEED.family, scopes: () => DRIVE_NEED.scopes },
    listing: {
      summary: 'Documents, spreadsheets and presentations with their comments, and PDF and Office files.',
      icon: 'file',
      group: 'Google',
    },
    documentation: {
      item: 'a document with all tabs, a spreadsheet with all sheets, a presentation with its notes, each with its comments; a PDF, Office, OpenDocument or text file; shortcuts are followed; pictures, recordings, archives, forms and drawings are skipped',
      removed:
        'at the next sync when it is deleted, moved to the trash or no longer accessible; within a week when only a folder above it was deleted',
      needs: '`recalld connect google`, with the APIs of Google Drive, Docs, Sheets and Slides enabled',
      api: 'Drive API v3: changes.list, files.list, comments.list; Docs API v1, Sheets API v4, Slides API v1',
      cursor: 'the page token of changes.list, one for My Drive and one for each shared drive',
      limits:
        'PDFs up to 20 MB, other files up to 10 MB; the first 5,000 rows and 100 columns of a sheet, the first 1,000,000 characters of a spreadsheet',
      verified: 'fake server, recordings',
    },
  },
  async check(context) {
    const gateway = await googleGateway(context, DRIVE_NEED)
    // Also with a grant: it proves that the Drive can be read.
    const user = await (await DriveApi.open(gateway, context.clock)).user()
    const asked = async () => {
      if (user === undefined) return connectionAccount(context.config.name)
      const { permissionId, emailAddress, displayName } = user
      return { account: permissionId, title: emailAddress ?? displayName ?? permissionId }
    }
    return googleAccount(gateway, asked, context.clock())
  },
  async *partitions(context) {
    yield* drivePartitions(await driveRun(context))
  },
  changes,
  async read(ref, context) {
    if (ref.locator === undefined) {
      throw new SourceError('skip', `${ref.title ?? ref.itemId} is not a Google Drive file.`)
    }
    return readDriveItem(await openDriveSource(ref.partition, context), ref.locator)
  },
  async *inventory(partition, context) {
    yield* driveInventory(await openDriveSource(partition, context))
  },
}

async function* changes(
  partition: Partition,
  cursor: GdocsCursor | undefined,
  context: Context<GdocsConfig>,
): AsyncGenerator<Change<GdocsCursor>> {
  yield* driveChanges(await openDriveSource(partition, context), cursor)
}
