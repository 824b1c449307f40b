import { z } from 'zod'
import type { Change, SourceItem } from '../../src/connector/connector.ts'
import { driveFolders } from './drive-folders.ts'
import { type DriveSource, driveChange, driveItemAnswer } from './drive-item.ts'
import { linkAfter } from './graph-gateway.ts'

/**
 * How far a drive was read: `@odata.nextLink` of a full scan, or `@odata.deltaLink` of a finished one, relative to the
 * root.
 */
export const driveCursor = z.strictObject({ link: z.string().min(1) })

export type DriveCursor = z.infer<typeof driveCursor>

/** Graph's maximum; larger pages mean fewer requests. */
const PAGE_SIZE = 200

/**
 * The changes of a drive; without a cursor, everything. Graph documents that listing folders may miss items, so the
 * first full scan uses the delta too.
 *
 * @throws SourceError `restart` when Graph no longer accepts the cursor (410, resyncRequired)
 */
export async function* driveChanges(
  source: DriveSource,
  cursor: DriveCursor | undefined,
): AsyncGenerator<Change<DriveCursor>> {
  const { driveId, gateway } = source
  const first = `/drives/${encodeURIComponent(driveId)}/root/delta`
  const folders = driveFolders(driveId, gateway)
  const options = cursor === undefined ? { query: { $top: PAGE_SIZE } } : {}
  for await (const page of gateway.pages(driveItemAnswer, cursor ?? first, options)) {
    folders.learn(page.values)
    // An item may appear on a page several times; the last one counts.
    const latest = new Map(page.values.map((item) => [item.id, item]))
    for (const item of latest.values()) {
      const change = await driveChange(item, source, folders)
      if (change !== undefined) yield change
    }
    yield { type: 'checkpoint', cursor: { link: linkAfter(page, source.title) } }
  }
}

/**
 * A file as it is now; `undefined` when it was deleted or is no longer selected.
 *
 * @param id of the item in its drive
 */
export async function readDriveItem(source: DriveSource, id: string): Promise<SourceItem | undefined> {
  const { driveId, gateway } = source
  const path = `/drives/${encodeURIComponent(driveId)}/items/${encodeURIComponent(id)}`
  const item = await gateway.find(driveItemAnswer, path)
  const change = item && (await driveChange(item, source, driveFolders(driveId, gateway)))
  if (change?.type === 'failed') throw change.error
  return change?.type === 'item' ? change.item : undefined
}
