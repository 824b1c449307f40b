import { z } from 'zod'
import type { Change, ItemRef, SourceItem, SourceType } from '../../src/connector/connector.ts'
import { isTakenPath, type PathRules, readableFile } from '../../src/connector/readable-file.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import { type DriveFolders, folderNames } from './drive-folders.ts'
import { graphTime } from './graph-address.ts'
import type { GraphGateway } from './graph-gateway.ts'

const identity = z.looseObject({ user: z.looseObject({ displayName: z.string().nullish() }).nullish() }).nullish()

/** A file or folder as Graph returns it (`driveItem`). */
export const driveItemAnswer = z.looseObject({
  id: z.string().min(1),
  name: z.string().nullish(),
  size: z.number().nullish(),
  webUrl: z.string().nullish(),
  createdDateTime: z.string().nullish(),
  lastModifiedDateTime: z.string().nullish(),
  file: z
    .looseObject({
      hashes: z
        .looseObject({
          quickXorHash: z.string().nullish(),
          sha256Hash: z.string().nullish(),
          sha1Hash: z.string().nullish(),
        })
        .nullish(),
    })
    .nullish(),
  folder: z.looseObject({}).nullish(),
  root: z.looseObject({}).nullish(),
  package: z.looseObject({ type: z.string().nullish() }).nullish(),
  deleted: z.looseObject({}).nullish(),
  malware: z.looseObject({}).nullish(),
  remoteItem: z.looseObject({}).nullish(),
  parentReference: z.looseObject({ id: z.string().nullish(), path: z.string().nullish() }).nullish(),
  createdBy: identity,
  lastModifiedBy: identity,
  '@microsoft.graph.downloadUrl': z.string().nullish(),
})

export type DriveItem = z.infer<typeof driveItemAnswer>

/** A drive with its selection rules. */
export interface DriveSource {
  readonly driveId: string
  /** `My files`, `Marketing / Documents`. */
  readonly title: string
  readonly sourceType: SourceType
  /** Prefix of its items' ids: `msdrive`, `sp`. */
  readonly prefix: string
  readonly rules: PathRules
  readonly since: Date | undefined
  readonly gateway: GraphGateway
}

export type DriveChange = Exclude<Change<never>, { type: 'checkpoint' }>

/** The change that an entry of a delta, or a single file, describes; `undefined` for folders and skipped files. */
export async function driveChange(
  item: DriveItem,
  source: DriveSource,
  folders: DriveFolders,
): Promise<DriveChange | undefined> {
  if (item.folder || item.root) return undefined
  const ref = driveRef(item, source)
  // Files that are no longer selected are removed like deleted ones.
  if (item.deleted || !(await includesFile(item, source, folders))) return { type: 'gone', ref }
  const reason = unreadable(item)
  return reason === undefined
    ? { type: 'item', item: driveFile(item, ref, source) }
    : {
        type: 'failed',
        ref,
        error: new SourceError('skip', `${item.name ?? 'A file'}: ${reason}.`, { tooLarge: isTooLarge(item) }),
      }
}

function driveRef({ id, name }: DriveItem, { driveId, prefix, sourceType }: DriveSource): ItemRef {
  return {
    sourceType,
    itemId: sourceItemId(prefix, driveId, id),
    locator: `file ${driveId} ${id}`,
    ...(name && { title: name }),
  }
}

async function includesFile(item: DriveItem, { rules, since }: DriveSource, folders: DriveFolders): Promise<boolean> {
  // Unsupported types such as pictures are not reported as failures, because a drive may be full of them.
  if (item.file && !item.package && readableFile(item.name ?? '') === undefined) return false
  const changed = graphTime(item.lastModifiedDateTime)
  if (since !== undefined && changed !== undefined && changed < since) return false
  if (rules.include === undefined && rules.exclude.length === 0) return true
  const above = await folders.above(item)
  return above !== undefined && isTakenPath([...above, item.name ?? ''].join('/'), rules)
}

function unreadable(item: DriveItem): string | undefined {
  const { name, size, malware, remoteItem, package: bundle, file } = item
  if (malware) return 'Microsoft found malware in it'
  if (remoteItem) return "it is in somebody else's drive"
  if (bundle) return `notebooks and similar items (${bundle.type ?? 'package'}) are not supported`
  const readable = readableFile(name ?? '')
  if (!file || readable === undefined) return 'this file type is not supported'
  if (isTooLarge(item)) return `it is larger than ${readable.most}`
  return size === 0 ? 'it is empty' : undefined
}

function isTooLarge({ name, size }: DriveItem): boolean {
  return (size ?? 0) > (readableFile(name ?? '')?.mostBytes ?? Number.POSITIVE_INFINITY)
}

function driveFile(item: DriveItem, ref: ItemRef, source: DriveSource): SourceItem {
  const { name, webUrl, size, createdDateTime, lastModifiedDateTime, file, lastModifiedBy, createdBy } = item
  const title = name ?? item.id
  const readable = readableFile(title)
  const author = createdBy?.user?.displayName ?? lastModifiedBy?.user?.displayName
  const { quickXorHash, sha256Hash, sha1Hash } = file?.hashes ?? {}
  // Not the cTag, which deltas of business accounts omit.
  const revision = quickXorHash ?? sha256Hash ?? sha1Hash ?? `${lastModifiedDateTime ?? ''} ${size ?? ''}`
  const createdAt = graphTime(createdDateTime)
  const updatedAt = graphTime(lastModifiedDateTime)
  return {
    ...ref,
    // A renamed file may have a different type.
    revision: `${revision} ${title}`,
    title,
    fileName: title,
    ...(readable && { contentType: readable.contentType }),
    ...(webUrl && { url: webUrl }),
    ...(author && { author }),
    where: source.title,
    parents: folderNames(item) ?? [],
    ...(createdAt && { createdAt }),
    ...(updatedAt && { updatedAt }),
    body: () => downloadItem(item, source, readable?.mostBytes ?? 0),
  }
}

/** Downloads from the pre-signed URL of the delta, or by path once that has expired. */
async function downloadItem(item: DriveItem, { driveId, gateway }: DriveSource, mostBytes: number) {
  const path = `/drives/${encodeURIComponent(driveId)}/items/${encodeURIComponent(item.id)}/content`
  const signed = item['@microsoft.graph.downloadUrl']
  const bytes = signed ? await gateway.download(signed, mostBytes) : undefined
  return bytes ?? gateway.download(path, mostBytes)
}
