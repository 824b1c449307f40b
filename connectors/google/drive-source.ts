import type { Context, Partition } from '../../src/connector/connector.ts'
import { perRun } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { DriveFile, SharedDrive } from './drive-answers.ts'
import { DriveApi, type DriveScope } from './drive-api.ts'
import { type DriveFolder, DriveFolders } from './drive-folders.ts'
import { driveKind } from './drive-types.ts'
import { DRIVE_NEED, type GdocsConfig } from './gdocs-config.ts'
import { type GoogleGateway, googleGateway } from './google-gateway.ts'

/** Data shared by all partitions of a run. */
export interface DriveRun {
  readonly gateway: GoogleGateway
  readonly api: DriveApi
  readonly context: Context<GdocsConfig>
  /** The shared drives that the person is a member of. */
  readonly drives: readonly SharedDrive[]
  readonly folders: DriveFolders
}

/** Everything a run needs to read one partition. */
export interface DriveSource extends DriveRun {
  readonly scope: DriveScope
}

export interface PlacedFile {
  readonly file: DriveFile
  /** From the outermost folder to the innermost. */
  readonly path: readonly DriveFolder[]
}

const MY_DRIVE: Partition = { id: 'my-drive', title: 'My Drive' }
const SHARED = 'drive:'

export const driveRun = perRun(openRun)

async function openRun(context: Context<GdocsConfig>): Promise<DriveRun> {
  const gateway = await googleGateway(context, DRIVE_NEED)
  const api = await DriveApi.open(gateway, context.clock)
  const drives = await api.sharedDrives()
  return { gateway, api, context, drives, folders: new DriveFolders(api, drives) }
}

/** My Drive with the files others shared, and each shared drive. */
export function drivePartitions({ drives, context: { config } }: DriveRun): Partition[] {
  const shared = config.shared_drives ? drives.filter(({ id, name }) => !names(config.exclude, [{ id, name }])) : []
  return [MY_DRIVE, ...shared.map(({ id, name }) => ({ id: `${SHARED}${id}`, title: `Shared drive ${name}` }))]
}

export async function openDriveSource(partition: Partition, context: Context<GdocsConfig>): Promise<DriveSource> {
  const run = await driveRun(context)
  if (partition.id === MY_DRIVE.id) return { ...run, scope: {} }
  if (partition.id.startsWith(SHARED)) return { ...run, scope: { driveId: partition.id.slice(SHARED.length) } }
  throw new SourceError('skip', `${partition.title} is not part of Google Drive.`)
}

/** The file with its folders if this partition syncs it, as it is now. */
export async function placed(source: DriveSource, file: DriveFile): Promise<PlacedFile | undefined> {
  const { config } = source.context
  const kind = driveKind(file)
  if (file.trashed || kind === undefined || !config.kinds.includes(kind) || !isHere(source, file)) return undefined
  const changed = file.modifiedTime ?? file.createdTime
  if (config.since !== undefined && changed !== undefined && changed < config.since) return undefined
  const path = await source.folders.path(file)
  if (config.folders !== undefined && !names(config.folders, path)) return undefined
  if (names(config.exclude, path) || !isWanted(config, file, path)) return undefined
  return { file, path }
}

/**
 * The one partition that syncs a file. A file in a shared drive without the person as member belongs to My Drive, like
 * any other file shared with them.
 */
function isHere({ scope, drives }: DriveSource, { driveId }: DriveFile): boolean {
  if (scope.driveId !== undefined) return driveId === scope.driveId
  return driveId === undefined || !drives.some(({ id }) => id === driveId)
}

function isWanted({ shared_with_me: shared }: GdocsConfig, file: DriveFile, path: readonly DriveFolder[]): boolean {
  const isInDrive = file.driveId !== undefined && path[0]?.id === file.driveId
  // Without an owner, the file belongs to the person.
  if (isInDrive || (file.ownedByMe ?? file.driveId === undefined) || path.some(({ isOwn }) => isOwn)) return true
  if (shared !== 'opened') return shared === 'all'
  return file.viewedByMeTime !== undefined || file.modifiedByMeTime !== undefined
}

/** Whether a rule is the name or id of a folder on the path, or consecutive names in it: `Team/Minutes`. */
function names(rules: readonly string[], path: readonly Pick<DriveFolder, 'id' | 'name'>[]): boolean {
  if (rules.length === 0) return false
  const written = `/${path.map(({ name }) => name).join('/')}/`.toLowerCase()
  return rules.some((rule) => {
    const asked = rule.replace(/^\/+|\/+$/g, '')
    return written.includes(`/${asked.toLowerCase()}/`) || path.some(({ id }) => id === asked)
  })
}
