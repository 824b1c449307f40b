import { z } from 'zod'
import type { Change, Context, Partition, SourceItem } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { driveChanges, readDriveItem } from './drive-changes.ts'
import type { DriveSource } from './drive-item.ts'
import type { GraphGateway } from './graph-gateway.ts'
import { type ListSource, listChanges, namedLists, readEntry } from './list-changes.ts'
import type { SharePointConfig, SharePointCursor } from './sharepoint-config.ts'
import { type Site, siteOf } from './sharepoint-sites.ts'
import { pageChanges, readPage } from './site-pages.ts'

const driveAnswer = z.looseObject({ id: z.string().min(1), name: z.string().nullish() })

interface SharePointScan {
  readonly site: Site
  readonly gateway: GraphGateway
  readonly config: SharePointConfig
  /** Contents of later checkpoints; each step adds its own part. */
  cursor: SharePointCursor
  /** The first part of the site that cannot be read. */
  closed: SourceError | undefined
}

/**
 * The changes of a site: its libraries, pages and lists. If a part cannot be read, the others still are, and the scan
 * then ends with its error, so that nothing in it counts as deleted.
 *
 * @throws SourceError `restart` when Graph no longer accepts a link, or a library or list was deleted
 */
export async function* siteChanges(
  partition: Partition,
  cursor: SharePointCursor | undefined,
  { config }: Context<SharePointConfig>,
  gateway: GraphGateway,
): AsyncGenerator<Change<SharePointCursor>> {
  const site = await siteOf(partition, gateway)
  const scan: SharePointScan = { site, gateway, config, cursor: cursor ?? { drives: {}, lists: {} }, closed: undefined }
  yield* drivesOf(scan)
  if (config.pages) yield* within(scan, pagesOf(scan))
  if (config.lists.length > 0) yield* listsOf(scan)
  if (scan.closed !== undefined) throw scan.closed
  yield { type: 'checkpoint', cursor: scan.cursor }
}

async function* drivesOf(scan: SharePointScan): AsyncGenerator<Change<SharePointCursor>> {
  const { site, gateway, config } = scan
  const drives = new Map<string, string>()
  const path = `/sites/${encodeURIComponent(site.id)}/drives`
  for await (const { id, name } of gateway.list(driveAnswer, path)) drives.set(id, name || 'Documents')
  mustHold(scan, 'drives', drives)
  for (const [driveId, name] of drives) {
    yield* within(scan, driveOf(scan, driveSource({ driveId, name, site, gateway, config })))
  }
}

async function* driveOf(scan: SharePointScan, source: DriveSource): AsyncGenerator<Change<SharePointCursor>> {
  const link = scan.cursor.drives[source.driveId]
  for await (const change of driveChanges(source, link === undefined ? undefined : { link })) {
    if (change.type !== 'checkpoint') yield change
    else yield advanced(scan, { drives: { ...scan.cursor.drives, [source.driveId]: change.cursor.link } })
  }
}

async function* pagesOf(scan: SharePointScan): AsyncGenerator<Change<SharePointCursor>> {
  const pages = yield* pageChanges(scan, scan.cursor.pages)
  yield advanced(scan, { pages })
}

async function* listsOf(scan: SharePointScan): AsyncGenerator<Change<SharePointCursor>> {
  const { site, gateway, config } = scan
  const lists = new Map<string, string>()
  for await (const { id, title } of namedLists(site, config.lists, gateway)) lists.set(id, title)
  mustHold(scan, 'lists', lists)
  for (const [id, title] of lists) yield* within(scan, listOf(scan, { site, gateway, list: { id, title } }))
}

async function* listOf(scan: SharePointScan, source: ListSource): AsyncGenerator<Change<SharePointCursor>> {
  const { id } = source.list
  for await (const { changes, link } of listChanges(source, scan.cursor.lists[id])) {
    yield* changes
    yield advanced(scan, { lists: { ...scan.cursor.lists, [id]: link } })
  }
}

function advanced(scan: SharePointScan, part: Partial<SharePointCursor>): Change<SharePointCursor> {
  scan.cursor = { ...scan.cursor, ...part }
  return { type: 'checkpoint', cursor: scan.cursor }
}

/** Items of a deleted library or list are not reported, so a full scan finds them. */
function mustHold({ cursor, site }: SharePointScan, part: 'drives' | 'lists', now: ReadonlyMap<string, string>): void {
  if (Object.keys(cursor[part]).every((id) => now.has(id))) return
  throw new SourceError('restart', `A library or list of ${site.title} was deleted. Everything else is compared.`)
}

/** Reads the rest of the site when the account cannot access a part. */
async function* within<T>(scan: SharePointScan, part: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* part
  } catch (error) {
    if (!(error instanceof SourceError) || error.remedy !== 'skip') throw error
    scan.closed ??= error
  }
}

/** @param locator as in the references of files, pages and entries */
export async function readOfSite(
  { partition, locator }: { readonly partition: Partition; readonly locator: string },
  { config }: Context<SharePointConfig>,
  gateway: GraphGateway,
): Promise<SourceItem | undefined> {
  const [kind = '', first = '', second = ''] = locator.split(' ')
  const site = await siteOf(partition, gateway)
  if (kind === 'page') return readPage({ site, gateway }, first)
  if (kind === 'list') {
    for await (const list of namedLists(site, config.lists, gateway)) {
      if (list.id === first) return readEntry({ site, gateway, list }, second)
    }
    return undefined
  }
  const drive = await gateway.find(driveAnswer, `/drives/${encodeURIComponent(first)}`)
  const source = drive && driveSource({ driveId: first, name: drive.name || 'Documents', site, gateway, config })
  return source && readDriveItem(source, second)
}

function driveSource({ driveId, name, site, gateway, config }: DriveParts): DriveSource {
  const { include, exclude, since } = config
  return {
    driveId,
    title: `${site.title} / ${name}`,
    sourceType: 'ms-sharepoint',
    prefix: 'sp',
    rules: { include, exclude },
    since,
    gateway,
  }
}

interface DriveParts {
  readonly driveId: string
  readonly name: string
  readonly site: Site
  readonly gateway: GraphGateway
  readonly config: SharePointConfig
}
