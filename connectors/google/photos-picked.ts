import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { SourceItem } from '../../src/connector/connector.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import { contentRevision, instantOf, optionalNumber, optionalText } from './google-rows.ts'

/** Google's record of a picked photo or video. */
export const pickedAnswer = z.looseObject({
  id: z.string().min(1),
  createTime: optionalText,
  type: optionalText,
  mediaFile: z
    .looseObject({
      mimeType: optionalText,
      filename: optionalText,
      mediaFileMetadata: z
        .looseObject({
          width: optionalNumber,
          height: optionalNumber,
          cameraMake: optionalText,
          cameraModel: optionalText,
        })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
})
export type PickedPhoto = z.output<typeof pickedAnswer>

const record = z.array(pickedAnswer)
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** The folder for a connection's picked photos. @param spoolFolder of `SourceMachine` */
function pickedFolder(spoolFolder: string, connection: string): string {
  return join(spoolFolder, `photos-${connection}`)
}

/** Resolves when they are saved; then the picker session can be ended. */
export async function layDownPicked(
  spoolFolder: string,
  connection: string,
  photos: readonly PickedPhoto[],
  now: Date,
): Promise<void> {
  const folder = pickedFolder(spoolFolder, connection)
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  const newest = Number((await pickedFiles(spoolFolder, connection)).at(-1)?.match(/\d+/)?.[0] ?? 0)
  // Files keep their order even if the clock was set back.
  const time = Math.max(now.getTime(), newest + 1)
  const path = join(folder, `picked-${String(time).padStart(15, '0')}.json`)
  const file = await open(`${path}.new`, 'w', FILE_MODE)
  try {
    await file.writeFile(JSON.stringify(photos))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

/** File names, oldest first. */
export async function pickedFiles(spoolFolder: string, connection: string): Promise<string[]> {
  const names = await readdir(pickedFolder(spoolFolder, connection)).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => /^picked-\d+\.json$/.test(name)).sort()
}

/** @returns nothing when the file is damaged */
export async function pickedPhotos(spoolFolder: string, connection: string, file: string): Promise<PickedPhoto[]> {
  const text = await readFile(join(pickedFolder(spoolFolder, connection), file), 'utf8')
  try {
    return record.safeParse(JSON.parse(text)).data ?? []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

/** @param file in which it was saved */
export function pickedItem({ id, createTime, type, mediaFile }: PickedPhoto, file: string): SourceItem {
  const { filename, mediaFileMetadata: metadata } = mediaFile ?? {}
  const kind = type === 'VIDEO' ? 'Video' : 'Photo'
  const title = filename?.trim() || kind
  const createdAt = instantOf(createTime)
  const camera = [metadata?.cameraMake, metadata?.cameraModel].filter((part) => part).join(' ')
  const lines = [
    `${kind} that I picked to be remembered: ${title}`,
    ...(createdAt === undefined ? [] : [`Taken at ${createdAt.toISOString()}`]),
    ...(camera === '' ? [] : [`Camera: ${camera}`]),
    ...(metadata?.width && metadata.height ? [`Size: ${metadata.width} x ${metadata.height} pixels`] : []),
  ]
  const content = { title, ...(createdAt !== undefined && { createdAt }), body: `${lines.join('\n')}\n` }
  return {
    sourceType: 'photos',
    itemId: sourceItemId('gphotos', id),
    locator: `${file} ${id}`,
    revision: contentRevision(content),
    visibility: 'private',
    ...content,
  }
}
