import { createHash } from 'node:crypto'
import type { Change, ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import { type DriveFile, personName } from './drive-answers.ts'
import { tooLarge } from './drive-api.ts'
import type { DriveFolder } from './drive-folders.ts'
import type { DriveSource, PlacedFile } from './drive-source.ts'
import { readableFile } from './drive-types.ts'
import type { GdocsCursor } from './gdocs-config.ts'
import { editorText } from './gdocs-text.ts'

const PATH_DIGITS = 12

/** `gdrive:FILE`, without an account, so that a file that two accounts see is one item. */
export function fileRef(file: Pick<DriveFile, 'id'>): ItemRef {
  return { sourceType: 'gdocs', itemId: sourceItemId('gdrive', file.id), locator: file.id }
}

/** An item, or why it cannot be read. */
export function fileChange(source: DriveSource, placed: PlacedFile): Change<GdocsCursor> {
  const { file, path } = placed
  const error = unreadable(file)
  if (error === undefined) return { type: 'item', item: fileItem(source, placed) }
  return { type: 'failed', ref: { ...fileRef(file), title: file.name, revision: revisionOf(file, path) }, error }
}

/** @returns why a file cannot be read, judged by its metadata */
function unreadable({ name, capabilities, size, mimeType }: DriveFile): SourceError | undefined {
  if (capabilities?.canDownload === false) {
    return new SourceError('skip', `The owner of "${name}" doesn't allow downloads.`)
  }
  const readable = readableFile({ name, mimeType })
  return readable !== undefined && (size ?? 0) > readable.mostBytes ? tooLarge(name, readable.mostBytes) : undefined
}

function fileItem(source: DriveSource, { file, path }: PlacedFile): SourceItem {
  const { createdTime, modifiedTime, owners = [], name, webViewLink } = file
  const authors = owners.flatMap((owner) => personName(owner) ?? [])
  const editor = personName(file.lastModifyingUser)
  const top = (file.ownedByMe ?? file.driveId === undefined) ? 'My Drive' : 'Shared with me'
  const parents = path.length === 0 ? [top] : path.map((folder) => folder.name)
  return {
    ...fileRef(file),
    revision: revisionOf(file, path),
    title: name,
    ...(webViewLink !== undefined && { url: webViewLink }),
    ...(authors.length === 1 && authors[0] !== undefined && { author: authors[0] }),
    people: [...new Set([...authors, ...(editor === undefined ? [] : [editor])])],
    where: parents.at(-1) ?? top,
    parents,
    visibility: file.shared === true || file.driveId !== undefined || file.ownedByMe === false ? 'shared' : 'private',
    ...(createdTime && { createdAt: createdTime }),
    ...(modifiedTime && { updatedAt: modifiedTime }),
    ...content(source, file),
  }
}

function content(source: DriveSource, file: DriveFile): Pick<SourceItem, 'body' | 'fileName' | 'contentType'> {
  const readable = readableFile(file)
  if (readable === undefined) return { body: () => editorText(source, file) }
  const { fileName, contentType, mostBytes } = readable
  return { fileName, contentType, body: () => source.api.download(file, mostBytes) }
}

/**
 * `version` also counts changes that the person cannot see, so some files are read needlessly; but `modifiedTime` does
 * not change with comments. The folder names are part of the document, and change without the file.
 */
function revisionOf({ version, modifiedTime, name }: DriveFile, path: readonly DriveFolder[]): string {
  const pathKey = JSON.stringify([name, ...path.map((folder) => folder.name)])
  const hash = createHash('sha256').update(pathKey).digest('base64url').slice(0, PATH_DIGITS)
  return `${version ?? modifiedTime?.toISOString() ?? ''} ${hash}`
}
